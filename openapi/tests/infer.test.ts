import { transform } from 'esbuild'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { type Config, generate, type Generated } from '../src/index.ts'
import { body, build, file, finding, type Json, json, listOf, number, object, query, ref, text } from './describe.ts'

test.each([
  ['/pets/{petId}', { id: number, name: text }, 'inferred: an entity by "id"'],
  ['/pets/{pet}', { id: number, name: text }, 'inferred: an entity by "id"'],
  ['/pets/{uuid}', { uuid: text, name: text }, 'inferred: an entity by "uuid"'],
  ['/pets/{pet_slug}', { slug: text, name: text }, 'inferred: an entity by "slug"'],
  ['/pets/{username}', { id: number, username: text }, 'inferred: an entity by "username"'],
  ['/zoos/{zoo}/pets/{pet_number}', { id: number, number }, 'inferred: an entity by "id"'],
  ['/zoos/{zoo}/pets/{name}', { name: text, age: number }, 'inferred: an entity by "name"'],
  ['/pets/{pet}', { metadata: object({ uid: text }), kind: text }, 'inferred: an entity by "metadata.uid"'],
  ['/pets/{whatever}', { colour: text, age: number }, 'unsure: plain data'],
])('the key of %s with %o', (path, fields, expected) => {
  const generated = build({ [path]: { get: json(ref('Pet')) } }, { Pet: object(fields) })
  expect(finding(generated, 'Pet')).toBe(expected)
})

test('a key that is unique only in its path is not one elsewhere', () => {
  const paths = {
    '/a/{a}/pets/{name}': { get: json(ref('Pet')) },
    '/b/{b}/pets/{name}': { get: json(ref('Pet')) },
  }
  expect(finding(build(paths, { Pet: object({ name: text, age: number }) }), 'Pet')).toBe('unsure: plain data')
})

test('a schema with an id that no path leads to is named as unsure', () => {
  const generated = build({ '/x': { get: json(object({ tag: ref('Tag') })) } }, { Tag: object({ id: text }, ['id']) })
  expect(finding(generated, 'Tag')).toBe('unsure: plain data')
})

test('several forms of a record share a table, and each stores the relations of the others', () => {
  const full = { id: number, name: text, owner: ref('User'), stars: number }
  const generated = build(
    {
      '/repositories/{id}': { get: json(ref('full-repository')) },
      '/search': { get: json(listOf(ref('repo-search-result-item'))) },
      '/users/{id}': { get: json(ref('User')) },
      '/x': { get: json(object({ a: ref('nullable-minimal-repository'), b: ref('repository-comment') })) },
    },
    {
      'full-repository': object(full),
      'repo-search-result-item': object({ id: number, name: text }),
      'nullable-minimal-repository': { ...object({ id: number, name: text }), nullable: true },
      'repository-comment': object({ id: number, text, author: ref('User') }),
      User: object({ id: number, login: text }),
    },
  )
  const code = file(generated, 'entities/Repository')
  expect(code.match(/export .*class \w+ extends \w+/g)).toEqual([
    'export abstract class RepositoryEntity extends Entity',
    'export class FullRepository extends RepositoryEntity',
    'export class RepoSearchResultItem extends RepositoryEntity',
  ])
  expect(code.match(/static override schema = .*/g)).toHaveLength(2)
  // Its name is longer, but it is another thing.
  expect(file(generated, 'types')).toContain('export interface RepositoryComment')
})

test('an object with the fields of an entity is that entity', () => {
  const fields = { id: number, name: text, colour: text, url: text, kind: text }
  const generated = build(
    {
      '/labels/{id}': { get: json(ref('Label')) },
      '/issues/{id}': { get: json(ref('Issue')) },
    },
    { Label: object(fields), Issue: object({ id: number, labels: listOf({ oneOf: [text, object(fields)] }) }) },
  )
  const code = file(generated, 'entities/Issue')
  expect(code).toContain('labels: (string | Label)[] | undefined = undefined')
  expect(code).toContain(`labels: [new EntityOr({ Label }, () => 'Label')]`)
})

test('records that are described in place are named after their path', () => {
  const pet = object({ id: number, name: text, age: number })
  const generated = build({ '/pets': { get: json(listOf(pet)) }, '/pets/{id}': { get: json(structuredClone(pet)) } })
  expect(file(generated, 'entities/Pet')).toContain('export class Pet extends Entity')
  expect(file(generated, 'pets')).toContain(
    `resource({ path: '/pets/:id', schema: Pet, Endpoint: Api, body: undefined })`,
  )
})

