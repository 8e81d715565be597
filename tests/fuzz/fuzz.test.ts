import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CORPUS } from './corpus.ts'
import { TARGETS } from './targets.ts'

// Inputs are wrong on purpose, and development says so each time.
beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(TARGETS)('$name', ({ name, input, check }) => {
  test('ERR-7 ST-8 no input breaks a store, a key or a saved state', async () => {
    const property = fc.asyncProperty(input, async (value) => check(value))
    expect(await fc.check(property, { numRuns: 100 })).toMatchObject({ failed: false, counterexample: null })
  })

  test.each(CORPUS[name] ?? [])('ERR-7 %j, which did once or might', async (value) => {
    await expect(Promise.resolve(check(value))).resolves.toBeUndefined()
  })
})
