import { computed, type ComputedRef, getCurrentScope, type MaybeRef } from 'vue'
import { type Reader, type Seen, takeAll } from '../binding/Reader.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import type { ComposableArgs, ComposableData } from './args.ts'
import { refresh, useReaderOf, useShown } from './reader.ts'

/**
 * The data of an endpoint, for an asynchronous `setup`: the promise resolves once the data is there, and rejects with the error that keeps it
 * away. When the arguments change, the ref keeps its value until the data of the new ones arrives.
 *
 * @example
 * const user = await useSuspense(getUser, () => ({ id: props.id }))
 * @see docs/api/useSuspense.md#vue
 */
export function useSuspense<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: MaybeRef<E>,
  ...args: ComposableArgs<Parameters<E>, A>
): Promise<ComputedRef<ComposableData<E, A>>> {
  return useData(endpoint, args)
}

export function useData(endpoint: MaybeRef<ReadEndpoint>, args: readonly unknown[]): Promise<ComputedRef<any>> {
  const reader = useReaderOf(endpoint, args, takeAll)
  return waitForData(
    reader,
    useShown(reader, (one, isFirst) => (isFirst ? one.getFirst() : one.get())),
  )
}

/** Resolves once there is data. Call it in `setup`, with the state of the reader that the component follows. */
export async function waitForData(
  reader: ComputedRef<Pick<Reader<Seen>, 'get' | 'wait'>>,
  shown: ComputedRef<Seen>,
): Promise<ComputedRef<any>> {
  const scope = getCurrentScope()
  let last: unknown
  const data = computed(() => {
    const { data, loading, error } = shown.value
    if (error !== undefined) {
      throw error
    }
    return loading ? last : (last = data)
  })
  // Not the ref alone: it follows a little later.
  while (shown.value.loading && reader.value.get().loading) {
    const one = reader.value
    try {
      await one.wait()
    } catch (error) {
      // With other arguments it may succeed.
      if (one === reader.value && scope?.active !== false) {
        throw error
      }
    }
    if (scope?.active === false) {
      // The component is gone: the rest of its setup never runs.
      await new Promise(() => {})
    }
    refresh()
  }
  void data.value
  return data
}
