import { onMount, untrack } from 'svelte'
import { toStore } from 'svelte/store'
import { keyOf, optionsOf } from '../binding/args.ts'
import { type Cancelling, createCancelling as createSource, type Extensible } from '../binding/createCancelling.ts'
import { type GetterArgs, valuesOf } from '../binding/getterArgs.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { useController } from './context.ts'
import { createMembers } from './members.ts'

/**
 * The endpoint with a signal: its requests are aborted when the arguments change or the component is destroyed. Pass the result in place of the
 * endpoint.
 *
 * @example
 * const args = () => ({ text })
 * const found = createData(createCancelling(search, args), args)
 * @see docs/api/createCancelling.md#svelte
 */
export function createCancelling<E extends ReadEndpoint & Extensible, A extends readonly unknown[]>(
  endpoint: E | { readonly endpoint: E },
  ...args: GetterArgs<Parameters<E>, A>
): { readonly endpoint: E } {
  const controller = useController()
  let last: Keyed<E> | undefined
  const source = (): Keyed<E> => {
    const by = optionsOf<any>(endpoint).endpoint as E
    const values = valuesOf(args)
    return untrack(() => {
      const key = keyOf(by, values)
      if (last?.by !== by || last.key !== key || last.isOver()) {
        last = { ...createCancellable(createSource(controller, by, values)), by, key }
      }
      return last
    })
  }
  const state = createMembers(controller, source, { endpoint: (one) => one.endpoint }) as { readonly endpoint: E }
  // It ends with the component, not with what reads it: the signal may be that of a call in a handler.
  onMount(() => toStore(() => state.endpoint).subscribe(() => {}))
  return state
}

interface Cancellable<E> extends Cancelling<E> {
  /** Its signal has fired, or is about to. */
  readonly isOver: () => boolean
}

interface Keyed<E> extends Cancellable<E> {
  readonly by: E
  readonly key: string | undefined
}

function createCancellable<E>({ endpoint, subscribe }: Cancelling<E>): Cancellable<E> {
  let isOver = false
  return {
    endpoint,
    isOver: () => isOver,
    subscribe(notify) {
      isOver = false
      const end = subscribe(notify)
      return () => {
        isOver = true
        end()
      }
    },
  }
}
