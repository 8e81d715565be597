import { expectTypeOf, test } from 'vitest'
import { Controller } from '../controller/Controller.ts'
import { resource } from '../rest/resource.ts'
import type { Fixture, Interceptor, SuccessFixture } from './Fixture.ts'
import { MockController } from './MockController.ts'
import { User } from '../testing/entities.ts'

const UserResource = resource({ path: '/users/:id', schema: User })

test('TST-15 fixtures know the arguments of their endpoint', () => {
  const good: SuccessFixture<typeof UserResource.get> = {
    endpoint: UserResource.get,
    args: [{ id: 5 }],
    response: { id: '5', name: 'Ann' },
  }
  // @ts-expect-error -- the path has no such parameter
  const bad: SuccessFixture<typeof UserResource.get> = { ...good, args: [{ uuid: 5 }] }
  const mixed: (Fixture | Interceptor<{ count: number }>)[] = [
    good,
    bad,
    { endpoint: UserResource.get, args: [{ id: 5 }], response: new Error('gone'), error: true },
    {
      endpoint: UserResource.getList,
      response() {
        expectTypeOf(this).toEqualTypeOf<{ count: number }>()
        return []
      },
    },
  ]
  class Own extends Controller {
    own = 1
  }
  expectTypeOf(MockController(Own, { fixtures: mixed })).toEqualTypeOf<typeof Own>()
})