test.each([
  ['a name of several words', { break_type: ref('BreakType'), errors: listOf(object({ code: text })), total: number }],
  ['another name, alone beside errors', { result_of_it: ref('BreakType'), errors: listOf(object({ code: text })) }],
])('a record in an envelope: %s', (_title, members) => {
  const generated = build(
    {
      '/break-types': { get: json(object({ break_types: listOf(ref('BreakType')) })), post: json(object(members)) },
      '/break-types/{id}': { get: json(object(members)) },
    },
    { BreakType: object({ id: text, name: text }) },
  )
  const member = Object.keys(members)[0]!
  expect(file(generated, 'breakTypes')).toContain(`get: { process: unwrap('${member}') }`)
  expect(file(generated, 'breakTypes')).toMatch(new RegExp(`create: \\{[^}]*process: unwrap\\('${member}'\\)`))
})

test('a type that contains itself has no schema without end', () => {
  const generated = build(
    { '/trees': { get: json(ref('Tree')) }, '/users/{id}': { get: json(ref('User')) } },
    { Tree: object({ owner: ref('User'), children: listOf(ref('Tree')) }), User: object({ id: text, name: text }) },
  )
  expect(file(generated, 'types')).toContain('owner?: UserData | undefined\n  children?: Tree[] | undefined')
})

const pets = (parameters: Json, envelope?: Json, headers: Json = {}): Generated =>
  build(
    {
      '/pets': {
        get: {
          ...parameters,
          responses: {
            200: {
              description: 'ok',
              headers,
              content: { 'application/json': { schema: envelope ?? listOf(ref('Pet')) } },
            },
          },
        },
      },
      '/pets/{id}': { get: json(ref('Pet')) },
    },
    { Pet: object({ id: text, name: text }) },
  )
const data = listOf(ref('Pet'))
const numbers = (...names: string[]): Json => ({
  parameters: names.map((name) => ({ name, in: 'query', schema: number })),
})

test.each([
  ['a number', numbers('page', 'per_page'), undefined, `paginationField: 'page'`, undefined],
  ['an offset', numbers('offset'), undefined, `paginationField: 'offset'`, 'nextOffset(response, params?.offset)'],
  [
    'a cursor',
    query('cursor'),
    object({ data, next_cursor: text }),
    `paginationField: 'cursor'`,
    '(response) => response.next_cursor',
  ],
  [
    'a cursor in meta',
    query('cursor'),
    object({ data, meta: object({ next: text }, ['next']) }, ['meta']),
    `paginationField: 'cursor'`,
    `(response) => queryOf(response.meta?.next, 'cursor')`,
  ],
  [
    'the last key',
    query('starting_after'),
    object({ data, has_more: { type: 'boolean' } }, ['data']),
    `paginationField: 'starting_after'`,
    '(response) => (response.has_more ? response.data.at(-1)?.id : undefined)',
  ],
  [
    'a URL',
    query('page'),
    object({ results: data, next: { ...text, format: 'uri' } }),
    `paginationField: 'page'`,
    `queryOf(response.next, 'page')`,
  ],
])('pages by %s', (_, parameters, envelope, field, next) => {
  const code = file(pets(parameters, envelope), 'pets')
  expect(code).toContain(field)
  expect(code.replaceAll(/\s+/g, ' ')).toContain(next === undefined ? '' : next)
  expect(code.includes('getNextPage')).toBe(next !== undefined)
})

test('pages by the Link header', () => {
  const code = file(pets(query('page'), undefined, { Link: {} }), 'pets')
  expect(code).toContain(`getNextPage: (response) => nextLink(response, 'page')`)
})

test('a cursor without a next one is unsure', () => {
  expect(finding(pets(query('cursor')), 'GET /pets', 'pages')).toBe('unsure: not paged')
})

test('the configuration decides about pages and envelopes', () => {
  const paths = {
    '/pets': { get: json(object({ a: listOf(ref('Pet')), b: listOf(ref('Pet')) }), query('from')) },
    '/pets/{id}': { get: json(ref('Pet')) },
  }
  const schemas = { Pet: object({ id: text, name: text }) }
  const config: Config = {
    operations: { 'GET /pets': { envelope: 'b', pages: { field: 'from', next: { last: 'id' } } } },
  }
  const code = file(build(paths, schemas, config), 'pets')
  expect(code).toContain('b: new Collection([Pet])')
  expect(code).toContain('getNextPage: (response) => response.b.at(-1)?.id')
})

