// The cost of the types: programs of N endpoints or resources, written with this package and with the nearest library, are
// compiled at two sizes. The slope between them is the cost of one. Ends with 1 when ours costs more than it may.
// `npm run typecost -- extend` measures only the cases whose name has that word.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))
const ROOT = join(HERE, '../..')
const WORK = join(HERE, '.cache')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const SIZES = [50, 200]

if (!existsSync(join(HERE, 'node_modules'))) {
  run('npm', ['ci'], { cwd: HERE, stdio: 'inherit' })
}
rmSync(WORK, { recursive: true, force: true })
mkdirSync(WORK, { recursive: true })
const exported = emitTypes()

const ours = { name: 'restitch', from: 'restitch', entity: '', resource: 'resource' }
const peer = {
  name: `data-client ${JSON.parse(readFileSync(join(HERE, 'node_modules/@data-client/rest/package.json'), 'utf8')).version}`,
  from: '@data-client/rest',
  entity: 'pk() { return this.id }',
  resource: 'createResource',
}

/** Each case writes the code of one item; `most` are its limits, without them it may cost what the peer does. */
const CASES = [
  {
    name: 'endpoint: a path, one call',
    needs: ['RestEndpoint'],
    write: (i) => `
      const get${i} = new RestEndpoint({ path: '/area${i}/:area/item/:id' })
      export const a${i} = get${i}({ area: 'a', id: ${i} })`,
  },
  {
    name: 'endpoint: with a schema',
    needs: ['RestEndpoint', 'Entity'],
    write: (i, lib) => `
      ${entity(i, lib)}
      const get${i} = new RestEndpoint({ path: '/area${i}/:area/item/:id', schema: Item${i} })
      export const a${i} = get${i}({ area: 'a', id: ${i} })`,
  },
  {
    name: 'endpoint: PUT with a body',
    needs: ['RestEndpoint'],
    write: (i) => `
      const put${i} = new RestEndpoint({ path: '/area${i}/:area/item/:id', method: 'PUT', body: {} as { title${i}: string } })
      export const a${i} = put${i}({ area: 'a', id: ${i} }, { title${i}: '' })`,
  },
  {
    name: 'endpoint: extended once',
    needs: ['RestEndpoint'],
    write: (i) => `
      const get${i} = new RestEndpoint({ path: '/area${i}/:area/item/:id' })
      const post${i} = get${i}.extend({ method: 'POST', body: {} as { title${i}: string } })
      export const a${i} = post${i}({ area: 'a', id: ${i} }, { title${i}: '' })`,
  },
  {
    name: 'resource: six endpoints, six uses',
    needs: ['resource', 'Entity'],
    most: { instantiations: 2500, types: 350, growth: 4.2 },
    write: (i, lib) => `
      ${entity(i, lib)}
      const R${i} = ${lib.resource}({ path: '/area${i}/:id', schema: Item${i} })
      ${uses(i)}`,
  },
  {
    name: 'resource: with body, searchParams and pages',
    needs: ['resource', 'Entity'],
    most: { instantiations: 2500, types: 350, growth: 4.2 },
    write: (i, lib) => `
      ${entity(i, lib)}
      const R${i} = ${lib.resource}({
        path: '/area${i}/:area/item/:id',
        schema: Item${i},
        body: {} as { title: string; count${i}: number },
        searchParams: {} as { sort${i}?: string } | undefined,
        paginationField: 'page',
      })
      export const a${i} = R${i}.get({ area: '', id: ${i} })
      export const b${i} = R${i}.getList({ area: '', sort${i}: '' })
      export const c${i} = R${i}.getList.push({ area: '' }, { title: '', count${i}: 1 })
      export const d${i} = R${i}.update({ area: '', id: ${i} }, { title: '', count${i}: 1 })
      export const e${i} = R${i}.partialUpdate({ area: '', id: ${i} }, { title: '' })
      export const f${i} = R${i}.delete({ area: '', id: ${i} })
      export const g${i} = R${i}.getList.getPage({ area: '', page: 2 })`,
  },
  {
    name: 'resource: with extend()',
    needs: ['resource', 'Entity'],
    most: { instantiations: 6500, growth: 4.2 },
    write: (i, lib) => `
      ${entity(i, lib)}
      const R${i} = ${lib.resource}({ path: '/area${i}/:id', schema: Item${i} })
        .extend({ getList: { dataExpiryLength: 5 } })
        .extend('archive', { method: 'POST', path: '/area${i}/:id/archive' })
      ${uses(i)}
      export const g${i} = R${i}.archive({ id: ${i} }, {})`,
  },
  {
    name: 'resource: with extend(function)',
    needs: ['resource', 'Entity'],
    most: { instantiations: 6500, growth: 4.2 },
    write: (i, lib) => `
      ${entity(i, lib)}
      const R${i} = ${lib.resource}({ path: '/area${i}/:id', schema: Item${i} }).extend((base) => ({
        archive: base.get.extend({ method: 'POST', path: '/area${i}/:id/archive' }),
        search: base.getList.extend({ path: '/area${i}/search', searchParams: {} as { q${i}: string } }),
      }))
      ${uses(i)}
      export const g${i} = R${i}.archive({ id: ${i} }, {})
      export const h${i} = R${i}.search({ q${i}: '' })`,
  },
  {
    name: 'resource: in hooks',
    needs: ['resource', 'Entity'],
    hooks: ['useSuspense', 'useDLE', 'useController'],
    most: { instantiations: 6500, growth: 4.2 },
    write: (i, lib) => `
      ${entity(i, lib)}
      const R${i} = ${lib.resource}({ path: '/area${i}/:id', schema: Item${i} })
      export function useAll${i}(id: string | undefined) {
        const one = useSuspense(R${i}.get, { id: '5' })
        const maybe = useSuspense(R${i}.get, id ? { id } : null)
        const list = useSuspense(R${i}.getList)
        const { data } = useDLE(R${i}.getList)
        const controller = useController()
        const save = () => controller.fetch(R${i}.update, { id: '5' }, { title: '' })
        return { one, maybe, list, data, save }
      }`,
  },
]

