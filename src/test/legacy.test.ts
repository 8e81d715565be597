// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { act, cleanup } from '@testing-library/react'
import { useLive } from '../react/hooks/useLive.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { renderDataHook } from './renderDataHook.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('fake timers without a fake Date', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] })
  let count = 0
  const getCount = new Endpoint(async () => ++count, { name: 'getCount', pollFrequency: 1_000 })
  let renders = 0
  const { result, waitFor, allSettled } = renderDataHook(() => {
    if (++renders > 1000) throw new Error('loops')
    return useLive(getCount)
  })
  vi.advanceTimersByTime(1_000)
  await allSettled()
  await waitFor(() => expect(result.current).toBe(1))
  vi.advanceTimersByTime(1_000)
  await waitFor(() => expect(result.current).toBe(2))
  console.log(count, renders, vi.getTimerCount())
})
