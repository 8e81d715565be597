import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { createDriver, type Driver } from '../controller/driver.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { append, Collection, unshift } from '../schema/Collection.ts'
import { Entity } from '../schema/Entity.ts'
import { Invalidate } from '../schema/Invalidate.ts'
import { type Meta, STALE } from '../schema/Schema.ts'
import { Values } from '../schema/Values.ts'
import { endpoint } from '../testing/endpoints.ts'
import type { ListEntry, ListState } from './ListState.ts'
import { place, placeAll, unique } from './listItems.ts'
import { changeList, compactList, content, listOf } from './lists.ts'
import { replaceBase } from './replaceBase.ts'

class Item extends Entity {
  id = 0
  group = ''
  static override key = 'Item'
}
const items = new Collection([Item])

const getItems = endpoint('items', items)
/** Lists that only their own adders and movers change. */
const fixed = new Collection([Item], { autoUpdate: false })
const getFixed = endpoint('items', fixed)
/** Without a body, so that records have only the fields of the response. */
const change = (name: 'push' | 'unshift' | 'remove' | 'move'): any =>
  endpoint(name, fixed[name], { sideEffect: true, body: undefined })
const mutation = (name: 'push' | 'unshift' | 'remove' | 'move'): any =>
  endpoint(name, items[name], { sideEffect: true })

describe('place', () => {
  test.each<[string, unknown, unknown, any, unknown]>([
    ['appends', ['1'], ['2', '3'], append, ['1', '2', '3']],
    ['appends once', ['1'], ['2', '1', '2'], append, ['1', '2']],
    ['prepends', ['1'], ['2', '3'], unshift, ['2', '3', '1']],
    ['brings to the front', ['1', '2'], ['2'], unshift, ['2', '1']],
    ['takes out', ['1', '2', '3'], ['3', '1'], undefined, ['2']],
    [
      'distinguishes members of unions',
      [{ id: '1', schema: 'a' }],
      [{ id: '1', schema: 'b' }],
      append,
      [
        { id: '1', schema: 'a' },
        { id: '1', schema: 'b' },
      ],
    ],
    [
      'removes by member',
      [
        { id: '1', schema: 'a' },
        { id: '1', schema: 'b' },
      ],
      [{ id: '1', schema: 'b' }],
      undefined,
      [{ id: '1', schema: 'a' }],
    ],
    ['sets entries', { a: '1' }, { b: '2', a: '3' }, (a: object, b: object) => ({ ...a, ...b }), { a: '3', b: '2' }],
    ['names entries by pk', { 1: '1' }, ['2'], append, { 1: '1', 2: '2' }],
    ['takes entries out by item', { a: '1', b: '2' }, { z: '1' }, undefined, { b: '2' }],
    ['names of objects are ordinary', { a: '1' }, JSON.parse('{"__proto__":"2"}'), undefined, { a: '1' }],
  ])('COL-17 COL-20 COL-28 COL-33 %s', (_, existing, given, merge, expected) => {
    expect(place(existing, { items: given, merge })).toEqual(expected)
  })

  test.each<[unknown, unknown, any]>([
    [['1', '2'], ['2'], append],
    [['2', '1'], ['2'], unshift],
    [['1'], ['2'], undefined],
    [{ a: '1' }, { a: '1' }, (a: object, b: object) => ({ ...a, ...b })],
    [{ a: '1' }, ['2'], undefined],
  ])('COL-12 %j keeps its reference where nothing changes', (existing, given, merge) => {
    expect(place(existing, { items: given, merge })).toBe(existing)
  })

  test('COL-17 COL-18 COL-20 COL-28 many changes at once make what they make one by one', () => {
    const pk = fc.constantFrom('1', '2', '3', '4', '5', '6', '7')
    const item = fc.oneof(pk, fc.record({ id: pk, schema: fc.constantFrom('a', 'b') }))
    const entry = fc.record({
      items: fc.array(item, { maxLength: 4 }),
      merge: fc.constantFrom(append, unshift, undefined, (a: any[], b: any[]) => [...b, ...a, ...b]),
    })
    const naive = (list: any[], { items: given, merge }: { items: any[]; merge: any }): any[] => {
      const keys = new Set(given.map((one) => JSON.stringify(one)))
      return merge === undefined
        ? list.filter((one) => !keys.has(JSON.stringify(one)))
        : unique(merge(list, given) as unknown[])
    }
    fc.assert(
      fc.property(fc.array(item), fc.array(entry, { maxLength: 8 }), (given, entries) => {
        const base = unique(given)
        const expected = entries.reduce(naive, base as any[])
        const list = placeAll(base, entries)
        expect(list).toEqual(expected)
        if (JSON.stringify(expected) === JSON.stringify(base)) {
          expect(list).toBe(base)
        }
      }),
    )
  })

  test('COL-28 no list holds an item twice, whatever is done', () => {
    const pk = fc.constantFrom('1', '2', '3', '4', '5')
    const entry = fc.record({
      items: fc.array(pk, { maxLength: 4 }),
      merge: fc.constantFrom(append, unshift, undefined, (a: any[], b: any[]) => [...b, ...a, ...b]),
    })
    fc.assert(
      fc.property(fc.array(pk), fc.array(entry, { maxLength: 8 }), (base, entries) => {
        const list = entries.reduce((value, one) => place(value, one) as string[], unique(base) as string[])
        expect(new Set(list).size).toBe(list.length)
      }),
    )
  })
})

