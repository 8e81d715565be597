import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { run } from '../src/run.ts'

const SHOP = fileURLToPath(new URL('shop/openapi.yaml', import.meta.url))
const CATS = `openapi: 3.0.3
info: { title: Cats, version: '1' }
paths:
  /cats/{id}:
    get:
      operationId: getCat
      tags: [cats]
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: A cat
          content: { application/json: { schema: { $ref: '#/components/schemas/Cat' } } }
components:
  schemas:
    Cat: { type: object, required: [id], properties: { id: { type: string } } }
`

const servers: Server[] = []
afterEach(() => servers.splice(0).forEach((server) => server.close()))

let folder = ''
let printed: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'restitch-openapi-'))
  printed = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const call = (...args: string[]): Promise<number> =>
  run(args, { folder, print: (text) => printed.push(text), warn: (text) => printed.push(text) })
const output = (): string => printed.join('\n')

test('writes files once, and changes nothing the second time', async () => {
  expect(await call(SHOP, '--out', 'api')).toBe(0)
  expect(output()).toContain('26 of 26 operations (100 %), 8 entities in 7 tables, 8 resources')
  expect(output()).toContain('api: 14 files added')
  printed = []
  expect(await call(SHOP, '--out', 'api')).toBe(0)
  expect(output()).toContain('api: nothing changed')
})

test('adding an operation changes its lines alone', async () => {
  write('cats.yaml', CATS)
  await call('cats.yaml', '--out', 'api')
  const before = read('api/cats.ts').split('\n')
  const files = readdirSync(join(folder, 'api'), { recursive: true })
  const added = `  /cats/{id}/toys:
    get:
      operationId: listToys
      tags: [cats]
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: Toys, content: { application/json: { schema: { type: array, items: { type: string } } } } } }
`
  write('cats.yaml', CATS.replace('components:', `${added}components:`))
  await call('cats.yaml', '--out', 'api')
  const after = read('api/cats.ts').split('\n')
  expect(after.filter((line) => !before.includes(line))).toEqual([
    '/** Endpoints of `/cats/{id}/toys`. */',
    'export const CatToys = {',
    '  /** `GET /cats/{id}/toys` */',
    `  getList: new Api({ path: '/cats/:id/toys', process: (value: string[]) => value }),`,
  ])
  expect(before.filter((line) => !after.includes(line))).toEqual([])
  expect(output()).toContain('api: 1 file changed')
  expect(readdirSync(join(folder, 'api'), { recursive: true })).toEqual(files)
})

test('--check fails after a change, and writes nothing', async () => {
  write('cats.yaml', CATS)
  await call('cats.yaml', '--out', 'api')
  expect(await call('cats.yaml', '--out', 'api', '--check')).toBe(0)
  const before = read('api/entities/Cat.ts')
  write('cats.yaml', CATS.replace('id: { type: string } }', 'id: { type: string }, name: { type: string } }'))
  printed = []
  expect(await call('cats.yaml', '--out', 'api', '--check')).toBe(1)
  expect(output()).toContain('api is not what the description says: 1 file changed')
  expect(output()).toContain('entities/Cat.ts')
  expect(read('api/entities/Cat.ts')).toBe(before)
})

test('leaves own files alone, and removes generated ones that are no longer needed', async () => {
  write('cats.yaml', CATS)
  await call('cats.yaml', '--out', 'api')
  write('api/own.ts', 'export const mine = 1\n')
  write('cats.yaml', CATS.replace('tags: [cats]', 'tags: [animals]'))
  await call('cats.yaml', '--out', 'api')
  expect(readdirSync(join(folder, 'api')).sort()).toEqual(['animals.ts', 'api.ts', 'entities', 'own.ts'])
  write('api/animals.ts', 'export const mine = 1\n')
  expect(await call('cats.yaml', '--out', 'api')).toBe(2)
  expect(output()).toContain('was not generated')
})

test('reads the configuration: names, entities, what to leave out, and the format', async () => {
  write('cats.yaml', CATS)
  write(
    'restitch.openapi.ts',
    `import { defineConfig } from 'restitch-openapi'
export default defineConfig({
  input: 'cats.yaml',
  output: 'src',
  entities: { Cat: false },
  names: { Cat: 'Tom' },
  operations: { getCat: { name: 'loadCat' } },
  baseUrl: 'https://cats.test',
  format: (text: string) => text.replaceAll("'", '"'),
})
`,
  )
  expect(await call('--report')).toBe(0)
  expect(read('src/cats.ts')).toContain(
    'export const loadCat = new Api({ path: "/cats/:id", process: (value: Tom) => value })',
  )
  expect(read('src/api.ts')).toContain('override urlPrefix = "https://cats.test"')
  expect(output()).toMatch(/configured +entity +Cat +plain data/)
  expect(await call('--check')).toBe(0)
})

