// OUT-1 to OUT-8: the outbox is stopped after every transaction and every message, and goes on from there.
import { expect, test } from 'vitest'
import { cases, part } from '../effort.ts'
import type { Fate, Fault } from './model.ts'
import { faultsOf, fixed, random, SCRIPTS } from './schedules.ts'

const FATES: readonly Fate[] = ['killed before', 'killed after', 'lost']

// `node tests/outbox/crash.mjs` runs all pairs.
test.each(
  part(
    SCRIPTS.map((scripts, i) => [i, scripts] as const),
    2,
  ),
)('OUT-1 OUT-4 OUT-5 script %i: killed or lost at every event, and at some pairs of events', async (_, scripts) => {
  for (const knowsKeys of [true, false]) {
    const usual = fixed(new Map(), knowsKeys)
    expect(await faultsOf(scripts, usual)).toEqual([])
    for (let first = 0; first < usual.count; first++) {
      for (const fate of FATES) {
        const once = fixed(new Map([[first, fate]]), knowsKeys)
        expect([first, fate, ...(await faultsOf(scripts, once))]).toEqual([first, fate])
        for (let second = first + 1 + (first % 8); second < once.count; second += 8) {
          const other = FATES[second % FATES.length]!
          const twice = fixed(
            new Map([
              [first, fate],
              [second, other],
            ]),
            knowsKeys,
          )
          expect([first, fate, second, other, ...(await faultsOf(scripts, twice))]).toEqual([
            first,
            fate,
            second,
            other,
          ])
        }
      }
    }
  }
})

test('OUT-2 OUT-3 OUT-5 OUT-6 OUT-7 OUT-8 random schedules of up to three tabs', async () => {
  for (let seed = 1; seed <= cases(4_000); seed++) {
    const { scripts, schedule } = random(seed)
    expect([seed, ...(await faultsOf(scripts, schedule))]).toEqual([seed])
  }
})

// Another tab has sent a DELETE, and was killed: the 404 of the next attempt is its success.
test.each([7_843, 10_819, 31_017])('OUT-6 an attempt of another tab counts: schedule %i', async (seed) => {
  const { scripts, schedule } = random(seed)
  expect(await faultsOf(scripts, schedule)).toEqual([])
})

const PLANTED: readonly Fault[] = ['two transactions', 'saved after it was sent', 'ids from 1', 'no claim', 'new key']

test.each(PLANTED)('a planted fault is found: %s', async (fault) => {
  let found = 0
  for (let seed = 1; seed <= 400 && found === 0; seed++) {
    const { scripts, schedule } = random(seed)
    found += (await faultsOf(scripts, schedule, fault)).length
  }
  expect(found).toBeGreaterThan(0)
})
