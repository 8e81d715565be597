import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTracker } from './createTracker.ts'

interface State {
  readonly a: number
  readonly b: number
  readonly c: number
}
const names = ['a', 'b', 'c'] as const
const create = (): ((state: State) => State) =>
  createTracker<State, State, number>({ a: ({ a }) => a, b: ({ b }) => b, c: ({ c }, by) => c * by }, 1)

describe('createTracker', () => {
  test('DLE-1 MUT-5 the result is another object exactly when a member changed that was read from it', () => {
    const state = fc.record({ a: fc.nat(1), b: fc.nat(1), c: fc.nat(1) })
    const step = fc.record({ state, read: fc.subarray([...names]) })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1 }), (steps) => {
        const track = create()
        let last: State | undefined
        let seen: Partial<State> = {}
        for (const { state: now, read } of steps) {
          const isSame = last !== undefined && names.every((name) => !(name in seen) || seen[name] === now[name])
          const result = track(now)
          expect(result === last).toBe(isSame)
          if (!isSame) {
            seen = {}
          }
          for (const name of read) {
            // Members that were read stay; others are those of the last state.
            expect(result[name]).toBe(now[name])
            seen = { ...seen, [name]: now[name] }
          }
          last = result
        }
      }),
    )
  })

  test('DLE-1 it has the keys of its members, and nothing else', () => {
    const result = create()({ a: 1, b: 2, c: 3 })
    const { a, ...rest } = result
    expect({ a, rest }).toEqual({ a: 1, rest: { b: 2, c: 3 } })
    expect({ ...result }).toEqual({ a: 1, b: 2, c: 3 })
    expect(JSON.stringify(result)).toBe('{"a":1,"b":2,"c":3}')
    expect((result as any).then).toBeUndefined()
    expect('a' in result && !('d' in result)).toBe(true)
    expect(String(result)).toBe('[object Object]')
  })
})
