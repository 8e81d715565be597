// @vitest-environment happy-dom
import { flushPromises, mount as mountVue } from '@vue/test-utils'
import type { Store } from 'restitch'
import {
  AsyncBoundary,
  createRestitch,
  createServerRestitch,
  getInitialData,
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
} from 'restitch/vue'
import { afterEach, vi } from 'vitest'
import { type Component, createSSRApp, defineComponent, h, proxyRefs, shallowRef, type ShallowRef, version } from 'vue'
import { renderToString } from 'vue/server-renderer'
import type { Adapter, Screen, Use } from '../../src/testing/contract/Adapter.ts'
import { testContract } from '../../src/testing/contract/contract.ts'
import { PAGES } from '../../src/testing/contract/pages.ts'
import { tick } from '../../src/testing/TestClock.ts'

let unmounts: (() => void)[] = []
afterEach(() => {
  unmounts.forEach((unmount) => unmount())
  unmounts = []
  document.body.innerHTML = ''
  vi.restoreAllMocks()
})

/** Each kind of composable, as refs with names. */
const COMPOSABLES: Record<Use['kind'], (of: any, args: any) => any> = {
  data: (of, args) => useDLE(of, ...(args as [])),
  suspense: async (of, args) => ({ data: await useSuspense(of, ...(args as [])) }),
  query: (of, args) => ({ data: useQuery(of, ...(args as [])) }),
  infinite: (of, args) => useInfiniteDLE(of, ...(args as [])),
  live: async (of, args) => ({ data: await useLive(of, ...(args as [])) }),
  mutation: (of) => useMutation(of),
  undoable: (of) => useUndoable(of),
  count: () => ({ count: useFetching() }),
  mutations: (of) => ({ calls: useMutations(of) }),
  all: (of, [list]) => ({ states: useDLEAll(() => list().map((one: unknown) => [of, one])) }),
  cancelling: (of, args) => ({ endpoint: useCancelling(of, ...(args as [])) }),
}

interface Probes {
  readonly results: any[]
  readonly args: ShallowRef<readonly any[]>[]
  readonly Root: Component
}

function createProbes(uses: readonly Use[]): Probes {
  const results: any[] = []
  const args = uses.map((use) => shallowRef(use.args ?? []))
  const probes = uses.map(({ kind, of, show, args: given = [] }, index) => {
    const one = args[index]!
    const shown = (refs: object) => {
      const result = (results[index] = proxyRefs(refs))
      return () => h('p', String(show(result)))
    }
    const use = (): any =>
      COMPOSABLES[kind](
        of,
        given.map((_arg, at) => () => one.value[at] as unknown),
      )
    return kind === 'suspense' || kind === 'live'
      ? defineComponent(async () => shown(await use()))
      : defineComponent(() => shown(use()))
  })
  const Root = defineComponent(
    () => () =>
      probes.map((Probe) =>
        h(AsyncBoundary, null, {
          default: () => h(Probe),
          fallback: () => h('p', 'loading'),
          error: ({ error }: { readonly error: Error }) => h('p', `failed: ${error.message}`),
        }),
      ),
  )
  return { results, args, Root }
}

const settle: Screen['settle'] = async (run) => {
  const value = await run?.()
  await tick()
  await flushPromises()
  return value as never
}

function screenOf({ results, args }: Probes, root: () => ParentNode, unmount: () => void): Screen {
  unmounts.push(unmount)
  return {
    text: () => [...root().querySelectorAll('p')].map((element) => element.textContent).join('|'),
    result: (index = 0) => results[index],
    setArgs: (next, index = 0) => settle(() => void (args[index]!.value = next)),
    settle,
    unmount: () => {
      unmounts = unmounts.filter((one) => one !== unmount)
      unmount()
      return tick()
    },
  }
}

const mount = async (store: Store, uses: readonly Use[], twice = false): Promise<Screen> => {
  vi.spyOn(console, 'info').mockImplementation(() => {})
  const probes = createProbes(uses)
  const plugins = [createRestitch({ store })]
  const Around = defineComponent(() => () => h('div', [h(probes.Root)]))
  const show = () => mountVue(Around, { global: { plugins } })
  if (twice) {
    show().unmount()
  }
  const wrapper = show()
  await settle()
  return screenOf(
    probes,
    () => wrapper.element as ParentNode,
    () => wrapper.unmount(),
  )
}

const adapter: Adapter = {
  name: `Vue ${version}`,
  mount,
  async mountWrong({ kind, of, args = [], show }, store) {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    let thrown: unknown
    const keep = (error: unknown): void => void (thrown ??= error)
    const Alone = defineComponent(() => {
      const values = args.map((value) => () => value as unknown)
      const result = COMPOSABLES[kind](of, values)
      if (result instanceof Promise) {
        result.catch(keep)
        return () => null
      }
      return () => String(show(proxyRefs(result)))
    })
    try {
      mountVue(Alone, { global: { plugins: store ? [createRestitch({ store })] : [] } })
    } catch (error) {
      keep(error)
    }
    await settle()
    return thrown
  },
  async render(page) {
    const { uses, calls } = PAGES[page as keyof typeof PAGES]()
    const restitch = createServerRestitch()
    const html = await renderToString(createSSRApp(createProbes(uses).Root).use(restitch))
    return { html: `<div id="app">${html}</div>${restitch.renderState()}`, calls }
  },
  async hydrate(uses) {
    const warnings: unknown[] = []
    const warn = (text: unknown): void => void warnings.push(text)
    vi.spyOn(console, 'warn').mockImplementation(warn)
    vi.spyOn(console, 'error').mockImplementation(warn)
    const probes = createProbes(uses)
    const app = createSSRApp(probes.Root).use(createRestitch({ initialState: getInitialData() }))
    const element = document.querySelector('#app')!
    app.mount(element)
    await settle()
    return {
      ...screenOf(
        probes,
        () => element,
        () => app.unmount(),
      ),
      warnings,
    }
  },
}

testContract(adapter)