describe('the log of a list', () => {
  const meta = (sent: number, order: number): Meta => ({ sent, order, fetchedAt: 0, date: 0, expiresAt: 0 })
  const empty: ListState = {
    keyArgs: {},
    name: undefined,
    isMap: false,
    path: undefined,
    keys: [],
    base: [],
    baseMeta: meta(1, 1),
    compacted: 0,
    log: [],
  }
  const entries = fc
    .array(
      fc.record({
        items: fc.array(fc.constantFrom('1', '2', '3'), { minLength: 1, maxLength: 2 }),
        merge: fc.constantFrom(append, unshift, undefined),
      }),
      { maxLength: 8 },
    )
    .map((all) => all.map((one, i): ListEntry => ({ ...one, meta: meta(10 * i + 10, 10 * i + 15) })))

  test('COL-39 compaction changes no reading, wherever it cuts', () => {
    fc.assert(
      fc.property(entries, fc.nat(100), fc.array(fc.nat(100)), (log, first, cuts) => {
        const value: unknown = content({ ...empty, log })
        let list: ListState = { ...empty, log }
        for (const horizon of [first, ...cuts].sort((a, b) => a - b)) {
          list = compactList(list, horizon)
          expect(content(list)).toEqual(value)
          expect(list.log.every((entry) => entry.meta.order >= horizon)).toBe(true)
        }
        expect(compactList(list, Infinity).log).toHaveLength(0)
      }),
    )
  })

  test('COL-11 COL-39 a change gives the same whether it is folded at once or remembered', () => {
    fc.assert(
      fc.property(entries, fc.nat(100), (log, horizon) => {
        let folded = { list: empty, value: [] as unknown }
        let kept = { list: empty, value: [] as unknown }
        for (const entry of log) {
          folded = changeList(folded.list, folded.value, entry, horizon)
          kept = changeList(kept.list, kept.value, entry, 0)
          expect(folded.value).toEqual(kept.value)
        }
        expect(kept.value).toEqual(content({ ...empty, log }))
      }),
    )
  })

  test('COL-11 a response keeps newer changes and drops the rest', () => {
    const log: ListEntry[] = [5, 10, 15].map((order) => ({
      meta: meta(order - 1, order),
      items: [`${order}`],
      merge: append,
    }))
    const response = (at: number): ListState => ({ ...empty, base: ['1'], baseMeta: meta(at, at), log })
    expect(replaceBase(response(9))).toMatchObject({ value: ['1', '10', '15'], stale: true })
    expect(replaceBase(response(20))).toMatchObject({ value: ['1'], stale: false })
  })

  test.each<[string, any, any, any, any, unknown]>([
    ['a list', ['1'], [['2'], append], [['2'], undefined], ['1'], ['1']],
    ['a list', ['1', '2'], [['2'], undefined], [['2'], append], ['1', '2'], ['1', '2']],
    [
      'a map',
      { a: '1' },
      [{ b: '2' }, Object.assign],
      [{ b: '3' }, (a: object, b: object) => ({ ...a, ...b })],
      { a: '1', b: '3' },
      { a: '1', b: '3' },
    ],
  ])(
    'ST-18 COL-11 of two changes of %s about one item the one sent later has the last word',
    (_, base, first, second, after, expected) => {
      // `second` was sent later and is received first.
      const later = changeList({ ...empty, base }, base, { meta: meta(3, 4), items: second[0], merge: second[1] }, 2)
      expect(later.value).toEqual(after)
      const late = changeList(later.list, later.value, { meta: meta(2, 5), items: first[0], merge: first[1] }, Infinity)
      expect(late).toMatchObject({ value: expected, stale: true })
    },
  )

  test('COL-11 changes about different items do not cross', () => {
    const later = changeList(empty, [], { meta: meta(3, 4), items: ['2'], merge: append }, 2)
    const late = changeList(later.list, later.value, { meta: meta(2, 5), items: ['1'], merge: append }, Infinity)
    expect(late).toMatchObject({ value: ['2', '1'], stale: false })
  })

  test.each<[string, string, unknown, unknown]>([
    ['[Item]', '{"group":"a"}', [], { keyArgs: { group: 'a' }, name: undefined, isMap: false }],
    ['[Item]', 'n {}', [], { keyArgs: {}, name: 'n', isMap: false }],
    ['{Item}', '{}', {}, { keyArgs: {}, name: undefined, isMap: true }],
    ['Item', '{}', {}, undefined],
    ['[Item]', 'broken', [], undefined],
    ['[Item]', '{}', undefined, undefined],
  ])('COL-1 COL-2 a list is known by its table %s and its pk %s', (table, pk, value, expected) => {
    const found = listOf(table, pk, value, meta(0, 0))
    if (expected === undefined) {
      expect(found).toBeUndefined()
    } else {
      expect(found).toMatchObject(expected as object)
    }
  })
})