test('operations on an item and a collection are members, and others are endpoints', () => {
  const generated = build(
    {
      '/pets/{petId}': {
        get: json(ref('Pet')),
        put: json(ref('Pet'), body(ref('Pet'))),
        delete: json(object({ ok: text })),
      },
      '/pets/{petId}/feed': { post: json(ref('Pet'), { operationId: 'feed' }) },
      '/pets/search': { get: json(listOf(ref('Pet')), { operationId: 'search', ...query('q') }) },
      '/health': { get: json(object({ ok: text })) },
    },
    { Pet: object({ id: text, name: text }) },
  )
  const code = file(generated, 'pets')
  expect(code).toContain(`feed: new Api({ path: '/pets/:id/feed', method: 'POST', body: undefined, schema: Pet })`)
  expect(code).toContain(`search: new Api({`)
  expect(code).toContain(`delete: { process: (_response, params) => params }`)
  expect(code).toMatch(/'getList',\s+'create',\s+'partialUpdate',/)
  expect(file(generated, 'health')).toContain('export const getHealth')
})

test('a path parameter is the key if it has its name or its type', () => {
  const pathOf = (path: string, id: Json): string | undefined =>
    /path: '(.*?)'/.exec(
      file(build({ [path]: { get: json(ref('Pet')) } }, { Pet: object({ id, name: text }) }), 'pets'),
    )?.[1]
  expect(pathOf('/pets/{petId}', number)).toBe('/pets/:id')
  expect(pathOf('/pets/{pet}', text)).toBe('/pets/:id')
  // The name of a pet, since ids are numbers.
  expect(pathOf('/pets/{pet}', number)).toBe('/pets/:pet')
})

test('a resource is named after its path alone', () => {
  const label = { get: json(ref('Label')), delete: json({}) }
  const tagged = (path: string, tag: string): Json => ({
    [path]: Object.fromEntries(
      Object.entries(label).map(([method, operation]) => [method, { ...operation, tags: [tag] }]),
    ),
  })
  const generated = build(
    { ...tagged('/issues/{issue}/labels/{id}', 'x'), ...tagged('/labels/{id}', 'x') } as Record<string, Json>,
    { Label: object({ id: text, name: text }) },
  )
  expect(file(generated, 'x').match(/export const \w+/g)).toEqual(['export const IssueLabels', 'export const Labels'])
})

test('the place of an operation follows from its own path, method and response', () => {
  const pet = ref('Pet')
  const files = { '/files/{folder}/{name}': { get: json(object({ size: number })) } }
  const { endpoints } = build(
    {
      '/pets': { get: json(listOf(pet)), post: json(pet), delete: json({}) },
      '/pets/{id}': { get: json(pet), put: json(pet, body(pet)), patch: json(pet), delete: json({}) },
      '/pets/{id}/friends/{friend}': { put: json({}), delete: json({}), get: { responses: { 204: {} } } },
      '/pets/{id}/photo': { get: json({}) },
      '/pets/count': { get: json(number) },
      '/cats/{id}': { post: json(object({ name: text })) },
      '/statistics': { get: json(object({ count: number })), post: json(object({ count: number })) },
      '/login': { post: json({}) },
      '/repos/{owner}/{repo}': { get: json(object({ name: text })) },
      '/repos': { get: json(listOf(object({ name: text }))) },
      '/issues/{id}/comments': { get: json(listOf(text)) },
      '/issues/comments': { get: json(listOf(text)) },
      ...files,
      '/files/{folder}': { get: json(listOf(text)), post: json({}), delete: json({}) },
    },
    { Pet: object({ id: text, name: text }) },
  )
  expect(Object.fromEntries(endpoints)).toEqual({
    'GET /pets': 'pets.Pets.getList',
    'POST /pets': 'pets.Pets.create',
    'DELETE /pets': 'pets.deletePets',
    'GET /pets/{id}': 'pets.Pets.get',
    'PUT /pets/{id}': 'pets.Pets.update',
    'PATCH /pets/{id}': 'pets.Pets.partialUpdate',
    'DELETE /pets/{id}': 'pets.Pets.delete',
    'GET /pets/{id}/photo': 'pets.Pets.getPhoto',
    'GET /pets/count': 'pets.Pets.getCount',
    'DELETE /pets/{id}/friends/{friend}': 'pets.PetFriends.delete',
    'PUT /pets/{id}/friends/{friend}': 'pets.PetFriends.putFriend',
    'GET /pets/{id}/friends/{friend}': 'pets.PetFriends.getFriend',
    'POST /cats/{id}': 'cats.Cats.partialUpdate',
    'GET /statistics': 'statistics.getStatistics',
    'POST /statistics': 'statistics.Statistics.create',
    'POST /login': 'login.postLogin',
    'GET /repos': 'repos.Repos.getList',
    'GET /repos/{owner}/{repo}': 'repos.Repos.get',
    'GET /issues/{id}/comments': 'issues.IssueComments.getList',
    'GET /issues/comments': 'issues.IssuesComments.getList',
    'GET /files/{folder}': 'files.Files.getList',
    'POST /files/{folder}': 'files.Files.create',
    'DELETE /files/{folder}': 'files.Files.deleteFile',
    'GET /files/{folder}/{name}': 'files.Files.get',
  })
})

