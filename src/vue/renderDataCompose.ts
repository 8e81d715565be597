import { createApp, defineComponent, h, nextTick, reactive, Suspense } from 'vue'
import { getDefaultManagers } from '../client/getDefaultManagers.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Manager } from '../managers/Manager.ts'
import type { Fixture, Interceptor } from '../mock/Fixture.ts'
import { mockInitialState } from '../mock/mockInitialState.ts'
import { createRestitch } from './createRestitch.ts'
import { mockApp } from './MockPlugin.ts'

/** How a composable is run. */
export interface RenderDataComposeOptions<P extends object, T = any> {
  /** Fixtures that are in the store from the start. */
  readonly initialFixtures?: readonly Fixture[] | undefined
  /** Mocks for fetches. */
  readonly resolverFixtures?: readonly (Fixture | Interceptor<T>)[] | undefined
  /** Makes the data that interceptors find in `this`. */
  readonly getInitialInterceptorData?: (() => T) | undefined
  /** Passed to the composable. Change its members to see what the composable does. */
  readonly props?: P | undefined
  readonly managers?: readonly Manager[] | undefined
}

/** A composable that runs in a component. */
export interface RenderDataComposeResult<R, P extends object> {
  /** The return value of the composable: await it if it is a promise. */
  readonly result: R
  readonly props: P
  readonly controller: Controller
  /** Resolves when nothing is being fetched any more, and refs are up to date. */
  allSettled(): Promise<void>
  /** Unmounts the component, which stops the store. */
  cleanup(): void
}

/**
 * Runs a composable in an app of its own, with fixtures instead of the network.
 *
 * @example
 * const { result } = renderDataCompose(() => useSuspense(getUser, { id: 5 }), { resolverFixtures: fixtures })
 * const name = (await result).value.name
 * expect(name).toBe('Ann')
 * @see docs/api/renderDataCompose.md
 */
export function renderDataCompose<R, P extends object = object, T = any>(
  composable: (props: P) => R,
  options: RenderDataComposeOptions<P, T> = {},
): RenderDataComposeResult<R, P> {
  const { initialFixtures, resolverFixtures, getInitialInterceptorData } = options
  const props = reactive(options.props ?? {}) as P
  let outcome: { readonly result: R } | { readonly error: unknown } | undefined
  const Compose = defineComponent(() => {
    try {
      outcome = { result: composable(props) }
    } catch (error) {
      outcome = { error }
    }
    const render = (): undefined => undefined
    const { result } = outcome as { result?: unknown }
    return result instanceof Promise
      ? result.then(
          () => render,
          () => render,
        )
      : render
  })
  const app = createApp(() => h(Suspense, null, { default: () => h(Compose) }))
  app.use(
    createRestitch({
      managers: options.managers ?? getDefaultManagers({ devToolsManager: null }),
      initialState: initialFixtures && mockInitialState(initialFixtures),
    }),
  )
  const controller = mockApp(app, { fixtures: resolverFixtures, getInitialInterceptorData })
  app.mount(document.createElement('div'))
  if (!outcome || 'error' in outcome) {
    throw outcome?.error
  }
  return {
    result: outcome.result,
    props,
    controller,
    async allSettled() {
      await nextTick()
      const { open } = controller.core.requests
      while (open.size > 0) {
        await Promise.allSettled([...open.values()].map(({ action }) => action.meta.promise))
        await nextTick()
      }
    },
    cleanup: () => app.unmount(),
  }
}
