import { describe, expect, test } from 'vitest'
import { createDriver } from '../testing/drivers.ts'
import { denormalize, normalize } from '../compat/lowLevel.ts'
import { resource } from '../rest/resource.ts'
import { endpoint } from '../testing/endpoints.ts'
import { freezeSchema } from '../testing/freezeSchema.ts'
import { All } from './All.ts'
import { MixedArray } from './MixedArray.ts'
import { Collection } from './Collection.ts'
import { Entity } from './Entity.ts'
import { EntityMixin } from './EntityMixin.ts'
import { entity } from './entityOf.ts'
import { Invalidate } from './Invalidate.ts'
import { Lazy } from './Lazy.ts'
import { ObjectSchema } from '../schema/Object.ts'
import { Query } from './Query.ts'
import { Scalar } from './Scalar.ts'
import { Union } from './Union.ts'
import { Values } from './Values.ts'

const money = new Scalar({ key: 'money', lens: ([first]) => first?.currency as string | undefined })
class Owner extends Entity {
  id = ''
  name = ''
  static override key = 'Owner'
  static override indexes = ['name'] as const
}
class Item extends Entity {
  id = ''
  type = 'item'
  price: number | undefined = undefined
  owner = Owner.fromJS()
  parent: unknown = undefined
  parts: Owner[] = []
  at = new Date(0)
  static override key = 'Item'
  static override schema = {
    price: money,
    owner: Owner,
    parent: new Lazy(Owner),
    parts: new Collection([Owner], { nestKey: ({ id }: { id: string }) => ({ item: id }) }),
    at: (iso: string) => new Date(iso),
  }
}
const Mixed = EntityMixin(
  class {
    id = ''
    type = 'mixed'
  },
  { key: 'Mixed' },
)
const Short = entity('Short', { id: '', type: 'short' })
const either = new Union({ item: Item, mixed: Mixed, short: Short }, 'type')
const list = new Collection([Item])
const map = new Collection(new Values(Item), { name: 'map' })
const one = {
  id: '1',
  type: 'item',
  price: 5,
  owner: { id: '2', name: 'Ann' },
  parent: '2',
  parts: [{ id: '3' }],
  at: 'x',
}
const two = { ...one, id: '4', price: 6 }
const args = [{ id: '1', currency: 'usd' }]

/** An endpoint of the path of `list`, with its own key. */
const listEndpoint = (schema: unknown, options: object = {}): any =>
  endpoint('/list', schema, { key: () => (schema === list ? 'list' : 'another schema'), ...options })

describe('NOR-14 the library writes to no schema', () => {
  const kinds: Record<string, [schema: any, value: unknown]> = {
    Entity: [Item, one],
    EntityMixin: [Mixed, { id: '1', type: 'mixed' }],
    entity: [Short, { id: '1', type: 'short' }],
    array: [[Item], [one, two]],
    'schema.Array': [new MixedArray({ item: Item, mixed: Mixed }, 'type'), [one, two]],
    object: [{ data: { items: [Item], total: 0 } }, { data: { items: [one, two], total: 2 } }],
    'schema.Object': [new ObjectSchema({ item: Item }), { item: one }],
    Values: [new Values(Item), { a: one, b: two }],
    Union: [either, one],
    'a list of a Union': [[either], [one, { id: '9', type: 'short' }]],
    All: [new All(Item), [one, two]],
    Collection: [list, [one, two]],
    'a map Collection': [map, { a: one, b: two }],
    'Collection.push': [list.push, one],
    'Collection.unshift': [list.unshift, one],
    'Collection.assign': [map.assign, { c: one }],
    'Collection.remove': [list.remove, one],
    'Collection.move': [list.move, one],
    'Collection.addWith': [list.addWith((a: unknown[], b: unknown[]) => [...a, ...b]), [one]],
    Invalidate: [new Invalidate(Item), one],
    'Invalidate of a Union': [new Invalidate(either), one],
    'Invalidate of a Collection': [new Invalidate(list), one],
    Query: [new Query(list, (items: Item[]) => items.length), [one, two]],
    Lazy: [{ item: new Lazy(Item) }, { item: one }],
    Scalar: [new Values(new Scalar({ key: 'cell', lens: () => 'x', entity: Item })), { 1: 5 }],
  }

  test.each(Object.entries(kinds))('NOR-14 %s', (_, [schema, value]) => {
    freezeSchema(schema)
    // Twice: what the first round learnt may not be kept in the schema.
    for (let round = 0; round < 2; round++) {
      const { result, entities } = normalize(schema, value, args)
      denormalize(schema, result, entities, args)
      const driver = createDriver()
      const read = listEndpoint(schema)
      driver.open(listEndpoint(list), args).answer([one, two])
      driver.open(read, args).answer(value)
      driver.read(read, args)
      driver.read(schema, args)
      driver.read(new Scalar({ key: 'money', lens: money.lens, entity: Item }), args)
      const write = listEndpoint(schema, { sideEffect: true, getOptimisticResponse: () => value })
      driver.open(write, args)
      driver.read(schema, args)
      driver.open(write, args).answer(value)
      driver.restore(driver.getState())
      driver.reset()
    }
    expect(Object.isFrozen(schema)).toBe(true)
  })

  test('NOR-14 a resource and its members', () => {
    const union = freezeSchema(new Union({ mixed: Mixed, short: Short }, 'type'))
    const members = resource({ path: '/items/:id', schema: union, optimistic: true, paginationField: 'page' })
    const { getList } = members
    freezeSchema(getList.schema)
    const driver = createDriver()
    driver.open(getList, []).answer([
      { id: '1', type: 'mixed' },
      { id: '4', type: 'short' },
    ])
    driver.open(getList.getPage, [{ page: 2 }]).answer([{ id: '7', type: 'mixed' }])
    driver.open(getList.push, [{ type: 'short' }]).answer({ id: '8', type: 'short' })
    driver.open(getList.move, [{ id: '8' }, { type: 'short' }]).answer({ id: '8', type: 'short' })
    driver.open(members.delete, [{ id: '1' }]).answer('1')
    expect(driver.read(getList, []).data.map((item: Entity) => item.pk())).toEqual(['4', '7', '8'])
  })
})
