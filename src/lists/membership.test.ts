import { describe, expect, test, vi } from 'vitest'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { filterText, meaningOf, withParams } from './arguments.ts'
import { learn } from './learn.ts'
import { belongs, isSurelyOut } from './membership.ts'
import { gapIn, movedIn, placeIn } from './place.ts'
import type { List } from './List.ts'
import type { Fields } from '../rows/Fields.ts'

class Todo extends Entity {
  id = ''
  group = ''
  static override key = 'Todo'
}
const plain = new Collection([Todo])
const listOf = (keyArgs: Record<string, any>, more: Partial<List> = {}): List => ({
  keyArgs,
  name: undefined,
  path: '/todos',
  collection: plain,
  isMap: false,
  pages: [],
  tail: [],
  ...more,
})

describe('whether a record belongs to a list', () => {
  test.each<[string, Record<string, any>, object, object | undefined, Partial<List>, string]>([
    ['there are no arguments', {}, { group: 'x' }, undefined, {}, 'in'],
    ['the field is equal', { group: 'x' }, { group: 'x' }, undefined, {}, 'in'],
    ['the field differs', { group: 'x' }, { group: 'y' }, undefined, {}, 'out'],
    ['the record lacks the field', { group: 'x' }, {}, undefined, {}, 'unknown-argument'],
    ['the request has the field that the record lacks', { group: 'x' }, {}, { group: 'x' }, {}, 'in'],
    ['the request has it with another value', { group: 'x' }, {}, { group: 'y' }, {}, 'out'],
    ['the field counts before the request', { group: 'x' }, { group: 'x' }, { group: 'y' }, {}, 'in'],
    ['values are compared as text', { group: '5' }, { group: 5 }, undefined, {}, 'in'],
    ['true is text, too', { done: 'true' }, { done: true }, undefined, {}, 'in'],
    ['null is a value', { group: null }, { group: null }, undefined, {}, 'in'],
    ['null is not its text', { group: 'null' }, { group: null }, undefined, {}, 'out'],
    ['null is not missing', { group: 'x' }, { group: null }, { group: 'x' }, {}, 'out'],
    ['objects are compared by their content', { at: { a: 1, b: 2 } }, { at: { b: 2, a: 1 } }, undefined, {}, 'in'],
    ['one of two differs', { group: 'x', done: 'true' }, { group: 'x', done: false }, undefined, {}, 'out'],
    ['one is missing and another differs', { q: 'a', group: 'x' }, { group: 'y' }, undefined, {}, 'out'],
    ['an argument that sorts or cuts is no filter', { sort: 'a', page: 2 }, { group: 'x' }, undefined, {}, 'in'],
    [
      'an argument is no filter of this list',
      { group: 'x' },
      { group: 'y' },
      undefined,
      { loose: ['group'] },
      'unknown-argument',
    ],
    ['the list has a name', {}, {}, undefined, { name: 'mine' }, 'unknown-argument'],
    [
      'the Collection is not known',
      { group: 'x', limit: 5 },
      { group: 'x' },
      undefined,
      { collection: undefined },
      'in',
    ],
    ['a name of Object is no field', { constructor: 'x' }, {}, undefined, {}, 'unknown-argument'],
  ])('COL-40 where %s', (_name, keyArgs, fields, params, more, expected) => {
    expect(belongs(listOf(keyArgs, more), withParams(fields as Fields, params), false)).toBe(expected)
  })

  test('COL-8 a named list is judged where the schema names it', () => {
    expect(belongs(listOf({ group: 'x' }, { name: 'mine' }), { group: 'x' }, true)).toBe('in')
    expect(belongs(listOf({ group: 'x' }, { name: 'mine' }), { group: 'y' }, true)).toBe('out')
  })

  test('COL-26 a filter of the app decides; if it throws, nobody knows', () => {
    const create = vi.fn(
      (params: any) =>
        ({ group, isBad }: Record<string, any>): boolean =>
          isBad ? (undefined as any).x : group === `${params.group}!`,
    )
    const collection = new Collection([Todo], { createCollectionFilter: create as never })
    const known = withParams({ id: '1', group: 'x' }, { group: 'y', page: 2 })
    const fit = (keyArgs: object): string => belongs(listOf(keyArgs, { collection }), known, false)
    expect([fit({ group: 'x!' }), fit({ group: 'x' }), fit({ isBad: true })]).toEqual(['in', 'out', 'unknown-argument'])
    expect(create.mock.calls[0]![0]).toEqual({ id: '1', group: 'x', page: 2 })
  })

  test('COL-27 the Collection says which arguments do not filter', () => {
    const collection = new Collection([Todo], { nonFilterArgumentKeys: /^x/ })
    const filterArgs = (list: List): string[] => meaningOf(list).filters.map(([name]) => name)
    expect(filterArgs(listOf({ xa: 1, page: 2, group: 'x' }, { collection }))).toEqual(['page', 'group'])
    expect(filterArgs(listOf({ xa: 1, page: 2, group: 'x' }))).toEqual(['xa', 'group'])
    expect(filterArgs(listOf({ xa: 1, perPage: 2 }, { collection: undefined }))).toEqual(['xa'])
  })
})

