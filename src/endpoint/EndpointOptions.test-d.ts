import * as v from 'valibot'
import { expectTypeOf, test } from 'vitest'
import { Endpoint } from './Endpoint.ts'
import type {
  EndpointInterface,
  EndpointParam,
  EndpointToFunction,
  FetchFunction,
  MutateEndpoint,
  ReadEndpoint,
  ResolveType,
  UnknownError,
} from './EndpointOptions.ts'
import { START } from './start.ts'
import { User } from '../testing/entities.ts'

type Data = { id: string; name: string }

const getUser = new Endpoint(async ({ id }: { id: string }): Promise<Data> => ({ id, name: '' }), { schema: User })
const rename = new Endpoint(
  async ({ id }: { id: string }, body: { name: string }): Promise<Data> => ({ id, ...body }),
  {
    schema: User,
    sideEffect: true,
  },
)

test('EP-1 EP-6 calls and keys are typed by the fetch function', () => {
  expectTypeOf(getUser).parameters.toEqualTypeOf<[{ id: string }]>()
  expectTypeOf(getUser({ id: '' })).resolves.toEqualTypeOf<Data>()
  expectTypeOf(getUser.key).parameters.toEqualTypeOf<[{ id: string }]>()
  expectTypeOf(getUser.schema).toEqualTypeOf<typeof User>()
  expectTypeOf(getUser.sideEffect).toEqualTypeOf<undefined>()
  expectTypeOf(rename.sideEffect).toEqualTypeOf<true>()
  expectTypeOf(getUser[START]([{ id: '' }])).resolves.toEqualTypeOf<Data>()
  expectTypeOf(new Endpoint(async () => 5)()).resolves.toEqualTypeOf<number>()
  // @ts-expect-error misspelt parameter
  getUser({ idd: '' })
})

test('EP-2 own members can be read, also through this', () => {
  const prefixed = new Endpoint(
    async function ({ id }: { id: string }) {
      expectTypeOf(this.prefix).toEqualTypeOf<string>()
      return this.prefix + id
    },
    { prefix: 'https://api.test/' },
  )
  expectTypeOf(prefixed.prefix).toEqualTypeOf<string>()
  expectTypeOf(prefixed).parameters.toEqualTypeOf<[{ id: string }]>()
})

test('EP-3 EP-4 call, apply and partial bind', () => {
  expectTypeOf(rename.call).parameters.toEqualTypeOf<[thisArg: unknown, { id: string }, body: { name: string }]>()
  expectTypeOf(rename.apply).parameters.toEqualTypeOf<
    [thisArg: unknown, args: [{ id: string }, body: { name: string }]]
  >()
  expectTypeOf(rename.call).returns.resolves.toEqualTypeOf<Data>()
  const bound = rename.bind(undefined, { id: '' })
  expectTypeOf(bound).parameters.toEqualTypeOf<[body: { name: string }]>()
  expectTypeOf(bound.key).parameters.toEqualTypeOf<[body: { name: string }]>()
  expectTypeOf(bound.sideEffect).toEqualTypeOf<true>()
  expectTypeOf(bound.bind(undefined, { name: '' })).parameters.toEqualTypeOf<[]>()
  // @ts-expect-error the id is a string
  rename.bind(undefined, { id: 5 })
})

test('EP-9 extend overrides what it names', () => {
  const mutation = getUser.extend({ sideEffect: true, dataExpiryLength: 5 })
  expectTypeOf(mutation.sideEffect).toEqualTypeOf<true>()
  expectTypeOf(mutation.schema).toEqualTypeOf<typeof User>()
  expectTypeOf(mutation).parameters.toEqualTypeOf<[{ id: string }]>()
  const other = getUser.extend({ fetch: async (page: number) => [page], schema: undefined })
  expectTypeOf(other).parameters.toEqualTypeOf<[page: number]>()
  expectTypeOf(other(1)).resolves.toEqualTypeOf<number[]>()
  expectTypeOf(other.schema).toEqualTypeOf<undefined>()
  expectTypeOf(getUser.extend({ prefix: 'x' }).prefix).toEqualTypeOf<string>()
})

test('EP-10 a subclass keeps the fetch function typed', () => {
  class Slow<F extends FetchFunction = FetchFunction> extends Endpoint<F> {
    override dataExpiryLength = 60_000
    delay = 5
  }
  const slow = new Slow(async (page: number) => [page])
  expectTypeOf(slow).parameters.toEqualTypeOf<[page: number]>()
  expectTypeOf(slow.delay).toEqualTypeOf<number>()
})

test('EP-13 any function with a key is an endpoint', () => {
  const bare = Object.assign(async (page: number) => [page], { key: (page: number) => `page ${page}` })
  expectTypeOf(bare).toExtend<EndpointInterface>()
  expectTypeOf(bare).toExtend<ReadEndpoint>()
  expectTypeOf(getUser).toExtend<ReadEndpoint>()
  expectTypeOf(rename).toExtend<MutateEndpoint>()
  expectTypeOf(rename).not.toExtend<ReadEndpoint>()
  expectTypeOf<EndpointParam<typeof rename>>().toEqualTypeOf<{ id: string }>()
  expectTypeOf<ResolveType<typeof rename>>().toEqualTypeOf<Data>()
  expectTypeOf<EndpointToFunction<typeof getUser>>().toEqualTypeOf<(args_0: { id: string }) => Promise<Data>>()
})

