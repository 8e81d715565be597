import { expectTypeOf, test } from 'vitest'
import { Controller } from '../controller/Controller.ts'
import { Entity } from '../kinds/Entity.ts'
import { Values } from '../kinds/Values.ts'
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

test('TST-17 records of a fixture are as apps receive them: nested ones may lack fields', () => {
  class Room extends Entity {
    id = ''
    name = ''
    size = 0
    static override key = 'Room'
  }
  class Money {
    private readonly cents: number = 0
    toCents(): number {
      return this.cents
    }
  }
  interface Line {
    room: Room
    at: Date
    count: number
  }
  class Task extends Entity {
    id = ''
    room: Room | undefined = undefined
    rooms: readonly Room[] = []
    byName: { [name: string]: Room } = {}
    place = { main: Room.fromJS(), floor: 0 }
    lines: Line[] = []
    anything: unknown = undefined
    price: Money = new Money()
    static override key = 'Task'
    static override schema = {
      room: Room,
      rooms: [Room],
      byName: new Values(Room),
      place: { main: Room },
      lines: [{ room: Room, at: Date }],
    }
  }
  const Tasks = resource({ path: '/tasks/:id', schema: Task })
  const id = '5'
  createFixture({ endpoint: Tasks.get, args: [{ id }], response: { id, room: { id }, rooms: [{ id: 5 }] } })
  createFixture({ endpoint: Tasks.get, args: [{ id }], response: { id, byName: { a: { id, name: 'A' } }, room: '5' } })
  createFixture({ endpoint: Tasks.getList, args: [], response: [{ id, place: { main: { id }, floor: 1 } }] })
  createFixture({
    endpoint: Tasks.get,
    args: [{ id }],
    response: { id, lines: [{ room: { id }, at: '2020-02-02', count: 1 }], anything: null, price: new Money() },
  })
  // @ts-expect-error: a misspelt field of a nested record
  createFixture({ endpoint: Tasks.get, args: [{ id }], response: { id, byName: { a: { id, nmae: 'A' } } } })
  // @ts-expect-error: another type
  createFixture({ endpoint: Tasks.get, args: [{ id }], response: { id, place: { main: { id, size: 'L' }, floor: 1 } } })
})