test.each<[unknown, unknown, boolean]>([
  ['1', 1, true],
  [true, 'true', true],
  [undefined, 'undefined', true],
  [null, 'null', false],
  [null, null, true],
  [['a'], ['a'], true],
  [['a'], 'a', false],
  [new Date(0), new Date(0), true],
  [Number.NaN, 'NaN', true],
])('COL-40 %o and %o are the same argument: %s', (a, b, isSame) => {
  expect(filterText(a) === filterText(b)).toBe(isSame)
})

describe('what the items tell of the arguments', () => {
  test.each<[string, object, object[], string[] | undefined, string[] | undefined]>([
    ['all have the value', { group: 'x' }, [{ group: 'x' }, { group: 'x' }], undefined, undefined],
    ['one has another', { group: 'x' }, [{ group: 'x' }, { group: 'y' }], undefined, ['group']],
    ['it is a search', { title: 'a' }, [{ title: 'abc' }], undefined, ['title']],
    ['none has the field', { q: 'a' }, [{ title: 'abc' }], undefined, undefined],
    ['one has the field', { q: 'a' }, [{}, { q: 'a' }], undefined, undefined],
    ['there are no items', { group: 'x' }, [], undefined, undefined],
    ['there are no items, and it was known', { group: 'x' }, [], ['group'], ['group']],
    ['it was known, and is a field now', { group: 'x' }, [{ group: 'x' }], ['group'], undefined],
    ['it sorts', { sort: 'x' }, [{ sort: 'y' }], undefined, undefined],
    ['two arguments', { a: 1, b: 1 }, [{ a: 1, b: 2 }], undefined, ['b']],
  ])('COL-41 %s', (_name, keyArgs, items, before, loose) => {
    expect(learn(listOf(keyArgs, { loose: before }), items).loose).toEqual(loose)
  })

  test('COL-26 COL-41 nothing is learned where the app filters itself', () => {
    const collection = new Collection([Todo], { createCollectionFilter: () => () => true })
    expect(learn(listOf({ group: 'x' }, { collection, loose: ['group'] }), [{ group: 'y' }]).loose).toBeUndefined()
  })
})

test.each<[string, string[], object, boolean]>([
  ['nothing is known of the argument', [], { status: 'open' }, false],
  ['it is a field', ['status'], { status: 'open' }, true],
  ['it is a field, with this very value', ['status'], { status: 'all' }, false],
  ['it may be another name of a number', ['status'], { status: 17 }, false],
])('COL-46 whether an empty list of ?status=all tells that a record is out: %s', (_name, proven, fields, expected) => {
  expect(isSurelyOut(listOf({ status: 'all' }), fields as Fields, new Set(proven))).toBe(expected)
})