test.each([
  ['operations: { nope: false }', 'names an operation "nope", which the description does not have'],
  ['resources: { "/dogs/{id}": false }', 'names a resource "/dogs/{id}"'],
  ['entities: { Dog: {} }', 'names an entity "Dog"'],
  ['entities: { Cat: { key: "name" } }', '"name" is the key of "Cat", which has no such field. It has: id.'],
])('rejects a configuration with %s', async (text, message) => {
  write('cats.yaml', CATS)
  write('restitch.openapi.mjs', `export default { input: 'cats.yaml', output: 'api', ${text} }`)
  expect(await call()).toBe(2)
  expect(output()).toContain(message)
})

test.each([
  ['no description', ['--out', 'api'], 'The command needs a description'],
  ['no folder', ['cats.yaml'], 'The command needs a folder to write to'],
  ['an unknown option', ['cats.yaml', '--ouput', 'api'], 'no option "--ouput". Did you mean "--out"?'],
  ['a header without a colon', ['cats.yaml', '--out', 'api', '--header', 'x'], '"x" is not a header'],
  ['a file that is not there', ['dogs.yaml', '--out', 'api'], 'cannot be read'],
  ['a configuration that is not there', ['cats.yaml', '--config', 'x.ts'], '"x.ts" does not exist'],
])('explains %s', async (_, args, message) => {
  write('cats.yaml', CATS)
  expect(await call(...args)).toBe(2)
  expect(output()).toContain(message)
})

test.each([
  ['a reference to nothing', CATS.replace('schemas/Cat', 'schemas/Dog'), 'cats.yaml:12:50', "Can't resolve $ref"],
  [
    'an unknown member',
    CATS.replace('operationId: getCat', 'operationid: getCat'),
    'cats.yaml:6:7',
    '"operationid" is not expected here',
  ],
  ['broken YAML', 'openapi: 3.0.3\ninfo: {', 'cats.yaml:2:8', 'neither JSON nor YAML'],
  ['broken JSON', '{ "openapi": "3.0.3",\n  "info" ', 'cats.yaml:2:', 'neither JSON nor YAML'],
  ['an empty file', '', 'cats.yaml', 'it has no member "openapi"'],
  [
    'an operation without responses',
    CATS.replace(/responses:[\s\S]*?components:/, 'summary: A cat\ncomponents:'),
    'cats.yaml:5:5',
    '"responses" must be present',
  ],
  [
    'an allOf that contains itself',
    CATS.replace('Cat: { type: object,', 'Cat: { allOf: [{ $ref: "#/components/schemas/Cat" }], type: object,'),
    'cats.yaml:15:5 (#/components/schemas/Cat)',
    'contains itself',
  ],
  [
    'an allOf that contains itself through another one',
    CATS.replace(
      '    Cat: {',
      '    Pet: { allOf: [{ $ref: "#/components/schemas/Cat" }] }\n    Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }],',
    ),
    '#/components/schemas/',
    'contains itself',
  ],
  [
    'a reference to itself',
    CATS.replace(/Cat: \{.*\}/, 'Cat: { $ref: "#/components/schemas/Cat" }'),
    'cats.yaml:15:5 (#/components/schemas/Cat)',
    'leads back to itself',
  ],
  ['another version', 'openapi: 4.0.0\n', 'cats.yaml#/openapi', 'OpenAPI "4.0.0" is not supported'],
  ['Swagger', 'swagger: "2.0"\n', 'cats.yaml#/swagger', 'Swagger 2.0'],
  ['something else', 'name: x\n', 'cats.yaml', 'it has no member "openapi"'],
])('names the place of %s', async (_, text, place, message) => {
  write('cats.yaml', text)
  expect(await call('cats.yaml', '--out', 'api')).toBe(2)
  expect(output()).toContain(message)
  expect(output()).toContain(place)
})

