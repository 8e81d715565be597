// Measures what the types of a generated resource cost the compiler, beside those of the form that a person would write:
// `node openapi/tests/typecost.mjs`. Programs of 50 and of 200 resources are compiled, and the slope between them is the
// cost of one. Ends with 1 if the generated form costs more than 1.2 times the other. It needs the built library (dist/).
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generate } from '../dist/index.js'
import { writeFiles } from '../dist/output.js'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')
const WORK = join(ROOT, '.cache/openapi/typecost')
const SIZES = [50, 200]
const MOST = 1.2

const text = { type: 'string' }
const ref = (name) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema) => ({ content: { 'application/json': { schema } } })
const ok = (schema) => ({ responses: { 200: { description: '', ...json(schema) } } })
const object = (properties, required = []) => ({ type: 'object', required, properties })

/** `paths` and `schemas` of one resource; `hand` is what a person would write, `uses` what an app does with it. */
const CASES = [
  {
    name: 'six members, one body',
    describe: (i) => describeItem(i, ref(`NewItem${i}`), ref(`NewItem${i}`), true),
    hand: (i) => `
      export const Areas${i} = resource({
        path: '/areas${i}/:id', schema: Item${i}, Endpoint: Api,
        searchParams: {} as { page?: number | undefined; sort?: string | undefined } | undefined,
        paginationField: 'page',
        body: {} as { title: string; count?: number | undefined },
      })`,
    uses: (i) => uses(i, true),
  },
  {
    name: 'six members, three bodies',
    describe: (i) => describeItem(i, body(`a${i}`), body(`b${i}`), true, body(`c${i}`)),
    hand: (i) => `
      export const Areas${i} = resource({
        path: '/areas${i}/:id', schema: Item${i}, Endpoint: Api,
        searchParams: {} as { page?: number | undefined; sort?: string | undefined } | undefined,
        paginationField: 'page',
      }).extend({
        create: { body: {} as { title: string; a${i}?: string | undefined } },
        update: { body: {} as { title: string; c${i}?: string | undefined } },
        partialUpdate: { body: {} as { title: string; b${i}?: string | undefined } },
      })`,
    uses: (i) => uses(i, true),
  },
  {
    name: 'no PUT, two bodies',
    describe: (i) => describeItem(i, body(`a${i}`), body(`b${i}`), false),
    hand: (i) => `
      export const Areas${i} = resource({
        path: '/areas${i}/:id', schema: Item${i}, Endpoint: Api,
        searchParams: {} as { page?: number | undefined; sort?: string | undefined } | undefined,
        paginationField: 'page',
      }).extend({
        create: { body: {} as { title: string; a${i}?: string | undefined } },
        partialUpdate: { body: {} as { title: string; b${i}?: string | undefined } },
      })`,
    uses: (i) => uses(i, false),
  },
]

let hasFailed = false
for (const { name, describe, hand, uses: write } of CASES) {
  const costs = ['generated', 'hand-written'].map((form) => {
    const [few, many] = SIZES.map((size) => compile(form, name, size, describe, hand, write))
    return Math.round((many - few) / (SIZES[1] - SIZES[0]))
  })
  const ratio = costs[0] / costs[1]
  hasFailed ||= ratio > MOST
  console.log(
    `${name.padEnd(28)} generated ${costs[0]}, hand-written ${costs[1]} instantiations: ${ratio.toFixed(2)} times`,
  )
}
process.exitCode = hasFailed ? 1 : 0

function describeItem(i, create, patch, hasPut, put = create) {
  const item = `Item${i}`
  return {
    paths: {
      [`/areas${i}`]: {
        get: {
          tags: ['items'],
          parameters: [
            { name: 'page', in: 'query', schema: { type: 'integer' } },
            { name: 'sort', in: 'query', schema: text },
          ],
          ...ok({ type: 'array', items: ref(item) }),
        },
        post: { tags: ['items'], requestBody: json(create), ...ok(ref(item)) },
      },
      [`/areas${i}/{id}`]: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        get: { tags: ['items'], ...ok(ref(item)) },
        ...(hasPut && { put: { tags: ['items'], requestBody: json(put), ...ok(ref(item)) } }),
        patch: { tags: ['items'], requestBody: json(patch), ...ok(ref(item)) },
        delete: { tags: ['items'], responses: { 204: { description: '' } } },
      },
    },
    schemas: {
      [item]: object({ id: text, title: text, count: { type: 'integer' } }, ['id', 'title', 'count']),
      [`NewItem${i}`]: object({ title: text, count: { type: 'integer' } }, ['title']),
    },
  }
}

function body(extra) {
  return object({ title: text, [extra]: text }, ['title'])
}

function uses(i, hasPut) {
  return `
export const a${i} = Areas${i}.get({ id: ${i} })
export const b${i} = Areas${i}.getList({ sort: '' })
export const c${i} = Areas${i}.create({ title: '' })
${hasPut ? `export const d${i} = Areas${i}.update({ id: ${i} }, { title: '' })` : ''}
export const e${i} = Areas${i}.partialUpdate({ id: ${i} }, { title: '' })
export const f${i} = Areas${i}.delete({ id: ${i} })`
}

function compile(form, name, size, describe, hand, write) {
  const folder = join(WORK, `${form}-${name.replaceAll(/\W+/g, '-')}-${size}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const items = Array.from({ length: size }, (_, index) => index)
  const names = items.map((i) => `Areas${i}`).join(', ')
  writeFileSync(join(folder, 'uses.ts'), `import { ${names} } from './api/items'\n${items.map(write).join('\n')}\n`)
  const parts = items.map(describe)
  const description = {
    openapi: '3.1.0',
    paths: Object.assign({}, ...parts.map(({ paths }) => paths)),
    components: { schemas: Object.assign({}, ...parts.map(({ schemas }) => schemas)) },
  }
  const { files } = generate(description, {})
  if (form === 'generated') {
    writeFiles(join(folder, 'api'), files)
  } else {
    const entity = (i) => `
export class Item${i} extends Entity {
  id = ''
  title = ''
  count = 0
  static override key = 'Item${i}'
}`
    const code = items.map((i) => `${entity(i)}${hand(i)}`).join('\n')
    mkdirSync(join(folder, 'api'))
    writeFileSync(join(folder, 'api/api.ts'), files.get('api.ts'))
    writeFileSync(
      join(folder, 'api/items.ts'),
      `import { Entity, resource } from 'restitch'\nimport { Api } from './api'\n${code}\n`,
    )
  }
  const compilerOptions = {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', folder, '--extendedDiagnostics'], {
    encoding: 'utf8',
  })
  if (status !== 0) {
    console.error(stdout.split('\n').slice(0, 10).join('\n'))
    process.exit(1)
  }
  return Number(/Instantiations:\s*(\d+)/.exec(stdout)[1])
}