test('an endpoint has the same name before and after its records are an entity', () => {
  const order = object({ id: text, lines: listOf(text) })
  const paths = {
    '/orders': { get: json(listOf(ref('Orders'))), post: json(ref('Orders'), body(ref('Orders'))) },
  }
  const item = { '/orders/{order_id}': { get: json(ref('Orders')) } }
  const [less, full] = [build(paths, { Orders: order }), build({ ...paths, ...item }, { Orders: order })]
  expect([...full.endpoints]).toEqual(expect.arrayContaining([...less.endpoints]))
  expect(file(less, 'types')).toContain('export interface Order {')
  expect(file(full, 'entities/Order')).toContain('export class Order extends Entity')
})

test.each([
  [{ type: 'http', scheme: 'bearer' }, 'Authorization: `Bearer ${accessToken}`'],
  [{ type: 'http', scheme: 'basic' }, 'Basic ${btoa('],
  [{ type: 'apiKey', in: 'header', name: 'X-Key' }, `'X-Key': apiKey`],
  [{ type: 'apiKey', in: 'query', name: 'key' }, 'key=${encodeURIComponent(apiKey)}'],
  [{ type: 'apiKey', in: 'cookie', name: 'sid' }, `credentials: 'include'`],
  [{ type: 'oauth2', flows: {} }, 'static accessToken'],
])('authorises by %o', (scheme, expected) => {
  const { files } = generate(
    { openapi: '3.0.0', paths: {}, components: { securitySchemes: { it: scheme } } } as never,
    {},
  )
  expect(files.get('api.ts')).toContain(expected)
})

test('camel case renames fields, parameters and templates', () => {
  const generated = build(
    { '/big_pets/{pet_id}': { get: json(ref('Pet'), query('sort_by')) } },
    { Pet: object({ pet_id: text, born_at: { ...text, format: 'date-time' } }, ['born_at']) },
    { casing: 'camel' },
  )
  expect(file(generated, 'bigPets')).toContain(`path: '/big_pets/:petId'`)
  expect(file(generated, 'bigPets')).toContain('sortBy?: string | undefined')
  expect(file(generated, 'entities/Pet')).toContain('static override schema = { bornAt: Date }')
  expect(file(generated, 'api')).toContain(`extends adaptEndpoint({ casing: 'snake' })<O>`)
})

test('a schema is an entity if a path is about one, though it returns nothing', () => {
  const paths = {
    '/tasks/{task_id}/attachments': { get: json(listOf(ref('AttachmentResponse'))) },
    '/attachments/{attachment_id}': { delete: { responses: { 204: { description: 'Gone' } } } },
  }
  const generated = build(paths, { AttachmentResponse: object({ id: text, size: number }) })
  expect(finding(generated, 'AttachmentResponse')).toBe('inferred: an entity by "id"')
  expect(file(generated, 'attachments')).toContain('schema: new Invalidate(AttachmentResponse)')
})