test('TY-7 VALID-3 VALID-4 the output of validateResponse is what a call gives', () => {
  const answer = v.object({ n: v.pipe(v.string(), v.transform(Number)) })
  const checked = new Endpoint(async (_page: number): Promise<unknown> => ({}), { validateResponse: answer })
  expectTypeOf(checked(1)).resolves.toEqualTypeOf<{ n: number }>()
  expectTypeOf(checked).parameters.toEqualTypeOf<[_page: number]>()
})

test('EP-14 lifecycle options are typed', () => {
  const extended = getUser.extend({
    errorPolicy(error) {
      expectTypeOf(error).toEqualTypeOf<UnknownError>()
      return error.status === 404 ? 'hard' : 'soft'
    },
    getOptimisticResponse(snapshot, { id }) {
      expectTypeOf(snapshot.get(User, { id })).toEqualTypeOf<User | undefined>()
      expectTypeOf(snapshot.getResponse(getUser, { id }).data).toEqualTypeOf<User | undefined>()
      return { id, name: '' }
    },
  })
  expectTypeOf(extended.schema).toEqualTypeOf<typeof User>()
  // @ts-expect-error a name is no boolean
  getUser.extend({ getOptimisticResponse: (_snapshot: unknown, { id }: { id: string }) => ({ id, name: true }) })
})

test('TY-17 EP-14 the schema is known to options whose parameters have no types', () => {
  const toggle = new Endpoint(async (id: string): Promise<Data> => ({ id, name: '' }), {
    name: 'toggle',
    schema: User,
    sideEffect: true,
    getOptimisticResponse(snapshot, id) {
      expectTypeOf(id).toEqualTypeOf<string>()
      const user = snapshot.get(User, { id })
      if (!user) {
        throw snapshot.abort
      }
      return { id, name: user.name }
    },
  })
  expectTypeOf(toggle.schema).toEqualTypeOf<typeof User>()
  expectTypeOf(toggle.sideEffect).toEqualTypeOf<true>()
  expectTypeOf(toggle).parameters.toEqualTypeOf<[id: string]>()
  const page = new Endpoint(async ({ id }: { id: string }): Promise<any> => ({ id }), {
    key: ({ id }) => `page ${id}`,
    schema: { users: [User], next: '' },
    update: (response, { id }) => ({ [id]: () => response.users }),
  })
  expectTypeOf(page.schema).toEqualTypeOf<{ users: (typeof User)[]; next: string }>()
  const extended = page.extend({ schema: [User], getOptimisticResponse: (_snapshot, { id }) => [{ id, name: '' }] })
  expectTypeOf(extended.schema).toEqualTypeOf<(typeof User)[]>()
  expectTypeOf(extended).parameters.toEqualTypeOf<[{ id: string }]>()
  const plain = new Endpoint(async (id: string) => ({ id }), { getOptimisticResponse: (_snapshot, id) => ({ id }) })
  expectTypeOf(plain.schema).toEqualTypeOf<undefined>()
  // @ts-expect-error a name is no boolean
  new Endpoint(async (id: string) => ({ id }), { schema: User, getOptimisticResponse: (_, id) => ({ id, name: true }) })
})

test('TY-18 every option may be undefined, which removes it or counts as not given', () => {
  const off = getUser.extend({
    getOptimisticResponse: undefined,
    update: undefined,
    errorPolicy: undefined,
    key: undefined,
    testKey: undefined,
    requestKey: undefined,
    pollFrequency: undefined,
    dataExpiryLength: undefined,
    validateResponse: undefined,
    retry: undefined,
    fetch: undefined,
  })
  expectTypeOf(off).parameters.toEqualTypeOf<[{ id: string }]>()
  expectTypeOf(off({ id: '' })).resolves.toEqualTypeOf<Data>()
  expectTypeOf(off.schema).toEqualTypeOf<typeof User>()
  expectTypeOf(rename.extend({ sideEffect: undefined }).sideEffect).toEqualTypeOf<undefined>()
})

test('TY-19 an optimistic response has no other members than fields of the record and the arguments', () => {
  const save = async (body: { id: string; secret: string }): Promise<Data> => ({ id: body.id, name: '' })
  new Endpoint(save, { schema: User, sideEffect: true, getOptimisticResponse: (_, body) => ({ ...body, name: 'Ann' }) })
  // @ts-expect-error: misspelt
  new Endpoint(save, { schema: User, sideEffect: true, getOptimisticResponse: (_, { id }) => ({ id, nmae: 'Ann' }) })
  // @ts-expect-error: misspelt, in extend
  rename.extend({ getOptimisticResponse: (_, { id }) => ({ id, nmae: 'Ann' }) })
})