describe('the place in a list', () => {
  test.each<[object, boolean]>([
    [{}, false],
    [{ group: 'x' }, false],
    [{ sort: 'title' }, true],
    [{ orderBy: 'title' }, true],
    [{ _sort: 'title' }, true],
    [{ page: 2 }, true],
    [{ limit: 5, group: 'x' }, true],
    [{ per_page: 5 }, true],
    [{ perPage: 5 }, true],
    [{ $limit: 5 }, true],
    [{ _expand: 'author', fields: 'id' }, false],
    [{ offset: 5 }, true],
    [{ cursor: 'x' }, true],
    // Whole names only.
    [{ assorted: 'x', homepage: 'y', sortField: 'title', pageNumber: 2 }, false],
  ])('COL-42 %j sorts the list or cuts a part out of it: %s', (keyArgs, placed) => {
    expect(placeIn(listOf(keyArgs)) !== undefined).toBe(placed)
  })

  test('COL-42 not where the app declares which arguments do not filter, or the order', () => {
    const declared = new Collection([Todo], { nonFilterArgumentKeys: /^(sort|page)/ })
    expect(placeIn(listOf({ sort: 'a', page: 2 }, { collection: declared }))).toBeUndefined()
    const collection: any = Object.assign(new Collection([Todo]), { orderOf: () => 0 })
    expect(placeIn(listOf({ sort: 'a' }, { collection }))).toBeUndefined()
    expect(movedIn(listOf({ page: 2 }, { collection }), undefined, {})).toBeUndefined()
  })

  const before = { title: 'a', createdAt: 1, rank: 5, description: 'd' }
  test.each<[string, object, Partial<typeof before>, boolean]>([
    ['the field', { sort: 'title' }, { title: 'b' }, true],
    ['another field', { sort: 'title' }, { rank: 6 }, false],
    ['descending', { sort: '-title' }, { title: 'b' }, true],
    ['descending, another field', { sort: '-title' }, { rank: 6 }, false],
    ['in snake case', { sort: '-created_at' }, { createdAt: 2 }, true],
    ['in snake case, another field', { sort: '-created_at' }, { title: 'b' }, false],
    ['with a direction', { order: 'title desc' }, { rank: 6 }, false],
    ['with a direction, behind a colon', { sort: 'title:asc' }, { title: 'b' }, true],
    ['a field that begins with a direction', { sort: 'description' }, { description: 'e' }, true],
    ['two fields', { sort: 'title,rank' }, { rank: 6 }, true],
    ['two fields, another one', { sort: 'title,rank' }, { createdAt: 2 }, false],
    ['two arguments', { sort: 'title', order: 'asc' }, { rank: 6 }, false],
    ['no field of the record', { sort: 'popular' }, { title: 'b' }, true],
    ['nothing but a direction', { order: 'desc' }, { title: 'b' }, true],
    ['not at all', { group: 'x' }, { title: 'b' }, false],
    ['as the server likes, in parts', { page: 2 }, { title: 'b' }, true],
  ])('COL-42 a list that is sorted by %s', (_name, keyArgs, change, isMoved) => {
    expect(movedIn(listOf(keyArgs), before, { ...before, ...change }) !== undefined).toBe(isMoved)
  })

  test('COL-42 a record that was not known may stand anywhere', () => {
    expect(movedIn(listOf({ sort: 'title' }), undefined, before)).toBe('sorted')
    expect(movedIn(listOf({ group: 'x' }), undefined, before)).toBeUndefined()
  })

  test.each<[string, object, Partial<List>, object | undefined, boolean]>([
    ['no argument', {}, {}, {}, false],
    ['a page', { page: 2 }, {}, {}, true],
    ['a field of the record', { group: 'x' }, {}, { group: 'x' }, false],
    ['a field that the record lacks', { q: 'x' }, {}, { group: 'x' }, true],
    ['a field that is no filter here', { group: 'x' }, { loose: ['group'] }, { group: 'x' }, true],
    ['a record of which nothing is known', { group: 'x' }, {}, undefined, true],
    ['an order', { sort: 'x' }, {}, {}, false],
    [
      'a filter of the app',
      { q: 'x' },
      { collection: new Collection([Todo], { createCollectionFilter: () => () => true }) },
      {},
      false,
    ],
  ])(
    'COL-46 whether another item may take the place of one that leaves: %s',
    (_name, keyArgs, more, fields, isPart) => {
      expect(gapIn(listOf(keyArgs, more), fields as Fields | undefined) !== undefined).toBe(isPart)
    },
  )
})
