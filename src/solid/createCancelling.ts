import { createSignal, untrack } from 'solid-js'
import { keyOf, optionsOf } from '../binding/args.ts'
import { type Cancelling, createCancelling as createSource, type Extensible } from '../binding/createCancelling.ts'
import { type GetterArgs, valuesOf } from '../binding/getterArgs.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { createChecked, createShown, defineMembers } from './reader.ts'
import { useController } from './useController.ts'

/**
 * The endpoint with a signal: its requests are aborted when the arguments change or the component is disposed. Pass the result in place of the
 * endpoint.
 *
 * @example
 * const args = () => ({ text })
 * const found = createData(createCancelling(search, args), args)
 * @see docs/api/createCancelling.md#solid
 */
export function createCancelling<E extends ReadEndpoint & Extensible, A extends readonly unknown[]>(
  endpoint: E | { readonly endpoint: E },
  ...args: GetterArgs<Parameters<E>, A>
): { readonly endpoint: E } {
  const controller = useController()
  const [times, setTimes] = createSignal(0)
  const source = createChecked<Keyed<E>>((last) => {
    const by = optionsOf<any>(endpoint).endpoint as E
    const values = valuesOf(args)
    const now = times()
    return untrack(() => {
      const key = keyOf(by, values)
      if (last?.by === by && last.key === key && last.times === now) {
        return last
      }
      const { endpoint: cancelled, subscribe } = createSource(controller, by, values)
      return { endpoint: cancelled, subscribe: () => subscribe(() => setTimes(now + 1)), by, key, times: now }
    })
  })
  return defineMembers({}, { endpoint: createShown(source, (one) => one.endpoint) }) as never
}

interface Keyed<E> extends Cancelling<E> {
  readonly by: E
  readonly key: string | undefined
  readonly times: number
}
