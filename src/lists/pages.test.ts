import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { append, unshift } from '../schema/merges.ts'
import { contains, keepEqual, applyEdits, takeOut, unique } from './items.ts'
import type { Edit, List, ListPage } from './List.ts'
import { mergePage } from './mergePage.ts'
import { areCounted, editList, FIRST, itemsOf, lastPage, nextOf, pageKey } from './pages.ts'
import { isTorn } from './reasonForDoubt.ts'

/** `page('2:cd')` has the items c and d, and the arguments `{ page: 2 }`; `page(':ab')` is the list itself. */
function page(text: string, more: Partial<ListPage> = {}): ListPage {
  const [name = '', items = ''] = text.split(':')
  const args = [{ page: name }]
  const id = name === '' ? FIRST : pageKey(args)
  return { id, items: items.split(''), sent: 1, firstSent: 1, ...(name !== '' && { args }), ...more }
}
const list = (pages: readonly ListPage[], tail = '', isMap = false): List => ({
  keyArgs: {},
  name: undefined,
  path: undefined,
  isMap,
  pages,
  tail: tail.split(''),
})
const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
/** The list after a response, which meets all that it shows. */
const receiveNext = (
  old: Pick<List, 'pages' | 'tail'>,
  incoming: ListPage,
  hasAllPages: boolean,
  wroteAt: (item: unknown) => number,
): ReturnType<typeof mergePage> => {
  const shown: any = itemsOf(old)
  const isOurs = (item: unknown): boolean => incoming.sent < wroteAt(item)
  const isKept = (item: unknown): boolean => Object.values(shown as object).includes(item)
  return mergePage(old, incoming, shown, { hasAllPages }, { isOurs, isKept })
}
/** The list after an edit; its items are those that its pages and its tail have. */
const edited = (before: List, edit: Edit): List => {
  const [after, items] = editList(before, itemsOf(before), edit)
  expect(items).toEqual(itemsOf(after))
  return after
}
const show = (of: Pick<List, 'pages' | 'tail'>): string => (itemsOf(of) as string[]).join('')
const joins = (items: unknown, merge: Edit['merge'] = append): Edit => ({ items, merge })
const leaves = (items: unknown): Edit => ({ items, merge: undefined })

describe('items', () => {
  test.each<[string, ListPage[], string, string]>([
    ['of one page', [page(':ab')], '', 'ab'],
    ['of one page and a tail', [page(':ab')], 'c', 'abc'],
    ['of pages, in their order', [page(':ab'), page('2:cd')], 'e', 'abcde'],
    ['each once, the first stays', [page(':ab'), page('2:bc')], 'ad', 'abcd'],
    ['of an empty list', [page(':')], '', ''],
  ])('PAG-1 %s', (_name, pages, tail, expected) => {
    expect(show(list(pages, tail))).toBe(expected)
  })

  test('PAG-1 DEN-3 those of one page are that very array', () => {
    const one = page(':ab')
    expect(itemsOf(list([one]))).toBe(one.items)
  })

  test('PAG-1 of maps, a name that is repeated is that of the first page', () => {
    const pages = [page(':', { items: { a: '1', b: '2' } }), page('2:', { items: { b: '9', c: '3' } })]
    expect(itemsOf(list(pages, '', true))).toEqual({ a: '1', b: '2', c: '3' })
  })

  test('PAG-1 NOR-3 hostile names of a map are names like others', () => {
    const hostile = (id: string): object =>
      JSON.parse(`{"__proto__":{"id":"${id}","schema":"x"},"constructor":"${id}"}`)
    const pages = [page(':', { items: hostile('1') }), page('2:', { items: { ...hostile('2'), b: '3' } })]
    const all = itemsOf(list(pages, '', true)) as object
    expect(Object.entries(all)).toHaveLength(3)
    expect(Object.getPrototypeOf(all)).toBe(Object.prototype)
  })
})

