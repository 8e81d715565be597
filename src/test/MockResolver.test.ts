// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { createElement as h, type ReactNode, StrictMode, Suspense } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { readFileSync } from 'node:fs'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { ControllerContext } from '../react/ControllerContext.ts'
import { DataProvider } from '../react/DataProvider.ts'
import { useController } from '../react/hooks/useController.ts'
import { useQuery } from '../react/hooks/useQuery.ts'
import { useSuspense } from '../react/hooks/useSuspense.ts'
import { Controller } from '../controller/Controller.ts'
import { Entity } from '../kinds/Entity.ts'
import { mockInitialState } from '../mock/mockInitialState.ts'
import { MockResolver } from './MockResolver.ts'

class Note extends Entity {
  id = ''
  text = ''
  static override key = 'Note'
}
const real = vi.fn(async ({ id }: { id: string }) => ({ id, text: 'real' }))
const getNote = new Endpoint(real, { name: 'getNote', schema: Note })

function Show({ id }: { id: string }): ReactNode {
  return useSuspense(getNote, { id }).text
}
const loading = (children: ReactNode): ReactNode => h(Suspense, { fallback: 'loading' }, children)
const text = (): string => document.body.textContent!

afterEach(() => {
  cleanup()
  vi.clearAllMocks()
})

test('TST-8 children get fixtures, others use the network, and all share the store', async () => {
  const fixtures = [{ endpoint: getNote, args: [{ id: '1' }], response: { id: '1', text: 'mocked' } }]
  const Known = (): ReactNode => useQuery(Note, { id: '1' })?.text ?? 'unknown'
  await act(async () =>
    render(
      h(
        DataProvider,
        null,
        h(Known),
        ' ',
        loading(h(Show, { id: '2' })),
        ' ',
        h(MockResolver, { fixtures }, h(Known), ' ', loading(h(Show, { id: '1' }))),
      ),
    ),
  )
  expect(text()).toBe('mocked real mocked mocked')
  expect(real).toHaveBeenCalledTimes(1)
})

test('TST-8 fixtures do not fill the store by themselves', async () => {
  const fixtures = [{ endpoint: getNote, args: [{ id: '1' }], response: { id: '1', text: 'mocked' } }]
  const Known = (): ReactNode => useQuery(Note, { id: '1' })?.text ?? 'unknown'
  await act(async () => render(h(DataProvider, null, h(MockResolver, { fixtures }, h(Known)))))
  expect(text()).toBe('unknown')
})

test('TST-3 TST-8 new fixtures count from the next fetch on, and the data of interceptors stays', async () => {
  let controller!: Controller
  const Grab = (): null => {
    controller = useController()
    return null
  }
  const counting = (prefix: string): any => ({
    endpoint: getNote,
    response(this: { count: number }, { id }: { id: string }) {
      return { id, text: `${prefix} ${++this.count}` }
    },
  })
  const getInitialInterceptorData = vi.fn(() => ({ count: 0 }))
  const tree = (prefix: string): ReactNode =>
    h(
      StrictMode,
      null,
      h(
        DataProvider,
        null,
        h(
          MockResolver,
          { fixtures: [counting(prefix)], getInitialInterceptorData },
          h(Grab),
          loading(h(Show, { id: '1' })),
        ),
      ),
    )
  let view!: ReturnType<typeof render>
  await act(async () => void (view = render(tree('old'))))
  const first = controller
  expect(text()).toBe('old 1')
  await act(async () => view.rerender(tree('new')))
  expect(text()).toBe('old 1')
  expect(controller).toBe(first)
  await act(() => controller.fetch(getNote, { id: '1' }))
  expect(text()).toBe('new 2')
  await act(() => controller.fetchIfStale(getNote, { id: '9' }))
  expect(controller.get(Note, { id: '9' })?.text).toBe('new 3')
})

test('TST-7 a fetch without a fixture warns with silenceMissing false', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  await act(async () =>
    render(h(DataProvider, null, h(MockResolver, { silenceMissing: false }, loading(h(Show, { id: '3' }))))),
  )
  expect(text()).toBe('real')
  expect(warn.mock.calls.flat().join()).toContain('getNote [{"id":"3"}]')
  warn.mockRestore()
})

test('TST-14 TST-9 the entry for the browser: no testing library, a story that needs no network', async () => {
  for (const file of ['browser', 'MockResolver']) {
    expect(readFileSync(`src/test/${file}.ts`, 'utf8')).not.toContain('@testing-library')
  }
  const initialState = mockInitialState([
    { endpoint: getNote, args: [{ id: '1' }], response: { id: '1', text: 'story' } },
  ])
  render(h(DataProvider, { initialState }, h(MockResolver, { fixtures: [] }, h(Show, { id: '1' }))))
  expect(screen.getByText('story')).toBeDefined()
  expect(real).not.toHaveBeenCalled()
})

test('TST-8 without a provider it throws provider-missing', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(() => render(h(MockResolver, null))).toThrow('provider-missing')
  expect(() => render(h(ControllerContext.Provider, { value: null }, h(MockResolver)))).toThrow('provider-missing')
  vi.restoreAllMocks()
})
