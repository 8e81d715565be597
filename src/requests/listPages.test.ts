import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { previousPageEndpoint } from '../lists/paginate.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { STALE } from '../rows/Meta.ts'
import { Query } from '../kinds/Query.ts'
import { Union } from '../kinds/Union.ts'
import { Values } from '../kinds/Values.ts'
import { deserializeState, serializeState } from '../client/serialize.ts'
import { TestClock } from '../testing/TestClock.ts'
import { asDriver, ids, type DrivenRequest } from '../testing/drivers.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { mutation } from '../testing/endpoints.ts'
import { readPages } from '../testing/readPages.ts'

class Item extends Entity {
  id = ''
  group = ''
  static override key = 'Item'
}
class Other extends Entity {
  id = ''
  static override key = 'Other'
}

const show = (list: any): any[] => list?.map((item: Entity) => item.pk())
const items = (...pks: (string | number)[]): object[] => pks.map((id) => ({ id: `${id}` }))
const make = (schema: unknown, more: object = {}): any =>
  new RestEndpoint({ path: '/items', schema, paginationField: 'page', ...more } as never)
const optimistic = (endpoint: any): any =>
  endpoint.extend({ getOptimisticResponse: (_: unknown, ...args: any[]) => ({ ...args[0], ...args.at(-1) }) })

