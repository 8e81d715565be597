import { onMount, untrack } from 'svelte'
import { toStore } from 'svelte/store'
import { keyOf, optionsOf, type ReadOptions } from '../binding/args.ts'
import { createPolling, type Source } from '../binding/createPolling.ts'
import { type GetterArgs, type PlainGetterArgs, valuesOf } from '../binding/getterArgs.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { useController } from './context.ts'
import { createLoaded, type Data } from './createData.ts'
import { joinSources } from './members.ts'

/**
 * The data of an endpoint, kept up to date while a component or an effect reads it.
 *
 * @example
 * const price = createLive(getPrice, () => ({ symbol: props.symbol }))
 * @see docs/api/createLive.md#svelte
 */
export function createLive<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E | ReadOptions<E>,
  ...args: GetterArgs<Parameters<E>, A>
): Data<E, PlainGetterArgs<A>> {
  const pollingOf = createPollingSource(endpoint, args)
  return createLoaded(endpoint, args, {
    wrap: (source) => joinSources(source, pollingOf),
  }) as never
}

/**
 * Keeps an endpoint up to date while the component is mounted, as its `pollFrequency` says.
 *
 * @example
 * createSubscription(getPrice.extend({ pollFrequency: 5_000 }), { symbol: 'EUR' })
 * @see docs/api/createLive.md#createsubscription
 */
export function createSubscription<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E | ReadOptions<E>,
  ...args: GetterArgs<Parameters<E>, A>
): void {
  const pollingOf = createPollingSource(endpoint, args)
  onMount(() => {
    let current: Source | undefined
    let end: (() => void) | undefined
    // A store of Svelte follows state without a compiler.
    const stop = toStore(pollingOf).subscribe((one) => {
      if (one !== current) {
        current = one
        const last = end
        end = one.subscribe(() => {})
        last?.()
      }
    })
    return () => {
      stop()
      end?.()
    }
  })
}

function createPollingSource(endpoint: ReadEndpoint | ReadOptions<any>, args: readonly unknown[]): () => Source {
  const controller = useController()
  let last: { readonly by: ReadEndpoint; readonly key: string | undefined; readonly polling: Source } | undefined
  return () => {
    const by = optionsOf<any>(endpoint).endpoint as ReadEndpoint
    const values = valuesOf(args)
    const key = untrack(() => keyOf(by, values))
    if (last?.by !== by || last.key !== key) {
      last = { by, key, polling: createPolling(controller, by, values) }
    }
    return last.polling
  }
}
