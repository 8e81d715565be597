// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { cleanup } from '@testing-library/react'
import { useCache } from '../react/hooks/useCache.ts'
import { useSubscription } from '../react/hooks/useSubscription.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { renderDataHook } from './renderDataHook.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('POL-1 fake timers that move synchronously find polling loaded', () => {
  vi.useFakeTimers()
  let count = 0
  const getCount = new Endpoint(async () => 0, { name: 'getCount', pollFrequency: 1_000 })
  renderDataHook(
    () => {
      useSubscription(getCount)
      return useCache(getCount)
    },
    { resolverFixtures: [{ endpoint: getCount, response: () => ++count }] },
  )
  vi.advanceTimersByTime(1_000)
  expect(count).toBe(1)
})
