import { render } from '@testing-library/react'
import {
  Component,
  type ComponentType,
  createElement,
  Fragment,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useLayoutEffect,
} from 'react'
import { getDefaultManagers } from '../client/getDefaultManagers.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Fixture, Interceptor } from '../mock/Fixture.ts'
import { mockInitialState } from '../mock/mockInitialState.ts'
import { ControllerContext } from '../react/ControllerContext.ts'
import { DataProvider, type ProviderProps } from '../react/DataProvider.ts'
import { MockResolver } from './MockResolver.ts'
import { createWaiting, type WaitOptions } from './waiting.ts'

/** What a provider has to take, so that hooks can be rendered inside. */
export type DataProviderProps = Pick<ProviderProps, 'children' | 'managers' | 'initialState' | 'devButton'>

/** How a hook is rendered. */
export interface RenderDataHookOptions<P, T = any> {
  /** What the store knows from the start. */
  readonly initialFixtures?: readonly Fixture[] | undefined
  /** What answers fetches. */
  readonly resolverFixtures?: readonly (Fixture | Interceptor<T>)[] | undefined
  /** Makes the data that interceptors find in `this`. */
  readonly getInitialInterceptorData?: (() => T) | undefined
  readonly initialProps?: P | undefined
  /** Stands between the provider and the hook. */
  readonly wrapper?: ComponentType<any> | undefined
}

/** A hook that has been rendered. */
export interface RenderDataHookResult<R, P> {
  readonly result: {
    /** What the hook returned last; `undefined` while it suspends, or after it threw. */
    readonly current: R
    /** What the hook threw. */
    readonly error: any
  }
  /** Renders it again, also after it threw. */
  rerender(props?: P): void
  unmount(): void
  /** Resolves once the callback no longer throws. */
  waitFor<T>(callback: () => T | Promise<T>, options?: WaitOptions): Promise<T>
  /** Resolves when the hook has returned, suspended or thrown again. */
  waitForNextUpdate(options?: WaitOptions): Promise<void>
  readonly controller: Controller
  /** Unmounts it, which stops the store. */
  cleanup(): void
  /** Resolves when nothing is being fetched any more. */
  allSettled(): Promise<void>
}

/** Renders a hook; what {@link makeRenderDataHook} makes. */
export type RenderDataHook = <R, P = undefined, T = any>(
  callback: (props: P) => R,
  options?: RenderDataHookOptions<P, T>,
) => RenderDataHookResult<R, P>

/**
 * Renders a hook inside a provider of its own, with fixtures in the place of the network.
 *
 * @example
 * const { result, waitForNextUpdate } = renderDataHook(() => useSuspense(getUser, { id: 5 }), { resolverFixtures })
 * await waitForNextUpdate()
 * expect(result.current.name).toBe('Ann')
 * @see docs/api/renderDataHook.md
 */
export const renderDataHook: RenderDataHook = makeRenderDataHook(DataProvider)

/**
 * Makes a `renderDataHook` for a provider of the app.
 *
 * @example
 * const renderDataHook = makeRenderDataHook(AppProvider)
 * @see docs/api/makeRenderDataHook.md
 */
export function makeRenderDataHook(Provider: ComponentType<DataProviderProps>): RenderDataHook {
  return (callback, options = {}) => {
    const { initialFixtures, resolverFixtures: fixtures, getInitialInterceptorData, wrapper = Fragment } = options
    const result: { current: any; error: any } = { current: undefined, error: undefined }
    const waiting = createWaiting()
    let controller!: Controller
    const show = (current: unknown, error?: unknown): void => {
      Object.assign(result, { current, error })
      waiting.tell()
    }

    const Hook = ({ given }: { given: any }): null => {
      controller = useContext(ControllerContext)!
      const value = callback(given)
      useEffect(() => show(value))
      return null
    }
    const Suspended = (): null => {
      controller = useContext(ControllerContext)!
      useLayoutEffect(() => {
        if (result.current !== undefined || result.error !== undefined) {
          show(undefined)
        }
      })
      return null
    }
    // The same for all renders: what is made anew is mounted anew.
    const initialState = initialFixtures && mockInitialState(initialFixtures)
    const managers = getDefaultManagers({ devToolsManager: null })
    const tree = (given: any, attempt: number): ReactNode =>
      createElement(
        Provider,
        { managers, initialState, devButton: null },
        createElement(
          MockResolver,
          { fixtures, getInitialInterceptorData },
          createElement(
            wrapper,
            null,
            createElement(
              Catcher,
              { attempt, onError: (error: unknown) => show(undefined, error) },
              createElement(Suspense, { fallback: createElement(Suspended) }, createElement(Hook, { given })),
            ),
          ),
        ),
      )

    let props: any = options.initialProps
    let attempt = 0
    // What the hook throws is in `result.error`; React would print it as well.
    const screen = render(tree(props, attempt), { onCaughtError: () => {} })
    return {
      result,
      rerender: (next = props) => screen.rerender(tree((props = next), ++attempt)),
      unmount: () => screen.unmount(),
      waitFor: waiting.waitFor,
      waitForNextUpdate: waiting.waitForNextUpdate,
      get controller() {
        return controller
      },
      cleanup: () => screen.unmount(),
      allSettled: () =>
        waiting.during(() => {
          const all = controller.core.requests.all()
          return all.length > 0 ? Promise.allSettled(all.map(({ action }) => action.meta.promise)) : undefined
        }),
    }
  }
}

interface CatcherProps {
  readonly attempt: number
  readonly onError: (error: unknown) => void
  readonly children?: ReactNode
}

interface CatcherState {
  readonly attempt?: number
  readonly isBroken?: boolean
}

/** Tries again when it is rendered again. */
class Catcher extends Component<CatcherProps, CatcherState> {
  override state: CatcherState = {}

  static getDerivedStateFromProps({ attempt }: CatcherProps, state: CatcherState): CatcherState | null {
    return attempt === state.attempt ? null : { attempt, isBroken: false }
  }

  static getDerivedStateFromError(): CatcherState {
    return { isBroken: true }
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error)
  }

  override render(): ReactNode {
    return this.state.isBroken ? null : this.props.children
  }
}
