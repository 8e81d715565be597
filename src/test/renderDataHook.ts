import { act, render } from '@testing-library/react'
import {
  Component,
  type ComponentType,
  createElement,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { isPlain } from '../base/equal.ts'
import { getDefaultManagers } from '../client/getDefaultManagers.ts'
import { SET_RESPONSE } from '../requests/actionTypes.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Manager } from '../managers/Manager.ts'
import type { Fixture, Interceptor } from '../mock/Fixture.ts'
import { mockInitialState } from '../mock/mockInitialState.ts'
import { ControllerContext } from '../react/ControllerContext.ts'
import { withoutChance } from '../mock/withoutChance.ts'
import { DataProvider, type ProviderProps } from '../react/DataProvider.ts'
import { MockResolver } from './MockResolver.ts'
import { isWaiting, leaveAct, waitDuring, waitFor, waitForUpdate, type WaitOptions } from './waiting.ts'

/** The props that a provider must accept to render hooks inside. */
export type DataProviderProps = Pick<ProviderProps, 'managers' | 'initialState' | 'devButton'> & {
  readonly children: ReactNode
}

/** How a hook is rendered. */
export interface RenderDataHookOptions<P, T = any> {
  /** Fixtures that are in the store from the start. */
  readonly initialFixtures?: readonly Fixture[] | undefined
  /** Mocks for fetches. */
  readonly resolverFixtures?: readonly (Fixture | Interceptor<T>)[] | undefined
  /** Makes the data that interceptors find in `this`. */
  readonly getInitialInterceptorData?: (() => T) | undefined
  readonly initialProps?: P | undefined
  /** Stands between the provider and the hook; gets the props of the hook. */
  readonly wrapper?: ComponentType<any> | undefined
}

/** A hook that has been rendered. */
export interface RenderDataHookResult<R, P> {
  readonly result: {
    /** The last return value of the hook; `undefined` while it suspends, or after it threw. */
    readonly current: R
    /** The error that the hook threw. */
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
export interface RenderDataHook {
  <R, P = undefined, T = any>(
    callback: (props: P) => R,
    options?: RenderDataHookOptions<P, T>,
  ): RenderDataHookResult<R, P>
  /** Unmounts every hook that this function has rendered. */
  cleanup(): void
  /** Resolves when none of them is fetching any more. */
  allSettled(): Promise<void>
}

/**
 * Renders a hook inside its own provider, with fixtures instead of the network.
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
 * @see docs/api/renderDataHook.md#makerenderdatahook
 */
export function makeRenderDataHook(Provider: ComponentType<DataProviderProps>): RenderDataHook {
  const mounted = new Set<RenderDataHookResult<any, any>>()
  const renderHook = (callback: (props: any) => any, options: RenderDataHookOptions<any> = {}): any =>
    mountHook(Provider, callback, options, mounted)
  return Object.assign(renderHook, {
    cleanup() {
      for (const hook of mounted) {
        hook.unmount()
      }
    },
    async allSettled() {
      await Promise.all([...mounted].map((hook) => hook.allSettled()))
    },
  })
}

function mountHook(
  Provider: ComponentType<DataProviderProps>,
  callback: (props: any) => any,
  options: RenderDataHookOptions<any>,
  mounted: Set<RenderDataHookResult<any, any>>,
): RenderDataHookResult<any, any> {
  const { initialFixtures, resolverFixtures: fixtures, getInitialInterceptorData, wrapper } = options
  const result: { current: any; error: any } = { current: undefined, error: undefined }
  let controller!: Controller
  let updates = 0
  let isSuspended = false
  const show = (current: unknown, error?: unknown): void => {
    Object.assign(result, { current, error })
    updates++
    // Waiting callers check again when the page changes.
    screen.container.dataset['updates'] = String(updates)
  }

  const Hook = ({ given }: { given: any }): null => {
    controller = useContext(ControllerContext)!
    const value = callback(given)
    readMembers(value)
    useEffect(() => show(value))
    return null
  }
  const Suspended = (): null => {
    controller = useContext(ControllerContext)!
    useLayoutEffect(() => {
      isSuspended = true
      void whenSettled()?.then(retry)
      if (result.current !== undefined || result.error !== undefined) {
        show(undefined)
      }
      return () => {
        isSuspended = false
      }
    })
    return null
  }
  const acting: Manager = {
    middleware:
      ({ core }) =>
      (next) =>
      (action) => {
        // Of a response that a test awaits outside of `act` React would warn: it renders it on its own.
        if (action.type === SET_RESPONSE) {
          const end = leaveAct()
          return next(action).finally(end)
        }
        const done = next(action)
        // A test may write several times in one task, each in an `act` of its own.
        core.store.notifier.hurry()
        return done
      },
    cleanup() {},
  }
  // The same for all renders: a new object would mount everything again.
  const initialState = initialFixtures && mockInitialState(initialFixtures)
  const managers = [withoutChance, acting, ...getDefaultManagers({ devToolsManager: null })]
  const tree = (given: any, attempt: number): ReactNode => {
    const inside = createElement(
      Catcher,
      { attempt, onError: (error: unknown) => show(undefined, error) },
      createElement(Suspense, { fallback: createElement(Suspended) }, createElement(Hook, { given })),
    )
    const children = createElement(
      MockResolver,
      { fixtures, getInitialInterceptorData },
      wrapper ? createElement(wrapper, given, inside) : inside,
    )
    return createElement(Provider, { managers, initialState, devButton: null, children })
  }
  let setTree!: (tree: ReactNode) => void
  const Root = (): ReactNode => {
    const [shown, set] = useState<ReactNode>(null)
    setTree = set
    useEffect(() => {
      mounted.add(hook)
      return () => void mounted.delete(hook)
    }, [])
    return shown
  }

  let props: any = options.initialProps
  let attempt = 0
  const update = (): void => flushSync(() => setTree(tree(props, attempt)))
  const rerender = (next: any = props): void => {
    props = next
    attempt++
    act(update)
  }
  /** React keeps a fallback on screen for a while. Waiting for a suspended hook retries it without that delay. */
  const retry = (): void => {
    if (isSuspended && isWaiting()) {
      update()
    }
  }
  const whenSettled = (): Promise<unknown> | undefined => {
    const all = [...controller.core.requests.open.values()]
    return all.length > 0 ? Promise.allSettled(all.map(({ action }) => action.meta.promise)) : undefined
  }
  const waitForHook: RenderDataHookResult<any, any>['waitFor'] = (callback, options) =>
    waitFor(() => {
      retry()
      return callback()
    }, options)
  const hook: RenderDataHookResult<any, any> = {
    result,
    rerender,
    unmount: () => screen.unmount(),
    waitFor: waitForHook,
    waitForNextUpdate: (options) => waitForUpdate(() => updates, waitForHook, options),
    get controller() {
      return controller
    },
    cleanup: () => screen.unmount(),
    async allSettled() {
      await waitDuring(whenSettled)
      // A hook that suspended for something else stays as it is.
      await waitForHook(() => {}).catch(() => {})
    },
  }
  // `result.error` has the error that the hook threw; React would print it as well.
  const screen = render(createElement(Root), { onCaughtError: () => {} })
  // Outside of `act`: work that `use()` interrupts in an `act` that nobody awaits is never taken up again.
  const end = leaveAct()
  update()
  end()
  return hook
}

/** Hooks render again for the members that were read. A test may read any of them, and later. */
function readMembers(value: unknown, depth = 2): void {
  if (depth > 0 && isPlain(value)) {
    for (const part of Object.values(value)) {
      readMembers(part, depth - 1)
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
