import { expectTypeOf, test } from 'vitest'
import { Collection } from '../kinds/Collection.ts'
import type { State } from '../store/stateShape.ts'
import { resource } from '../rest/resource.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import type { CustomizedResource, MoveEndpoint, RemoveEndpoint, RestInstanceBase } from './restNames.ts'
import type {
  AbstractInstanceType,
  EndpointUpdateFunction,
  EntityInterface,
  EntityMap,
  IEntityClass,
  IEntityInstance,
  NI,
  PolymorphicInterface,
  ResultEntry,
} from './schemaNames.ts'
import { User } from '../testing/entities.ts'

const Users = resource({ path: '/users/:id', schema: User })
const getUser = new RestEndpoint({ path: '/users/:id', schema: User })
const getUsers = new RestEndpoint({ path: '/users', schema: new Collection([User]) })

test('TY-16 names of schema types that data-client users have in their code', () => {
  expectTypeOf<typeof User>().toExtend<IEntityClass>()
  expectTypeOf<typeof User>().toExtend<IEntityClass<User>>()
  expectTypeOf<typeof User>().toExtend<EntityInterface<User>>()
  expectTypeOf<{ user: typeof User }>().toExtend<EntityMap>()
  expectTypeOf<User>().toExtend<IEntityInstance>()
  expectTypeOf<AbstractInstanceType<typeof User>>().toEqualTypeOf<User>()
  expectTypeOf<ResultEntry<typeof getUser>>().toEqualTypeOf<string>()
  expectTypeOf<ResultEntry<typeof getUsers>>().toEqualTypeOf<string>()
  const update: EndpointUpdateFunction<typeof getUser> = (id, { id: asked }) => ({ [asked]: () => id })
  new RestEndpoint({ path: '/users/:id', schema: User, update })
  const same = <T>(a: T, b: NI<T>): [T, T] => [a, b]
  // @ts-expect-error the second argument takes no part in inference
  same('a' as const, 'b')
  const makeKey = (entity: IEntityClass): string => entity.key
  makeKey(User)
})

test('TY-16 names of endpoint and resource types that data-client users have in their code', () => {
  expectTypeOf<typeof getUser>().toExtend<RestInstanceBase>()
  type Options = { path: '/users'; schema: Collection<(typeof User)[]> }
  expectTypeOf<MoveEndpoint<Options>['method']>().toEqualTypeOf<'PATCH'>()
  expectTypeOf<RemoveEndpoint<Options>['method']>().toEqualTypeOf<'PATCH'>()
  type Custom = CustomizedResource<typeof Users, any, { path: '/people/:name' }>
  expectTypeOf<Parameters<Custom['get']>>().toEqualTypeOf<[params: { name: string | number }]>()
  expectTypeOf<Custom['update']>().toEqualTypeOf<(typeof Users)['update']>()
})

test('COL-15 TY-16 a subclass of Collection, written as for data-client', () => {
  class Sorted<
    S extends any[] | PolymorphicInterface = any,
    Args extends any[] = [urlParams: any, body?: any],
  > extends Collection<S, Args> {
    override nonFilterArgumentKeys(key: string): boolean {
      return key === 'orderBy'
    }
  }
  const sorted = resource({
    path: '/users/:id',
    searchParams: {} as { orderBy?: string } | undefined,
    schema: User,
    Collection: Sorted,
  })
  sorted.getList.key({ orderBy: 'name' })
  // @ts-expect-error not one of its parameters
  sorted.getList.key({ order: 'name' })
  expectTypeOf(new Sorted<(typeof User)[]>([User])._out).toEqualTypeOf<User[]>()
})

test('EP-9 the constructor and extend take a fetch function', () => {
  const slow = getUser.extend({
    async fetch(...args) {
      expectTypeOf(args[0].id).toEqualTypeOf<string | number>()
      return getUser.fetch(...args)
    },
  })
  expectTypeOf(slow).parameters.toEqualTypeOf<Parameters<typeof getUser>>()
  new RestEndpoint({ path: '/users/:id', schema: User, fetch: async ({ id }) => ({ id, name: '' }) })
})

test('TY-16 State takes a type parameter', () => {
  expectTypeOf<State<unknown>>().toEqualTypeOf<State>()
})
