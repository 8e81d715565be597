import fc from 'fast-check'
import { expect, test } from 'vitest'
import { INVALID } from '../schema/Schema.ts'
import { User } from '../testing/entities.ts'
import { findOld, takeOver } from './items.ts'
import { DIRTY, Node } from './memo.ts'

/** A node that has read the records `ids`; `dirty` ones were written since. */
function listOf(ids: readonly number[], dirty: ReadonlySet<number>, isNoted: boolean): Node {
  const list = new Node('list', User, undefined)
  const records = new Map([...new Set(ids)].map((id) => [id, recordOf(dirty.has(id))]))
  list.deps = ids.map((id) => records.get(id)!)
  list.builtAt = 1
  list.touched = isNoted ? [...dirty].flatMap((id) => records.get(id) ?? []) : undefined
  return list
}

function recordOf(isDirty: boolean): Node {
  const record = new Node('entity', User, undefined)
  record.flags = isDirty ? DIRTY : 0
  return record
}

const someIds = fc.array(fc.nat(9), { maxLength: 8 })

test('DEN-3 a list made from the old one is the list that a cold reading makes, and only changed records are looked up', () => {
  fc.assert(
    fc.property(
      someIds,
      fc.nat(8),
      fc.nat(3),
      fc.array(fc.nat(19), { maxLength: 3 }),
      fc.uniqueArray(fc.nat(9), { maxLength: 6 }),
      fc.boolean(),
      (before, at, removed, added, changed, isNoted) => {
        const isSame = removed === 0 && added.length === 0
        const now = isSame ? before : before.toSpliced(at, removed, ...added)
        const dirty = new Set(changed)
        const view = (id: number): string => (dirty.has(id) ? `new ${id}` : `old ${id}`)
        const list = listOf(before, dirty, isNoted)
        const items = before.map((id) => `old ${id}`)
        const old = findOld(list, items, before, now)!
        const between = now.slice(old.start, now.length - old.end)
        const looked = new Set<Node>()
        const out = takeOver(list, old, isSame ? undefined : between.map(view), (dep) => {
          looked.add(dep)
          return view(before[list.deps.indexOf(dep)]!)
        })
        expect(out).toEqual(now.map(view))
        expect(items).toEqual(before.map((id) => `old ${id}`))
        expect([...looked].every(({ flags }) => flags === DIRTY)).toBe(true)
        // As much as possible is taken over.
        expect(between.length).toBeLessThanOrEqual(isSame ? 0 : added.length)
      },
    ),
  )
})

test('DEN-2 a list of which nothing has changed is the old one', () => {
  const ids = [1, 2]
  const items = ['old 1', 'old 2']
  const list = listOf(ids, new Set([1]), false)
  const old = findOld(list, items, ids, ids)!
  expect(takeOver(list, old, undefined, () => 'old 1')).toBe(items)
  expect(takeOver(list, old, undefined, () => 'new 1')).toEqual(['new 1', 'old 2'])
})

test.each([undefined, INVALID])('DEN-5 a record that is not there any more (%s) needs a cold reading', (gone) => {
  const ids = [1, 2]
  for (const isNoted of [false, true]) {
    const list = listOf(ids, new Set([2]), isNoted)
    const old = findOld(list, ['old 1', 'old 2'], ids, ids)!
    expect(takeOver(list, old, undefined, () => gone)).toBeUndefined()
  }
})

test.each<[string, unknown, unknown, unknown, number]>([
  ['nothing was shown', undefined, [1, 2], [1, 2], 0],
  ['an item was left out', ['old 1'], [1, 2], [1, 2], 0],
  ['its rows are not known', ['old 1', 'old 2'], undefined, [1, 2], 0],
  ['it had other rows', ['old 1', 'old 2'], [1], [1, 2], 0],
  ['it is no list any more', ['old 1', 'old 2'], [1, 2], undefined, 0],
  ['it depends on something else, too', ['old 1', 'old 2'], [1, 2], [1, 2], 1],
])('DEN-5 nothing is taken over where %s', (_, items, before, now, skip) => {
  expect(findOld(listOf([1, 2], new Set(), false), items, before, now, skip)).toBeUndefined()
})