test('null is the same in 3.0 and in 3.1', () => {
  const paths = { '/pets/{id}': { get: json(ref('Pet')) }, '/zoos/{id}': { get: json(ref('Zoo')) } }
  const choice = (...options: Json[]): Json => ({
    oneOf: options,
    discriminator: {
      propertyName: 'kind',
      mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
    },
  })
  const animals = {
    '/cats/{id}': { get: json(ref('Cat')) },
    '/dogs/{id}': { get: json(ref('Dog')) },
  }
  const schemas = (old: boolean): Json => {
    const orNull = (schema: Json, isRef = false): Json =>
      old
        ? { ...(isRef ? { allOf: [schema] } : schema), nullable: true }
        : isRef
          ? { anyOf: [schema, { type: 'null' }] }
          : { ...schema, type: [schema['type'], 'null'] }
    const kind = (name: string): Json => (old ? { type: 'string', enum: [name] } : { const: name })
    const fields = {
      id: text,
      name: orNull(text),
      born_at: orNull({ ...text, format: 'date-time' }),
      tags: orNull(listOf(text)),
      zoo: orNull(ref('Zoo'), true),
      friend: orNull(ref('Animal'), true),
    }
    return {
      Pet: object(fields, ['id', 'name', 'born_at', 'zoo', 'friend']),
      Zoo: object({ id: text, name: text }),
      Animal: choice(ref('Cat'), ref('Dog')),
      Cat: object({ id: text, kind: kind('cat') }, ['kind']),
      Dog: object({ id: text, kind: kind('dog') }, ['kind']),
    }
  }
  const [before, after] = [true, false].map((old) => build({ ...paths, ...animals }, schemas(old)))
  expect(file(after!, 'entities/Pet')).toContain('zoo: Zoo | null = null')
  expect(file(after!, 'entities/Pet')).toContain('friend: Cat | Dog | null = null')
  expect([...before!.files]).toEqual([...after!.files])
})