describe('edits', () => {
  const more = { next: [{ page: 3 }] }
  const sorted = (old: string[], added: string[]): string[] => [...old, ...added].sort()
  test.each<[string, List, Edit, string, string]>([
    ['append to a whole list', list([page(':ab')]), joins(['c']), 'abc', ''],
    ['append to a list with a tail, which has ended', list([page(':ab')], 'x'), joins(['c']), 'abxc', ''],
    ['append before the end is loaded', list([page(':ab', more)]), joins(['c']), 'abc', 'c'],
    ['append after pages', list([page(':ab'), page('2:cd')]), joins(['e']), 'abcde', 'e'],
    ['append what is there', list([page(':ab'), page('2:cd')], 'e'), joins(['c', 'e', 'b']), 'abcde', 'e'],
    ['append twice the same', list([page(':ab', more)]), joins(['c', 'c']), 'abc', 'c'],
    ['unshift', list([page(':ab'), page('2:cd')], 'e'), joins(['x'], unshift), 'xabcde', 'e'],
    ['unshift moves what is there', list([page(':ab')]), joins(['b'], unshift), 'ba', ''],
    ['a place of its own', list([page(':bd')]), joins(['c'], sorted), 'bcd', ''],
    [
      'a place of its own, in the first page',
      list([page(':bd'), page('2:ef')], 'z'),
      joins(['c'], sorted),
      'bcdefz',
      'z',
    ],
    ['leave every page and the tail', list([page(':ab'), page('2:bc')], 'bd'), leaves(['b']), 'acd', 'd'],
    ['leave where nothing is', list([page(':ab')]), leaves(['x']), 'ab', ''],
  ])('PAG-1 COL-17 %s', (_name, before, edit, expected, tail) => {
    const was = structuredClone(before.pages)
    const after = edited(before, edit)
    expect([show(after), after.tail.join('')]).toEqual([expected, tail])
    expect(before.pages).toEqual(was)
  })

  test('PAG-9 pages before the list: unshift stands before them', () => {
    const before = list([page('0:ab', { isBefore: true }), page(':cd')])
    expect(show(edited(before, joins(['x'], unshift)))).toBe('xabcd')
  })

  test('COL-19 a map is edited by name', () => {
    const assign = (old: object, added: object): object => ({ ...old, ...added })
    const map = list([page(':', { items: { a: '1' } })], '', true)
    expect(itemsOf(edited(map, joins({ b: '2' }, assign)))).toEqual({ a: '1', b: '2' })
    // Records of a list that joins have no names: their pks name them.
    expect(itemsOf(edited(map, joins(['2', { id: '3', schema: 'x' }, 5])))).toEqual({
      a: '1',
      2: '2',
      3: { id: '3', schema: 'x' },
    })
    expect(itemsOf(edited(map, leaves(['1'])))).toEqual({})
  })
})

