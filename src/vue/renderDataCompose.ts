import { defineComponent, h, reactive } from 'vue'
import { mountDataClient, type RenderDataClientOptions, type RenderDataClientResult } from './mountDataClient.ts'

/** A composable that runs in a component. */
export interface RenderDataComposeResult<R, P extends object> extends RenderDataClientResult {
  /** The return value of the composable: await it if it is a promise. */
  readonly result: R
  readonly props: P
  /** Resolves when a composable that returns a promise has its data, and nothing is being fetched any more. */
  waitForNextUpdate(): Promise<void>
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
  options: RenderDataClientOptions<P, T> = {},
): RenderDataComposeResult<R, P> {
  const props = reactive(options.props ?? {}) as P
  let outcome: { readonly result: R } | { readonly error: unknown } | undefined
  const Compose = defineComponent(() => {
    try {
      outcome = { result: composable(props) }
    } catch (error) {
      outcome = { error }
    }
    const render = () => h('div', { 'data-testid': 'composable-result' })
    const { result } = outcome as { result?: unknown }
    return result instanceof Promise
      ? result.then(
          () => render,
          () => render,
        )
      : render
  })
  const { props: _, ...others } = options
  const mounted = mountDataClient(Compose, others)
  if (!outcome || 'error' in outcome) {
    throw outcome?.error
  }
  const { result } = outcome
  return {
    ...mounted,
    result,
    props,
    async waitForNextUpdate() {
      await Promise.allSettled([result])
      await mounted.allSettled()
    },
  }
}
