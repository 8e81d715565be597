import { expectTypeOf, test } from 'vitest'
import { Controller } from '../controller/Controller.ts'
import { resource } from '../rest/resource.ts'
import { createFixture } from './createFixture.ts'
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

test('TST-17 createFixture checks the arguments and the response by the endpoint', () => {
  const ann = createFixture({ endpoint: UserResource.get, args: [{ id: 5 }], response: { id: '5', name: 'Ann' } })
  const fixtures: Fixture[] = [
    ann,
    createFixture({ endpoint: UserResource.getList, args: [], response: [{ id: '5' }], delay: 5 }),
    createFixture({ endpoint: UserResource.get, args: [{ id: 6 }], response: new Error('gone'), error: true }),
  ]
  // @ts-expect-error: the path has no such parameter
  createFixture({ endpoint: UserResource.get, args: [{ uuid: 5 }], response: { id: '5' } })
  // @ts-expect-error: an argument is missing
  createFixture({ endpoint: UserResource.get, args: [], response: { id: '5' } })
  // @ts-expect-error: not a record
  createFixture({ endpoint: UserResource.get, args: [{ id: 5 }], response: 5 })
  // @ts-expect-error: not a list
  createFixture({ endpoint: UserResource.getList, args: [], response: { id: '5' } })
  // @ts-expect-error: a misspelt field
  createFixture({ endpoint: UserResource.get, args: [{ id: 5 }], response: { id: '5', nmae: 'Ann' } })
  // @ts-expect-error: the arguments of an error are checked, too
  createFixture({ endpoint: UserResource.get, args: [], response: new Error('gone'), error: true })
  expectTypeOf(fixtures).toEqualTypeOf<Fixture[]>()
})