describe('a response of a page', () => {
  /** Items that the app wrote at 5: after what was sent before, not after what was sent later. */
  const receive = (
    old: Pick<List, 'pages' | 'tail'>,
    incoming: ListPage,
    ours = '',
    hasAllPages = false,
  ): [string, string, boolean] => {
    const after = receiveNext(old, incoming, hasAllPages, (item) => (ours.includes(item as string) ? 5 : 0))
    return [show(after), after.tail.join(''), after.differs]
  }
  const at = (text: string, sent: number, more: Partial<ListPage> = {}): ListPage =>
    page(text, { sent, firstSent: sent, ...more })

  test.each<[string, List, ListPage, string, [string, string, boolean]]>([
    ['speaks for all', list([at(':ab', 1)]), at(':bc', 2), '', ['bc', '', false]],
    ['lacks what was written before it was sent', list([at(':abx', 1)]), at(':ab', 6), 'x', ['ab', '', false]],
    ['lacks a record that was created since, at the end', list([at(':abx', 1)]), at(':ab', 2), 'x', ['abx', '', true]],
    ['lacks one that was created since, at the start', list([at(':xab', 1)]), at(':ab', 2), 'x', ['xab', '', true]],
    ['lacks several, at both ends', list([at(':xaby', 1)]), at(':ba', 2), 'xy', ['xyba', '', true]],
    ['has one that was deleted since', list([at(':b', 1)]), at(':ab', 2), 'a', ['b', '', true]],
    ['has one that was created since', list([at(':abx', 1)]), at(':xab', 2), 'x', ['xab', '', false]],
    ['has and lacks', list([at(':bx', 1)]), at(':ab', 2), 'ax', ['bx', '', true]],
    ['of others lacks everything', list([at(':abx', 1)]), at(':', 2), 'x', ['x', '', true]],
    ['of a list that was empty', list([at(':', 1)]), at(':ab', 2), 'a', ['b', '', true]],
  ])('COL-11 ST-18 %s', (_name, old, incoming, ours, expected) => {
    expect(receive(old, incoming, ours)).toEqual(expected)
  })

  test.each<[string, List, ListPage, string, [string, string, boolean]]>([
    ['comes after those requested before', list([at(':ab', 1)]), at('2:cd', 2), '', ['abcd', '', false]],
    [
      'replaces itself in its place',
      list([at(':a', 1), at('2:b', 2), at('3:c', 3)]),
      at('2:x', 4),
      '',
      ['axc', '', false],
    ],
    ['is the list, which arrives last', list([at('2:cd', 2)]), at(':ab', 1), '', ['abcd', '', false]],
    ['has what was appended', list([at(':ab', 1, { isEnd: false })], 'xy'), at('2:cx', 6), 'xy', ['abcxy', 'y', false]],
    [
      'is not the end: appended items stay',
      list([at(':ab', 1)], 'x'),
      at('2:c', 6, { isEnd: false }),
      'x',
      ['abcx', 'x', false],
    ],
    [
      'is the end: appended items stay, and are in doubt',
      list([at(':ab', 1)], 'x'),
      at('2:c', 6, { isEnd: true }),
      'x',
      ['abcx', 'x', true],
    ],
    [
      'is the end, but older than the append',
      list([at(':ab', 1)], 'x'),
      at('2:c', 2, { isEnd: true }),
      'x',
      ['abcx', 'x', true],
    ],
    ['has what was removed since', list([at(':ab', 1), at('2:d', 2)]), at('2:cd', 3), 'c', ['abd', '', true]],
    [
      'lacks what was unshifted since, with pages',
      list([at(':xab', 1), at('2:c', 2)]),
      at(':ab', 3),
      'x',
      ['xabc', '', true],
    ],
    [
      'lacks what stands behind, with pages',
      list([at(':abx', 1), at('2:c', 2)]),
      at(':ab', 3),
      'x',
      ['abcx', 'x', true],
    ],
    [
      'is fetched again and lacks what stood on it',
      list([at(':ab', 1), at('2:cxd', 2)]),
      at('2:cd', 3),
      'x',
      ['abcdx', 'x', true],
    ],
  ])('PAG-1 COL-11 a page that %s', (_name, old, incoming, ours, expected) => {
    expect(receive(old, incoming, ours)).toEqual(expected)
  })

  test('PAG-7 after a refetch of all pages the older ones are gone', () => {
    const old = list([at(':ab', 1), at('2:cd', 2), at('3:ef', 3)])
    const fresh = { ...old, ...receiveNext(old, at('2:xy', 8), false, () => 0) }
    expect(receive(fresh, at(':ab', 7), '', true)).toEqual(['abxy', '', false])
    // Without it they stay.
    expect(receive(fresh, at(':ab', 7))).toEqual(['abxyef', '', false])
  })

  test('PAG-9 pages before the list stand in front, the last one requested first', () => {
    let now: Pick<List, 'pages' | 'tail'> = list([at(':e', 1)])
    for (const each of [
      at('o:f', 2),
      at('n:d', 3, { isBefore: true }),
      at('m:c', 4, { isBefore: true }),
      at('p:g', 5),
    ]) {
      now = receiveNext(now, each, false, () => 0)
    }
    expect(show(now)).toBe('cdefg')
    expect(lastPage(now)!.id).toBe(pageKey([{ page: 'p' }]))
  })

  test('PAG-1 pages that name each other stand together, those that follow the list first', () => {
    const to = (name: string): Partial<ListPage> => ({ next: [{ page: name }] })
    let now: Pick<List, 'pages' | 'tail'> = list([at(':a', 1, to('b'))])
    for (const each of [at('x:x', 2), at('c:c', 3), at('b:b', 4, to('c')), at('y:y', 5)]) {
      now = receiveNext(now, each, false, () => 0)
    }
    expect(show(now)).toBe('abcxy')
  })

  test('COL-11 a map keeps the names of records that were written since', () => {
    const map = list([page(':', { items: { a: '1', x: '9' } })], '', true)
    const after = receiveNext(map, page(':', { items: { a: '1', d: '4' }, sent: 2 }), false, (item) =>
      item === '9' || item === '4' ? 5 : 0,
    )
    expect(itemsOf(after)).toEqual({ x: '9', a: '1' })
    expect(after.differs).toBe(true)
    const same = receiveNext(map, page(':', { items: { a: '1' }, sent: 6 }), false, () => 5)
    expect([itemsOf(same), same.differs]).toEqual([{ a: '1' }, false])
  })

  test('COL-11 ST-18 property: own records are as they were, others as the response has them', () => {
    const letters = fc.uniqueArray(fc.constantFrom(...LETTERS))
    fc.assert(
      fc.property(letters, letters, letters, fc.boolean(), (before, incoming, ours, isPaged) => {
        const isOurs = (item: unknown): boolean => ours.includes(item as string)
        const old = list([at(`:${before.join('')}`, 1), ...(isPaged ? [at('2:yz', 2)] : [])])
        const { differs, ...after } = receiveNext(old, at(`:${incoming.join('')}`, 3), false, (item) =>
          isOurs(item) ? 5 : 0,
        )
        const shown = itemsOf(after) as string[]
        for (const item of LETTERS) {
          expect([item, shown.includes(item)]).toEqual([item, (isOurs(item) ? before : incoming).includes(item)])
        }
        expect(new Set(shown).size).toBe(shown.length)
        // The response stands in its own order.
        expect(shown.filter((item) => incoming.includes(item))).toEqual(incoming.filter((item) => shown.includes(item)))
        expect(differs).toBe(LETTERS.some((item) => isOurs(item) && before.includes(item) !== incoming.includes(item)))
      }),
      { numRuns: cases(4_000) },
    )
  })
})

