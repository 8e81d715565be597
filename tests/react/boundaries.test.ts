// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { Component, type ReactNode, StrictMode, Suspense, useState } from 'react'
import { getDefaultManagers, resource } from 'restitch'
import { AsyncBoundary, DataProvider, ErrorBoundary, NetworkErrorBoundary, useSuspense } from 'restitch/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { deferred } from '../../src/testing/outcomes.ts'
import { act, Failed, h, open, settle, show, Todo, deferredEndpoint } from './cases.ts'

const args = { id: '1' }
let isBroken = true
const Broken = (): ReactNode => {
  if (isBroken) {
    throw new Error('broken')
  }
  return 'whole'
}

beforeEach(() => {
  isBroken = true
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

describe('ErrorBoundary', () => {
  test('BND-2 BND-5 any error, shown as text by default; no provider is needed', () => {
    const { getByRole } = render(h(ErrorBoundary, { className: 'red' }, h(Broken)))
    expect(getByRole('alert')).toMatchObject({ tagName: 'PRE', textContent: 'broken', className: 'red' })
    expect(NetworkErrorBoundary).toBe(ErrorBoundary)
  })

  test('BND-2 a component of the app gets the error, the way back and the class', async () => {
    const seen: any[] = []
    const Show = (props: any): ReactNode => (seen.push(props), h(Failed, props))
    const { getByRole, container } = render(h(ErrorBoundary, { fallbackComponent: Show, className: 'red' }, h(Broken)))
    expect(seen.at(-1)).toMatchObject({ error: { message: 'broken' }, className: 'red' })
    isBroken = false
    await act(async () => getByRole('button').click())
    expect(container.textContent).toBe('whole')
  })

  test('BND-2 a thrown value that is no Error is shown too', () => {
    const Odd = (): ReactNode => {
      // oxlint-disable-next-line typescript/only-throw-error -- that is what is tested
      throw undefined
    }
    const { getByRole } = render(h(ErrorBoundary, null, h(Odd)))
    expect(getByRole('alert').textContent).toBe('undefined')
  })

  test.each([false, true])(
    'BND-3 listen: from mount to unmount, and again when it changes (Strict Mode: %s)',
    async (strict) => {
      const resets = new Map<string, () => void>()
      const listens = (name: string) => (reset: () => void) => {
        resets.set(name, reset)
        return () => resets.delete(name)
      }
      const [a, b] = [listens('a'), listens('b')]
      const tree = (listen: any): ReactNode =>
        h(strict ? StrictMode : 'div', null, h(ErrorBoundary, { listen }, h(Broken)))
      const { rerender, unmount, container } = render(tree(a))
      expect([...resets.keys()]).toEqual(['a'])
      rerender(tree(b))
      expect([...resets.keys()]).toEqual(['b'])
      isBroken = false
      await act(async () => resets.get('b')!())
      expect(container.textContent).toBe('whole')
      // Nothing failed: nothing happens.
      await act(async () => resets.get('b')!())
      unmount()
      expect(resets.size).toBe(0)
    },
  )
})

describe('AsyncBoundary', () => {
  test('BND-1 fallback, error component with its class, and the way back', async () => {
    const { store } = open()
    const ep = deferredEndpoint('get', Todo)
    const Title = (): ReactNode => (useSuspense(ep, args) as any).title
    const Show = ({ className, ...props }: any): ReactNode => h('div', { className }, h(Failed, props))
    let leave!: () => void
    const App = (): ReactNode => {
      const [is, set] = useState(true)
      leave = () => set(false)
      return (
        is && h(AsyncBoundary<Error>, { fallback: 'loading', errorComponent: Show, errorClassName: 'red' }, h(Title))
      )
    }
    const { container, getByRole, getByText } = await act(async () => render(h(DataProvider, { store }, h(App))))
    expect(container.textContent).toBe('loading')
    await settle(() => ep.calls[0].fail(new Error('no')))
    expect(container.textContent).toBe('failed: no')
    expect(container.querySelector('.red')).not.toBeNull()
    await settle(() => getByRole('button').click())
    expect(getByText('loading')).toBeDefined()
    await settle(() => ep.calls[1].answer({ id: '1', title: 'one' }))
    expect(container.textContent).toBe('one')
    await act(async () => leave())
  })

  test('BND-4 NET-16 a Retry-After that still runs is waited for', async () => {
    const { store, clock } = open({ random: () => 0 })
    const ep = deferredEndpoint('get', Todo)
    const Title = (): ReactNode => (useSuspense(ep, args) as any).title
    const { container, getByRole, getByText } = await act(async () =>
      render(
        h(DataProvider, { store }, h(AsyncBoundary<Error>, { fallback: 'loading', errorComponent: Failed }, h(Title))),
      ),
    )
    const response = new Response(null, { status: 503, headers: { 'retry-after': '2' } })
    await settle(() => ep.calls[0].fail(Object.assign(new Error('busy'), { status: 503, response })))
    await settle(() => getByRole('button').click())
    expect(getByText('loading')).toBeDefined()
    expect(ep.calls).toHaveLength(1)
    await settle(() => clock.pass(2001))
    expect(ep.calls).toHaveLength(2)
    await settle(() => ep.calls[1].answer({ id: '1', title: 'one' }))
    expect(container.textContent).toBe('one')
  })

  test('BND-4 data on the screen elsewhere is not refetched', async () => {
    const { store } = open()
    const [ep, other] = [
      deferredEndpoint('get', Todo, { errorExpiryLength: 1e6 }),
      deferredEndpoint('other', Todo, { errorExpiryLength: 1e6 }),
    ]
    const { useDLE } = await import('restitch/react')
    const Title = (): ReactNode => (useSuspense(ep, args) as any).title
    const Other = (): ReactNode => useDLE(other, args).error?.message
    const { getByRole } = await act(async () =>
      render(h(DataProvider, { store }, h(Other), h(AsyncBoundary<Error>, { errorComponent: Failed }, h(Title)))),
    )
    await settle(() => ep.calls[0].fail(new Error('no')))
    await settle(() => other.calls[0].fail(new Error('other')))
    await settle(() => getByRole('button').click())
    expect([ep.calls.length, other.calls.length]).toEqual([2, 1])
  })
})

describe('trying again', () => {
  const Title = ({ ep }: { ep: any }): ReactNode => (useSuspense(ep, args) as any).title
  const inBoundary = (ep: any): ReactNode =>
    h(AsyncBoundary<Error>, { fallback: 'loading', errorComponent: Failed }, h(Title, { ep }))

  test('ERR-3 BND-1 a reader that mounts again a while after a failure fetches again', async () => {
    const ep = deferredEndpoint('get', Todo)
    let go!: (isThere: boolean) => void
    const App = (): ReactNode => {
      const [isThere, set] = useState(true)
      go = set
      return isThere ? inBoundary(ep) : 'list'
    }
    const screen = await show(h(App))
    await settle(() => ep.calls[0].fail(new Error('down')))
    expect(screen.text()).toBe('failed: down')
    await settle(() => go(false))
    await settle(() => screen.clock.pass(5_000))
    await settle(() => go(true))
    expect(screen.text()).toBe('loading')
    expect(ep.calls).toHaveLength(2)
  })

  test('BND-4 DEL-3 a deleted record that is opened again is fetched once', async () => {
    const response = deferred()
    const { delete: base }: any = resource({ path: '/todos/:id', schema: Todo, optimistic: true })
    const remove = base.extend({ fetch: () => response.promise })
    const ep = deferredEndpoint('get', Todo)
    let go!: (isThere: boolean) => void
    const App = (): ReactNode => {
      const [isThere, set] = useState(false)
      go = set
      return isThere ? inBoundary(ep) : 'list'
    }
    const screen = await show(h(App))
    const { controller } = screen.store
    await settle(() => controller.set(Todo, args, { id: '1', title: 'one' }))
    await settle(() => go(true))
    expect(screen.text()).toBe('one')
    await settle(() => void controller.fetch(remove, args).then(() => go(false)))
    await settle(() => response.resolve(args))
    await settle(() => go(true))
    for (let i = 0; i < 3; i++) {
      await settle(() => screen.clock.pass(5_000))
      await settle(() => screen.container.querySelector('button')?.click())
    }
    expect(screen.text()).toBe('loading')
    expect(ep.calls).toHaveLength(1)
  })

  test('BND-4 in a boundary outside of the provider whose store it failed in', async () => {
    const inner = open()
    const ep = deferredEndpoint('get', Todo)
    // The component that shows it has its own provider, with the boundary inside.
    const screen = await show(h(DataProvider, { store: inner.store }, h(Title, { ep })))
    await settle(() => ep.calls[0].fail(new Error('down')))
    await settle(() => inner.clock.pass(5_000))
    await settle(() => screen.getByRole('button').click())
    expect(ep.calls).toHaveLength(2)
  })

  test.each([0, 5_000])('BND-4 a failure that no store knows of, %i ms later', async (later) => {
    let isClosed = true
    const gate: any = {
      middleware: () => (next: any) => (action: any) => {
        if (isClosed && action.type === 'rdc/fetch') {
          throw new Error('no token')
        }
        return next(action)
      },
      cleanup() {},
    }
    const ep = deferredEndpoint('get', Todo)
    const screen = await show(inBoundary(ep), open({ managers: [gate, ...getDefaultManagers()] }))
    expect(screen.text()).toBe('failed: no token')
    // It fails in the same way again, and says so again.
    await settle(() => screen.clock.pass(later))
    await settle(() => screen.getByRole('button').click())
    expect(screen.text()).toBe('failed: no token')
    isClosed = false
    await settle(() => screen.clock.pass(later))
    await settle(() => screen.getByRole('button').click())
    expect(screen.getByText('loading')).toBeDefined()
    expect(ep.calls).toHaveLength(1)
    await settle(() => ep.calls[0].answer({ id: '1', title: 'one' }))
    expect(screen.text()).toBe('one')
  })

  test.each(['text', undefined])('BND-4 %s that a manager throws', async (thrown) => {
    const gate: any = {
      middleware: () => (next: any) => (action: any) => {
        if (action.type === 'rdc/fetch') {
          // oxlint-disable-next-line typescript/only-throw-error -- that is what is tested
          throw thrown
        }
        return next(action)
      },
      cleanup() {},
    }
    const screen = await show(
      inBoundary(deferredEndpoint('get', Todo)),
      open({ managers: [gate, ...getDefaultManagers()] }),
    )
    expect(screen.getByRole('button')).toBeDefined()
  })
})

describe('resetting by itself', () => {
  const get = (more: object = {}): any => deferredEndpoint('get', Todo, { errorExpiryLength: 50, ...more })
  const Title = ({ ep, id }: { ep: any; id: string; count?: number; more?: object }): ReactNode =>
    (useSuspense(ep, { id }) as any).title
  const BOUNDARIES: [name: string, (props: object, children: ReactNode) => ReactNode][] = [
    ['ErrorBoundary', (props, children) => h(ErrorBoundary<Error>, { fallbackComponent: Failed, ...props }, children)],
    [
      'AsyncBoundary',
      (props, children) => h(AsyncBoundary<Error>, { fallback: 'waiting', errorComponent: Failed, ...props }, children),
    ],
  ]

  test.each(BOUNDARIES)('BND-7 %s resets when one of the resetKeys changes, and fetches again', async (_name, wrap) => {
    const ep = get()
    const tree = (...resetKeys: unknown[]): ReactNode => wrap({ resetKeys }, h(Title, { ep, id: '1' }))
    const screen = await show(tree(1, 'a'))
    await settle(() => ep.calls[0].fail(new Error('no')))
    expect(screen.text()).toBe('failed: no')
    await settle(() => screen.rerender(tree(1, 'a')))
    expect([screen.text(), ep.calls.length]).toEqual(['failed: no', 1])
    await settle(() => screen.rerender(tree(1, 'b')))
    expect(ep.calls).toHaveLength(2)
    await settle(() => ep.calls[1].answer({ id: '1', title: 'one' }))
    expect(screen.text()).toBe('one')
    // Without an error nothing happens.
    await settle(() => screen.rerender(tree(2)))
    expect([screen.text(), ep.calls.length]).toEqual(['one', 2])
  })

  test('BND-7 an error of the update that changes the keys stays', async () => {
    const tree = (key: number): ReactNode =>
      h(ErrorBoundary<Error>, { fallbackComponent: Failed, resetKeys: [key] }, key === 1 ? 'fine' : h(Broken))
    const { rerender, container } = render(tree(1))
    rerender(tree(2))
    expect(container.textContent).toBe('failed: broken')
    isBroken = false
    rerender(tree(3))
    expect(container.textContent).toBe('whole')
  })

  test.each(BOUNDARIES)('BND-8 %s resets when the arguments of the failed read change', async (_name, wrap) => {
    const ep = get()
    const tree = (id: string): ReactNode => wrap({}, h(Title, { ep, id }))
    const screen = await show(tree('1'))
    await settle(() => ep.calls[0].fail(new Error('no')))
    await settle(() => screen.rerender(tree('2')))
    expect(ep.calls.map((call: any) => call.args[0].id)).toEqual(['1', '2'])
    await settle(() => ep.calls[1].answer({ id: '2', title: 'two' }))
    expect(screen.text()).toBe('two')
  })

  test('BND-8 other props with the same arguments: the error stays, and no request is sent', async () => {
    const ep = get()
    const tree = (count: number): ReactNode =>
      h(ErrorBoundary<Error>, { fallbackComponent: Failed }, h(Title, { ep, id: '1', count, more: { list: [1] } }))
    const screen = await show(tree(1))
    await settle(() => ep.calls[0].fail(new Error('no')))
    const button = screen.container.querySelector('button')
    // Equal props: not even the fallback is touched.
    await settle(() => screen.rerender(tree(1)))
    expect(screen.container.querySelector('button')).toBe(button)
    await settle(() => screen.rerender(tree(2)))
    await settle(() => screen.rerender(tree(3)))
    expect([screen.text(), ep.calls.length]).toEqual(['failed: no', 1])
    // Trying again on purpose still works.
    await settle(() => screen.container.querySelector('button')!.click())
    expect(ep.calls).toHaveLength(2)
    await settle(() => ep.calls[1].answer({ id: '1', title: 'one' }))
    expect(screen.text()).toBe('one')
  })
})

describe('an error boundary of the app', () => {
  class Own extends Component<{ readonly children?: ReactNode }, { readonly error?: Error }> {
    override state: { readonly error?: Error } = {}
    static getDerivedStateFromError(error: Error): object {
      return { error }
    }
    override render(): ReactNode {
      const { error } = this.state
      return error
        ? h('button', { onClick: () => this.setState({ error: undefined as never }) }, error.message)
        : this.props.children
    }
  }
  const Keyed = ({ children }: { children?: ReactNode }): ReactNode => {
    const [tries, setTries] = useState(0)
    return [
      h('button', { key: 'again', onClick: () => setTries(tries + 1) }),
      h(Own, { key: tries }, h('span', null, children)),
    ]
  }

  test.each([
    ['with a state of its own', Own, false],
    ['with a state of its own', Own, true],
    ['with a key', Keyed, false],
    ['with a key', Keyed, true],
  ])('BND-9 ERR-3 %s: an expired error is not thrown again', async (_, Boundary, isBusy) => {
    const ep = deferredEndpoint('get', Todo, { errorExpiryLength: 300 })
    const other = deferredEndpoint('other', Todo)
    const One = ({ of }: { of: any }): ReactNode => (useSuspense(of, args) as any).title
    const wait = (...children: ReactNode[]): ReactNode => h(Suspense, { fallback: 'wait' }, ...children)
    const tree = h(
      'div',
      null,
      h('i', null, isBusy && wait(h(One, { of: other }))),
      h(Boundary, null, wait(h(One, { of: ep }))),
    )
    const screen = await show(tree)
    await settle(() => ep.calls[0].answer({ id: '1', title: 'a' }))
    await settle(() => screen.store.controller.invalidate(ep, args))
    const failed = Object.assign(new Error('gone'), { status: 404 })
    await settle(() => ep.calls[1].fail(failed))
    expect(screen.text()).toContain('gone')
    await settle(() => screen.clock.pass(400))
    await act(async () => screen.container.querySelector('button')!.click())
    expect(ep.calls).toHaveLength(3)
    expect(screen.text()).not.toContain('gone')
  })
})
