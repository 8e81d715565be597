import { type } from 'arktype'
import * as v from 'valibot'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { isRestitchError } from '../base/errors.ts'
import type { StandardSchemaV1 } from '../base/standardSchema.ts'
import type { EndpointInterface, ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { NetworkError } from './NetworkError.ts'
import type { ErrorTypes, RestEndpointConstructorOptions, RestGenerics } from './RestOptions.ts'
import { resource } from './resource.ts'
import { RestEndpoint } from './RestEndpoint.ts'

class User extends Entity {
  id = ''
  name = ''
  joined = new Date(0)
  static override key = 'User'
  static override schema = { joined: (iso: string) => new Date(iso) }
}
type UserData = { id: string; name: string; joined: string }
type Id = { id: string | number }

const getUser = new RestEndpoint({ path: '/users/:id', schema: User })
declare const search: { q?: string }
declare const changes: { name?: string }
declare const somePath: string

test('TY-1 RE-1 members are typed by what was given', () => {
  expectTypeOf(getUser.path).toEqualTypeOf<'/users/:id'>()
  expectTypeOf(getUser.method).toEqualTypeOf<'GET'>()
  expectTypeOf(getUser.schema).toEqualTypeOf<typeof User>()
  expectTypeOf(getUser.sideEffect).toEqualTypeOf<undefined>()
  expectTypeOf(getUser.content).toEqualTypeOf<undefined>()
  expectTypeOf(getUser).parameters.toEqualTypeOf<[params: Id]>()
  expectTypeOf(getUser.key).parameters.toEqualTypeOf<[params: Id]>()
  expectTypeOf(getUser.url).parameters.toEqualTypeOf<[params: Id]>()
  const update = new RestEndpoint({ path: '/users/:id', method: 'PUT', schema: User })
  expectTypeOf(update.method).toEqualTypeOf<'PUT'>()
  expectTypeOf(update.sideEffect).toEqualTypeOf<true>()
  expectTypeOf(update.url).parameters.toEqualTypeOf<[params: Id]>()
})

test('TY-5 a direct call is typed by its schema, and never any', () => {
  expectTypeOf(getUser({ id: 5 })).resolves.toEqualTypeOf<UserData>()
  const list = new RestEndpoint({ path: '/users', schema: { users: new Collection([User]), total: 0 } })
  expectTypeOf(list()).resolves.toEqualTypeOf<{ users: UserData[]; total: number }>()
})

test('TY-5 RE-18 process is given typed arguments, and types the call', () => {
  const inline = new RestEndpoint({
    path: '/users/:id',
    method: 'PUT',
    body: {} as { name: string },
    process(value, params, body) {
      expectTypeOf(value).toBeAny()
      expectTypeOf(params).toEqualTypeOf<Id>()
      expectTypeOf(body).toEqualTypeOf<{ name: string }>()
      return { id: params.id, old: body.name }
    },
  })
  expectTypeOf(inline({ id: 1 }, { name: '' })).resolves.toEqualTypeOf<{ id: string | number; old: string }>()
  const waiting = new RestEndpoint({ path: '/users', process: async (value: string[]) => value.length })
  expectTypeOf(waiting()).resolves.toEqualTypeOf<number>()
  const first = new RestEndpoint({ process: (value, { id }) => [value, id] as const, path: '/users/:id' })
  expectTypeOf(first({ id: 1 })).resolves.toEqualTypeOf<readonly [any, string | number]>()
})

test('RE-18 where parameters may be left out before a body, options may take fewer arguments', () => {
  const create = new RestEndpoint({
    path: '/users{/:group}',
    method: 'POST',
    body: {} as { name: string },
    process: (value: UserData) => value.id,
    key: () => 'users',
    update: (_response, paramsOrBody, body) => {
      expectTypeOf(paramsOrBody).toEqualTypeOf<{ name: string } | { group?: string | number | undefined }>()
      expectTypeOf(body).toEqualTypeOf<{ name: string } | undefined>()
      return {}
    },
    getOptimisticResponse: (_snapshot) => '',
  })
  expectTypeOf(create({ name: '' })).resolves.toEqualTypeOf<string>()
  expectTypeOf(create({ group: 1 }, { name: '' })).resolves.toEqualTypeOf<string>()
  const list = new RestEndpoint({ path: '/users', searchParams: search })
  const push = list.extend({ method: 'POST', process: (value: UserData) => value.name })
  expectTypeOf(push({})).resolves.toEqualTypeOf<string>()
  // @ts-expect-error the body has a name
  create({ nam: '' })
})

test('PAR-15 TY-6 what an own parseResponse gives is the value, whatever the content', () => {
  const file = new RestEndpoint({
    path: '/files/:id',
    content: 'blob',
    async parseResponse(response) {
      return { blob: await response.blob(), name: response.headers.get('content-disposition') }
    },
  })
  expectTypeOf(file({ id: 1 })).resolves.toEqualTypeOf<{ blob: Blob; name: string | null }>()
  const name = new RestEndpoint({
    path: '/files/:id',
    content: 'blob',
    parseResponse: async (response: Response) => ({ name: response.statusText }),
    process: (file) => file.name.length,
  })
  expectTypeOf(name({ id: 1 })).resolves.toBeNumber()
})

test('RE-19 the body may be left out of a key', () => {
  const signIn = new RestEndpoint({ path: '/session', method: 'POST', body: {} as { name: string } })
  signIn.key()
  signIn.key({ name: '' })
  // @ts-expect-error A call needs it.
  void signIn()
  const change = new RestEndpoint({ path: '/users/:id', method: 'PUT', body: {} as { name: string } })
  change.key({ id: 1 })
  // @ts-expect-error The path still has to be filled.
  change.key()
})

test('TY-6 content types the call and what process is given, and takes no schema', () => {
  const file = new RestEndpoint({ path: '/files/:id', content: 'blob', dataExpiryLength: 0 })
  expectTypeOf(file({ id: 1 })).resolves.toEqualTypeOf<Blob>()
  expectTypeOf(file.content).toEqualTypeOf<'blob'>()
  new RestEndpoint({ path: '/files', content: 'text', schema: undefined })
  new RestEndpoint({ path: '/files', content: 'json', schema: User })
  // @ts-expect-error text has no schema
  new RestEndpoint({ path: '/files', content: 'text', schema: User })
  // @ts-expect-error the schema of the parent has to go
  getUser.extend({ content: 'text' })
  expectTypeOf(getUser.extend({ content: 'text', schema: undefined })({ id: 1 })).resolves.toEqualTypeOf<string>()
  const length = new RestEndpoint({
    path: '/files',
    content: 'text',
    process(value) {
      expectTypeOf(value).toEqualTypeOf<string>()
      return value.length
    },
  })
  expectTypeOf(length()).resolves.toEqualTypeOf<number>()
})

test('TY-2 TY-4 wrong calls are refused', () => {
  const create = new RestEndpoint({ path: '/groups/:group/users', method: 'POST', body: {} as { name: string } })
  expectTypeOf(create).toBeCallableWith({ group: 1 }, { name: '' })
  // @ts-expect-error params are missing
  create({ name: '' })
  // @ts-expect-error the body is missing
  create({ group: 1 })
  // @ts-expect-error misspelt field of the body
  create({ group: 1 }, { nam: '' })
  // @ts-expect-error params are missing
  getUser()
  // @ts-expect-error the id is missing
  getUser({})
  // @ts-expect-error misspelt parameter
  getUser({ idd: 5 })
  // @ts-expect-error a GET takes no body
  getUser({ id: 5 }, {})
  // @ts-expect-error null is no id
  getUser({ id: null })
  const remove = new RestEndpoint({ path: '/users/:id', method: 'DELETE' })
  expectTypeOf(remove).toBeCallableWith({ id: 5 })
  // @ts-expect-error a DELETE takes no body
  remove({ id: 5 }, {})
})

test('RE-1 a misspelt option and a broken template are refused', () => {
  expectTypeOf(RestEndpoint).toBeConstructibleWith({ path: '/users/:id', dataExpiryLength: 5 })
  // @ts-expect-error misspelt option
  new RestEndpoint({ path: '/users/:id', dataExpiryLenght: 5 })
  // @ts-expect-error misspelt option
  new RestEndpoint({ path: '/users/:id', contnt: 'blob' })
  // @ts-expect-error misspelt option
  getUser.extend({ metod: 'POST' })
  // @ts-expect-error unclosed group
  new RestEndpoint({ path: '/users/{:id' })
  // @ts-expect-error a wildcard comes last
  getUser.extend({ path: '/users/*id/more' })
  // @ts-expect-error the path is missing
  new RestEndpoint({ schema: User })
  // @ts-expect-error no such content
  new RestEndpoint({ path: '/users', content: 'xml' })
})

test('TY-4 EXT-1 extend changes what it names and keeps the rest', () => {
  const same = getUser.extend({ dataExpiryLength: 5, urlPrefix: 'https://api.test' })
  expectTypeOf(same).toEqualTypeOf(getUser)
  const post = getUser.extend({ method: 'POST' })
  expectTypeOf(post.method).toEqualTypeOf<'POST'>()
  expectTypeOf(post.sideEffect).toEqualTypeOf<true>()
  expectTypeOf(post.schema).toEqualTypeOf<typeof User>()
  expectTypeOf(post).parameters.toEqualTypeOf<[params: Id, body: any]>()
  const typed = post.extend({ body: {} as { name: string } })
  expectTypeOf(typed).parameters.toEqualTypeOf<[params: Id, body: { name: string }]>()
  expectTypeOf(typed.extend({ method: 'PATCH' })).parameters.toEqualTypeOf<[params: Id, body: { name: string }]>()
  expectTypeOf(typed.extend({ body: undefined })).parameters.toEqualTypeOf<[params: Id]>()
  expectTypeOf(typed.extend({ method: 'DELETE', body: undefined })).parameters.toEqualTypeOf<[params: Id]>()
  expectTypeOf(getUser.extend({ path: '/users' })).parameters.toEqualTypeOf<[]>()
  expectTypeOf(getUser.extend({ searchParams: search })).parameters.toEqualTypeOf<
    [params: { q?: string; id: string | number }]
  >()
  expectTypeOf(getUser.extend({ schema: [User] })({ id: 1 })).resolves.toEqualTypeOf<UserData[]>()
  expectTypeOf(getUser.extend({ schema: undefined })({ id: 1 })).resolves.toBeAny()
})

test('RE-4 extend with a method derives the side effect again', () => {
  const search = new RestEndpoint({ path: '/search', method: 'POST', sideEffect: undefined })
  expectTypeOf(search.sideEffect).toEqualTypeOf<undefined>()
  expectTypeOf(search.extend({ schema: User }).sideEffect).toEqualTypeOf<undefined>()
  expectTypeOf(search.extend({ method: 'PUT' }).sideEffect).toEqualTypeOf<true>()
})

test('TY-5 extend keeps the type that process gave, until it is replaced', () => {
  const named = getUser.extend({ schema: undefined, process: (value: { name: string }) => value.name })
  expectTypeOf(named({ id: 1 })).resolves.toEqualTypeOf<string>()
  expectTypeOf(named.extend({ timeout: 5 })({ id: 1 })).resolves.toEqualTypeOf<string>()
  const counted = named.extend({
    path: '/groups/:group',
    process(_value, { group }) {
      expectTypeOf(group).toEqualTypeOf<string | number>()
      return 5
    },
  })
  expectTypeOf(counted({ group: 1 })).resolves.toEqualTypeOf<number>()
})

test('RE-21 RE-25 lifecycle options are typed', () => {
  const rename = new RestEndpoint({
    path: '/users/:id',
    schema: User,
    method: 'PATCH',
    body: changes,
    errorPolicy(error) {
      expectTypeOf(error).toEqualTypeOf<ErrorTypes>()
      if (error instanceof NetworkError) {
        expectTypeOf(error.response).toEqualTypeOf<Response>()
      }
      return (error.status ?? 0) >= 500 ? 'soft' : undefined
    },
    getOptimisticResponse(snapshot, { id }, body) {
      expectTypeOf(id).toEqualTypeOf<string | number>()
      const user = snapshot.get(User, { id })
      expectTypeOf(user).toEqualTypeOf<User | undefined>()
      if (!user) {
        throw snapshot.abort
      }
      return { id, name: user.name, ...body }
    },
    update(pk, { id }) {
      expectTypeOf(pk).toEqualTypeOf<string>()
      expectTypeOf(id).toEqualTypeOf<string | number>()
      return { 'GET /users': (users: string[]) => [...users, pk] }
    },
    key({ id }, body) {
      expectTypeOf(body).toEqualTypeOf<{ name?: string }>()
      return `user ${id}`
    },
    getHeaders: (headers) => ({ ...headers, 'Access-Token': 'x' }),
  })
  new RestEndpoint({
    path: '/ping',
    process: (value: string) => value.length,
    getOptimisticResponse: () => 5,
  })
  expectTypeOf(rename).parameters.toEqualTypeOf<[params: Id, body: { name?: string }]>()
  new RestEndpoint({
    path: '/users/:id',
    schema: User,
    // @ts-expect-error a name is no boolean
    getOptimisticResponse: (_, { id }) => ({ id, name: true }),
  })
  // @ts-expect-error no such policy
  new RestEndpoint({ path: '/users', errorPolicy: () => 'mild' })
})

test('PAG-5 getNextPage receives the processed response and the arguments', () => {
  const list = new RestEndpoint({
    path: '/users/:group',
    paginationField: 'cursor',
    searchParams: search,
    process: (value: { items: UserData[]; next?: string }) => value,
    getNextPage(value, { group, q }) {
      expectTypeOf(value).toEqualTypeOf<{ items: UserData[]; next?: string }>()
      expectTypeOf(group).toEqualTypeOf<string | number>()
      expectTypeOf(q).toEqualTypeOf<string | undefined>()
      return value.next
    },
  })
  expectTypeOf(list.paginationField).toEqualTypeOf<'cursor'>()
  new RestEndpoint({
    path: '/users',
    schema: { users: new Collection([User]), next: '' },
    getNextPage(value) {
      expectTypeOf(value.next).toEqualTypeOf<string>()
      return value.next || undefined
    },
  })
})

test('TY-7 VALID-11 Standard Schemas of zod, valibot and arktype type the body and the response', () => {
  const zod = z.object({ n: z.string().transform(Number) })
  const fromZod = new RestEndpoint({ path: '/a', method: 'POST', validateResponse: zod, validateBody: zod })
  expectTypeOf(fromZod).parameters.toEqualTypeOf<[body: { n: string }]>()
  expectTypeOf(fromZod({ n: '' })).resolves.toEqualTypeOf<{ n: number }>()

  const valibot = v.object({ n: v.pipe(v.string(), v.transform(Number)) })
  const fromValibot = new RestEndpoint({ path: '/a', method: 'POST', validateResponse: valibot, validateBody: valibot })
  expectTypeOf(fromValibot).parameters.toEqualTypeOf<[body: { n: string }]>()
  expectTypeOf(fromValibot({ n: '' })).resolves.toEqualTypeOf<{ n: number }>()

  const arktype = type({ n: 'string.numeric.parse' })
  const fromArktype = new RestEndpoint({ path: '/a', method: 'POST', validateResponse: arktype, validateBody: arktype })
  expectTypeOf(fromArktype).parameters.toEqualTypeOf<[body: { n: string }]>()
  expectTypeOf(fromArktype({ n: '' })).resolves.toEqualTypeOf<{ n: number }>()
})

test('TY-7 VALID-11 process is given the output, and what the user typed wins', () => {
  const answer = z.object({ n: z.string().transform(Number) })
  const doubled = new RestEndpoint({
    path: '/a/:id',
    validateResponse: answer,
    process(value, { id }) {
      expectTypeOf(value).toEqualTypeOf<{ n: number }>()
      return { twice: value.n * 2, id }
    },
  })
  expectTypeOf(doubled({ id: 1 })).resolves.toEqualTypeOf<{ twice: number; id: string | number }>()
  const bodied = new RestEndpoint({
    path: '/a',
    method: 'POST',
    validateBody: answer,
    body: {} as { n: 'one' | 'two' },
  })
  expectTypeOf(bodied).parameters.toEqualTypeOf<[body: { n: 'one' | 'two' }]>()
  const schemed = new RestEndpoint({ path: '/a', schema: User, validateResponse: answer })
  expectTypeOf(schemed()).resolves.toEqualTypeOf<{ n: number }>()
  const later = getUser.extend({ validateResponse: answer })
  expectTypeOf(later({ id: 1 })).resolves.toEqualTypeOf<{ n: number }>()
})

test('G-8 VALID-6 what a validator objected to can be read from an error of the library', () => {
  const error: unknown = new Error('any')
  if (!isRestitchError(error)) {
    return
  }
  expectTypeOf(error.code).toEqualTypeOf<string>()
  expectTypeOf(error.issues).toEqualTypeOf<readonly StandardSchemaV1.Issue[] | undefined>()
  expectTypeOf(error.status).toEqualTypeOf<number | undefined>()
})

test('EP-10 a subclass keeps the types of its options, and extend keeps the subclass', () => {
  class Authed<O extends RestGenerics = any> extends RestEndpoint<O> {
    static accessToken?: string
    override urlPrefix = 'https://api.test'
    version = 3
    override getHeaders(headers: Record<string, string>): HeadersInit {
      return { ...headers, 'Access-Token': Authed.accessToken ?? '' }
    }
    override async getRequestInit(body?: unknown): Promise<RequestInit> {
      return { ...(await super.getRequestInit(body)), credentials: 'include' }
    }
    override process(value: any, ...args: any): any {
      return super.process(value, ...args)
    }
    describe(): string {
      return `${this.method} ${this.path}`
    }
  }
  const get = new Authed({ path: '/users/:id', schema: User })
  expectTypeOf(get).parameters.toEqualTypeOf<[params: Id]>()
  expectTypeOf(get({ id: 1 })).resolves.toEqualTypeOf<UserData>()
  expectTypeOf(get.version).toEqualTypeOf<number>()
  const put = get.extend({ method: 'PUT' })
  expectTypeOf(put).parameters.toEqualTypeOf<[params: Id, body: any]>()
  expectTypeOf(put.version).toEqualTypeOf<number>()
  expectTypeOf(put.extend({ timeout: 5 }).describe()).toEqualTypeOf<string>()
  const named = new Authed({ path: '/users/:id', process: (value: { name: string }) => value.name })
  expectTypeOf(named({ id: 1 })).resolves.toEqualTypeOf<string>()
  // @ts-expect-error the id is missing
  get({})
  // @ts-expect-error misspelt option
  new Authed({ path: '/users/:id', metod: 'PUT' })

  class Plain extends RestEndpoint {
    override method = 'POST'
  }
  expectTypeOf(new Plain({ path: '/users/:id' })).toBeCallableWith({ id: 5 }, { anything: true })

  class Own<O extends RestGenerics = any> extends RestEndpoint<O> {
    // oxlint-disable-next-line no-useless-constructor
    constructor(options: RestEndpointConstructorOptions<O>) {
      super(options)
    }
  }
  expectTypeOf(new Own({ path: '/users/:id' })).parameters.toEqualTypeOf<[params: Id]>()
})

test('TY-1 the type parameter may be written out', () => {
  const get = new RestEndpoint<{ path: '/users/:id'; schema: typeof User }>({ path: '/users/:id', schema: User })
  expectTypeOf(get).parameters.toEqualTypeOf<[params: Id]>()
  expectTypeOf(get.schema).toEqualTypeOf<typeof User>()
  type Create = { path: '/users'; method: 'POST'; body?: { name: string }; searchParams?: { dry: boolean } }
  const create = new RestEndpoint<Create>({ path: '/users', method: 'POST' })
  create({ dry: true }, { name: '' })
  // @ts-expect-error misspelt field of the body
  create({ nam: '' })
  // @ts-expect-error another path
  new RestEndpoint<{ path: '/users/:id' }>({ path: '/users' })
  const any: RestEndpoint = get
  expectTypeOf(any).toBeCallableWith('anything')
  expectTypeOf(any.extend({ method: 'POST' })).toBeCallableWith('anything')
})

test('EP-9 RE-12 methods of the options may call super', () => {
  const prefixed = new RestEndpoint({
    path: '/users/:id',
    url(params) {
      expectTypeOf(params).toEqualTypeOf<Id>()
      return `https://api.test${super.url(params)}`
    },
    async getRequestInit(body) {
      return { ...(await super.getRequestInit(body)), credentials: 'include' }
    },
  })
  expectTypeOf(prefixed).parameters.toEqualTypeOf<[params: Id]>()
})

test("RE-11 a schema of the user's own making is accepted", () => {
  class Upper {
    normalize(input: string): string {
      return input.toUpperCase()
    }
    denormalize(input: string): string {
      return input
    }
    queryKey(): undefined {
      return undefined
    }
  }
  expectTypeOf(new RestEndpoint({ path: '/users', schema: new Upper() })()).resolves.toBeAny()
})

test('TY-1 a path the compiler does not know takes any parameters', () => {
  const loose = new RestEndpoint({ path: somePath })
  expectTypeOf(loose).toBeCallableWith()
  expectTypeOf(loose).toBeCallableWith({ id: 5 })
})

test('EP-3 EP-4 call, apply and bind keep the arguments typed', () => {
  const update = getUser.extend({ method: 'PUT', body: {} as { name: string } })
  expectTypeOf(update.call).parameters.toEqualTypeOf<[thisArg: unknown, params: Id, body: { name: string }]>()
  expectTypeOf(update.apply).parameters.toEqualTypeOf<[thisArg: unknown, args: [params: Id, body: { name: string }]]>()
  const bound = update.bind(undefined, { id: 5 })
  expectTypeOf(bound).parameters.toEqualTypeOf<[body: { name: string }]>()
  expectTypeOf(bound.key).parameters.toEqualTypeOf<[body: { name: string }]>()
  expectTypeOf(bound({ name: '' })).resolves.toEqualTypeOf<UserData>()
  expectTypeOf(bound.schema).toEqualTypeOf<typeof User>()
  expectTypeOf(update.bind(undefined, { id: 5 }, { name: '' })).parameters.toEqualTypeOf<[]>()
  expectTypeOf(update.bind(undefined)).parameters.toEqualTypeOf<[params: Id, body: { name: string }]>()
  // @ts-expect-error misspelt parameter
  update.bind(undefined, { idd: 5 })
})

test('EP-13 hooks accept an endpoint; a mutation is not a read', () => {
  expectTypeOf(getUser).toExtend<EndpointInterface>()
  expectTypeOf(getUser).toExtend<ReadEndpoint>()
  const remove = getUser.extend({ method: 'DELETE' })
  expectTypeOf(remove).toExtend<EndpointInterface>()
  expectTypeOf(remove).not.toExtend<ReadEndpoint>()
  expectTypeOf(new RestEndpoint({ path: '/search', method: 'POST', sideEffect: undefined })).toExtend<ReadEndpoint>()
})

test('TY-18 every option may be undefined, which removes it or counts as not given', () => {
  const update = new RestEndpoint({ path: '/users/:id', method: 'PUT', schema: User, errorPolicy: undefined })
  const off = update.extend({
    getOptimisticResponse: undefined,
    update: undefined,
    errorPolicy: undefined,
    url: undefined,
    fetch: undefined,
    searchToString: undefined,
    getRequestInit: undefined,
    getHeaders: undefined,
    fetchResponse: undefined,
    parseResponse: undefined,
    process: undefined,
    key: undefined,
    testKey: undefined,
    requestKey: undefined,
    getNextPage: undefined,
    getPreviousPage: undefined,
    pollFrequency: undefined,
    requestInit: undefined,
    validateResponse: undefined,
    validateBody: undefined,
    urlPrefix: undefined,
  })
  expectTypeOf(off({ id: 5 }, { name: '' })).resolves.toEqualTypeOf<UserData>()
})

test('TY-19 an optimistic response has no other members than fields of the record, parameters and the body', () => {
  const base = {
    path: '/teams/:team/users/:id',
    schema: User,
    method: 'PUT',
    body: {} as { name: string; secret: string },
  } as const
  new RestEndpoint({ ...base, getOptimisticResponse: (_, params, body) => ({ ...params, ...body }) })
  getUser.extend({ method: 'POST', getOptimisticResponse: (_, { id }) => ({ id, name: 'Ann' }) })
  getUser.extend({ method: 'POST', getOptimisticResponse: (_, { id }, body) => ({ id, ...body }) })
  // @ts-expect-error: misspelt, in a function without parameters
  new RestEndpoint({ ...base, getOptimisticResponse: () => ({ id: '1', nmae: 'Ann' }) })
  // @ts-expect-error: misspelt, in a function whose parameters have no types
  new RestEndpoint({ ...base, getOptimisticResponse: (_, { id }) => ({ id, nmae: 'Ann' }) })
  // @ts-expect-error: misspelt, in extend
  getUser.extend({ method: 'POST', getOptimisticResponse: (_, { id }) => ({ id, nmae: 'Ann' }) })
})

test('TY-20 process returns something that the schema can store', () => {
  getUser.extend({ process: () => null })
  getUser.extend({ process: (value) => value.data })
  getUser.extend({ process: async (value: { data: { id: number } }) => value.data })
  getUser.extend({ schema: undefined, process: () => 5 })
  getUser.extend({ schema: new Invalidate(User), process: (_, { id }) => id })
  // @ts-expect-error: a number is no record
  new RestEndpoint({ path: '/users/:id', schema: User, process: () => 5 })
  // @ts-expect-error: a text is no record
  new RestEndpoint({ path: '/users/:id', schema: User, process: (_, { id }) => `${id}` })
  // @ts-expect-error: a number is no list
  getUser.extend({ schema: [User], process: () => 5 })
})

test('TY-18 RE-4 extend with an undefined method keeps the method, its body and its side effect, as at run time', () => {
  const post = new RestEndpoint({ path: '/users/:id', method: 'POST', body: {} as { name: string } })
  const same = post.extend({ method: undefined, timeout: 5 })
  expectTypeOf(same.method).toEqualTypeOf<'POST'>()
  expectTypeOf(same.sideEffect).toEqualTypeOf<true>()
  expectTypeOf(same).parameters.toEqualTypeOf<[params: { id: string | number }, body: { name: string }]>()
  const search = new RestEndpoint({ path: '/search', method: 'POST', sideEffect: undefined })
  expectTypeOf(search.extend({ method: undefined }).sideEffect).toEqualTypeOf<undefined>()
  expectTypeOf(getUser.extend({ method: undefined, schema: undefined }).schema).toEqualTypeOf<undefined>()
})

test('sendContentType is one of two words, in a class, an option and extend()', () => {
  class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
    override readonly sendContentType = 'withBody'
  }
  const endpoint = new RestEndpoint({ path: '/a', sendContentType: 'withBody' })
  expectTypeOf(endpoint.sendContentType).toEqualTypeOf<'always' | 'withBody'>()
  endpoint.extend({ sendContentType: 'always' })
  resource({ path: '/a/:id', schema: User, Endpoint: Api, sendContentType: 'always' })
  // @ts-expect-error no such word
  new RestEndpoint({ path: '/a', sendContentType: 'never' })
})