let tooMuch = 0
const { version } = JSON.parse(readFileSync(join(TSC, '../../package.json'), 'utf8'))
console.log(`TypeScript ${version}, cost of one item, between ${SIZES.join(' and ')} items`)
for (const test of CASES.filter(({ name }) => name.includes(process.argv[2] ?? ''))) {
  console.log(`\n${test.name}`)
  const missing = test.needs.filter((name) => !exported.has(name))
  // The peer's hooks are another package.
  const theirs = test.hooks ? undefined : measure(test, peer)
  if (missing.length > 0) {
    console.log(`  ${ours.name.padEnd(20)} not measured: ${missing.join(', ')} not exported yet`)
    continue
  }
  const mine = measure(test, ours)
  print(ours, mine)
  if (theirs) {
    print(peer, theirs)
  }
  const over = Object.entries(test.most ?? { instantiations: theirs.instantiations }).filter(
    ([key, most]) => mine[key] > most,
  )
  for (const [key, most] of over) {
    console.log(`  TOO MUCH: ${key} over ${most.toFixed(0)}`)
  }
  tooMuch += over.length
}
process.exitCode = tooMuch > 0 ? 1 : 0

function print(lib, { instantiations, types, growth }) {
  const [a, b] = [instantiations, types].map((number) => number.toFixed(0).padStart(8))
  console.log(`  ${lib.name.padEnd(20)}${a} instantiations${b} types   growth ${growth.toFixed(2)}`)
}

function entity(i, lib) {
  return `class Item${i} extends Entity { id = ''; title = ''; count${i} = 0; ${lib.entity} static key = 'Item${i}' }`
}

function uses(i) {
  return `
      export const a${i} = R${i}.get({ id: ${i} })
      export const b${i} = R${i}.getList()
      export const c${i} = R${i}.getList.push({ title: '' })
      export const d${i} = R${i}.update({ id: ${i} }, { title: '' })
      export const e${i} = R${i}.partialUpdate({ id: ${i} }, { title: '' })
      export const f${i} = R${i}.delete({ id: ${i} })`
}

function measure(test, lib) {
  const names = test.needs.map((name) => (name === 'resource' ? lib.resource : name))
  const hooks = test.hooks ? `import { ${test.hooks.join(', ')} } from 'restitch/react'\n` : ''
  const [few, many] = SIZES.map((size) => {
    const items = Array.from({ length: size }, (_, i) => test.write(i, lib))
    return compile(
      `import { ${names.join(', ')} } from '${lib.from}'\n${hooks}${items.join('\n')}`,
      `${test.name}, ${lib.name}`,
    )
  })
  const slope = (key) => (many[key] - few[key]) / (SIZES[1] - SIZES[0])
  return {
    instantiations: slope('Instantiations'),
    types: slope('Types'),
    growth: many.Instantiations / few.Instantiations,
  }
}

function compile(text, name) {
  writeFileSync(join(WORK, 'program.ts'), text)
  writeFileSync(
    join(WORK, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        lib: ['es2023', 'dom', 'dom.iterable'],
        types: [],
        paths: { restitch: ['./restitch/index.d.ts'], 'restitch/react': ['./restitch/react/index.d.ts'] },
      },
      files: ['program.ts'],
    }),
  )
  const output = run(process.execPath, [TSC, '-p', WORK, '--extendedDiagnostics'], { encoding: 'utf8' }, name).stdout
  return Object.fromEntries([...output.matchAll(/^(\w+):\s+(\d+)$/gm)].map(([, key, value]) => [key, Number(value)]))
}

/** Writes our .d.ts files as a user gets them; gives the names they export. */
function emitTypes() {
  const out = join(WORK, 'restitch')
  const config = join(WORK, 'tsconfig.types.json')
  const compilerOptions = { rootDir: join(ROOT, 'src'), outDir: out, emitDeclarationOnly: true }
  const files = [join(ROOT, 'src/index.ts'), join(ROOT, 'src/react/index.ts')]
  writeFileSync(config, JSON.stringify({ extends: join(ROOT, 'tsconfig.build.json'), compilerOptions, files }))
  run(process.execPath, [TSC, '-p', config], { encoding: 'utf8' }, 'emitting our types')
  for (const name of readdirSync(out, { recursive: true }).filter((name) => name.endsWith('.d.ts'))) {
    const text = readFileSync(join(out, name), 'utf8')
    writeFileSync(join(out, name), text.replaceAll(/(from ')(\.[^']+)\.ts'/g, "$1$2.js'"))
  }
  return new Set(readFileSync(join(out, 'index.d.ts'), 'utf8').match(/\w+/g))
}

function run(command, args, options, what = command) {
  const done = spawnSync(command, args, options)
  if (done.status !== 0) {
    const said = `${done.stdout ?? ''}${done.stderr ?? ''}`.split('\n').slice(0, 5).join('\n')
    throw new Error(`${what} failed\n${said}`)
  }
  return done
}
