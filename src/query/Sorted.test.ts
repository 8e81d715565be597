import { expect, test, vi } from 'vitest'
import { Entity } from '../kinds/Entity.ts'
import { createDriver, ids } from '../testing/drivers.ts'
import { endpoint } from '../testing/endpoints.ts'
import { Entry } from './Entry.ts'
import { skip, sortBy, take } from './operators.ts'
import { query } from './query.ts'
import { type Member, Sorted } from './Sorted.ts'

/** Numbers from 0 up to 1, always the same. */
function createRandom(): () => number {
  let state = 1
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

const compare = (a: Member, b: Member): number => (a.key as number) - (b.key as number) || a.at - b.at

test.each([
  { size: 100, keys: 10 },
  { size: 9000, keys: 9000 },
  { size: 20_000, keys: 50 },
  { size: 9000, keys: 1 },
])('QUE-5 $size members with $keys keys stand in order, whichever part is looked at first', ({ size, keys }) => {
  const random = createRandom()
  const make = (at: number): Member => ({
    entry: new Entry(at, String(at), at),
    at,
    key: Math.floor(random() * keys),
    chunk: undefined,
  })
  const sorted = new Sorted(compare)
  let all = Array.from({ length: size }, (_, at) => make(at))
  sorted.add(all, true)
  for (let step = 1; step <= 30; step++) {
    // Few are placed one by one, many divide the set anew.
    const count = step % 10 === 0 ? Math.floor(size / 4) : 20
    const left = all.filter((_, i) => i % 7 === step % 7).slice(0, count)
    left.forEach((member) => sorted.remove(member))
    const gone = new Set(left)
    const joined = left.map((_, i) => make(size * step + i))
    sorted.add(joined, true)
    all = [...all.filter((member) => !gone.has(member)), ...joined]
    const start = Math.floor(random() * size)
    const window = sorted.slice(start, start + 30)
    expect(window).toEqual(entriesOf(all).slice(start, start + 30))
    expect(sorted.size).toBe(all.length)
  }
  expect(sorted.slice(0, Infinity)).toEqual(entriesOf(all))
})

function entriesOf(all: readonly Member[]): Entry[] {
  return [...all].sort(compare).map(({ entry }) => entry)
}

test('QUE-5 the first of many members are known after a few comparisons for each', () => {
  const random = createRandom()
  const size = 50_000
  let comparisons = 0
  const sorted = new Sorted((a, b) => {
    comparisons++
    return compare(a, b)
  })
  const all = Array.from({ length: size }, (_, at) => {
    return { entry: new Entry(at, String(at), at), at, key: random(), chunk: undefined }
  })
  sorted.add(all, true)
  expect(sorted.slice(0, 50)).toEqual(entriesOf(all).slice(0, 50))
  // To sort all of them takes 15.
  expect(comparisons / size).toBeLessThan(6)
})

test('QUE-5 a page far down reads no entries but its own', () => {
  class Item extends Entity {
    id = ''
    at = 0
    static override key = 'PagedItem'
  }
  const driver = createDriver()
  const size = 3000
  driver.setResponse(
    endpoint('/items', [Item]),
    [],
    Array.from({ length: size }, (_, at) => ({ id: String(at), at })),
  )
  const page = query(
    Item,
    sortBy((item) => item.at),
    skip(1000),
    take(3),
  )
  expect(ids(driver, page)).toEqual(['1000', '1001', '1002'])
  const slice = vi.spyOn(Sorted.prototype, 'slice')
  driver.set(Item, [{ id: '1001' }], { id: '1001', at: 5000 })
  expect(ids(driver, page)).toEqual(['1000', '1002', '1003'])
  expect(slice.mock.calls).toEqual([[1000, 1003]])
  slice.mockRestore()
})
