// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { cleanup } from '@testing-library/react'
import { useCache } from '../react/hooks/useCache.ts'
import { useSubscription } from '../react/hooks/useSubscription.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { renderDataHook } from './renderDataHook.ts'

// As in jsdom under jest, which resolves packages as a browser does: polling is a chunk of its own.
vi.mock('#polling', () => import('../managers/loadPollingLater.ts'))

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('TST-18 POL-14 fake timers that move synchronously find polling loaded', () => {
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
