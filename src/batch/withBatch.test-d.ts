import { expectTypeOf, test } from 'vitest'
import { resource } from '../rest/resource.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { User } from '../testing/entities.ts'
import { withBatch } from './withBatch.ts'

const Users = resource({ path: '/users/:id', schema: User })

test('the endpoint keeps its type', () => {
  expectTypeOf(withBatch(Users.get, { param: 'ids', max: 50 })).toEqualTypeOf(Users.get)
  const Batched = Users.extend(({ get }) => ({ get: withBatch(get, { param: 'ids' }) }))
  expectTypeOf(Batched.get).parameters.toEqualTypeOf<Parameters<typeof Users.get>>()
  // @ts-expect-error a parameter is missing
  void (() => Batched.get({}))
})

test('only endpoints that read, and only known options', () => {
  // @ts-expect-error a mutation
  withBatch(Users.update, { param: 'ids' })
  // @ts-expect-error misspelt
  withBatch(Users.get, { param: 'ids', maximum: 50 })
  // @ts-expect-error the parameter is missing
  withBatch(Users.get, { max: 50 })
  // @ts-expect-error text
  withBatch(Users.get, { param: 'ids', max: '50' })
  withBatch(new RestEndpoint({ path: '/teams/:team/users/:id' }), { param: 'ids', process: (body) => body.users })
})
