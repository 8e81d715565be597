import { describe, expect, test } from 'vitest'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { endpoint } from '../testing/endpoints.ts'
import { Collection } from './Collection.ts'
import { Entity } from './Entity.ts'
import { Lazy } from './Lazy.ts'
import { Union } from './Union.ts'
import { Values } from './Values.ts'

class Room extends Entity {
  id = ''
  name = ''
  type = 'room'
  static override key = 'Room'
}
const lists = new Collection([Room], {
  argsKey: ({ buildingId }: { buildingId: unknown }) => ({ buildingId }),
  nestKey: (parent: { id: unknown }) => ({ buildingId: parent.id }),
})
class Building extends Entity {
  id = ''
  rooms: string[] = []
  lobby = ''
  named: Record<string, string> = {}
  list = ''
  any: unknown = undefined
  static override key = 'Building'
  static override schema = {
    rooms: new Lazy([Room]),
    lobby: new Lazy(Room),
    named: new Lazy(new Values(Room)),
    list: new Lazy(lists),
    any: new Lazy(new Union({ room: Room }, 'type')),
  }
}

const getRoom = endpoint('room', Room)

function filled(): { driver: Driver; building: Building } {
  const driver = createDriver()
  driver.open(endpoint('building', Building), [1]).answer({
    id: 1,
    rooms: [
      { id: 10, name: 'a' },
      { id: 11, name: 'b' },
    ],
    lobby: { id: 12, name: 'c' },
    named: { x: { id: 10 }, y: { id: 12 } },
    list: [{ id: 11 }, { id: 10 }],
    any: { id: 12, type: 'room' },
  })
  return { driver, building: driver.read(Building, [1]).data }
}

test('LAZ-1 the field holds what the store keeps', () => {
  const { building } = filled()
  expect(building).toMatchObject({
    rooms: ['10', '11'],
    lobby: '12',
    named: { x: '10', y: '12' },
    list: '{"buildingId":"1"}',
    any: { id: '12', schema: 'room' },
  })
})

test('LAZ-1 the parent does not depend on what it names', () => {
  const { driver, building } = filled()
  let told = 0
  driver.subscribe(Building, [1], () => told++)
  driver.set(Room, [10], { id: 10, name: 'changed' })
  driver.set(lists.push, [{ buildingId: 1 }], { id: 13 })
  expect(driver.read(Building, [1]).data).toBe(building)
  expect(told).toBe(0)
})

test('LAZ-2 query is the same object each time', () => {
  expect(Building.schema.rooms.query).toBe(Building.schema.rooms.query)
})

describe('LAZ-2 LAZ-3 query', () => {
  const names = (driver: Driver, query: object, ...args: unknown[]): unknown => {
    const { data } = driver.read(query, args)
    return data instanceof Room ? data.name : Object.entries(data as object).map(([name, room]) => [name, room.name])
  }

  test('LAZ-2 LAZ-3 of an array and of Values: the raw value', () => {
    const { driver, building } = filled()
    expect(names(driver, Building.schema.rooms.query, building.rooms)).toEqual([
      ['0', 'a'],
      ['1', 'b'],
    ])
    expect(names(driver, Building.schema.named.query, building.named)).toEqual([
      ['x', 'a'],
      ['y', 'c'],
    ])
    expect(names(driver, Building.schema.any.query, building.any)).toBe('c')
  })

  test('LAZ-3 of an Entity and of a Collection: their own arguments', () => {
    const { driver, building } = filled()
    expect(names(driver, Building.schema.lobby.query, building.lobby)).toBe('c')
    expect(names(driver, Building.schema.lobby.query, { id: 11 })).toBe('b')
    expect(names(driver, Building.schema.list.query, { buildingId: building.id })).toEqual([
      ['0', 'b'],
      ['1', 'a'],
    ])
    expect(driver.read(Building.schema.list.query, [{ buildingId: 1 }]).data).toBe(
      driver.read(lists, [{ buildingId: 1 }]).data,
    )
    expect(driver.read(Building.schema.list.query, [{ buildingId: 2 }]).data).toBeUndefined()
  })

  test('LAZ-2 DEN-2 the result keeps its identity and follows its records', () => {
    const { driver, building } = filled()
    const { query } = Building.schema.rooms
    const first = driver.read(query, [building.rooms]).data
    expect(driver.read(query, [[...building.rooms]]).data).toBe(first)
    expect(first[0]).toBe(driver.read(Room, [10]).data)
    driver.set(Room, [10], { id: 10, name: 'changed' })
    const second = driver.read(query, [building.rooms]).data
    expect(second[0].name).toBe('changed')
    expect(second[1]).toBe(first[1])
  })
})

test('LAZ-4 it cannot be read itself; missing ids are left out until they are stored', () => {
  const { driver } = filled()
  const { rooms } = Building.schema
  expect(driver.read(rooms, [['10']]).data).toBeUndefined()
  expect(driver.read(rooms.query, [['10', '99']]).data).toHaveLength(1)
  expect(driver.read(rooms.query, [[]]).data).toEqual([])
  expect(driver.read(rooms.query, []).data).toBeUndefined()
  driver.open(getRoom, [99]).answer({ id: 99 })
  expect(driver.read(rooms.query, [['10', '99']]).data).toHaveLength(2)
})

test('LAZ-4 a chain of 10,000 links is normalised and read', () => {
  class Link extends Entity {
    id = 0
    next: string | undefined = undefined
    static override key = 'Link'
  }
  Link.schema = { next: new Lazy(Link) }
  let chain: object = { id: 0 }
  for (let id = 1; id < 10_000; id++) {
    chain = { id, next: chain }
  }
  const driver = createDriver()
  driver.open(endpoint('link', Link), [9999]).answer(chain)
  let link = driver.read(Link, [9999]).data
  let length = 1
  for (; link.next !== undefined; length++) {
    link = driver.read((Link.schema as any).next.query, [link.next]).data
  }
  expect(length).toBe(10_000)
})