describe('the next page', () => {
  const to = (name: string): readonly any[] => [{ page: name }]
  test.each<[string, ListPage[], readonly any[] | undefined]>([
    ['the response names it', [page(':a', { next: to('2') })], to('2')],
    ['the last page names it', [page(':a', { next: to('2') }), page('2:b', { next: to('3') })], to('3')],
    ['it is counted up', [page(':a', { guess: to('2') })], to('2')],
    ['a name comes before a guess', [page(':a', { next: to('x'), guess: to('2') })], to('x')],
    ['the end is reached', [page(':a', { guess: to('2'), isEnd: true })], undefined],
    ['nothing names it', [page(':a')], undefined],
    [
      'a page names one that is loaded',
      [page(':a', { next: to('3') }), page('3:c', { next: to('4') }), page('2:b', { next: to('3') })],
      to('4'),
    ],
    ['pages name each other', [page('2:b', { next: to('3') }), page('3:c', { next: to('2') })], to('3')],
    [
      'pages before the list have no say',
      [page('n:z', { isBefore: true, next: to('9') }), page(':a', { next: to('2') })],
      to('2'),
    ],
    ['there are no pages', [], undefined],
  ])('PAG-5 where %s', (_name, pages, expected) => {
    expect(nextOf({ pages })).toEqual(expected)
  })

  const naming = { endpoint: { getNextPage: () => undefined } }
  test.each<[string, ListPage[], boolean]>([
    ['there is one page', [page(':a', { sent: 5 })], false],
    ['each names the next', [page(':a', { next: to('2') }), page('2:b', { next: to('3') }), page('3:c')], false],
    ['the list names another', [page(':a', { next: to('9') }), page('2:b')], true],
    ['a later page names another', [page(':a', { next: to('2') }), page('2:b', { next: to('9') }), page('3:c')], true],
    ['the list is the end now', [page(':a', { ...naming, isEnd: true }), page('2:b')], true],
    ['the end is not told by getNextPage', [page(':a', { isEnd: true }), page('2:b')], false],
    ['numbers only count up', [page(':a', { guess: to('2') }), page('5:b')], false],
    ['a page is older than the list', [page(':a', { sent: 5 }), page('2:b', { sent: 4 })], true],
    ['pages are newer than the list', [page(':a', { sent: 5 }), page('2:b', { sent: 6 })], false],
    ['the page before the list is older', [page('n:z', { isBefore: true }), page(':a', { sent: 5 })], false],
  ])('PAG-7 pages do not fit together where %s: %#', (_name, pages, expected) => {
    expect(isTorn(pages)).toBe(expected)
  })

  test('PAG-1 a page is known by its arguments, in any order of their names', () => {
    expect(pageKey([{ a: 1, b: 2 }])).toBe(pageKey([{ b: 2, a: 1 }]))
    expect(pageKey([{ page: 2 }])).not.toBe(pageKey([{ page: 3 }]))
  })
})

