import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Config, generate, type Generated, readDescription } from '../src/index.ts'
import { run } from '../src/run.ts'
import { body, build, file, type Json, json, listOf, number, object, ref, text } from './describe.ts'

let folder = ''
const servers: Server[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'restitch-openapi-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  servers.splice(0).forEach((server) => {
    server.closeAllConnections()
    server.close()
  })
})

const write = (name: string, value: unknown): string => {
  writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))
  return join(folder, name)
}
const describe = (schemas: Json, title = 'Cats'): Json => ({
  openapi: '3.0.3',
  info: { title, version: '1' },
  paths: {
    '/cats/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        responses: { 200: { description: 'ok', content: { 'application/json': { schema: ref('Cat') } } } },
      },
    },
  },
  components: { schemas: { Cat: object({ id: text, name: text }), ...schemas } },
})
const call = async (...args: string[]): Promise<{ code: number; text: string }> => {
  const printed: string[] = []
  const code = await run(args, { folder, print: (line) => printed.push(line), warn: (line) => printed.push(line) })
  return { code, text: printed.join('\n') }
}
async function serve(
  respond: (url: string) => { status?: number; headers?: Record<string, string>; body?: string } | undefined,
) {
  const seen: { url: string; key: string | undefined }[] = []
  const server = createServer((request, response) => {
    seen.push({ url: request.url!, key: request.headers['x-key'] as string | undefined })
    const own = respond(request.url!)
    if (own !== undefined) {
      response.writeHead(own.status ?? 200, { 'Content-Type': 'application/json', ...own.headers })
      response.end(own.body)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const BROKEN = {
  Home: object({ id: text, name: 'subdomain' as never }),
  Tree: { $ref: '#/components/schemas/Nothing' },
}

test('a schema that is no object is an error with its place, and left out with lenient', async () => {
  const broken = describe({ Cat: object({ id: text, home: ref('Home') }), Home: BROKEN.Home })
  expect(() => generate(broken as never, {})).toThrow('#/components/schemas/Home/properties/name')
  const { report, files } = generate(broken as never, { lenient: true })
  expect(files.get('types.ts')).toContain('export interface Home {\n  id?: string | undefined\n}')
  expect(report.findings.find(({ kind }) => kind === 'fault')?.why).toContain('A schema has to be an object')
})

test('one reference that leads nowhere does not stop lenient', async () => {
  const input = write(
    'cats.json',
    describe({ ...BROKEN, Cat: object({ id: text, tree: ref('Tree'), home: ref('Home') }) }),
  )
  await expect(readDescription(input)).rejects.toThrow('not valid OpenAPI')
  const faults: string[] = []
  const description = await readDescription(input, { lenient: true, onFault: (fault) => faults.push(fault) })
  expect(generate(description, {}).counts).toMatchObject({ covered: 1, entities: 1 })
  expect(faults.join('\n')).toContain('leads nowhere')
})

test('schemas may be true and false', () => {
  const generated = build(
    { '/cats/{id}': { get: json(ref('Cat')), post: json({}, body(ref('Cat'))) } },
    {
      Cat: object({ id: text, anything: true as never, nothing: false as never }),
    },
  )
  expect(file(generated, 'entities/Cat')).toContain('anything: unknown')
})

test('a map of itself is no Record', () => {
  const generated = build(
    { '/trees': { get: json(ref('Tree')) } },
    { Tree: { type: 'object', additionalProperties: ref('Tree') } },
  )
  expect(file(generated, 'types')).toContain('export type Tree = { [name: string]: Tree }')
})

test('a nullable date is a Date, and a field that may be null is no key where another one is there', () => {
  const date = { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] }
  const cat = object({ code: { anyOf: [text, { type: 'null' }] }, uuid: text, born: date }, ['code', 'uuid', 'born'])
  const code = file(build({ '/cats/{cat}': { get: json(ref('Cat')) } }, { Cat: cat }), 'entities/Cat')
  expect(code).toContain('born: Date | null = null')
  expect(code).toContain('static override schema = { born: Date }')
  expect(code).toContain('return this.uuid')
  const free = object({ sid: { ...text, nullable: true }, name: text }, ['sid'])
  const nullable = file(build({ '/cats/{sid}': { get: json(ref('Cat')) } }, { Cat: free }), 'entities/Cat')
  expect(nullable).toContain('override pk(): string | number | undefined {\n    return this.sid ?? undefined')
})

test('a list that the description does not fix is a record or several', () => {
  const cat = ref('Cat')
  const generated = build(
    {
      '/cats': { get: json(object({ data: listOf(cat) })), post: json(object({ data: { items: cat } }), body(cat)) },
      '/cats/{id}': { get: json(object({ data: cat })), patch: json(object({ data: { items: cat } }), body(cat)) },
    },
    { Cat: object({ id: text, name: text }) },
  )
  const code = file(generated, 'cats')
  expect(generated.endpoints.get('POST /cats')).toBe('cats.Cats.create')
  expect(code.match(/firstOf\(unwrap\('data'\)\(value\)\)/g)).toHaveLength(2)
})

test('the discriminator may be on the schema that all others extend', () => {
  const child = (name: string): Json => ({ allOf: [ref('Animal'), object({ [name]: text })] })
  const generated = build(
    {
      '/cats/{id}': { get: json(ref('Cat')) },
      '/dogs/{id}': { get: json(ref('Dog')) },
      '/zoo': { get: json(object({ animals: listOf({ oneOf: [ref('Cat'), ref('Dog')] }) })) },
    },
    {
      Animal: {
        ...object({ id: text, kind: text }, ['id', 'kind']),
        discriminator: {
          propertyName: 'kind',
          mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
        },
      },
      Cat: child('meow'),
      Dog: child('bark'),
    },
  )
  expect(file(generated, 'zoo').replaceAll(/\s+/g, ' ')).toContain(`new Union({ cat: Cat, dog: Dog }, 'kind')`)
})

const CHILDREN = { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' }
const heir = (name: string): Json => ({ allOf: [ref('Animal'), object({ [name]: text }, [name])] })
const zoo = (mapping: Json | undefined, more: Json = {}): Generated =>
  build(
    {
      '/animals': { get: json(listOf(ref('Animal'))), post: json(ref('Animal'), body(ref('Animal'))) },
      '/animals/{id}': { get: json(ref('Animal')) },
      '/zoo': { get: json(object({ first: ref('Animal'), all: listOf(ref('Animal')) }, ['first', 'all'])) },
    },
    {
      Animal: {
        ...object({ id: text, kind: text, keeper: ref('Animal') }, ['id', 'kind']),
        discriminator: { propertyName: 'kind', ...(mapping && { mapping }) },
      },
      Cat: heir('meow'),
      Dog: heir('bark'),
      ...more,
    },
  )

test('a reference to a schema with a discriminator means those that extend it', () => {
  const generated = zoo(CHILDREN)
  expect(generated.counts.entities).toBe(2)
  const [cat, animals] = [file(generated, 'entities/Cat'), file(generated, 'animals').replaceAll(/\s+/g, ' ')]
  expect(cat).toMatch(/kind: 'cat'/)
  expect(cat).toContain('keeper: Cat | Dog | undefined')
  expect(animals).toContain(`new Union({ cat: Cat, dog: Dog }, 'kind')`)
  expect(file(generated, 'types')).toMatch(/export type AnimalData =\s+(?:\| )?CatData\s+\| DogData/)
  expect(generated.report.findings.filter(({ verdict, kind }) => verdict === 'unsure' && kind !== 'auth')).toEqual([])
})

test('without a mapping the names of the schemas are the values', () => {
  const animals = file(zoo(undefined), 'animals').replaceAll(/\s+/g, ' ')
  expect(animals).toContain(`new Union({ Cat, Dog }, 'kind')`)
})

test('a schema with a discriminator may have a value of its own, and children of children', () => {
  const generated = zoo(
    { ...CHILDREN, animal: '#/components/schemas/Animal', lion: 'Lion' },
    { Lion: { allOf: [ref('Cat'), object({ mane: text })] } },
  )
  const animals = file(generated, 'animals').replaceAll(/\s+/g, ' ')
  expect(animals).toMatch(/new Union\(\{ cat: Cat, dog: Dog, animal: AnimalBase, lion: Lion \}, 'kind'\)/)
  expect(file(generated, 'entities/Lion')).toContain('mane: string | undefined')
})

test('children without a key are a union of plain data, with one name', () => {
  const generated = build(
    { '/shapes': { get: json(listOf(ref('Shape'))) }, '/shape': { get: json(ref('Shape')) } },
    {
      Shape: {
        ...object({ type: text }, ['type']),
        discriminator: {
          propertyName: 'type',
          mapping: {
            circle: '#/components/schemas/Circle',
            square: '#/components/schemas/Square',
            point: '#/components/schemas/Point',
          },
        },
      },
      // It adds nothing to what it extends, and is no other name for the choice.
      Point: { allOf: [ref('Shape')] },
      Circle: { allOf: [ref('Shape'), object({ radius: number }, ['radius'])] },
      Square: { allOf: [ref('Shape'), object({ side: number }, ['side'])] },
    },
  )
  const types = file(generated, 'types').replaceAll(/\s+/g, ' ')
  expect(types).toContain('export type Shape = Circle | Square | Point')
  expect(types).toContain(`export interface Circle { type: 'circle' radius: number }`)
  expect(types).toContain(`export interface Point { type: 'point' }`)
})

test.each([['Simplified'], ['Summary'], ['Compact'], ['Base']])('%s is a form of a record', (word) => {
  const fields = { id: text, name: text }
  const name = word === 'Simplified' ? `${word}Album` : `Album${word}`
  const generated = build(
    { '/albums/{id}': { get: json(ref('Album')) }, '/new': { get: json(listOf(ref(name))) } },
    { Album: object({ ...fields, label: text }), [name]: object(fields) },
  )
  expect(file(generated, 'entities/Album')).toContain(`export class ${name} extends AlbumEntity`)
})

test('the items of a list and the record of its path are one record, whatever they are called', () => {
  const generated = build(
    { '/albums': { get: json(listOf(ref('Row'))) }, '/albums/{id}': { get: json(ref('Album')) } },
    { Album: object({ id: text, name: text, label: text }), Row: object({ id: text, name: text }) },
  )
  expect(file(generated, 'entities/Album')).toContain('export class Row extends AlbumEntity')
})

test.each([
  ['archive_item_items__item_id__archive_post', '/items/{item_id}/archive', 'Items.archive'],
  ['archiveItemItemsItemIdArchivePost', '/items/{item_id}/archive', 'Items.archive'],
  ['ItemsController_archive', '/items/{item_id}/archive', 'Items.archive'],
  ['Items_Archive', '/items/{item_id}/archive', 'Items.archive'],
  ['items_archive_create', '/items/{item_id}/archive', 'Items.archive'],
  ['postItemsByItemIdArchive', '/items/{item_id}/archive', 'Items.archive'],
  [undefined, '/items/{item_id}/archive', 'Items.archive'],
  ['archiveItem', '/items/{item_id}/archive', 'Items.archiveItem'],
])('the name of %s', (operationId, path, expected) => {
  const own = operationId === undefined ? {} : { operationId }
  const generated = build(
    { '/items/{item_id}': { get: json(ref('Item')) }, [path]: { post: json(ref('Item'), own) } },
    { Item: object({ item_id: text, name: text }) },
  )
  expect(generated.endpoints.get(`POST ${path}`)).toBe(`items.${expected}`)
})

const PETS: Record<string, Json> = {
  '/pets': { get: { ...json(listOf(ref('Pet'))), parameters: [{ name: 'page', in: 'query', schema: number }] } },
  '/pets/{id}': { get: json(ref('Pet')) },
}
test.each<[string, Config, string]>([
  [
    'pages.field',
    { operations: { 'GET /pets': { pages: { field: 'pgae', next: 'count' } } } },
    'has no such parameter. It has: page',
  ],
  ['envelope', { operations: { 'GET /pets/{id}': { envelope: 'datum' } } }, 'has no such member. It has: id, name'],
  ['an operation', { operations: { 'GET /pest': false } }, 'Did you mean "GET /pets"?'],
  ['a schema', { names: { Pte: 'Animal' } }, 'Did you mean "Pet"?'],
  ['an entity that is none', { entities: { Pte: false } }, 'Did you mean "Pet"?'],
  ['a tag', { skipTags: ['pest'] }, 'Did you mean "pets"?'],
  ['a member', { entitys: {} } as never, 'Did you mean "entities"?'],
  ['a member of an operation', { operations: { 'GET /pets': { page: false } } } as never, 'Did you mean "pages"?'],
  [
    'a member of the response',
    { operations: { 'GET /pets/{id}': { pages: { next: { cursor: 'next' } } } } },
    'has no such member',
  ],
  ['pages of all', { pages: { field: 'pgae', next: 'count' } }, 'Did you mean "page"?'],
  ['a member of all responses', { pages: { next: { cursor: 'meta.next' } } }, 'no response has such a member'],
  [
    'an envelope that holds nothing',
    { operations: { 'GET /pets/{id}': { envelope: 'name' } } },
    'it holds no record and no list',
  ],
  ['a path parameter', { entities: { Pet: { scope: ['shop'] } } }, 'no path has it'],
  ['a key that is a list', { entities: { Pet: { key: 'tags' } } }, 'it is no text and no number'],
  [
    'the size of pages',
    { operations: { 'GET /pets': { pages: { next: 'count', end: { sizeField: { field: 'limit', default: 3 } } } } } },
    'has no such parameter. It has: page',
  ],
])('a configuration that names what is not there is an error: %s', (_, config, message) => {
  expect(() => build(PETS, { Pet: object({ id: text, name: text, tags: listOf(text) }) }, config)).toThrow(message)
})

test.each<[place: string, config: unknown, message: string]>([
  ['pages', { pages: 'page' }, 'is "page", and has to be { field, next }, or false'],
  ['pages', { pages: { field: 'page' } }, 'has no "next". Add next: \'count\''],
  ['pages.next', { pages: { next: 'next' } }, 'is "next", and has to be \'count\''],
  ['pages.next', { pages: { next: { cursor: 'a', url: 'b' } } }, "has to be 'count'"],
  ['pages.next', { pages: { next: { curser: 'a' } } }, 'Did you mean "cursor"?'],
  ['pages.first', { pages: { next: 'count', first: '0' } }, 'is "0", and has to be a whole number'],
  [
    'operations["GET /pets"].envelope',
    { operations: { 'GET /pets': { envelope: true } } },
    'has to be a text, or false',
  ],
  ['operations["GET /pets"]', { operations: { 'GET /pets': true } }, 'has to be an object, or false'],
  ['entities.Pet.key', { entities: { Pet: { key: [] } } }, 'has to be a text, or a list of texts'],
  ['names.Pet', { names: { Pet: 'a pet' } }, 'has to be a name in code'],
  ['names.Pet', { names: { Pet: 'class' } }, 'has to be a name in code'],
  ['skipTags', { skipTags: 'pets' }, 'has to be a list of texts'],
  ['auth', { auth: { type: 'header' } }, 'has to be { type'],
  ['baseClass', { baseClass: { name: 'Base' } }, 'has no "from"'],
  ['casing', { casing: 'snake' }, `has to be 'keep' or 'camel'`],
  ['importExtension', { importExtension: 'js' }, `has to be '' or '.js' or '.ts'`],
  ['format', { format: 'prettier' }, 'has to be a function'],
])('a configuration with another value than it may have is an error with its place: %s', (place, config, message) => {
  const call = (): unknown => build(PETS, { Pet: object({ id: text, name: text }) }, config as Config)
  expect(call).toThrow(`"${place}" of the configuration `)
  expect(call).toThrow(message)
})

test.each<[string, Config]>([
  ['a schema', { names: { Pet: 'Date' } }],
  ['two schemas', { names: { Pet: 'Same', Owner: 'Same' } }],
  ['a resource', { resources: { '/pets/{id}': 'Owner' } }],
  ['two endpoints', { operations: { 'GET /one': { name: 'same' }, 'GET /two': { name: 'same' } } }],
])('a name that something else has is an error: %s', (_, config) => {
  const plain = json(object({ a: text }), { tags: ['pets'] })
  const paths = { ...PETS, '/owners/{id}': { get: json(ref('Owner')) }, '/one': { get: plain }, '/two': { get: plain } }
  const own = object({ id: text, name: text })
  expect(() => build(paths, { Pet: own, Owner: own }, config)).toThrow('which is the name of something else')
})

test('a name that the configuration gives is taken before others', () => {
  const paths = { ...PETS, '/owners/{id}': { get: json(ref('Owner')) } }
  const { files } = build(
    paths,
    { Owner: object({ id: text }), Pet: object({ id: text }) },
    { names: { Pet: 'Owner' } },
  )
  expect(files.get('entities/Pet.ts')).toContain('export class Owner extends Entity')
  expect(files.get('entities/Owner.ts')).toContain('export class OwnerModel extends Entity')
})

test('the report names a create whose list was not found, and an id that no path leads to', () => {
  const { report } = build(
    {
      '/pets': { post: json(ref('Pet')), get: json(object({ cats: listOf(ref('Pet')), dogs: listOf(ref('Pet')) })) },
      '/pets/{id}': { get: json(object({ pet: ref('Pet'), tag: ref('Tag') })) },
      '/owners/{id}': { get: json(ref('Owner')) },
    },
    {
      Pet: object({ id: text, name: text }),
      Tag: object({ uuid: text }),
      Owner: object({ id: text, pet: ref('Pet') }),
    },
  )
  const rows = report.findings
    .filter(({ verdict }) => verdict === 'unsure')
    .map(({ subject, why }) => `${subject}: ${why}`)
  expect(rows.join('\n')).toContain(
    `Tag: it has "uuid", but no path leads to one. If it is unique: entities: { Tag: { key: 'uuid' } }`,
  )
  expect(rows.join('\n')).toContain(`operations: { 'GET /pets': { envelope: '…' } }`)
})

test('the report names a page parameter without a list', () => {
  const page = { parameters: [{ name: 'page', in: 'query', schema: number }] }
  const { report } = build({ '/pets': { get: { ...json(object({ a: text, b: object({ c: text }) })), ...page } } })
  expect(report.findings.find(({ kind }) => kind === 'pages')?.why).toContain(
    `operations: { 'GET /pets': { envelope: '…' } }`,
  )
})

test('a folder with the code of another description is refused without --force', async () => {
  write('cats.json', describe({}))
  write('dogs.json', describe({}, 'Dogs'))
  expect((await call('cats.json', '--out', 'api')).code).toBe(0)
  const refused = await call('dogs.json', '--out', 'api')
  expect(refused).toMatchObject({ code: 2 })
  expect(refused.text).toContain('has the code of "Cats", and this is "Dogs"')
  expect((await call('dogs.json', '--out', 'api', '--force')).code).toBe(0)
  expect((await call('dogs.json', '--out', 'api')).text).toContain('1 entity in 1 table, 1 resource')
})

test('headers do not follow a redirect to another origin', async () => {
  const description = JSON.stringify(describe({}))
  const other = await serve(() => ({ body: description }))
  const own = await serve((url) =>
    url === '/a.json' ? { status: 302, headers: { Location: `${other.url}/b.json` } } : undefined,
  )
  expect((await call(`${own.url}/a.json`, '--out', 'api', '-H', 'X-Key: secret')).code).toBe(0)
  expect(own.seen[0]?.key).toBe('secret')
  expect(other.seen).toEqual([{ url: '/b.json', key: undefined }])
})

test('a reference reaches files outside the folder only with --external, also by a link', async () => {
  mkdirSync(join(folder, 'in'))
  write('name.json', { Name: text })
  symlinkSync(join(folder, 'name.json'), join(folder, 'in/link.json'))
  for (const path of ['../name.json', './link.json']) {
    write('in/cats.json', describe({ Cat: object({ id: text, name: { $ref: `${path}#/Name` } }) }))
    const refused = await call('in/cats.json', '--out', 'api')
    expect(refused.code).toBe(2)
    expect(refused.text).toContain('a file outside the folder of the description')
    expect((await call('in/cats.json', '--out', 'api', '--external')).code).toBe(0)
  }
})

test('aliases of YAML are bounded', async () => {
  const levels = Array.from(
    { length: 12 },
    (_, level) =>
      `x-${level}: &l${level} [${Array.from({ length: 9 }, () => (level === 0 ? '1' : `*l${level - 1}`)).join(', ')}]`,
  )
  const input = write(
    'bomb.yaml',
    `openapi: 3.0.3\ninfo: { title: a, version: '1' }\npaths: {}\n${levels.join('\n')}\n`,
  )
  await expect(readDescription(input)).rejects.toThrow('its aliases stand for more than')
})

test('a remote description has a timeout', async () => {
  const { url } = await serve(() => undefined)
  await expect(readDescription(`${url}/slow.json`, { timeout: 50 })).rejects.toThrow('no response in 0.05 s')
})

test('--types, --map, --mocks and --import-extension', async () => {
  write('cats.json', describe({}))
  const args = [
    'cats.json',
    '--out',
    'api',
    '--types',
    'names.d.ts',
    '--map',
    'map.json',
    '--mocks',
    '--import-extension',
    'js',
  ]
  expect((await call(...args)).code).toBe(0)
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  expect(read('names.d.ts')).toContain(`| 'GET /cats/{id}'`)
  expect(JSON.parse(read('map.json'))).toEqual({
    'GET /cats/:id': { endpoint: 'Cats.get', from: 'api/cats.ts' },
  })
  expect(read('api/cats.ts')).toContain(`from './api.js'`)
  expect(read('api/mocks.ts')).toContain('export function makeCat(')
  expect((await call(...args, '--import-extension', 'mjs')).text).toContain('Use --import-extension js, ts or none')
  expect((await call(...args, '--check')).code).toBe(0)
  write('map.json', '{}')
  rmSync(join(folder, 'names.d.ts'))
  const { code, text } = await call(...args, '--check')
  expect(code).toBe(1)
  expect(text).toContain('1 file added, 1 file changed')
})

test('--types names a file that TypeScript reads', async () => {
  write('cats.json', describe({}))
  writeFileSync(join(folder, 'restitch.openapi.mts'), 'export default {}')
  const types = (file: string): ReturnType<typeof call> => call('cats.json', '--out', 'api', '--types', file)
  expect((await types('restitch.openapi.d.mts')).text).toContain(
    '"restitch.openapi.d.mts", is left out by TypeScript beside "restitch.openapi.mts"',
  )
  expect((await types('names.ts')).text).toContain('"names.ts", is no declaration file')
  expect((await types('restitch.openapi.d.ts')).code).toBe(0)
})

test('--map has the arguments of the endpoint in the URL, whatever the description calls them', async () => {
  const description = describe({})
  const { paths } = description as { paths: Record<string, Json> }
  const own = { name: 'cat_id', in: 'path', required: true, schema: text }
  paths['/cats/{cat_id}'] = {
    ...paths['/cats/{id}'],
    delete: { parameters: [own], responses: { 204: { description: 'Done' } } },
  }
  paths['/cats/{cat_id}/naps/{nap_id}'] = {
    parameters: [own, { ...own, name: 'nap_id' }],
    post: { operationId: 'nap', responses: { 204: { description: 'Done' } } },
  }
  delete paths['/cats/{id}']
  ;(paths['/cats/{cat_id}']!['get'] as Json)['parameters'] = [own]
  write('cats.json', description)
  expect((await call('cats.json', '--out', '.', '--map', 'map.json', '--import-extension', 'js')).code).toBe(0)
  const map: Record<string, { endpoint: string; from: string }> = JSON.parse(
    readFileSync(join(folder, 'map.json'), 'utf8'),
  )
  expect(map).toMatchObject({
    'GET /cats/:id': { endpoint: 'Cats.get', from: './cats.ts' },
    'DELETE /cats/:id': { endpoint: 'Cats.delete', from: './cats.ts' },
  })
  for (const [url, { endpoint, from }] of Object.entries(map)) {
    const code = readFileSync(join(folder, from), 'utf8')
    expect(code).toContain(endpoint.split('.').at(-1))
    expect(code).toContain(`path: '${url.split(' ')[1]}'`)
  }
})

test('--watch writes again after a change, and goes on after a fault', async () => {
  write('cats.json', describe({}))
  const end = new AbortController()
  const printed: string[] = []
  let notify = (): void => {}
  const print = (line: string): void => {
    printed.push(line)
    notify()
  }
  const until = (part: string): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => (printed.some((line) => line.includes(part)) ? resolve() : undefined)
      notify = check
      check()
    })
  const done = run(['cats.json', '--out', 'api', '--watch'], { folder, print, warn: print, signal: end.signal })
  await until('watching 1 file')
  printed.length = 0
  write('cats.json', '{')
  await until('neither JSON nor YAML')
  await until('watching')
  printed.length = 0
  write('cats.json', describe({ Cat: object({ id: text, toy: text }) }))
  await until('1 file changed')
  end.abort()
  expect(await done).toBe(0)
})

test('mocks import the types of links, and have no number that they do not need', () => {
  const link = object({ href: { ...text, format: 'uri' } })
  const generated = build(
    {
      '/books/{isbn}': { get: json(ref('Book')) },
      '/flags/{kind}': { get: json(ref('Flag')) },
      '/debugger': { get: json(object({ on: text })) },
    },
    {
      Book: object({
        isbn: text,
        links: object({ self: ref('Link') }),
        free: { type: 'array', items: text, enum: [null] },
      }),
      Flag: object({ kind: { type: 'string', enum: ['red'] } }, ['kind']),
      Link: link,
    },
    { mocks: true },
  )
  const code = file(generated, 'mocks')
  expect(code).toContain(`import type { Link } from './types'`)
  expect(code).toContain('const flagFields = (_index: number) =>')
  expect(code).toContain(`import * as debuggerEndpoints from './debugger'`)
})
