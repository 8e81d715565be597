import { expectTypeOf, test } from 'vitest'
import { Collection } from '../kinds/Collection.ts'
import type { CustomResource, ResourceEndpointExtensions, ResourceExtension } from '../rest/extendResource.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { resource, type ResourceInterface } from '../rest/resource.ts'
import type {
  AddEndpoint,
  Defaults,
  FetchGet,
  FetchMutate,
  GetEndpoint,
  IRestEndpoint,
  KeyofRestEndpoint,
  KeysToArgs,
  MutateEndpoint,
  OptionsToFunction,
  PaginationEndpoint,
  PaginationFieldEndpoint,
  PathArgsAndSearch,
  RestFetch,
  RestType,
} from './RestType.ts'
import { User } from '../testing/entities.ts'

type Id = { id: string | number }
type List = { path: '/users'; schema: Collection<(typeof User)[]> }
const get = new RestEndpoint({ path: '/users/:id', schema: User })
const list = new RestEndpoint({ path: '/users', schema: new Collection([User]), paginationField: 'page' })
const put = get.extend({ method: 'PUT', body: {} as { name: string } })
const Users = resource({ path: '/users/:id', schema: User })

test('TY-1 endpoints can be named by their options', () => {
  expectTypeOf<GetEndpoint<{ path: '/users/:id'; schema: typeof User }>>().parameters.toEqualTypeOf<[params: Id]>()
  expectTypeOf(get).toExtend<GetEndpoint>()
  expectTypeOf<
    MutateEndpoint<{ path: '/users/:id'; method: 'PUT'; body: { name: string } }>
  >().parameters.toEqualTypeOf<[params: Id, body: { name: string }]>()
  expectTypeOf<MutateEndpoint<{ path: '/users' }>['method']>().toEqualTypeOf<'POST'>()
  expectTypeOf(put).toExtend<MutateEndpoint>()
  expectTypeOf(get).not.toExtend<MutateEndpoint>()
  expectTypeOf<IRestEndpoint<{ path: '/users/:id' }>>().parameters.toEqualTypeOf<[params: Id]>()
  expectTypeOf<KeyofRestEndpoint>().toEqualTypeOf<keyof typeof get>()
})

test('EXT-7 EXT-8 so can those that follow from a list', () => {
  expectTypeOf<AddEndpoint<List>['method']>().toEqualTypeOf<'POST'>()
  expectTypeOf<AddEndpoint<List>>().toEqualTypeOf<typeof pushed>()
  const pushed = new RestEndpoint({ path: '/users', schema: new Collection([User]) }).push
  expectTypeOf<PaginationFieldEndpoint<List, 'page'>>().toBeCallableWith({ page: 2 })
  expectTypeOf(list.getPage).toBeCallableWith({ page: 2 })
  expectTypeOf<PaginationEndpoint<List, { after: string }>>().parameters.toEqualTypeOf<[params: { after: string }]>()
})

test('TY-5 functions can be named by their arguments and results', () => {
  expectTypeOf<RestFetch<Id, undefined, string>>().toEqualTypeOf<(params: Id) => Promise<string>>()
  expectTypeOf<RestFetch<Id, number, string>>().toEqualTypeOf<(params: Id, body: number) => Promise<string>>()
  expectTypeOf<RestType<Id, undefined, typeof User>>().parameters.toEqualTypeOf<[params: Id]>()
  expectTypeOf(get).toExtend<RestType>()
  expectTypeOf<FetchGet<[params: Id], string>>().toEqualTypeOf<(params: Id) => Promise<string>>()
  expectTypeOf<FetchMutate<[params: Id], string>>().toEqualTypeOf<(params: Id) => Promise<string>>()
  expectTypeOf<OptionsToFunction<{ path: '/users/:id'; schema: typeof User }>>().toEqualTypeOf<
    (params: Id) => Promise<{ id: string; name: string }>
  >()
})

test('TY-1 and parameters and options by themselves', () => {
  expectTypeOf<Defaults<{ a: 1; b?: 2 }, { b: 3; c: 4 }>>().toEqualTypeOf<{ a: 1; b: 2; c: 4 } & {}>()
  expectTypeOf<{ id: number; tab: string }>().toExtend<PathArgsAndSearch<'/users/:id'>>()
  expectTypeOf<{ tab: string }>().not.toExtend<PathArgsAndSearch<'/users/:id'>>()
  expectTypeOf<KeysToArgs<'a' | 'b'>>().toEqualTypeOf<{ a: string | number; b: string | number }>()
})

test('REX-1 REX-2 REX-3 types of resources', () => {
  expectTypeOf(Users).toExtend<ResourceInterface>()
  type Archive = ResourceExtension<typeof Users, 'archive', { path: '/users/:id/archive'; method: 'POST' }>
  expectTypeOf<Archive['path']>().toEqualTypeOf<'/users/:id/archive'>()
  const options: ResourceEndpointExtensions<typeof Users> = { getList: { timeout: 60_000 } }
  expectTypeOf(options.getList).not.toBeAny()
  type Custom = CustomResource<{ path: '/users/:id'; schema: typeof User }, { get: GetEndpoint<{ path: '/me' }> }>
  expectTypeOf<Custom['get']['path']>().toEqualTypeOf<'/me'>()
  expectTypeOf<Custom['update']['path']>().toEqualTypeOf<'/users/:id'>()
})
