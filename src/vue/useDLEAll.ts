import { type ComputedRef, type MaybeRefOrGetter, onServerPrefetch, watch } from 'vue'
import type { CheckedReads, DLEOfAll, Read } from '../binding/args.ts'
import { isOnServer } from '../binding/onServer.ts'
import { refresh } from './reader.ts'
import { useReaderGroup } from './readerGroup.ts'
import { useController } from './useController.ts'

/**
 * The data of several endpoints, each with `loading` and `error`. It never suspends, and the number of reads may change.
 *
 * @example
 * const users = useDLEAll(() => ids.map((id) => [getUser, { id }] as const))
 * @see docs/api/useDLEAll.md#vue
 */
export function useDLEAll<const Q extends readonly Read[]>(
  reads: MaybeRefOrGetter<Q & CheckedReads<Q>>,
): ComputedRef<DLEOfAll<Q>> {
  const { group, shown } = useReaderGroup(reads)
  const load = (): Promise<unknown> =>
    // The promises tell of failures that are not stored.
    Promise.allSettled(group.value.readers.filter((one) => one.get().loading).map((one) => one.wait(true)))
  if (isOnServer(useController())) {
    onServerPrefetch(async () => {
      await load()
      refresh()
    })
  } else {
    watch([group, shown], () => void load(), { immediate: true, flush: 'post' })
  }
  return shown as never
}
