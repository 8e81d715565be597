import { expectTypeOf, test } from 'vitest'
import { resource } from '../../rest/resource.ts'
import { Entity } from '../../kinds/Entity.ts'
import { useFetching } from './useFetching.ts'
import { useMutating } from './useMutating.ts'

class User extends Entity {
  id = ''
}
const Users = resource({ path: '/users/:id', schema: User })

test('CNT-2 a number; the filter is an endpoint or a test of keys', () => {
  expectTypeOf(useFetching()).toEqualTypeOf<number>()
  expectTypeOf(useFetching(Users.getList)).toEqualTypeOf<number>()
  expectTypeOf(useMutating(Users.getList.push)).toEqualTypeOf<number>()
  expectTypeOf(useMutating({ testKey: (key) => key.startsWith('POST ') })).toEqualTypeOf<number>()
  // @ts-expect-error: a key is no filter
  useFetching('GET /users')
})
