import { type Component, flushSync, mount, tick, unmount } from 'svelte'
import { fromStore, toStore, writable } from 'svelte/store'
import { createMockStore, type MockStoreOptions } from '../binding/createMockStore.ts'
import { settleRequests } from '../binding/settleRequests.ts'
import type { Controller } from '../controller/Controller.ts'
import { contextOf } from './context.ts'

/** How a function or a component is run. */
export interface RenderDataOptions<P extends object = object, T = any> extends MockStoreOptions<T> {
  /** Passed to the function or component. Change them with `setProps`. */
  readonly props?: P | undefined
}

/** The function or component that runs, with a store of its own. */
export interface Rendered<P extends object = object> {
  readonly controller: Controller
  /** Changes some of the props. */
  setProps(props: Partial<P>): void
  /** Resolves with the outcomes of all requests, when nothing is being fetched any more and effects have run. */
  allSettled(): Promise<PromiseSettledResult<unknown>[]>
  /** Destroys it, and stops the store. */
  cleanup(): void
}

/** A function that runs in a component. */
export interface RenderedData<R, P extends object = object> extends Rendered<P> {
  /** The value that the function has returned. All members of it are read, as a component would. */
  readonly result: R
}

/** A component that is mounted. */
export interface MountedData<P extends object = object> extends Rendered<P> {
  /** The element around it. */
  readonly container: HTMLElement
}

/**
 * Runs a function that reads data in a component of its own, with fixtures instead of the network.
 *
 * @example
 * const { result, allSettled } = renderData(() => createData(getUser, { id: 5 }), { resolverFixtures: fixtures })
 * await allSettled()
 * expect(result.data?.name).toBe('Ann')
 * @see docs/api/renderData.md
 */
export function renderData<R, P extends object = object, T = any>(
  callback: (props: P) => R,
  options: RenderDataOptions<P, T> = {},
): RenderedData<R, P> {
  let result!: R
  const run = (_internals: unknown, props: P): object => {
    result = callback(props)
    return {}
  }
  const rendered = start(run as unknown as Component<any>, options)
  const end = toStore(() => readMembers(result)).subscribe(() => {})
  flushSync()
  return {
    ...rendered,
    result,
    cleanup() {
      end()
      rendered.cleanup()
    },
  }
}

/**
 * Mounts a component with fixtures instead of the network.
 *
 * @example
 * const { container, allSettled } = mountData(UserPage as any, { props: { id: 5 }, resolverFixtures: fixtures })
 * await allSettled()
 * expect(container.textContent).toBe('Ann')
 * @see docs/api/renderData.md#mountdata
 */
export function mountData<P extends Record<string, any>, T = any>(
  component: Component<P>,
  options: RenderDataOptions<P, T> = {},
): MountedData<P> {
  return start(component, options)
}

function start<P extends object>(
  component: Component<any>,
  { props: given, ...options }: RenderDataOptions<P>,
): MountedData<P> {
  const state = writable<object>({ ...given })
  const now = fromStore(state)
  const props = {}
  const define = (names: readonly string[]): void => {
    for (const name of names) {
      const get = (): unknown => now.current[name as never]
      Object.defineProperty(props, name, { enumerable: true, configurable: true, get })
    }
  }
  define(Object.keys(given ?? {}))
  const store = createMockStore(options)
  const { controller } = store
  const container = document.body.appendChild(document.createElement('div'))
  const mounted = mount(component, { target: container, props, context: contextOf(controller) })
  flushSync()
  return {
    controller,
    container,
    setProps(changes) {
      define(Object.keys(changes))
      state.update((last) => ({ ...last, ...changes }))
      flushSync()
    },
    allSettled: () =>
      settleRequests(controller, async () => {
        flushSync()
        await tick()
      }),
    cleanup() {
      void unmount(mounted)
      container.remove()
      store.stop()
    },
  }
}

/** Reads all members, also those of several results in an object or array. */
function readMembers(value: unknown, depth = 0): void {
  if (typeof value === 'object' && value !== null && depth < 2) {
    for (const member of Object.values(value)) {
      readMembers(member, depth + 1)
    }
  }
}
