// How often a screen is wrong, how often the user's own change disappears from it, and how many requests are sent: the recipes of four libraries as
// their documentation teaches them (bench/wrong/apps), and ours. node bench/wrong.mjs [--steps 10000] [--seed 1] [--only swr] [--network slow] [--write]
// Time is virtual and a seed decides everything, so the figures are the same on every machine. `--write` puts them into reports/wrong.md.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const HERE = import.meta.dirname
const ROOT = resolve(HERE, '..')
execFileSync(process.execPath, [join(ROOT, 'scripts/setup.mjs'), '--only', '.', 'bench'], { stdio: 'inherit' })
const { values: options } = parseArgs({
  options: {
    steps: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
    network: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
  },
})
// Only now they are installed.
const [{ build }, { Window }] = await Promise.all([import('esbuild'), import('happy-dom')])
const window = new Window({ url: 'http://sim/' })
for (const name of ['window', 'document', 'requestAnimationFrame', 'cancelAnimationFrame']) {
  globalThis[name] = name === 'window' ? window : (window[name].bind?.(window) ?? window[name])
}
globalThis.document = window.document
globalThis.addEventListener ??= () => {}
globalThis.removeEventListener ??= () => {}

const file = join(ROOT, '.cache/wrong.mjs')
await build({
  entryPoints: [join(HERE, 'wrong/main.mjs')],
  outfile: file,
  bundle: true,
  format: 'esm',
  platform: 'node',
  conditions: ['restitch-source'],
  // One React for all of them.
  nodePaths: [join(HERE, 'node_modules')],
  alias: {
    restitch: join(ROOT, 'src/index.ts'),
    'restitch/react': join(ROOT, 'src/react/index.ts'),
    react: join(HERE, 'node_modules/react'),
    'react-dom': join(HERE, 'node_modules/react-dom'),
  },
  define: { 'process.env.NODE_ENV': '"production"' },
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  logLevel: 'error',
})
const { APPS, NETWORKS, play } = await import(pathToFileURL(file))
const VERSIONS = {
  tanstack: '@tanstack/react-query',
  swr: 'swr',
  rtk: '@reduxjs/toolkit',
  apollo: '@apollo/client',
}
const NAMES = {
  restitch: 'restitch',
  tanstack: 'TanStack Query',
  swr: 'SWR',
  rtk: 'RTK Query',
  apollo: 'Apollo Client',
}

const first = Number(options.seed)
const lines = []
let wrong = 0
print(
  '| network | library | wrong screens | late screens | lost writes | reads | changes |',
  '|---|---|---|---|---|---|---|',
)
for (const network of Object.keys(NETWORKS).filter((name) => options.network?.includes(name) ?? true)) {
  for (const app of Object.keys(APPS).filter((name) => options.only?.includes(name) ?? true)) {
    const sum = {}
    for (let seed = first; (sum.steps ?? 0) < Number(options.steps); seed++) {
      for (const [name, count] of Object.entries(await play(app, network, seed))) {
        sum[name] = (sum[name] ?? 0) + count
      }
    }
    wrong += app === 'restitch' ? sum.wrong : 0
    print(
      `| ${network} | ${nameOf(app)} | ${share(sum.wrong, sum.rests)} | ${share(sum.late, sum.looks)} | ${sum.lost} | ${sum.reads} | ${sum.changes} |`,
    )
  }
}
if (wrong > 0) {
  console.error(`${wrong} wrong screens of restitch`)
  process.exitCode = 1
}
if (options.write) {
  const text = readFileSync(join(HERE, 'wrong/report.md'), 'utf8')
  mkdirSync(join(ROOT, 'reports'), { recursive: true })
  writeFileSync(
    join(ROOT, 'reports/wrong.md'),
    text
      .replace('STEPS', options.steps)
      .replace('SEED', options.seed)
      .replace('TABLE', () => lines.join('\n')),
  )
}
// Libraries keep timers.
process.exit()

function print(...texts) {
  lines.push(...texts)
  console.log(texts.join('\n'))
}

function nameOf(app) {
  const name = VERSIONS[app]
  return name
    ? `${NAMES[app]} ${JSON.parse(readFileSync(join(HERE, 'node_modules', name, 'package.json'), 'utf8')).version}`
    : NAMES[app]
}

function share(part, all) {
  return `${part} of ${all}`
}