describe('crossing writes', () => {
  const ids = (driver: Driver): unknown => driver.read(getItems, [{}]).data.map((item: Item) => item.id)

  test.each<[string, 'push' | 'remove', 'push' | 'remove', number[]]>([
    ['added, then removed', 'push', 'remove', [1]],
    ['removed, then added', 'remove', 'push', [1, 2]],
  ])('ST-18 COL-11 %s, received the other way round', (_, first, second, expected) => {
    const driver = createDriver()
    driver.open(getItems, [{}]).answer(first === 'push' ? [{ id: 1 }] : [{ id: 1 }, { id: 2 }])
    const one = driver.open(mutation(first), [{ n: 1 }])
    const other = driver.open(mutation(second), [{ n: 2 }])
    other.answer({ id: 2 })
    expect(ids(driver)).toEqual(expected)
    one.answer({ id: 2 })
    expect(ids(driver)).toEqual(expected)
    expect(driver.read(getItems, [{}]).expiresAt).toBe(1)
  })

  test('COL-21 of two moves the one sent later stands, whatever the order of responses', () => {
    const driver = createDriver()
    for (const group of ['a', 'b', 'c']) {
      driver.open(getItems, [{ group }]).answer(group === 'a' ? [{ id: 1, group }] : [])
    }
    const toB = driver.open(mutation('move'), [{ id: 1 }, { group: 'b' }])
    const toC = driver.open(mutation('move'), [{ id: 1 }, { group: 'c' }])
    toC.answer({ id: 1, group: 'c' })
    toB.answer({ id: 1, group: 'b' })
    const shown = ['a', 'b', 'c'].map((group) => driver.read(items, [{ group }]).data.length)
    expect(shown).toEqual([0, 0, 1])
    expect(driver.read(Item, [1]).data.group).toBe('c')
  })

  test('COL-11 a list that was not there when its item was removed or moved away does not bring it', () => {
    const driver = createDriver()
    driver.open(endpoint('item', Item), [1]).answer({ id: 1, group: 'a' })
    const a = driver.open(getItems, [{ group: 'a' }])
    const b = driver.open(getItems, [{ group: 'b' }])
    const all = driver.open(getItems, [{}])
    driver.open(mutation('move'), [{ id: 1 }, { group: 'b' }]).answer({ id: 1, group: 'b' })
    driver.open(mutation('remove'), [{ any: 1 }]).answer({ id: 5 })
    driver.open(mutation('unshift'), [{ group: 'b' }]).answer([{ id: 7 }, { id: 8 }])
    a.answer([{ id: 1 }, { id: 2 }])
    b.answer([{ id: 3 }])
    all.answer([{ id: 5 }, { id: 1 }])
    const shown = (args: object): unknown => driver.read(getItems, [args]).data.map((item: Item) => item.id)
    expect([shown({ group: 'a' }), shown({ group: 'b' }), shown({})]).toEqual([[2], [7, 8, 3, 1], [7, 8, 1]])
    for (const args of [{ group: 'a' }, { group: 'b' }, {}]) {
      expect(driver.read(getItems, [args]).expiresAt).toBe(1)
    }
    expect(driver.store.tables.recentWrites).toHaveLength(0)
  })

  describe('a page that was requested before a record was updated', () => {
    const paged: any = new RestEndpoint({ path: '/items', schema: items, paginationField: 'page' } as never)
    const update = endpoint('update', Item, { sideEffect: true })
    const load = (id: number, group: string, isRefetched = false): [number[], number] => {
      const driver = createDriver()
      driver.open(paged, [{ group: 'a' }]).answer([{ id: 1, group: 'a' }])
      const page = driver.open(paged.getPage, [{ group: 'a', page: 2 }])
      driver.open(update, [{ id }]).answer({ id, group })
      if (isRefetched) {
        driver.open(paged, [{ group: 'a' }]).answer([{ id: 1, group: 'a' }])
      }
      page.answer([2, 3].map((one) => ({ id: one, group: 'a' })))
      const { data, expiresAt } = driver.read(paged, [{ group: 'a' }])
      return [data.map((item: Item) => item.id), expiresAt]
    }

    test.each([
      ['', false],
      [', also if the list itself was refetched since', true],
    ])('COL-11 COL-40 does not bring it back to a list that it no longer belongs to%s', (_, isRefetched) => {
      expect(load(2, 'b', isRefetched)).toEqual([[1, 3], STALE])
    })

    test('COL-11 stays fresh if the record is on another page', () => {
      const [shown, expiresAt] = load(1, 'a')
      expect(shown).toEqual([1, 2, 3])
      expect(expiresAt).toBeGreaterThan(STALE)
    })
  })

  test('COL-11 COL-39 a write is kept only while a request is open that may have missed it', () => {
    const driver = createDriver()
    const read = driver.open(getItems, [{ group: 'a' }])
    driver.open(mutation('remove'), [{ any: 1 }]).answer({ id: 5 })
    expect(driver.store.tables.recentWrites).not.toHaveLength(0)
    read.drop()
    expect(driver.store.tables.recentWrites).toHaveLength(0)
  })

  test('COL-11 the same for maps', () => {
    const map = new Collection(new Values(Item))
    const driver = createDriver()
    const request = driver.open(endpoint('map', map), [{}])
    driver.open(endpoint('assign', map.assign, { sideEffect: true }), [{}]).answer({ b: { id: 2 }, c: { id: 3 } })
    driver.open(endpoint('remove', map.remove, { sideEffect: true }), [{}]).answer({ any: { id: 3 } })
    request.answer({ a: { id: 1 }, c: { id: 3 } })
    expect(Object.keys(driver.read(map, [{}]).data)).toEqual(['a', 'b'])
  })

  test('ST-10 a reset forgets what was remembered for lists on their way', () => {
    const driver = createDriver()
    const before = driver.open(getItems, [{}])
    driver.open(mutation('push'), [{}]).answer({ id: 1 })
    driver.reset()
    before.answer([{ id: 2 }])
    expect(driver.read(getItems, [{}]).data).toBeUndefined()
    driver.open(getItems, [{}]).answer([{ id: 3 }])
    expect(ids(driver)).toEqual([3])
  })
})

