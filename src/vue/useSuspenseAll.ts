import { computed, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import type { CheckedReads, DataOfAll, Read } from '../binding/args.ts'
import { joinSeen } from '../binding/createReaderGroup.ts'
import type { Seen } from '../binding/Reader.ts'
import { useReaderGroup } from './readerGroup.ts'
import { waitForData } from './useSuspense.ts'

/**
 * The data of several endpoints, for an asynchronous `setup`. All requests start at once.
 *
 * @example
 * const all = await useSuspenseAll([[getUser, { id: 5 }], [getPosts, { userId: 5 }]])
 * const name = () => all.value[0].name
 * @see docs/api/useSuspenseAll.md#vue
 */
export function useSuspenseAll<const Q extends readonly Read[]>(
  reads: MaybeRefOrGetter<Q & CheckedReads<Q>>,
): Promise<ComputedRef<DataOfAll<Q>>> {
  const { group, shown } = useReaderGroup(reads)
  const whole = computed(() => {
    const { readers, get } = group.value
    return {
      get: () => joinSeen(get()),
      wait: () => Promise.all(readers.filter((one) => one.get().loading).map((one) => one.wait())),
    }
  })
  return waitForData(
    whole,
    computed<Seen>((last) => joinSeen(shown.value, last)),
  )
}
