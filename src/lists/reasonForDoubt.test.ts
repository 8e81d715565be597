// The table of reasonForDoubt, line by line.
import { expect, test } from 'vitest'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import type { List, ListPage } from './List.ts'
import { nextOf } from './pages.ts'
import { type Arrival, reasonForDoubt } from './reasonForDoubt.ts'

class Todo extends Entity {
  id = ''
  static override key = 'Todo'
}
const counted = new Collection([Todo], { counts: ['total'] })
const page = (id: string, sent: number, more: Partial<ListPage> = {}): ListPage => ({
  id,
  items: ['1'],
  sent,
  firstSent: sent,
  ...more,
})
const listOf = (pages: ListPage[], more: Partial<List> = {}): List => ({
  keyArgs: {},
  name: undefined,
  path: '/todos',
  isMap: false,
  pages,
  tail: [],
  ...more,
})
const whole = listOf([page('', 5)])
const part = listOf([page('', 5, { next: [{ page: 2 }] })], { collection: counted })
const whole2 = listOf([page('', 4)], { collection: counted })
const cut = listOf([page('', 5)], { collection: counted, keyArgs: { limit: 5 } })
const torn = listOf([page('', 5), page('2', 4)])
const LATE = { lastWrite: 7 }

test.each<[string, Partial<Arrival>, unknown]>([
  ['nothing was written since', {}, undefined],
  ['it is the same as before', { lastWrite: 7, lastMutation: 7 }, undefined],
  ['a page lacks an own write', { ...LATE, isFirstPage: false, differs: true }, { reason: 'lacks-own-write' }],
  ['a page from before a mutation', { ...LATE, isFirstPage: false, lastMutation: 7 }, { reason: 'crossed' }],
  ['a page from before an event', { ...LATE, isFirstPage: false }, undefined],
  ['all pages from before a mutation', { ...LATE, hasAllPages: true, lastMutation: 7 }, { reason: 'crossed' }],
  ['one of all pages', { ...LATE, hasAllPages: true, isFirstPage: false, lastMutation: 7 }, undefined],
  ['torn pages', { list: torn }, { reason: 'torn-pages' }],
  ['torn pages, of which more will come', { list: torn, isFirstPage: false, hasAllPages: true }, undefined],
  ['it lacks an own write', { ...LATE, differs: true }, { reason: 'lacks-own-write', at: 7 }],
  ['for the first time, before a write', { ...LATE, old: undefined }, { reason: 'lacks-own-write', at: 7 }],
  ['for the first time, after it', { old: undefined }, undefined],
  ['counted, a part, a mutation', { ...LATE, lastMutation: 7, old: part, list: part }, { reason: 'counted', at: 7 }],
  ['counted, cut, a mutation', { ...LATE, lastMutation: 7, old: cut, list: cut }, { reason: 'counted', at: 7 }],
  ['counted, a part, an event', { ...LATE, old: part, list: part }, undefined],
  [
    'counted, a new page, an event',
    { ...LATE, isFirstPage: false, isNewPage: true, page: page('2', 5), old: part, list: part },
    { reason: 'counted', pages: ['2'] },
  ],
  ['counted, a page again, an event', { ...LATE, isFirstPage: false, old: part, list: part }, undefined],
  ['counted, becomes a part', { ...LATE, old: whole2, list: part }, { reason: 'counted', at: 7 }],
])('ORD-5 ORD-7 PAG-7 %s', (_name, given, expected) => {
  const numbers = { sent: 5, lastWrite: 3, lastMutation: 3 }
  const usual = {
    ...numbers,
    isFirstPage: true,
    isNewPage: false,
    hasAllPages: false,
    differs: false,
    page: page('', 5),
    old: whole,
    list: whole,
  }
  const { list, old }: { list: List; old: List | undefined } = { ...usual, ...given }
  const isPart = (): boolean => nextOf(list) !== undefined
  const wasPart = (): boolean => old !== undefined && nextOf(old) !== undefined
  expect(reasonForDoubt({ ...usual, isPart, wasPart, ...given })).toEqual(expected)
})