describe('changes of items', () => {
  const union = (id: string, schema: string): object => ({ id, schema })

  test('COL-33 items of a union are the same by pk and member', () => {
    const feed = [union('1', 'a'), union('1', 'b')]
    expect(contains(feed, union('1', 'b'))).toBe(true)
    expect(contains(feed, union('2', 'b'))).toBe(false)
    expect(takeOut(feed, [union('1', 'a')])).toEqual([feed[1]])
    const gaps = [null, null, undefined, undefined]
    expect(unique([...feed, union('1', 'a'), ...gaps])).toEqual([...feed, ...gaps])
    // One that no member recognised is only itself.
    const odd = { id: 5 }
    expect([contains([odd], odd), contains([odd], { id: 5 })]).toEqual([true, false])
    expect(contains(undefined, '1')).toBe(false)
  })

  test('DEN-3 a list that is equal stays the same', () => {
    const old = ['1', union('2', 'a')]
    expect(keepEqual(old, ['1', union('2', 'a')])).toBe(old)
    expect(keepEqual(old, ['1', union('2', 'b')])).not.toBe(old)
    const map = { a: '1' }
    expect(keepEqual(map, { a: '1' })).toBe(map)
    expect(applyEdits(old, [joins(['1']), leaves(['9']), joins(['1'], append)])).toBe(old)
  })

  test('OPT-3 property: many changes at once are those changes one after another', () => {
    const items = fc.array(fc.constantFrom(...LETTERS), { maxLength: 6 })
    const change = fc.oneof(
      items.map((all) => joins(all)),
      items.map((all) => joins(all, unshift)),
      items.map((all) => leaves(all)),
    )
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...LETTERS)), fc.array(change, { maxLength: 8 }), (start, changes) => {
        const single = changes.reduce((all, one) => applyEdits(all, [one]), start)
        expect(applyEdits(start, changes)).toEqual(single)
        expect(new Set(single).size).toBe(single.length)
      }),
      { numRuns: cases(4_000) },
    )
  })
})

test.each<[string, object, object | undefined, boolean]>([
  ['a number', {}, { page: 2 }, true],
  ['an offset, as text', { offset: '10' }, { offset: '20' }, true],
  ['a number that stays', { size: 10 }, { size: 10, from: 'b' }, false],
  ['a number of a cursor', {}, { cursor: 20 }, false],
  ['the key of an item', {}, { after_id: 20 }, false],
  ['a word', {}, { from: 'b' }, false],
  ['an empty text', {}, { from: '' }, false],
  ['nothing', {}, undefined, false],
])('PAG-4 pages that name the next one by %s', (_name, from, to, expected) => {
  const page = { id: FIRST, items: [], sent: 1, firstSent: 1, args: [from], next: to && [to] }
  expect(areCounted({ pages: [page] })).toBe(expected)
})

test('PAG-4 pages that are only counted up move up', () => {
  const page = { id: FIRST, items: [], sent: 1, firstSent: 1, args: [{}], guess: [{ page: 2 }] }
  expect(areCounted({ pages: [page] })).toBe(true)
})
