// @vitest-environment happy-dom
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { act, cleanup, render } from '@testing-library/react'
import { createElement as h, type ReactNode, StrictMode, Suspense, useState, version } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToPipeableStream } from 'react-dom/server'
import type { Store } from 'restitch'
import {
  DataProvider,
  ErrorBoundary,
  useCancelling,
  useDLE,
  useDLEAll,
  useFetching,
  useInfiniteDLE,
  useLive,
  useMutation,
  useMutations,
  useQuery,
  useSuspense,
  useUndoable,
} from 'restitch/react'
import { createPersistedStore, createServerDataComponent, getInitialData } from 'restitch/react/ssr'
import { afterEach, vi } from 'vitest'
import type { Adapter, Screen, Use } from '../../src/testing/contract/Adapter.ts'
import { testContract } from '../../src/testing/contract/contract.ts'
import { PAGES } from '../../src/testing/contract/pages.ts'
import { tick } from '../../src/testing/TestClock.ts'

afterEach(() => {
  cleanup()
  document.body.innerHTML = ''
  vi.restoreAllMocks()
})

/** Each kind of hook, as an object with members. */
const HOOKS: Record<Use['kind'], (of: any, args: readonly any[]) => any> = {
  data: (of, args) => useDLE(of, ...(args as [])),
  suspense: (of, args) => ({ data: useSuspense(of, ...(args as [])) }),
  query: (of, args) => ({ data: useQuery(of, ...(args as [any])) }),
  infinite: (of, args) => useInfiniteDLE(of, ...(args as [])),
  live: (of, args) => ({ data: useLive(of, ...(args as [])) }),
  mutation: (of) => useMutation(of),
  undoable: (of) => useUndoable(of),
  count: () => ({ count: useFetching() }),
  mutations: (of) => ({ calls: useMutations(of) }),
  all: (of, [list]) => ({ states: useDLEAll(list.map((one: unknown) => [of, one])) }),
  cancelling: (of, args) => ({ endpoint: useCancelling(of, ...(args as [])) }),
}

interface Probes {
  readonly results: any[]
  readonly set: ((args: readonly any[]) => void)[]
  readonly tree: ReactNode
}

function createProbes(uses: readonly Use[]): Probes {
  const results: any[] = []
  const set: ((args: readonly any[]) => void)[] = []
  const Probe = ({ index, args }: { readonly index: number; readonly args: readonly any[] }): ReactNode => {
    const { kind, of, show } = uses[index]!
    const result = HOOKS[kind](of, args)
    results[index] = result
    return h('p', null, String(show(result)))
  }
  const Failed = ({ error }: { readonly error: Error }): ReactNode => h('p', null, `failed: ${error.message}`)
  // The state stands above the boundary: Preact forgets that of a component which suspends.
  const Use = ({ index }: { readonly index: number }): ReactNode => {
    const [args, setArgs] = useState(uses[index]!.args ?? [])
    set[index] = setArgs
    return h(
      Suspense,
      { fallback: h('p', null, 'loading') },
      h(ErrorBoundary<Error>, { fallbackComponent: Failed }, h(Probe, { index, args })),
    )
  }
  const tree = uses.map((_use, index) => h(Use, { key: index, index }))
  return { results, set, tree }
}

/** `act` of Preact returns nothing. */
async function inAct<T>(run: () => T | Promise<T>): Promise<T> {
  let value!: T
  await act(async () => {
    value = await run()
  })
  return value
}

const settle: Screen['settle'] = (run) =>
  inAct(async () => {
    const value = await run?.()
    await tick()
    return value as never
  })

function screenOf({ results, set }: Probes, root: ParentNode, unmount: () => void): Screen {
  return {
    text: () => [...root.querySelectorAll('p')].map((element) => element.textContent).join('|'),
    result: (index = 0) => results[index],
    setArgs: (args, index = 0) => settle(() => set[index]!(args)),
    settle,
    unmount: () => act(async () => unmount()),
  }
}

const mount = async (store: Store, uses: readonly Use[], twice = false): Promise<Screen> => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const probes = createProbes(uses)
  const inside = h(DataProvider, { store }, probes.tree)
  const { container, unmount } = await inAct(async () => render(twice ? h(StrictMode, null, inside) : inside))
  return screenOf(probes, container, unmount)
}

const adapter: Adapter = {
  name: `React ${version}`,
  mount,
  async mountWrong(use, store) {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const Alone = (): ReactNode => {
      use.show(HOOKS[use.kind](use.of, use.args ?? []))
      return null
    }
    try {
      await inAct(async () => render(store ? h(DataProvider, { store }, h(Alone)) : h(Alone)))
      return undefined
    } catch (error) {
      return error
    }
  },
  async render(page) {
    const { uses, calls } = PAGES[page as keyof typeof PAGES]()
    const [ServerDataProvider, useReadyCacheState] = createPersistedStore()
    const ServerDataComponent = createServerDataComponent(useReadyCacheState)
    const { tree } = createProbes(uses)
    const root = h('div', { id: 'app' }, h(ServerDataProvider, null, tree))
    const through = new PassThrough()
    const { pipe } = renderToPipeableStream(h('main', null, root, h(ServerDataComponent)), {
      onAllReady: () => void pipe(through),
    })
    return { html: await text(through), calls }
  },
  async hydrate(uses) {
    const warnings: unknown[] = []
    vi.spyOn(console, 'error').mockImplementation((text) => {
      if (!String(text).includes('multiple renderers')) {
        warnings.push(text)
      }
    })
    const probes = createProbes(uses)
    const element = document.querySelector('#app')!
    const options = { onRecoverableError: (error: unknown) => void warnings.push(error) }
    const tree = h(DataProvider, { initialState: getInitialData() }, probes.tree)
    const root = await inAct(async () => hydrateRoot(element, tree, options))
    return { ...screenOf(probes, element, () => root.unmount()), warnings }
  },
}

testContract(adapter)
