// @vitest-environment happy-dom
import { act } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { useLoading } from '../react/hooks/useLoading.ts'
import { renderHook } from './renderHook.ts'

afterEach(() => vi.useRealTimers())

test('TST-13 renderHook waits for the next update', async () => {
  let end!: () => void
  const save = (): Promise<void> => new Promise((resolve) => (end = resolve))
  const { result, waitForNextUpdate, waitFor } = renderHook(() => useLoading(save))
  expect(result.current[1]).toBe(false)
  act(() => void result.current[0]())
  expect(result.current[1]).toBe(true)
  const updated = waitForNextUpdate()
  end()
  await updated
  expect(result.current[1]).toBe(false)
  await waitFor(() => expect(result.current[2]).toBeUndefined())
})

test('TST-13 waitForNextUpdate of renderHook advances fake timers, and rejects when nothing is rendered', async () => {
  vi.useFakeTimers()
  const save = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 500))
  const { result, waitForNextUpdate } = renderHook(() => useLoading(save))
  act(() => void result.current[0]())
  await waitForNextUpdate()
  expect(result.current[1]).toBe(false)
  await expect(waitForNextUpdate({ timeout: 200 })).rejects.toThrow('Nothing was rendered')
})

test('TST-13 renderHook passes its options on', () => {
  const { result, rerender, unmount } = renderHook(({ by }: { by: number }) => useState(0)[0] + by, {
    initialProps: { by: 1 },
  })
  expect(result.current).toBe(1)
  rerender({ by: 2 })
  expect(result.current).toBe(2)
  unmount()
})