test('members of responses alone are in no body, and the other way round', () => {
  const readOnly = { ...text, readOnly: true }
  const settings = object({ id: readOnly, theme: text, secret: { ...text, writeOnly: true } }, [
    'id',
    'theme',
    'secret',
  ])
  const paths = { '/settings': { put: json(ref('Settings'), { ...body(ref('Settings')), operationId: 'save' }) } }
  const generated = build(paths, { Settings: settings }, { validation: 'zod' })
  const types = file(generated, 'types').replaceAll(/\s+/g, ' ')
  expect(types).toContain('export interface Setting { id: string theme: string }')
  expect(types).toContain('export interface SettingData { theme: string secret: string }')
  const validators = file(generated, 'validators').replaceAll(/\s+/g, ' ')
  expect(validators).toMatch(/settings: z.ZodType = z.looseObject\(\{ id: z.string\(\), theme/)
  expect(validators).toMatch(/settingsBody: z.ZodType = z.looseObject\(\{ id: z.optional\(z.string\(\)\), theme/)
})

test('headers that are required are named as left out, whatever the member', () => {
  const header = { name: 'Idempotency-Key', in: 'header', required: true, schema: text }
  const paths = {
    '/pets': { get: json(listOf(ref('Pet'))), post: json(ref('Pet'), { parameters: [header] }) },
    '/pets/{id}': { get: json(ref('Pet')) },
  }
  const generated = build(paths, { Pet: object({ id: text, name: text }) })
  expect(finding(generated, 'POST /pets Idempotency-Key', 'parameter')).toBe('left out: no argument')
})

test('each member has the query of its own operation', () => {
  const required = (name: string): Json => ({ parameters: [{ name, in: 'query', required: true, schema: text }] })
  const pet = ref('Pet')
  const generated = build(
    {
      '/pets': { get: json(listOf(pet), required('zoo')), post: json(pet, body(pet)) },
      '/pets/{id}': { get: json(pet), patch: json(pet, { ...body(pet), ...query('notify') }) },
    },
    { Pet: object({ id: text, name: text }) },
  )
  const code = file(generated, 'pets')
  expect(code).toContain('create: { searchParams: undefined }')
  expect(code).toContain('partialUpdate: { searchParams: {} as PetsPartialUpdateParams | undefined }')
})

test.each([
  ['/a/{b}', '/a/:b'],
  ['/a/{b-c}', '/a/:"b-c"'],
  ['/a/{b}.json', '/a/:b.json'],
  ['/a/{b}c', '/a/:"b"c'],
  ['/a:b/(c)', '/a\\\\:b/\\\\(c\\\\)'],
])('the template of %s', (path, template) => {
  const code = [...build({ [path]: { post: json({}) } }).files.values()].join('')
  expect(code).toContain(`path: '${template}'`)
})

test('names that are taken get others', () => {
  const generated = build(
    {
      '/dates/{id}': { get: json(ref('Date')) },
      '/x': { post: json({}, { operationId: 'delete', tags: ['api'] }) },
    },
    { Date: object({ id: text, at: { ...text, format: 'date-time' } }), date: object({ id: text }) },
  )
  expect(file(generated, 'entities/Date')).toContain('export class DateModel extends Entity')
  expect(file(generated, 'apiOperations')).toContain('export const deleteApi')
})

test('texts of a description stay texts', async () => {
  const evil = `a'"\`\${evil()}*/ evil() /*\n evil() //`
  const path = `/zoos/{zoo ${evil.replaceAll(/[{}]/g, '')}}/pets/{name}`
  const generated = build(
    {
      [path]: {
        get: json(ref(`Pet ${evil}`), {
          operationId: evil,
          tags: [evil],
          summary: evil,
          description: evil,
          ...query(evil),
        }),
        delete: json({}, { tags: [evil] }),
      },
    },
    {
      [`Pet ${evil}`]: {
        ...object({ name: text, [evil]: { ...text, description: evil }, kind: { enum: [evil], type: 'string' } }, [
          'name',
          'kind',
        ]),
        description: evil,
        title: evil,
      },
    },
    { baseUrl: `https://${evil}`, auth: { type: 'query', name: evil }, validation: 'zod' },
  )
  expect(generated.files.size).toBe(4)
  for (const [name, code] of generated.files) {
    const { code: plain } = await transform(code, { loader: 'ts' })
    expect(JSON.stringify(parseAst(plain)), name).not.toContain('"name":"evil"')
  }
})

test.each([
  ['/1.1/pets', 'pets.Pets.getList'],
  ['/v1.0/pets', 'pets.Pets.getList'],
  ['/2/pets', 'pets.Pets.getList'],
  ['/admin/api/2024-01/pets', 'admin.AdminPets.getList'],
  ['/api/3.0/{tenant}/pets', 'pets.Pets.getList'],
])('a version in a path is in no name: %s', (path, expected) => {
  const paths = {
    [path]: { get: json(listOf(ref('Pet'))) },
    [`${path}/{id}`]: { get: json(ref('Pet')) },
    '/2/me': { get: json(object({ name: text })) },
  }
  const { endpoints } = build(paths, { Pet: object({ id: text, name: text }) })
  expect(endpoints.get(`GET ${path}`)).toBe(expected)
  expect(endpoints.get('GET /2/me')).toBe('me.getMe')
})

test('a path that ends with a verb and an id is no resource', () => {
  const { endpoints } = build(
    { '/notes/show/{id}': { get: json(ref('Note')) }, '/notes/destroy/{id}': { post: json(ref('Note')) } },
    { Note: object({ id: text, name: text }) },
  )
  expect([...endpoints.values()].sort()).toEqual(['notes.getNotesShowById', 'notes.postNotesDestroyById'])
})

test('an update that returns the key and nothing that was sent counts as empty', () => {
  const note = object({ id: text, name: text })
  const paths = (response: string): Record<string, Json> => ({
    '/notes/{id}': { get: json(ref('Note')), patch: json(ref(response), body(ref('Note'))) },
  })
  const schemas = {
    Note: note,
    Receipt: object({ id: text, changed_at: text }),
    Message: object({ message: text, success: { type: 'boolean' } }),
    Job: object({ job: text }),
  }
  expect(file(build(paths('Receipt'), schemas), 'notes')).toContain('partialUpdate: { process: () => null }')
  expect(file(build(paths('Message'), schemas), 'notes')).toContain('partialUpdate: { process: () => null }')
  // Something to come back to.
  expect(file(build(paths('Job'), schemas), 'notes')).not.toContain('null')
  expect(file(build(paths('Note'), schemas), 'notes')).not.toContain('null')
})

test('an envelope of all operations says nothing of a response without it, and may hold the list in an object', () => {
  const paths = {
    '/pets': { get: json(object({ data: object({ items: listOf(ref('Pet')), page: number }) })) },
    '/pets/{id}': { get: json(ref('Pet')) },
    '/owners': { get: json(object({ owners: listOf(ref('Owner')) })) },
    '/owners/{id}': { get: json(object({ data: ref('Owner') })) },
  }
  const own = object({ id: text, name: text })
  const generated = build(paths, { Pet: own, Owner: own }, { envelope: 'data' })
  expect(file(generated, 'pets')).toContain('data: { items: new Collection([Pet])')
  expect(file(generated, 'owners')).toContain('owners: new Collection([Owner])')
})

test('a fragment of a path is in no request', () => {
  const { files } = build({ '/pets/{id}#Next': { get: json(object({ a: text })) } })
  expect([...files.values()].join('')).toContain(`path: '/pets/:id'`)
})
