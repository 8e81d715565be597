// @vitest-environment happy-dom
import { type ReactNode, useState } from 'react'
import { useDLEAll, useSuspense, useSuspenseAll } from 'restitch/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { counted, h, is18, open, settle, show, Todo, deferredEndpoint } from './cases.ts'

const todo = (id: string, title = `todo ${id}`): object => ({ id, title })
afterEach(() => vi.restoreAllMocks())

describe('useSuspenseAll', () => {
  test('HK-11 starts all requests before it suspends; several useSuspense start them one after another', async () => {
    const a = deferredEndpoint('a', Todo)
    const b = deferredEndpoint('b', Todo)
    const One = (): ReactNode => [useSuspense(a, { id: '1' }), useSuspense(b, { id: '2' })].map((t: any) => t.title)
    await show(h(One))
    expect([a.calls.length, b.calls.length]).toEqual([1, 0])
    a.calls.length = 0
    const Both = counted(() => {
      const all = useSuspenseAll([
        [a, { id: '1' }],
        [b, { id: '2' }],
      ]) as any[]
      return all.map(({ title }) => title).join()
    })
    const screen = await show(h(Both))
    expect([a.calls.length, b.calls.length]).toEqual([1, 1])
    await settle(() => b.calls[0].answer(todo('2')))
    expect(screen.text()).toBe('loading')
    await settle(() => a.calls[0].answer(todo('1')))
    expect(screen.text()).toBe('todo 1,todo 2')
    expect([a.calls.length, b.calls.length]).toEqual([1, 1])
  })

  test.each([false, true])(
    'HK-11 renders once for a change of any of them, with the same array otherwise (Strict Mode: %s)',
    async (strict) => {
      const get = deferredEndpoint('get', Todo)
      const { store, clock } = open()
      for (const id of ['1', '2', '3']) {
        await store.controller.setResponse(get, { id }, todo(id))
      }
      const seen = new Set<unknown>()
      let again!: () => void
      const All = counted(() => {
        const [, set] = useState({})
        again = () => set({})
        const all = useSuspenseAll(['1', '2', '3'].map((id) => [get, { id }] as const)) as any[]
        seen.add(all)
        return all.map(({ title }) => title).join()
      })
      const screen = await show(h(All), { store, clock, strict })
      seen.clear()
      const times = strict ? 2 : 1
      All.renders = 0
      await settle(() => again())
      expect([All.renders, seen.size]).toEqual([times, 1])
      All.renders = 0
      await settle(() => store.controller.set(Todo, { id: '2' }, todo('2', 'changed')))
      // React 18 does not keep what its second render in Strict Mode memoises.
      expect([All.renders, seen.size, screen.text()]).toEqual([times, strict && is18 ? 3 : 2, 'todo 1,changed,todo 3'])
      await settle(() => store.controller.setResponse(deferredEndpoint('other', Todo), {}, todo('9')))
      expect(All.renders).toBe(times)
    },
  )

  test('HK-11 throws the first error, though others still load', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const get = deferredEndpoint('get', Todo)
    const All = (): ReactNode =>
      (
        useSuspenseAll([
          [get, { id: '1' }],
          [get, { id: '2' }],
        ]) as any[]
      ).length
    const screen = await show(h(All))
    await settle(() => get.calls[1].fail(new Error('no')))
    expect(screen.text()).toBe('failed: no')
  })

  test('HK-1 HK-11 null skips, also for some', async () => {
    const get = deferredEndpoint('get', Todo)
    const All = ({ id }: { id?: string }): ReactNode => {
      const [a, b] = useSuspenseAll([
        [get, { id: '1' }],
        [get, id ? { id } : null],
      ]) as any[]
      return `${a.title} ${b?.title}`
    }
    const screen = await show(h(All, {}))
    await settle(() => get.calls[0].answer(todo('1')))
    expect(screen.text()).toBe('todo 1 undefined')
    await settle(() => screen.rerender(h(All, { id: '2' })))
    await settle(() => get.calls[1].answer(todo('2')))
    expect(screen.text()).toBe('todo 1 todo 2')
    expect(get.calls).toHaveLength(2)
  })
})

describe('useDLEAll', () => {
  test('HK-11 any number of reads, each with its state; a read that is new starts, and the others stay as they are', async () => {
    const get = deferredEndpoint('get', Todo, { dataExpiryLength: 100, errorExpiryLength: 1e9 })
    const All = counted(({ ids }: { ids: string[] }) =>
      (useDLEAll(ids.map((id) => [get, { id }] as const)) as any[])
        .map(({ data, loading, error }) => (loading ? '…' : error ? error.message : data.title))
        .join(),
    )
    const screen = await show(h(All, { ids: ['1', '2'] }))
    expect([screen.text(), get.calls.length]).toEqual(['…,…', 2])
    await settle(() => get.calls[1].answer(todo('2')))
    await settle(() => get.calls[0].fail(new Error('no')))
    expect(screen.text()).toBe('no,todo 2')
    // Data that grew old on the screen stays there, and is not fetched again because a neighbour comes or goes.
    screen.clock.time += 101
    await settle(() => screen.rerender(h(All, { ids: ['1', '2', '3'] })))
    expect([screen.text(), get.calls.length]).toEqual(['no,todo 2,…', 3])
    All.renders = 0
    await settle(() => get.calls[2].answer(todo('3')))
    expect([screen.text(), All.renders]).toEqual(['no,todo 2,todo 3', 1])
    await settle(() => screen.rerender(h(All, { ids: ['3', '2'] })))
    expect([screen.text(), get.calls.length]).toEqual(['todo 3,todo 2', 3])
    // A read that left is no longer followed; those that stayed are.
    All.renders = 0
    await settle(() => screen.store.controller.setResponse(get, { id: '1' }, todo('1')))
    expect(All.renders).toBe(0)
    await settle(() => screen.store.controller.set(Todo, { id: '2' }, todo('2', 'new')))
    expect([screen.text(), All.renders]).toEqual(['todo 3,new', 1])
    await settle(() => screen.rerender(h(All, { ids: [] })))
    expect(screen.text()).toBe('')
  })

  test('NET-15 HK-11 a read that leaves aborts its request, and so does the end of the component', async () => {
    const get = deferredEndpoint('get', Todo)
    const All = ({ ids }: { ids: string[] }): ReactNode => useDLEAll(ids.map((id) => [get, { id }] as const)).length
    const screen = await show(h(All, { ids: ['1', '2'] }))
    await settle(() => screen.rerender(h(All, { ids: ['2'] })))
    await settle(() => screen.clock.pass(1))
    expect(get.calls.map((call: any) => call.signal.aborted)).toEqual([true, false])
    await settle(() => screen.unmount())
    await settle(() => screen.clock.pass(1))
    expect(get.calls[1].signal.aborted).toBe(true)
  })

  test('HK-2 HK-11 the same read twice is one request', async () => {
    const get = deferredEndpoint('get', Todo)
    const All = (): ReactNode =>
      (
        useDLEAll([
          [get, { id: '1' }],
          [get, { id: '1' }],
        ]) as readonly any[]
      ).map(({ data }) => data?.title)
    const screen = await show(h(All))
    await settle(() => get.calls[0].answer(todo('1')))
    expect([screen.text(), get.calls.length]).toEqual(['todo 1todo 1', 1])
  })
})