const getList = make(new Collection([Item]))
let clock: TestClock
let driver: Driver
beforeEach(() => {
  clock = new TestClock()
  driver = createDriver(clock)
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

const load = (endpoint: any, args: any, value: unknown): void => driver.open(endpoint, [args]).answer(value)
const list = (): any[] => ids(driver, getList, {})!
const pages = (endpoint: any = getList): any => readPages(driver.store.tables, endpoint, [{}])
const remove = (id: string): void => driver.open(getList.remove, [{ id }, {}]).answer({ id })
const push = (id: string): void => driver.open(getList.push, [{ id }]).answer({ id, group: '' })

describe('a paged list', () => {
  test('EXT-9 items that are not there yet are appended, others keep their place', () => {
    load(getList, {}, items(1, 2))
    load(getList.getPage, { page: 2 }, items(2, 10))
    expect(list()).toEqual(['1', '2', '10'])
    expect(ids(driver, getList.getPage, { page: 2 })).toEqual(['1', '2', '10'])
  })

  test('PAG-1 ST-17 pages that were restored stand before those that are fetched afterwards', () => {
    load(getList, {}, items(1))
    load(getList.getPage, { page: 2 }, items(2))
    load(getList.getPage, { page: 3 }, items(3))
    const restored = createDriver(clock)
    restored.restore(driver.getState())
    driver = restored
    load(getList.getPage, { page: 4 }, items(4))
    load(getList.getPage, { page: 2 }, items(22))
    expect(list()).toEqual(['1', '22', '3', '4'])
  })

  test.each<[string, () => void, boolean]>([
    ['a mutation', () => driver.open(mutation('/rename', Item), [{ id: '1' }]).answer({ id: '1', group: 'new' }), true],
    ['an event', () => driver.set(Item, [{ id: '1' }], { id: '1', group: 'new' }), false],
  ])('PAG-1 ORD-9 a page that crossed %s: the list is stale: %s', (_name, write, expected) => {
    load(getList, {}, items(1))
    const page = driver.open(getList.getPage, [{ page: 2 }])
    write()
    page.answer(items(2))
    expect(driver.read(getList, [{}]).expiresAt === STALE).toBe(expected)
  })

  test('PAG-1 ORD-7 a page that arrived while a write was in flight, which changes the list: the list is stale', () => {
    load(getList, { group: 'x' }, [{ id: '1', group: 'x' }])
    const write = driver.open(mutation('/move', Item), [{ id: '2' }])
    load(getList.getPage, { group: 'x', page: 2 }, [{ id: '2', group: 'x' }])
    load(getList.getPage, { group: 'x', page: 3 }, [])
    write.answer({ id: '1', group: 'y' })
    expect(driver.read(getList, [{ group: 'x' }]).expiresAt).toBe(STALE)
  })

  test('EXT-9 of unions, items are compared by pk and schema', () => {
    const feed = make(new Collection([new Union({ a: Item, b: Other }, 'type' as never)]))
    const a = { id: '1', type: 'a' }
    const b = { id: '1', type: 'b' }
    load(feed, {}, [a])
    load(feed.getPage, { page: 2 }, [b, a])
    expect(driver.read(feed, [{}]).data.map((item: any) => item.constructor.key)).toEqual(['Item', 'Other'])
  })

  test('EXT-9 a page whose list is not there becomes the list; the list comes before it, whenever it was sent', () => {
    const base = driver.open(getList, [{}])
    load(getList.getPage, { page: 2 }, items(4, 5))
    expect(list()).toEqual(['4', '5'])
    base.answer(items(1, 2, 3))
    expect(list()).toEqual(['1', '2', '3', '4', '5'])
  })

  test.each([
    ['while the page was in flight', false],
    ['before the page was requested', true],
  ])(
    'PAG-1 COL-11 a removal sent %s, committed before the page arrives and the list was refetched',
    (_title, isEarly) => {
      load(getList, {}, items(1, 2))
      const early = isEarly ? driver.open(getList.remove, [{ id: '3' }, {}]) : undefined
      const page = driver.open(getList.getPage, [{ page: 2 }])
      const removal = early ?? driver.open(getList.remove, [{ id: '3' }, {}])
      removal.answer({ id: '3' })
      load(getList, {}, items(1, 2))
      page.answer(items(3, 4))
      expect(list()).toEqual(['1', '2', '4'])
      // The page has not seen the removal, so its end may have moved.
      expect(driver.read(getList, [{}]).expiresAt).toBe(STALE)
    },
  )

  test('PAG-1 EXT-10 pages stand in the order of their requests, whatever the order of responses', () => {
    load(getList, {}, items(1))
    const [two, three] = [2, 3].map((page) => driver.open(getList.getPage, [{ page }])) as [
      DrivenRequest,
      DrivenRequest,
    ]
    three.answer(items(3))
    expect(list()).toEqual(['1', '3'])
    two.answer(items(2))
    expect(list()).toEqual(['1', '2', '3'])
    expect(pages()).toMatchObject({ loaded: 2, next: [{ page: 4 }] })
  })

  test('PAG-1 a response of a page replaces that page only, and keeps its place', () => {
    load(getList, {}, items(1))
    load(getList.getPage, { page: 2 }, items(2, 3))
    load(getList.getPage, { page: 3 }, items(4))
    load(getList.getPage, { page: '2' }, items(9, 3))
    expect(list()).toEqual(['1', '9', '3', '4'])
    expect(pages().loaded).toBe(2)
  })

  test('PAG-1 EXT-11 a page ranks only against itself', () => {
    const late = driver.open(getList.getPage, [{ page: 2 }])
    load(getList, {}, items(1, 2))
    late.answer(items(3))
    expect(list()).toEqual(['1', '2', '3'])
    const older = driver.open(getList.getPage, [{ page: 2 }])
    load(getList.getPage, { page: 2 }, items(4))
    older.answer(items(3))
    expect(list()).toEqual(['1', '2', '4'])
  })

  test('EXT-11 a page makes the list no fresher, but may make it stale earlier', () => {
    const short = getList.extend({ dataExpiryLength: 10 })
    load(getList, {}, items(1))
    const { expiresAt } = driver.read(getList, [{}])
    clock.time += 5_000
    load(getList.getPage, { page: 2 }, items(2))
    expect(driver.read(getList, [{}]).expiresAt).toBe(expiresAt)
    load(short.getPage, { page: 3 }, items(3))
    expect(driver.read(getList, [{}]).expiresAt).toBe(clock.time + 10)
  })

  test('EXT-11 a page that fails leaves the list as it is', () => {
    load(getList, {}, items(1))
    driver.open(getList.getPage, [{ page: 2 }]).fail(Object.assign(new Error('no'), { status: 404 }))
    expect(driver.read(getList, [{}])).toMatchObject({ error: undefined, expiryStatus: 3 })
    expect(() => load(getList.getPage, { page: 3 }, 'wrong')).toThrow(expect.objectContaining({ refused: true }))
    expect(driver.read(getList, [{}]).error).toBeUndefined()
  })

  test('PAG-1 lists of other arguments have pages of their own', () => {
    load(getList, {}, items(1))
    load(getList, { group: 'a' }, items(5))
    load(getList.getPage, { group: 'a', page: 2 }, items(6))
    expect(list()).toEqual(['1'])
    expect(ids(driver, getList, { group: 'a' })).toEqual(['5', '6'])
  })

  test('PAG-1 EXT-8 paginated by a function, and inside a Query', () => {
    const sorted = make(new Query(new Collection([Item]), (all: Item[]) => all.toReversed()), {
      paginationField: undefined,
    })
    const more = sorted.paginated(({ after: _after, ...params }: any) => [params])
    load(sorted, {}, items(1))
    load(more, { after: 'x' }, items(2))
    expect(show(driver.read(sorted, [{}]).data)).toEqual(['2', '1'])
  })

  test('PAG-1 a map has pages, too', () => {
    const map = make(new Collection(new Values(Item)))
    const names = (): string[] => Object.keys(driver.read(map, [{}]).data).sort()
    load(map, {}, { a: { id: '1' }, b: { id: '2' } })
    load(map.getPage, { page: 2 }, { b: { id: '9' }, c: { id: '3' } })
    expect(names()).toEqual(['a', 'b', 'c'])
    expect(driver.read(map, [{}]).data.b.id).toBe('2')
    load(map, {}, { b: { id: '2' } })
    expect(names()).toEqual(['b', 'c'])
    driver.open(map.assign, [{ d: { id: '4' } }]).answer({ d: { id: '4' } })
    expect(names()).toEqual(['b', 'c', 'd'])
    load(map, {}, { z: { id: '7' } })
    expect(names()).toEqual(['b', 'c', 'z'])
  })
})

describe('a new response of the list itself', () => {
  test.each<[string, number[], string[]]>([
    ['is the same', [1, 2, 3], ['1', '2', '3', '4', '5']],
    ['overlaps', [0, 1, 2], ['0', '1', '2', '4', '5']],
    ['lacks a deleted one', [1, 3, 4], ['1', '3', '4', '5']],
    ['reaches into the page', [3, 4], ['3', '4', '5']],
    ['holds all', [1, 2, 3, 4, 5, 6], ['1', '2', '3', '4', '5', '6']],
    ['has nothing in common', [7, 8, 9], ['7', '8', '9', '4', '5']],
    ['is empty', [], ['4', '5']],
  ])('PAG-7 alone %s: the other pages stay, and are in doubt', (_title, answer, shown) => {
    load(getList, {}, items(1, 2, 3))
    load(getList.getPage, { page: 2 }, items(4, 5))
    load(getList, {}, items(...answer))
    expect(list()).toEqual(shown)
    expect(pages().loaded).toBe(1)
    expect(driver.read(getList, [{}]).expiresAt <= STALE).toBe(true)
  })

  test('COL-9 without pages it is the list', () => {
    load(getList, {}, items(1, 2, 3))
    load(getList, {}, items(0, 1, 2))
    expect(list()).toEqual(['0', '1', '2'])
  })

  test('PAG-7 invalidating the list drops the pages; one that is still on its way leaves it in doubt', () => {
    load(getList, {}, items(1, 2))
    load(getList.getPage, { page: 2 }, items(3))
    const late = driver.open(getList.getPage, [{ page: 3 }])
    driver.invalidateKey(getList.key({}))
    load(getList, {}, items(1, 2))
    expect(list()).toEqual(['1', '2'])
    expect(driver.read(getList, [{}]).expiresAt).toBeGreaterThan(STALE)
    late.answer(items(4))
    expect(driver.read(getList, [{}]).expiresAt).toBe(STALE)
  })

  test('PAG-1 a page in flight while the list is refetched lands after it, in doubt', () => {
    load(getList, {}, items(1, 2))
    load(getList.getPage, { page: 2 }, items(3))
    const three = driver.open(getList.getPage, [{ page: 3 }])
    load(getList, {}, items(0, 1))
    three.answer(items(4))
    expect(list()).toEqual(['0', '1', '3', '4'])
    expect(driver.read(getList, [{}]).expiresAt).toBe(STALE)
    expect(pages().next).toEqual([{ page: 4 }])
  })
})

describe('what joins and leaves a paged list', () => {
  beforeEach(() => {
    load(getList, {}, items(1, 2))
    load(getList.getPage, { page: 2 }, items(3, 4))
  })

  test('PAG-1 COL-17 COL-18 pushed stands last, also after pages that come later; unshifted first', () => {
    push('9')
    driver.open(getList.unshift, [{ id: '0' }]).answer({ id: '0' })
    expect(list()).toEqual(['0', '1', '2', '3', '4', '9'])
    load(getList.getPage, { page: 3 }, items(5))
    expect(list()).toEqual(['0', '1', '2', '3', '4', '5', '9'])
    load(getList.getPage, { page: 4 }, items(9, 10))
    expect(list()).toEqual(['0', '1', '2', '3', '4', '5', '9', '10'])
  })

  test('PAG-1 COL-11 a removal holds against a page sent before it, and not against one sent after it', () => {
    const before = driver.open(getList.getPage, [{ page: 2 }])
    remove('3')
    before.answer(items(3, 4))
    expect(list()).toEqual(['1', '2', '4'])
    load(getList.getPage, { page: 2 }, items(3, 4))
    expect(list()).toEqual(['1', '2', '3', '4'])
  })

  test('PAG-1 the same while an older request is open', () => {
    driver.open(getList, [{ group: 'slow' }])
    push('9')
    remove('3')
    load(getList.getPage, { page: 2 }, items(3, 4, 5))
    expect(list()).toEqual(['1', '2', '3', '4', '5', '9'])
    load(getList, {}, items(1, 2))
    expect(list()).toEqual(['1', '2', '3', '4', '5'])
  })

  test('PAG-1 COL-11 additions and removals newer than the response are applied again, older ones are part of it', () => {
    remove('4')
    const refetch = driver.open(getList, [{}])
    push('9')
    remove('2')
    refetch.answer(items(1, 2))
    expect(list()).toEqual(['1', '3', '9'])
  })

  test('PAG-1 COL-25 an adder of its own places among all pages', () => {
    const sorted = getList.schema.addWith((a: string[], b: string[]) => [...a, ...b].sort())
    load(getList.extend({ method: 'POST', schema: sorted }), { id: '25' }, { id: '25' })
    expect(list()).toEqual(['1', '2', '25', '3', '4'])
    load(getList.getPage, { page: 2 }, items(3, 5))
    expect(list()).toEqual(['1', '2', '25', '3', '5'])
  })

  test('PAG-1 PAG-7 ST-5 serialising makes one list of the pages, and keeps how to fetch them and the next page', () => {
    push('9')
    const text = serializeState(driver.getState())
    driver = createDriver(clock)
    driver.restore(deserializeState(text))
    expect(list()).toEqual(['1', '2', '3', '4', '9'])
    expect(pages()).toEqual({ loaded: 1, next: [{ page: 3 }] })
    load(getList.getPage, { page: 3 }, items(5))
    expect(list()).toEqual(['1', '2', '3', '4', '9', '5'])
    // Its pages have to be fetched again.
    load(getList, {}, items(1, 2))
    expect(list()).toEqual(['1', '2', '5'])
    expect(driver.read(getList, [{}]).expiresAt).toBe(STALE)
  })
})

test('PAG-1 ST-5 pages of a restored list stand before those that are requested now', () => {
  load(getList, {}, items(1))
  for (let page = 2; page < 12; page++) {
    load(getList.getPage, { page }, items(page))
  }
  const text = serializeState(driver.getState())
  driver = createDriver(clock)
  driver.restore(deserializeState(text))
  for (const page of [5, 12, 13]) {
    load(getList.getPage, { page }, items(page))
  }
  expect(list()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13].map(String))
  expect(pages()).toEqual({ loaded: 12, next: [{ page: 14 }] })
})

describe('members beside the list', () => {
  const counted = make(
    { items: new Collection([Item], { counts: ['total'] }), total: 0, next: '' },
    { path: '/counted' },
  )
  const getItem = new RestEndpoint({ path: '/items/:id', schema: Item })
  const drop = new RestEndpoint({
    path: '/counted/:id',
    method: 'DELETE',
    schema: new Invalidate(Item),
  } as never) as any
  const answer = (total: number, next: string, ...pks: number[]): object => ({ items: items(...pks), total, next })
  const total = (): number => driver.read(counted, [{}]).data.total
  const next = (): string => driver.read(counted, [{}]).data.next
  beforeEach(() => load(counted, {}, answer(4, 'b', 1, 2)))

  test('PAG-3 EXT-6 counts of the newest response, all else of the last page shown', () => {
    load(counted.getPage, { page: 2 }, answer(5, 'c', 3))
    expect([total(), next()]).toEqual([5, 'c'])
    load(counted.getPage, { page: 3 }, answer(6, 'd', 4))
    expect([total(), next()]).toEqual([6, 'd'])
    load(counted, {}, answer(7, 'b', 1, 2))
    expect([total(), next()]).toEqual([7, 'd'])
    load(counted.getPage, { page: 2 }, answer(8, 'c', 3))
    expect([total(), next()]).toEqual([8, 'd'])
    expect(show(driver.read(counted, [{}]).data.items)).toEqual(['1', '2', '3', '4'])
  })

  test.each<[string, (pending: boolean) => DrivenRequest, unknown, number]>([
    ['push', (shows) => driver.open((shows ? optimistic : same)(counted.push), [{ id: '9' }]), { id: '9' }, 1],
    [
      'push of one that is there',
      (shows) => driver.open((shows ? optimistic : same)(counted.push), [{ id: '1' }]),
      { id: '1' },
      0,
    ],
    ['unshift', (shows) => driver.open((shows ? optimistic : same)(counted.unshift), [{ id: '9' }]), { id: '9' }, 1],
    ['remove', (shows) => driver.open((shows ? optimistic : same)(counted.remove), [{ id: '1' }, {}]), { id: '1' }, -1],
    [
      'remove of one that is not there',
      (shows) => driver.open((shows ? optimistic : same)(counted.remove), [{ id: '7' }, {}]),
      { id: '7' },
      0,
    ],
    ['delete', (shows) => driver.open((shows ? optimistic : same)(drop), [{ id: '1' }]), { id: '1' }, -1],
    [
      'delete of one that is not there',
      (shows) => driver.open((shows ? optimistic : same)(drop), [{ id: '7' }]),
      { id: '7' },
      0,
    ],
  ])('PAG-4 a number follows %s: pending, failed and done', (_title, start, value, delta) => {
    const plain = start(false)
    expect(total()).toBe(4)
    plain.fail(new Error('no'))
    const failing = start(true)
    expect(total()).toBe(4 + delta)
    failing.fail(new Error('no'))
    expect(total()).toBe(4)
    const good = start(true)
    expect(total()).toBe(4 + delta)
    good.answer(value)
    expect(total()).toBe(4 + delta)
    start(false).answer(value)
    expect(total()).toBe(4 + delta)
    load(counted, {}, answer(11, 'b', 1, 2))
    expect(total()).toBe(11)
  })

  test('PAG-4 COL-19 COL-25 a number follows a map, and a list with its own merge: pending, failed and done', () => {
    const map = make(
      { items: new Collection(new Values(Item), { counts: ['total'] }), total: 0 },
      { path: '/map', paginationField: undefined },
    )
    const capped = counted.extend({
      method: 'POST',
      schema: counted.schema.items.addWith((old: unknown[], added: unknown[]) => [...added, ...old].slice(0, 3)),
    })
    load(map, {}, { items: { a: { id: '1' }, b: { id: '2' } }, total: 2 })
    const cases: [any, any, unknown, number][] = [
      [map, map.assign, { c: { id: '3' } }, 3],
      [map, map.assign, { a: { id: '4' }, d: { id: '5' } }, 4],
      [map, map.assign, { a: { id: '1' } }, 4],
      [map, map.assign, { e: { id: '5' } }, 5],
      // One record under two keys.
      [map, map.remove, { x: { id: '5' } }, 3],
      [counted, capped, { id: '8' }, 5],
      [counted, capped, { id: '9' }, 5],
    ]
    for (const [endpoint, write, body, expected] of cases) {
      const read = (): number => driver.read(endpoint, [{}]).data.total
      const before = read()
      const shown = write.extend({ getOptimisticResponse: () => body })
      const start = (): DrivenRequest => driver.open(shown, [body])
      const failing = start()
      expect(read()).toBe(expected)
      failing.fail(new Error('no'))
      expect(read()).toBe(before)
      start().answer(body)
      expect(read()).toBe(expected)
    }
  })

  test('PAG-3 nested lists of the items have no say in the members beside the list', () => {
    class Parent extends Entity {
      id = ''
      kids = []
      static override key = 'Parent'
      static override schema = {
        kids: new Collection([Item], { nestKey: ({ id }: { id: string }) => ({ parent: id }), counts: ['total'] }),
      }
    }
    const feed = make({ items: new Collection([Parent], { counts: ['total'] }), total: 0, next: '' }, { path: '/feed' })
    const page = (id: number, next: string): object => ({ items: [{ id, kids: items(id, 9) }], total: id, next })
    load(feed, {}, page(1, 'b'))
    load(feed.getPage, { page: 2 }, page(2, 'c'))
    load(feed.getPage, { page: 3 }, page(3, 'd'))
    expect(driver.read(feed, [{}]).data).toMatchObject({
      items: [{ id: 1 }, { id: 2 }, { id: 3 }],
      total: 3,
      next: 'd',
    })
  })

  test('PAG-3 EXT-11 a response that arrives after a newer one of the same page, or of the list, leaves all members', () => {
    load(counted.getPage, { page: 2 }, answer(4, 'c', 3, 4))
    for (const [endpoint, args] of [
      [counted.getPage, { page: 2 }],
      [counted, {}],
    ]) {
      const early = driver.open(endpoint, [args])
      load(endpoint, args, answer(8, 'z', 3, 5))
      const before = driver.read(counted, [{}]).data
      early.answer(answer(5, 'y', 3, 6))
      expect(driver.read(counted, [{}]).data).toBe(before)
    }
  })

  test('PAG-4 a number follows moves between lists', () => {
    load(counted, { group: 'a' }, answer(1, '', 5))
    load(counted, { group: 'b' }, answer(0, ''))
    driver.set(Item, [{}], { id: '5', group: 'a' })
    driver.open(counted.move, [{ id: '5' }, { group: 'b' }]).answer({ id: '5', group: 'b' })
    expect(driver.read(counted, [{ group: 'a' }]).data).toMatchObject({ items: [], total: 0 })
    expect(driver.read(counted, [{ group: 'b' }]).data.total).toBe(1)
    // It may stand on a page of the whole list that is not loaded.
    expect(driver.read(counted, [{}]).expiresAt).toBe(STALE)
  })

  const named = make(
    { items: new Collection([Item], { counts: ['total'] }), total: 0, next: '' },
    { path: '/named', getNextPage: (answer: { next: string }) => answer.next },
  )

  test('PAG-4 ST-18 a count that includes a record on a page that is not loaded is refetched when the record leaves', () => {
    const numbers = (): number[] => ['a', 'b'].map((group) => driver.read(named, [{ group }]).data.total)
    const isStale = (group: string): boolean => driver.read(named, [{ group }]).expiresAt <= clock.time
    load(named, { group: 'a' }, answer(70, 'x', 1))
    load(named, { group: 'b' }, answer(0, ''))
    load(getItem, { id: '5' }, { id: '5', group: 'a' })
    const move = driver.open(optimistic(named.move), [{ id: '5' }, { group: 'b' }])
    expect(numbers()).toEqual([70, 1])
    expect([isStale('a'), isStale('b')]).toEqual([false, false])
    move.answer({ id: '5', group: 'b' })
    expect(numbers()).toEqual([70, 1])
    expect([isStale('a'), isStale('b')]).toEqual([true, false])
  })

  test('PAG-4 a record that a socket moves before the response of the move is counted once', () => {
    const numbers = (): number[] => ['a', 'b'].map((group) => driver.read(named, [{ group }]).data.total)
    load(named, { group: 'a' }, { items: [{ id: '5', group: 'a' }], total: 70, next: 'x' })
    load(named, { group: 'b' }, answer(0, ''))
    const move = driver.open(optimistic(named.move), [{ id: '5' }, { group: 'b' }])
    driver.set(named.schema.items.move, [{}], { id: '5', group: 'b' })
    move.answer({ id: '5', group: 'b' })
    expect(numbers()).toEqual([69, 1])
  })

  test('PAG-4 ST-18 the delete of a record that may stand on a page that is not loaded: the list is stale', () => {
    const isStale = (group: string): boolean => driver.read(named, [{ group }]).expiresAt <= clock.time
    load(named, { group: 'a' }, answer(70, 'x', 1))
    load(named, { group: 'b' }, answer(1, '', 2))
    load(named, { group: 'c' }, answer(70, 'x', 3))
    load(getItem, { id: '5' }, { id: '5', group: 'a' })
    load(drop, { id: '5' }, { id: '5' })
    // All of b is loaded, and the record does not fit c.
    expect(['a', 'b', 'c'].map(isStale)).toEqual([true, false, false])
  })

  test('PAG-4 ST-18 a record that was not known may have stood on a page that is not loaded: the list is stale', () => {
    const isStale = (group: string): boolean => driver.read(named, [{ group }]).expiresAt <= clock.time
    const response = (total: number, cursor: string, group: string): object => ({
      ...answer(total, cursor),
      items: [{ id: group, group }],
    })
    load(named, { group: 'a' }, response(70, 'x', 'a'))
    load(named, { group: 'b' }, response(1, '', 'b'))
    driver.set(Item, [{ id: '5' }], { id: '5', group: 'd' })
    expect(['a', 'b'].map(isStale)).toEqual([true, false])
  })

  test.each([true, false])(
    'PAG-4 a response sent before a change does not know it, one sent after it does (shown first: %s)',
    (shows) => {
      const crossing = driver.open(counted, [{}])
      const create = driver.open((shows ? optimistic : same)(counted.push), [{ id: '9' }])
      create.answer({ id: '9' })
      load(drop, { id: '2' }, { id: '2' })
      crossing.answer(answer(4, 'b', 1, 2))
      expect(total()).toBe(4)
      push('5')
      load(counted, {}, answer(5, 'b', 1, 9))
      expect(total()).toBe(5)
    },
  )

  test.each([true, false])(
    'PAG-4 ST-18 a count that arrived while a change was in flight may include it: the list is stale (read sent first: %s)',
    (first) => {
      const isStale = (): boolean => driver.read(counted, [{}]).expiresAt <= clock.time
      const cross = (write: () => DrivenRequest, value: unknown): boolean => {
        load(counted, {}, answer(5, 'b', 1, 2, 3, 4))
        const early = first ? driver.open(counted, [{}]) : undefined
        const request = write()
        const read = early ?? driver.open(counted, [{}])
        read.answer(answer(5, 'b', 1, 2, 3, 4))
        expect(isStale()).toBe(false)
        request.answer(value)
        return isStale()
      }
      expect(cross(() => driver.open(counted.push, [{ id: '9' }]), { id: '9' })).toBe(true)
      expect(cross(() => driver.open(drop, [{ id: '4' }]), { id: '4' })).toBe(true)
    },
  )

  test('PAG-4 ST-18 a number that crossed the delete of an item on another page may count it: the list is stale', () => {
    load(counted.getPage, { page: 2 }, answer(4, 'c', 3, 4))
    const crossing = driver.open(counted, [{}])
    load(drop, { id: '4' }, { id: '4' })
    crossing.answer(answer(3, 'b', 1, 2))
    expect(driver.read(counted, [{}]).expiresAt).toBeLessThanOrEqual(clock.time)
    load(counted, {}, answer(3, 'b', 1, 2))
    expect(total()).toBe(3)
  })

  test('PAG-4 a page that brings the number knows what was changed before it', () => {
    load(counted.push, { id: '9' }, { id: '9' })
    load(counted.getPage, { page: 2 }, answer(5, 'c', 3, 4))
    expect(total()).toBe(5)
    load(drop, { id: '3' }, { id: '3' })
    expect(total()).toBe(4)
    load(counted.getPage, { page: 2 }, answer(4, 'c', 4, 9))
    expect(total()).toBe(4)
  })

  test('PAG-4 a deleted record that comes back counts again', () => {
    load(drop, { id: '1' }, { id: '1' })
    expect(total()).toBe(3)
    driver.set(Item, [{}], { id: '1' })
    expect(total()).toBe(4)
  })

  test('PAG-4 COL-21 also one that comes back elsewhere, or is pushed again', () => {
    const totals = (): number[] => ['a', 'b'].map((group) => driver.read(counted, [{ group }]).data.total)
    const groupOf = (group: string, ...pks: string[]): object => ({
      items: pks.map((id) => ({ id, group })),
      total: pks.length,
    })
    load(counted, { group: 'a' }, groupOf('a', '5', '6'))
    load(counted, { group: 'b' }, groupOf('b', '7'))
    load(drop, { id: '5' }, { id: '5' })
    expect(totals()).toEqual([1, 1])
    driver.open(counted.move, [{ id: '5' }, { group: 'b' }]).answer({ id: '5', group: 'b' })
    expect(totals()).toEqual([1, 2])
    load(drop, { id: '5' }, { id: '5' })
    expect(totals()).toEqual([1, 1])
    driver.open(counted.push, [{ id: '5', group: 'b' }]).answer({ id: '5', group: 'b' })
    expect(totals()).toEqual([1, 2])
    load(drop, { id: '6' }, { id: '6' })
    driver.open(counted.push, [{ id: '6', group: 'b' }]).answer({ id: '6', group: 'b' })
    expect(totals()[1]).toBe(3)
  })

  test('PAG-4 COL-33 a record of another member of the union with the same key counts nothing', () => {
    const feed = make({
      items: new Collection([new Union({ a: Item, b: Other }, 'type' as never)], { counts: ['total'] }),
      total: 0,
    })
    load(feed, {}, { items: [{ id: '1', type: 'a' }], total: 1 })
    driver.set(Other, [{}], { id: '1' })
    load(drop.extend({ schema: new Invalidate(Other) }), { id: '1' }, { id: '1' })
    expect(driver.read(feed, [{}]).data.total).toBe(1)
    load(drop, { id: '1' }, { id: '1' })
    expect(driver.read(feed, [{}]).data).toMatchObject({ items: [], total: 0 })
  })

  test.each([
    ['records', Item],
    ['a union', new Union({ a: Item, b: Other }, 'type' as never)],
  ])('PAG-4 COL-22 a deleted item that a move brings back is subtracted once: %s', (_name, schema) => {
    const items = new Collection([schema] as any, { counts: ['total'] })
    const feed = make({ items, total: 0 })
    const rows = ['1', '2'].map((id) => ({ id, type: 'a', group: 'x' }))
    load(feed, { group: 'x' }, { items: rows, total: 2 })
    load(drop, { id: '1' }, { id: '1' })
    const read = (): any => driver.read(feed, [{ group: 'x' }]).data
    expect(read().total).toBe(1)
    const move: any = drop.extend({ schema: items.move, method: 'PATCH' })
    driver.open(move, [{ id: '1' }, { group: 'y' }]).answer({ id: '1', type: 'a', group: 'y' })
    expect(read()).toMatchObject({ items: [{ id: '2' }], total: 1 })
  })

  test.each([true, false])(
    'PAG-4 ST-5 the number of a restored list is followed or fetched (mounted: %s)',
    (isMounted) => {
      const text = serializeState(driver.getState())
      driver = createDriver(clock)
      driver.restore(deserializeState(text))
      if (isMounted) {
        driver.subscribe(counted, [{}], () => {})
      }
      load(counted.push, { id: '9' }, { id: '9', group: '' })
      expect(total() === 5 || driver.read(counted, [{}]).expiresAt <= STALE).toBe(true)
    },
  )

  test('PAG-4 OPT-5 an update of the same result sees the number', () => {
    const create = optimistic(counted.push).extend({
      update: () => ({ [counted.key({})]: (result: any) => ({ ...result, next: `${result.total}` }) }),
    })
    const request = driver.open(create, [{ id: '9' }])
    expect([total(), next()]).toEqual([5, '5'])
    request.fail(new Error('no'))
    expect([total(), next()]).toEqual([4, 'b'])
  })
})

describe('the next page', () => {
  test('PAG-5 a page number counts up from the last page requested, until a page is empty', () => {
    expect(pages()).toEqual({ loaded: 0, next: undefined })
    load(getList, {}, items(1))
    expect(pages()).toEqual({ loaded: 0, next: [{ page: 2 }] })
    load(getList.getPage, { page: 2 }, items(2))
    expect(pages()).toEqual({ loaded: 1, next: [{ page: 3 }] })
    load(getList.getPage, { page: '3' }, [])
    expect(pages()).toEqual({ loaded: 2, next: undefined })
  })

  test.each<[string, unknown, unknown]>([
    ['a value', 'x', [{ g: 1, page: 'x' }]],
    ['zero', 0, [{ g: 1, page: 0 }]],
    ['all arguments', [{ g: 2, page: 'y' }], [{ g: 2, page: 'y' }]],
    ['undefined', undefined, undefined],
    ['null', null, undefined],
    ['no text', '', undefined],
  ])('PAG-5 RE-25 getNextPage gives %s', (_title, given, args) => {
    const getNextPage = vi.fn(() => given)
    const endpoint = make({ items: new Collection([Item]) }, { getNextPage })
    const value = { items: items(1), extra: true }
    load(endpoint, { g: 1 }, value)
    expect(getNextPage).toHaveBeenCalledExactlyOnceWith(value, { g: 1 })
    expect(readPages(driver.store.tables, endpoint, [{ g: 1 }]).next).toEqual(args)
  })

  test('PAG-5 it receives the last page shown, with the arguments of that page', () => {
    const cursors = make({ items: new Collection([Item]) }, { getNextPage: (value: any) => value.next })
    load(cursors, {}, { items: items(1), next: 'b' })
    load(cursors.getPage, pages(cursors).next[0], { items: items(2), next: 'c' })
    load(cursors.getPage, pages(cursors).next[0], { items: items(3) })
    expect(pages(cursors).next).toBeUndefined()
    load(cursors, {}, { items: items(0, 1), next: 'bb' })
    expect(pages(cursors)).toEqual({ loaded: 2, next: undefined })
  })

  test('PAG-5 if it throws, the response is refused and nothing of it is stored', () => {
    const bad = make(new Collection([Item]), {
      getNextPage: (value: any) => value.meta.next,
    })
    expect(() => load(bad, {}, items(1))).toThrow(expect.objectContaining({ refused: true }))
    expect(driver.getState().entities).toEqual({})
  })

  test('PAG-5 an endpoint without a Collection has no pages', () => {
    expect(readPages(driver.store.tables, make(Item), [{}])).toEqual({ loaded: 0, next: undefined })
  })
})

function same<T>(endpoint: T): T {
  return endpoint
}

test.each([[{ data: [] }], [{ results: 'x' }], [{ results: null }], [{}]])(
  'PAG-1 page-shape a page without a list, such as %j, is refused and the list stays',
  (answer) => {
    const listed = make({ results: new Collection([Item]), total: 0 })
    load(listed, {}, { results: items(1, 2), total: 2 })
    const before = driver.read(listed, [{}]).data
    const run = (): void => load(listed.getPage, { page: 2 }, answer)
    expect(run).toThrow(expect.objectContaining({ code: 'page-shape' }))
    expect(run).toThrow(/The response of the page ".*" is .*\. It has no list where the schema has its Collection/)
    expect(driver.read(listed, [{}]).data).toBe(before)
    expect(readPages(driver.store.tables, listed, [{}]).loaded).toBe(0)
  },
)

describe('which responses end a list, and what they remove', () => {
  const byCursor = make(new Collection([Item]), { paginationField: 'cursor' })
  const shown = (): any[] => ids(driver, byCursor, {})!
  const read = (cursor: unknown, ...pks: number[]): void =>
    cursor === undefined ? load(byCursor, {}, items(...pks)) : load(byCursor.getPage, { cursor }, items(...pks))

  type Responses = [cursor: unknown, pks: number[]][]
  test.each<[string, Responses, number[]]>([
    [
      'a string cursor read again keeps the pages behind it',
      [
        [undefined, [1, 2]],
        ['x', [3, 4]],
        ['y', [5, 6]],
        ['x', [3, 4]],
      ],
      [1, 2, 3, 4, 5, 6],
    ],
    [
      'a string cursor that turns out empty removes its own items only',
      [
        [undefined, [1, 2]],
        ['x', [3, 4]],
        ['y', [5, 6]],
        ['x', []],
      ],
      [1, 2, 5, 6],
    ],
    [
      'an empty page that nothing is known to follow removes nothing',
      [
        [undefined, [1, 2, 3]],
        ['9', []],
        ['3', [4, 5, 6]],
        ['9', []],
      ],
      [1, 2, 3, 4, 5, 6],
    ],
    [
      'a page number that turns out empty removes its own items only',
      [
        [undefined, [1]],
        [2, [2]],
        [3, [3]],
        [4, [4]],
        [3, []],
      ],
      [1, 2, 4],
    ],
    [
      'a row that a page does not reach any more stays where another page has it',
      [
        [undefined, [1, 2, 3]],
        ['3', [4, 5, 6]],
        ['4', [5, 6, 7]],
        ['3', [8, 9, 4]],
      ],
      [1, 2, 3, 8, 9, 4, 5, 6, 7],
    ],
    [
      'descending cursors of one row each',
      [
        [undefined, [5]],
        [5, [4]],
        [4, [3]],
      ],
      [5, 4, 3],
    ],
    [
      'descending cursors down to the first row',
      [
        [undefined, [5]],
        [5, [4]],
        [4, [3]],
        [3, [2]],
        [2, [1]],
        [1, []],
      ],
      [5, 4, 3, 2, 1],
    ],
    [
      'a descending cursor whose row was deleted',
      [
        [undefined, [5]],
        [5, [4]],
        [4, [3]],
        [5, [3]],
        [4, [2]],
      ],
      [5, 3, 2],
    ],
    [
      'pages stand in the order in which they were first requested',
      [
        [undefined, [1]],
        [4, [4]],
        [2, [2]],
        [3, [3]],
        [2, [5]],
      ],
      [1, 4, 5, 3],
    ],
    [
      'cursors that are times, descending',
      [
        [undefined, [1]],
        [900, [2]],
        [700, [3]],
        [900, [2]],
        [700, []],
      ],
      [1, 2],
    ],
  ])('PAG-1 PAG-6 without getNextPage: %s', (_title, responses, expected) => {
    for (const [cursor, pks] of responses) {
      read(cursor, ...pks)
    }
    expect(shown()).toEqual(expected.map(String))
  })

  test.each<[string, Responses, unknown]>([
    [
      'the pages before it were loaded later',
      [
        [3, [3]],
        [2, [2]],
      ],
      4,
    ],
    [
      'the first page was fetched again as a page',
      [
        [2, [2]],
        [3, [3]],
        [1, [1]],
      ],
      4,
    ],
    [
      'the end was loaded before it',
      [
        [3, []],
        [2, [2]],
      ],
      undefined,
    ],
  ])('PAG-5 without getNextPage the next page is the first that is not loaded: %s', (_title, responses, next) => {
    read(undefined, 1)
    for (const [cursor, pks] of responses) {
      read(cursor, ...pks)
    }
    expect(pages(byCursor).next?.[0].cursor).toBe(next)
  })
})

describe('CTL-11 pages that are resolved without a request number', () => {
  let store: Store
  let calls: { url: string; answer: (value: unknown) => void }[]
  const later = getList.extend({
    fetchResponse: (url: string) =>
      new Promise((resolve) => calls.push({ url, answer: (value) => resolve(Response.json(value)) })),
  })
  const pageAt = (page: number): Promise<void> =>
    store.controller.resolve(later.getPage, {
      args: [{ page }],
      response: items(page * 2 - 1, page * 2),
      fetchedAt: store.controller.clock.now(),
    })
  const shown = (): any[] => show(store.controller.getResponse(later, {}).data)
  beforeEach(() => {
    calls = []
    store = createStore({ clock })
  })
  afterEach(() => store.stop())

  test('all join the list, also in one moment', async () => {
    await store.controller.resolve(later, { args: [{}], response: items(1, 2), fetchedAt: clock.now() })
    await pageAt(2)
    await pageAt(3)
    expect(shown()).toEqual(['1', '2', '3', '4', '5', '6'])
  })

  test('all join a list that was fetched', async () => {
    const fetched = store.controller.fetch(later, {})
    await vi.waitFor(() => expect(calls).toHaveLength(1))
    calls[0]!.answer(items(1, 2))
    await fetched
    await pageAt(2)
    clock.time += 1_000
    await pageAt(3)
    expect(shown()).toEqual(['1', '2', '3', '4', '5', '6'])
  })

  test('they settle neither the list nor another page in flight, but the page they are', async () => {
    const [base, two, three] = [
      store.controller.fetch(later, {}),
      store.controller.fetch(later.getPage, { page: 2 }),
      store.controller.fetch(later.getPage, { page: 3 }),
    ]
    await vi.waitFor(() => expect(calls).toHaveLength(3))
    await pageAt(3)
    await three
    expect(shown()).toEqual(['5', '6'])
    for (const [i, page] of [1, 2].entries()) {
      calls[i]!.answer(items(page * 2 - 1, page * 2))
    }
    await Promise.all([base, two])
    expect(shown()).toEqual(['1', '2', '3', '4', '5', '6'])
  })
})

describe('pages before the list', () => {
  const timeline = make(
    { items: new Collection([Item], { counts: ['total'] }), older: '', newer: '', total: 0 },
    {
      getNextPage: ({ older }: any) => older,
      getPreviousPage: ({ newer }: any) => newer,
    },
  )
  const page = (pks: number[], newer?: string, older?: string): object => ({
    items: items(...pks),
    newer,
    older,
    total: 9,
  })
  const before = previousPageEndpoint(timeline, [{}])
  const shown = (): any => show(driver.read(timeline, [{}]).data.items)
  const around = (): any => readPages(driver.store.tables, timeline, [{}])
  const fill = (): void => {
    load(timeline, {}, page([5, 6], 'n1', 'o1'))
    load(timeline.getPage, { page: 'o1' }, page([7, 8], undefined, 'o2'))
    load(before, { page: 'n1' }, page([3, 4], 'n2', 'back'))
    load(before, { page: 'n2' }, page([1, 2], undefined, 'back'))
  }

  test('PAG-9 stand in front of it, each before the last; what is beside the list comes from the last page', () => {
    load(timeline, {}, page([5, 6], 'n1', 'o1'))
    expect(around()).toMatchObject({ previous: [{ page: 'n1' }], next: [{ page: 'o1' }] })
    load(before, { page: 'n1' }, page([3, 4], 'n2', 'back'))
    expect(shown()).toEqual(['3', '4', '5', '6'])
    expect(around()).toMatchObject({ previous: [{ page: 'n2' }], next: [{ page: 'o1' }] })
    expect(driver.read(timeline, [{}]).expiresAt).toBeGreaterThan(STALE)
    load(timeline.getPage, { page: 'o1' }, page([7, 8], 'n9', 'o2'))
    load(before, { page: 'n2' }, page([1, 2], '', 'back'))
    expect(shown()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
    expect(around()).toMatchObject({ previous: undefined, next: [{ page: 'o2' }], loaded: 3 })
    expect(driver.read(timeline, [{}]).data).toMatchObject({ older: 'o2', total: 9 })
    // The same page once more replaces it.
    load(before, { page: 'n2' }, page([0, 1, 2], 'n3', 'back'))
    expect(shown()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8'])
  })

  test('PAG-9 a new response of the list alone keeps them, and leaves them in doubt', () => {
    fill()
    load(timeline, {}, page([4, 5], 'n1', 'o1'))
    expect(shown()).toEqual(['1', '2', '3', '4', '5', '7', '8'])
    expect(driver.read(timeline, [{}]).expiresAt).toBe(STALE)
    load(timeline, {}, page([20, 21], 'n1', 'o1'))
    expect(shown()).toEqual(['1', '2', '3', '4', '20', '21', '7', '8'])
    expect(driver.read(timeline, [{}]).expiresAt).toBe(STALE)
  })

  test('PAG-9 what is removed leaves them; unshift and push stand before and after all pages', () => {
    fill()
    driver.open(timeline.remove, [{ id: '3' }, {}]).answer({ id: '3' })
    driver.open(timeline.unshift, [{ id: 'a' }]).answer({ id: 'a' })
    driver.open(timeline.push, [{ id: 'z' }]).answer({ id: 'z' })
    expect(shown()).toEqual(['a', '1', '2', '4', '5', '6', '7', '8', 'z'])
  })

  test('PAG-9 ST-5 serialising keeps the previous page', () => {
    load(timeline, {}, page([5, 6], 'n1', 'o1'))
    const text = serializeState(driver.getState())
    driver = createDriver(clock)
    driver.restore(deserializeState(text))
    expect(around()).toMatchObject({ previous: [{ page: 'n1' }], next: [{ page: 'o1' }] })
    load(before, { page: 'n1' }, page([3, 4]))
    expect(shown()).toEqual(['3', '4', '5', '6'])
  })

  test.each<[string, boolean, object]>([
    ['up to the end', true, { id: '9', group: '' }],
    ['but for the end', false, { id: '9', group: '' }],
  ])(
    'PAG-7 PAG-1 an appended item that no response contains is gone after all pages were fetched again, %s',
    async (_, isAll, response) => {
      const served: Record<string, object> = {
        first: { items: items(1, 2), next: 'b' },
        b: { items: items(3, 4), next: isAll ? undefined : 'c' },
      }
      const linked = make(
        { items: new Collection([Item], { name: 'linked' }) },
        {
          path: '/linked',
          getNextPage: (value: any) => value.next,
          fetch: async (params: any = {}) => served[params.page ?? 'first'],
        },
      )
      const { controller } = createStore({ clock })
      const shownNow = (): string[] => show(controller.core.reads.read(linked, [{}]).data.items)
      await controller.fetch(linked, {})
      await controller.fetch(linked.getPage, { page: 'b' })
      asDriver(controller.core)
        .open(linked.push, [{ id: '9' }])
        .answer(response)
      expect(shownNow()).toEqual(['1', '2', '3', '4', '9'])
      await controller.fetch(linked, {})
      expect(shownNow()).toEqual(['1', '2', '3', '4'])
    },
  )

  test.each([
    [undefined, '12345678', [undefined, 'o1', 'n1', 'n2']],
    [3, '345678', [undefined, 'o1', 'n1']],
  ])('PAG-9 PAG-7 PAG-8 a refetch fetches them too (maxPages: %s)', async (maxPages, text, requests) => {
    const asked: unknown[] = []
    const served: Record<string, object> = {
      first: page([5, 6], 'n1', 'o1'),
      o1: page([7, 8], undefined, 'o2'),
      n1: page([3, 4], 'n2', 'back'),
      n2: page([1, 2], undefined, 'back'),
    }
    const endpoint = timeline.extend({
      maxPages,
      fetch: async (params: any = {}) => (asked.push(params.page), served[params.page ?? 'first']),
    })
    const { controller } = createStore({ clock })
    const previous = previousPageEndpoint(endpoint, [{}])
    await controller.fetch(endpoint, {})
    await controller.fetch(endpoint.getPage, { page: 'o1' })
    await controller.fetch(previous, { page: 'n1' })
    await controller.fetch(previous, { page: 'n2' })
    asked.length = 0
    await controller.fetch(endpoint, {})
    expect(asked).toEqual(requests)
    expect(show(controller.core.reads.read(endpoint, [{}]).data.items).join('')).toBe(text)
  })
})
