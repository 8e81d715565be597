import { type Component, createComponent, createRoot } from 'solid-js'
import { createStore } from 'solid-js/store'
import { render } from 'solid-js/web'
import { createMockStore, type MockStoreOptions } from '../binding/createMockStore.ts'
import { settleRequests } from '../binding/settleRequests.ts'
import type { Controller } from '../controller/Controller.ts'
import { RestitchProvider } from './RestitchProvider.ts'

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
  /** Resolves with the outcomes of all requests, when nothing is being fetched any more. */
  allSettled(): Promise<PromiseSettledResult<unknown>[]>
  /** Disposes it, and stops the store. */
  cleanup(): void
}

/** A function that runs in a component. */
export interface RenderedData<R, P extends object = object> extends Rendered<P> {
  /** The value that the function has returned. */
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
  const run = (props: P): null => {
    result = callback(props)
    return null
  }
  const rendered = start(run, options, (show) =>
    createRoot((dispose) => {
      show()
      return dispose
    }),
  )
  return { ...rendered, result }
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
export function mountData<P extends object, T = any>(
  component: Component<P>,
  options: RenderDataOptions<P, T> = {},
): MountedData<P> {
  const container = document.body.appendChild(document.createElement('div'))
  const rendered = start(component, options, (show) => {
    const dispose = render(show, container)
    return () => {
      dispose()
      container.remove()
    }
  })
  return { ...rendered, container }
}

function start<P extends object>(
  component: Component<P>,
  { props: given, ...options }: RenderDataOptions<P>,
  show: (component: () => any) => () => void,
): Rendered<P> {
  const [props, setProps] = createStore<any>({ ...given })
  const store = createMockStore(options)
  const { controller } = store
  const dispose = show(() =>
    createComponent(RestitchProvider, {
      store,
      get children() {
        return createComponent(component, props)
      },
    }),
  )
  return {
    controller,
    setProps,
    allSettled: () => settleRequests(controller, () => Promise.resolve()),
    cleanup() {
      dispose()
      store.stop()
    },
  }
}