describe('membership', () => {
  const lists = [{}, { group: 'a' }, { group: 'b' }, { group: 'a', orderBy: 'x' }] as const
  const id = fc.integer({ min: 1, max: 6 })
  const group = fc.constantFrom('a', 'b', undefined)
  const step = fc.record({
    kind: fc.constantFrom('push', 'unshift', 'remove', 'move'),
    id,
    arg: group,
    body: group,
    field: group,
  } as const)

  /** Lists as plain arrays, changed by the words of the specification. */
  class Model {
    readonly rows = new Map<number, { id: number; group?: string }>()
    readonly lists: number[][] = lists.map(() => [])

    apply({
      kind,
      id,
      arg,
      body,
      field,
    }: {
      kind: string
      id: number
      arg?: string | undefined
      body?: string | undefined
      field?: string | undefined
    }): void {
      const old = this.rows.get(id)
      const next = { ...old, id, ...(field !== undefined && { group: field }) }
      this.rows.set(id, next)
      for (const [i, key] of lists.entries()) {
        const wanted = 'group' in key ? key.group : undefined
        const by = (own: string | undefined): boolean => {
          if (wanted === undefined) {
            return true
          }
          return arg === undefined && body === undefined ? own === wanted : arg === wanted || body === wanted
        }
        const list = this.lists[i]!
        const without = list.filter((one) => one !== id)
        if (kind === 'push' && by(next.group) && !list.includes(id)) {
          list.push(id)
        }
        if (kind === 'unshift' && by(next.group)) {
          this.lists[i] = [id, ...without]
        }
        if (kind === 'remove' && by((old ?? next).group)) {
          this.lists[i] = without
        }
        if (kind !== 'move') {
          continue
        }
        const was = old !== undefined && (wanted === undefined || (old.group ?? arg) === wanted)
        const is = wanted === undefined || (field ?? body ?? old?.group ?? arg) === wanted
        if (was && !is) {
          this.lists[i] = without
        }
        if (is && !was && !list.includes(id)) {
          list.push(id)
        }
      }
    }
  }

  test('COL-13 COL-16 COL-21 COL-28 lists equal plain arrays that a naive model filters', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.boolean(), (steps, crossing) => {
        const driver = createDriver()
        for (const args of lists) {
          driver.open(getFixed, [args]).answer([])
        }
        // While a request is open the changes are remembered; the readings are the same.
        if (crossing) {
          driver.open(endpoint('elsewhere', undefined), [])
        }
        const model = new Model()
        for (const { kind, id, arg, body, field } of steps) {
          model.apply({ kind, id, arg, body, field })
          const answer = { id, ...(field !== undefined && { group: field }) }
          driver.open(change(kind), [{ group: arg }, { group: body }]).answer(answer)
          const shown = lists.map((args) => driver.read(items, [args]).data.map((item: Item) => item.id))
          expect(shown).toEqual(model.lists)
        }
      }),
      {
        numRuns: 1 + cases(600),
        // A record without the field leaves no list by a move.
        examples: [
          [
            [
              { kind: 'push', id: 1, arg: 'b', body: 'a', field: undefined },
              { kind: 'move', id: 1, arg: undefined, body: 'a', field: 'a' },
            ],
            false,
          ],
        ],
      },
    )
  })

  const kinds = fc.constantFrom('move', 'push', 'unshift', 'patch', 'set', 'delete')
  const write = fc.record({ kind: kinds, id, group: fc.constantFrom('a', 'b') })
  const patch = endpoint('patch', Item, { sideEffect: true })
  const remove = endpoint('delete', new Invalidate(Item), { sideEffect: true })

  test('COL-21 COL-40 whatever writes them, each list is the records of its group', () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 30 }), (steps) => {
        const driver = createDriver()
        for (const args of lists) {
          driver.open(getItems, [args]).answer([])
        }
        const rows = new Map<number, string>()
        for (const { kind, id, group } of steps) {
          const isKnown = rows.has(id)
          if (kind === 'delete') {
            rows.delete(id)
            driver.open(remove, [{ id }]).answer(id)
          } else if (isKnown && kind === 'patch') {
            driver.open(patch, [{ id }, { group }]).answer({ id, group })
          } else if (isKnown && kind === 'set') {
            driver.set(Item, [{ id }], { id, group })
          } else {
            const name = kind === 'unshift' || (isKnown && kind === 'move') ? kind : 'push'
            driver.open(mutation(name), name === 'move' ? [{ id }, { group }] : [{ group }]).answer({ id, group })
          }
          if (kind !== 'delete') {
            rows.set(id, group)
          }
          for (const args of lists) {
            const wanted = [...rows].filter(([, own]) => !('group' in args) || args.group === own).map(([one]) => one)
            const shown: number[] = driver.read(items, [args]).data.map((item: Item) => item.id)
            expect(shown.toSorted()).toEqual(wanted.toSorted())
          }
        }
      }),
    )
  })

  const event = fc.oneof(
    fc.record({ do: fc.constant('ask'), list: fc.nat(3) } as const),
    fc.record({ do: fc.constant('answer'), which: fc.nat(9), items: fc.uniqueArray(id, { maxLength: 4 }) } as const),
    fc.record({
      do: fc.constantFrom('push', 'unshift', 'remove'),
      id,
      group: fc.constantFrom('a', 'b', undefined),
    } as const),
    fc.record({ do: fc.constant('delete'), id } as const),
  )

  test('COL-10 COL-11 COL-39 a list is its newest response and every newer change, however they cross', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const driver = createDriver()
        const open: { list: number; sent: number; answer(ids: number[]): void }[] = []
        const newest: ({ sent: number; ids: number[] } | undefined)[] = lists.map(() => undefined)
        const changes: { kind: string; id: number; at: number; group: string | undefined }[] = []
        const deleted = new Map<number, number>()
        let now = 0
        for (const one of events) {
          now++
          if (one.do === 'ask') {
            const request = driver.open(getFixed, [lists[one.list]!])
            open.push({ list: one.list, sent: now, answer: (ids) => request.answer(ids.map((id) => ({ id }))) })
          } else if (one.do === 'answer') {
            const [request] = open.splice(one.which % (open.length || 1), 1)
            if (request === undefined) {
              continue
            }
            const { list, sent } = request
            request.answer(one.items)
            if ((newest[list]?.sent ?? 0) <= sent) {
              newest[list] = { sent, ids: one.items }
            }
            for (const id of one.items) {
              if ((deleted.get(id) ?? 0) < sent) {
                deleted.delete(id)
              }
            }
          } else if (one.do === 'delete') {
            deleted.set(one.id, now)
            driver.open(endpoint('delete', new Invalidate(Item), { sideEffect: true }), [one.id]).answer(one.id)
          } else {
            if (one.do !== 'remove') {
              deleted.delete(one.id)
            }
            if (one.do === 'remove' && deleted.has(one.id)) {
              continue
            }
            changes.push({ kind: one.do, id: one.id, at: now, group: one.group })
            driver.open(change(one.do), [{ group: one.group }]).answer({ id: one.id })
          }
          const shown = lists.map((args) => driver.read(items, [args]).data?.map((item: Item) => item.id))
          const expected = newest.map((answer, i) => {
            if (answer === undefined) {
              return undefined
            }
            const key = lists[i]!
            const list = [...answer.ids]
            const takeOut = (id: number): unknown => list.includes(id) && list.splice(list.indexOf(id), 1)
            for (const { kind, id, at, group } of changes) {
              if (at < answer.sent || ('group' in key && key.group !== group)) {
                continue
              }
              if (kind === 'push' && !list.includes(id)) {
                list.push(id)
              }
              if (kind !== 'push') {
                takeOut(id)
              }
              if (kind === 'unshift') {
                list.unshift(id)
              }
            }
            return list.filter((id) => !deleted.has(id))
          })
          expect(shown).toEqual(expected)
        }
      }),
      { numRuns: cases(800) },
    )
  })
})
