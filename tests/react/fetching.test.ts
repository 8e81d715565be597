// @vitest-environment happy-dom
import { type ReactNode, useEffect, useState } from 'react'
import { resource } from 'restitch'
import { useController, useDLE, useFetching, useMutating, useMutation, useSuspense } from 'restitch/react'
import { expect, test, vi } from 'vitest'
import { User } from '../../src/testing/entities.ts'
import { counted, h, open, settle, show, Todo, deferredEndpoint } from './cases.ts'

const one = { id: '1', title: 'one' }
const get = (more?: object): any => deferredEndpoint('get', Todo, { dataExpiryLength: 1000, ...more })
const save = (more?: object): any => deferredEndpoint('save', Todo, { sideEffect: true, ...more })

/** Shows the two numbers, and keeps each it has shown. */
function bar(...filter: any[]): { Bar: ((props: object) => ReactNode) & { renders: number }; seen: string[] } {
  const seen: string[] = []
  const Bar = counted(() => {
    const text = `${useFetching(...filter)} ${useMutating(...filter)}`
    seen.push(text)
    return text
  })
  return { Bar, seen }
}

test.each([false, true])(
  'CNT-1 reads and mutations in flight, one render for each change (Strict Mode: %s)',
  async (strict) => {
    const { store, clock } = open()
    const { controller } = store
    const { Bar } = bar()
    const [reads, writes] = [get(), save()]
    const screen = await show(h(Bar), { store, clock, strict })
    const once = strict ? 2 : 1
    const rendersOf = async (run: () => unknown): Promise<[string, number]> => {
      Bar.renders = 0
      await settle(() => void run())
      return [screen.text(), Bar.renders]
    }
    expect(screen.text()).toBe('0 0')
    const many = (): void => {
      for (const id of ['1', '2', '3']) {
        controller.fetch(reads, { id }).catch(() => {})
      }
    }
    expect(await rendersOf(many)).toEqual(['3 0', once])
    // It joins one of them.
    expect(await rendersOf(() => controller.fetch(reads, { id: '1' }).catch(() => {}))).toEqual(['3 0', 0])
    expect(await rendersOf(() => controller.fetch(writes, { id: '1' }))).toEqual(['3 1', once])
    expect(await rendersOf(() => controller.fetch(writes, { id: '1' }).catch(() => {}))).toEqual(['3 2', once])
    expect(await rendersOf(() => reads.calls[0].answer(one))).toEqual(['2 2', once])
    // Writes that are no requests.
    expect(await rendersOf(() => controller.set(Todo, { id: '9' }, { id: '9', title: 'x' }))).toEqual(['2 2', 0])
    expect(await rendersOf(() => controller.setResponse(reads, { id: '9' }, { id: '9', title: 'y' }))).toEqual([
      '2 2',
      0,
    ])
    const two = async (): Promise<void> => {
      await Promise.all([writes.calls[0].answer(one), writes.calls[1].fail(new Error('no'))])
    }
    expect((await rendersOf(two))[0]).toBe('2 0')
    expect(await rendersOf(() => controller.abort(reads, { id: '2' }))).toEqual(['1 0', once])
    // The end of one and the beginning of another.
    const swap = (): void => {
      void controller.abort(reads, { id: '3' })
      controller.fetch(reads, { id: '4' }).catch(() => {})
    }
    expect(await rendersOf(swap)).toEqual(['1 0', 0])
    expect((await rendersOf(() => controller.resetEntireStore()))[0]).toBe('0 0')
  },
)

test('CNT-1 RCT-8 requests that begin during a render are counted without a warning', async () => {
  const warn = vi.spyOn(console, 'error')
  const [a, b] = [get({ name: 'a' }), get({ name: 'b' })]
  const { Bar, seen } = bar()
  const A = (): ReactNode => (useDLE(a, { id: '1' }) as any).data?.title
  const B = (): ReactNode => (useSuspense(b, { id: '2' }) as any).title
  const App = (): ReactNode => {
    const [isOpen, setOpen] = useState(false)
    useEffect(() => setOpen(true), [])
    return [h(Bar, { key: 1 }), isOpen && [h(A, { key: 2 }), h(B, { key: 3 })]]
  }
  await show(h(App))
  expect(seen.at(-1)).toBe('2 0')
  await settle(() => a.calls[0].answer(one))
  await settle(() => b.calls[0].answer({ id: '2', title: 'two' }))
  expect(seen.at(-1)).toBe('0 0')
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
})

test('CNT-2 the requests of an endpoint alone, or those whose key passes', async () => {
  const Users = resource({ path: '/users/:id', schema: User })
  const seen: number[] = []
  let mutate!: (...args: any[]) => void
  const ends: ((response: Response) => void)[] = []
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => ends.push(resolve)))
  const Counts = (): ReactNode => {
    const { fetch } = useController()
    const mutation = useMutation(Users.partialUpdate)
    mutate = (id: string) => {
      mutation.mutate({ id }, { name: 'x' })
      fetch(Users.get, { id }).catch(() => {})
      fetch(Users.getList).catch(() => {})
    }
    seen.push(
      useFetching(Users.get),
      useFetching(Users.getList),
      useMutating(Users.partialUpdate),
      useMutating(Users.delete),
      useFetching({ testKey: (key) => key.startsWith('GET ') }),
    )
    return null
  }
  await show(h(Counts))
  await settle(() => mutate('1'))
  await settle(() => mutate('2'))
  expect(seen.slice(-5)).toEqual([2, 1, 2, 0, 3])
  vi.unstubAllGlobals()
})

test('CNT-1 requests that were in flight before the first component counts', async () => {
  const { store, clock } = open()
  const ep = get()
  void store.controller.fetch(ep, { id: '1' })
  const { Bar, seen } = bar()
  await show(h(Bar), { store, clock })
  expect(seen).toEqual(['1 0'])
  await settle(() => ep.calls[0].answer(one))
  expect(seen).toEqual(['1 0', '0 0'])
})