test('--lenient goes on, and lists the faults', async () => {
  write('cats.yaml', CATS.replace('operationId: getCat', 'operationId: getCat\n      nonsense: 1'))
  expect(await call('cats.yaml', '--out', 'api')).toBe(2)
  expect(await call('cats.yaml', '--out', 'api', '--lenient')).toBe(0)
  expect(output()).toMatch(/unsure +fault +description/)
})

/** Serves texts on the loopback, and notes each request with its token. */
async function serve(texts: (port: number) => Record<string, string>): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    const { authorization } = request.headers
    seen.push(`${request.url} ${authorization ?? 'without a token'}`)
    const { port } = server.address() as AddressInfo
    const text = texts(port)[request.url!]
    const isOpen = request.url!.startsWith('/open') || authorization === 'Bearer t'
    response.statusCode = !isOpen ? 401 : text === undefined ? 404 : 200
    response.end(isOpen ? text : '{"message":"no"}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  servers.push(server)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

test('reads a remote description of several files with a header, which no other host receives', async () => {
  const other = await serve(() => ({ '/open/name.yaml': 'type: string\n' }))
  const { url, seen } = await serve(() => ({
    '/cats.yaml': CATS.replace(/Cat: \{.*\}/, 'Cat: { $ref: "schemas/cat.yaml#/Cat" }'),
    '/schemas/cat.yaml': `Cat: { type: object, properties: { id: { type: string }, name: { $ref: "${other.url}/open/name.yaml" } } }`,
  }))
  expect(await call(`${url}/cats.yaml`, '--out', 'api', '--header', 'Authorization: Bearer t')).toBe(2)
  expect(output()).toContain('it leads to another host')
  expect(other.seen).toEqual([])
  seen.length = 0
  expect(await call(`${url}/cats.yaml`, '--out', 'api', '--external', '--header', 'Authorization: Bearer t')).toBe(0)
  expect(new Set(seen)).toEqual(new Set(['/cats.yaml Bearer t', '/schemas/cat.yaml Bearer t']))
  expect(new Set(other.seen)).toEqual(new Set(['/open/name.yaml without a token']))
  expect(read('api/entities/Cat.ts')).toContain('name: string | undefined')
  expect(await call(`${url}/cats.yaml`, '--out', 'api', '-H', 'Authorization: Bearer t', '--check', '--external')).toBe(
    0,
  )
})

test('the header of a remote description may be in the configuration', async () => {
  const { url } = await serve(() => ({ '/cats.yaml': CATS }))
  const config = { input: `${url}/cats.yaml`, output: 'api', headers: { Authorization: 'Bearer t' } }
  write('restitch.openapi.mjs', `export default ${JSON.stringify(config)}`)
  expect(await call()).toBe(0)
})

test('explains a remote description that needs a token, or is not there', async () => {
  const { url } = await serve(() => ({}))
  expect(await call(`${url}/cats.yaml`, '--out', 'api')).toBe(2)
  expect(output()).toContain('--header "Authorization: Bearer …"')
  expect(await call(`${url}/cats.yaml`, '--out', 'api', '-H', 'Authorization: Bearer t')).toBe(2)
  expect(output()).toContain('404')
})

test('names the file, line and column of a fault in another file', async () => {
  write('cats.yaml', CATS.replace(/Cat: \{.*\}/, 'Cat: { $ref: "./cat.yaml#/Cat" }'))
  write('cat.yaml', 'Cat:\n  type: object\n  properties:\n    name: { $ref: "#/Name" }\n')
  expect(await call('cats.yaml', '--out', 'api')).toBe(2)
  expect(output()).toContain('cat.yaml:4:')
  write('cat.yaml', 'Cat:\n  type: object\n  properties: {\n')
  printed = []
  expect(await call('cats.yaml', '--out', 'api')).toBe(2)
  expect(output()).toContain('cat.yaml:4:1')
})

test('chooses the end of import paths by tsconfig.json', async () => {
  write('cats.yaml', CATS)
  write('tsconfig.json', '{ "compilerOptions": { "module": "NodeNext" } }')
  await call('cats.yaml', '--out', 'api')
  expect(read('api/cats.ts')).toContain(`from './api.js'`)
  write('tsconfig.json', '{ "compilerOptions": { "allowImportingTsExtensions": true } }')
  await call('cats.yaml', '--out', 'api')
  expect(read('api/cats.ts')).toContain(`from './api.ts'`)
})
