// Generates the code of one description, and drives it: `node openapi/tests/survey/one.mjs DESCRIPTION FOLDER [SECONDS]`. Prints the outcome as JSON.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const HERE = dirname(fileURLToPath(import.meta.url))
const [source, folder, longest = '180'] = process.argv.slice(2)
const out = join(HERE, '../../node_modules/.cache/survey', `${process.pid}.mjs`)
mkdirSync(folder, { recursive: true })
mkdirSync(dirname(out), { recursive: true })
const common = { bundle: true, platform: 'node', format: 'esm', logLevel: 'error', conditions: ['restitch-source'] }
await build({
  ...common,
  stdin: {
    contents: `export * from '${HERE}/../../src/index.ts'\nexport { writeFiles } from '${HERE}/../../src/output.ts'`,
    resolveDir: HERE,
    loader: 'ts',
  },
  packages: 'external',
  outfile: out,
})
const tool = await import(pathToFileURL(out).href)
rmSync(out)
const start = performance.now()
const document = await tool.readDescription(source, { lenient: true })
const read = performance.now()
const { files, endpoints, report, counts } = tool.generate(document, {
  baseUrl: 'http://restitch.test',
  auth: false,
  importExtension: '.ts',
  lenient: true,
  mocks: true,
})
const seconds = (performance.now() - start) / 1000
rmSync(join(folder, 'api'), { recursive: true, force: true })
tool.writeFiles(join(folder, 'api'), files)
// Mocks are compiled as well, but peers write none by default.
const lines = [...files].reduce((sum, [name, text]) => sum + (name === 'mocks.ts' ? 0 : text.split('\n').length - 1), 0)
const anys = [...files.values()].filter((text) =>
  /\bany\b(?!\??:)/.test(
    text.replaceAll(/\/\*\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`/g, ''),
  ),
).length
const tags = [...files.keys()].filter(
  (name) => !name.includes('/') && !/^(?:api|types|validators|mocks)\.ts$/.test(name),
)
// Members of the schemas of entities that lead to other records.
const schemas = [...files]
  .filter(([name]) => name.startsWith('entities/'))
  .flatMap(
    ([, text]) =>
      text.match(
        /static override (?:schema = |get schema\(\)[^{]*\{\s*return \(\w+ \?\?= )\{[\s\S]*?\n? {0,4}\}(?=\n|\))/g,
      ) ?? [],
  )
const relations = schemas
  .flatMap((text) => text.match(/\b[A-Z]\w+(?=[\s,\]})])/g) ?? [])
  .filter((name) => name !== 'Date' && name !== 'Entity').length
const reported = report.findings.filter(({ verdict }) => verdict !== 'inferred').map(({ subject }) => subject)
const input = { document, endpoints: Object.fromEntries(endpoints), reported }
writeFileSync(
  join(folder, 'entry.ts'),
  `import { drive } from '${HERE}/drive.ts'\nimport { readFileSync } from 'node:fs'\n${tags.map((name, index) => `import * as m${index} from './api/${name}'`).join('\n')}
const modules = { ${tags.map((name, index) => `${JSON.stringify(name.slice(0, -3))}: m${index}`).join(', ')} }
const input = JSON.parse(readFileSync(${JSON.stringify(join(folder, 'input.json'))}, 'utf8'))
console.log(JSON.stringify(await drive({ ...input, modules })))
process.exit(0)\n`,
)
writeFileSync(join(folder, 'input.json'), JSON.stringify(input))
await build({
  ...common,
  entryPoints: [join(folder, 'entry.ts')],
  outfile: join(folder, 'entry.mjs'),
  define: { 'process.env.NODE_ENV': '"development"' },
})
const child = spawnSync(process.execPath, [join(folder, 'entry.mjs')], {
  encoding: 'utf8',
  timeout: Number(longest) * 700,
  maxBuffer: 1e9,
})
const outcome =
  child.status === 0
    ? JSON.parse(child.stdout.trim().split('\n').at(-1))
    : { error: (child.stderr || 'takes too long').slice(0, 2000) }
process.stdout.write(JSON.stringify({ counts, seconds, read: (read - start) / 1000, lines, anys, relations, outcome }))
