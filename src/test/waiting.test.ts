// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { act, cleanup } from '@testing-library/react'
import { useCache } from '../react/hooks/useCache.ts'
import { useDLE } from '../react/hooks/useDLE.ts'
import { useLive } from '../react/hooks/useLive.ts'
import { useSubscription } from '../react/hooks/useSubscription.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { stubLegacyTimers } from '../testing/legacyTimers.ts'
import { renderDataHook } from './renderDataHook.ts'

const turn = globalThis.setImmediate

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] as const

/** Fake timers of every kind, with what moves them. */
const KINDS: [string, () => (milliseconds: number) => void][] = [
  [
    'jest, legacy',
    () => {
      const timers = stubLegacyTimers()
      vi.stubGlobal('jest', timers)
      return timers.advanceTimersByTime
    },
  ],
  ['legacy timers of another runner', () => stubLegacyTimers().advanceTimersByTime],
  [
    'vitest without a fake Date',
    () => {
      vi.useFakeTimers({ toFake: [...TIMERS] })
      return (milliseconds) => vi.advanceTimersByTime(milliseconds)
    },
  ],
  [
    'jest, modern',
    () => {
      vi.useFakeTimers()
      vi.stubGlobal('jest', vi)
      return (milliseconds) => vi.advanceTimersByTime(milliseconds)
    },
  ],
  [
    'vitest',
    () => {
      vi.useFakeTimers()
      return (milliseconds) => vi.advanceTimersByTime(milliseconds)
    },
  ],
]

test.each(KINDS)('TST-19 TST-21 polls follow fake timers: %s', async (_, begin) => {
  let count = 0
  // Its response comes from the network: no fake timer brings it.
  const respond = (): Promise<number> => new Promise((done) => turn(() => done(++count)))
  const getCount = new Endpoint(respond, { name: 'getCount', pollFrequency: 5_000 })
  const advance = begin()
  const hooks = [
    () => useLive(getCount),
    () => {
      useSubscription(getCount)
      return useCache(getCount)
    },
  ]
  for (const hook of hooks) {
    count = 0
    const { result, waitFor, allSettled, rerender } = renderDataHook(hook)
    advance(5_000)
    await allSettled()
    await waitFor(() => expect(result.current).toBe(1))
    advance(5_000)
    await waitFor(() => expect(result.current).toBe(2))
    await allSettled()
    rerender()
    expect(count).toBe(2)
    cleanup()
  }
})

test.each(KINDS)('TST-19 a wait for something that does not happen ends: %s', async (_, begin) => {
  begin()
  const { result, waitFor } = renderDataHook(() =>
    useDLE(new Endpoint(() => new Promise(() => {}), { name: 'getNever' })),
  )
  await expect(waitFor(() => expect(result.current.loading).toBe(false), { timeout: 200 })).rejects.toThrow()
})

test.each(KINDS)('TST-19 allSettled moves fake timers only so far: %s', async (_, begin) => {
  vi.useRealTimers()
  let end!: () => void
  let polls = 0
  const getLate = new Endpoint(() => new Promise<number>((done) => (end = () => done(1))), { name: 'getLate' })
  const getCount = new Endpoint(async () => ++polls, { name: 'getCount', pollFrequency: 5_000 })
  begin()
  const { allSettled, controller } = renderDataHook(() => useSubscription(getCount))
  void controller.fetch(getLate)
  let isSettled = false
  const settled = allSettled().then(() => (isSettled = true))
  // As many turns as it would take to poll for ever.
  for (let i = 0; i < 3_000; i++) {
    await new Promise((done) => turn(done))
  }
  expect(isSettled).toBe(false)
  expect(polls).toBeLessThan(100)
  await act(async () => end())
  await settled
})
