import { withoutChance } from '../mock/withoutChance.ts'
import { mount, type VueWrapper } from '@vue/test-utils'
import { type Component, type ComponentPublicInstance, defineComponent, h, nextTick, reactive, Suspense } from 'vue'
import { settleRequests } from '../binding/settleRequests.ts'
import { getDefaultManagers } from '../client/getDefaultManagers.ts'
import type { Controller } from '../controller/Controller.ts'
import type { GCInterface } from '../controller/GCInterface.ts'
import type { Manager } from '../managers/Manager.ts'
import type { Fixture, Interceptor } from '../mock/Fixture.ts'
import { mockInitialState } from '../mock/mockInitialState.ts'
import type { State } from '../store/stateShape.ts'
import { createRestitch } from './createRestitch.ts'
import { MockPlugin } from './MockPlugin.ts'
import { useController } from './useController.ts'

/** How a component or a composable is run. */
export interface RenderDataClientOptions<P extends object = any, T = any> {
  /** Fixtures that are in the store from the start. */
  readonly initialFixtures?: readonly Fixture[] | undefined
  /** Mocks for fetches. */
  readonly resolverFixtures?: readonly (Fixture | Interceptor<T>)[] | undefined
  /** Makes the data that interceptors find in `this`. */
  readonly getInitialInterceptorData?: (() => T) | undefined
  /** Passed to the component or composable. Change its members to see what they do. */
  readonly props?: P | undefined
  readonly managers?: readonly Manager[] | undefined
  /** The state to start with, instead of `initialFixtures`. */
  readonly initialState?: State | undefined
  readonly gcPolicy?: GCInterface | undefined
  /** Stands around the component, and gets its props. */
  readonly wrapper?: Component | undefined
}

/** A component that is mounted. */
export interface RenderDataClientResult {
  /** The wrapper of `@vue/test-utils`. */
  readonly wrapper: VueWrapper
  readonly controller: Controller
  /** The component around yours. */
  readonly app: ComponentPublicInstance
  /** Unmounts it, which stops the store. */
  cleanup(): void
  /** Resolves with the outcomes of all requests, when nothing is being fetched any more and refs are up to date. */
  allSettled(): Promise<PromiseSettledResult<unknown>[]>
}

/**
 * Mounts a component in an app of its own, with fixtures instead of the network.
 *
 * @example
 * const { wrapper, allSettled } = mountDataClient(UserPage, { props: { id: 5 }, resolverFixtures: fixtures })
 * await allSettled()
 * expect(wrapper.text()).toBe('Ann')
 * @see docs/api/renderDataCompose.md#mountdataclient
 */
export function mountDataClient<P extends object, T = any>(
  component: Component,
  options: RenderDataClientOptions<P, T> = {},
): RenderDataClientResult {
  const { initialFixtures, resolverFixtures, getInitialInterceptorData, wrapper: Around, gcPolicy } = options
  const { initialState = initialFixtures && mockInitialState(initialFixtures) } = options
  const props = reactive(options.props ?? {})
  const { managers = getDefaultManagers({ devToolsManager: null }) } = options
  let controller!: Controller
  const Root = defineComponent(() => {
    controller = useController()
    return () =>
      h(Suspense, null, {
        default: () => (Around ? h(Around, props, () => h(component, props)) : h(component, props)),
        fallback: () => h('div', { 'data-testid': 'suspense-fallback' }, 'Loading...'),
      })
  })
  const wrapper = mount(Root, {
    global: {
      plugins: [
        createRestitch({ managers: [withoutChance, ...managers], initialState, gcPolicy }),
        [MockPlugin, { fixtures: resolverFixtures, getInitialInterceptorData }],
      ],
    },
  })
  return {
    wrapper,
    controller,
    app: wrapper.vm,
    cleanup: () => wrapper.unmount(),
    allSettled: () => settleRequests(controller, nextTick),
  }
}
