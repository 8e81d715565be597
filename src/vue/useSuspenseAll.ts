import { computed, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import type { CheckedReads, DataOfAll, Read } from '../binding/args.ts'
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
      get: () => join(get()),
      wait: () => Promise.all(readers.filter((one) => one.get().loading).map((one) => one.wait())),
    }
  })
  return waitForData(
    whole,
    computed<Seen>((last) => {
      const next = join(shown.value)
      return last && isSame(last, next) ? last : next
    }),
  )
}

/** What all of them show, as one. An error counts at once, even if others are still loading. */
function join(seen: readonly Seen[]): Seen {
  const error: unknown = seen.find((one) => one.error !== undefined)?.error
  const loading = error === undefined && seen.some((one) => one.loading)
  return { data: seen.map((one) => one.data as unknown), loading, error }
}

/** The same data is the same array. */
function isSame(a: Seen, b: Seen): boolean {
  const [one, other]: (readonly unknown[])[] = [a.data, b.data]
  return (
    a.loading === b.loading &&
    a.error === b.error &&
    one!.length === other!.length &&
    one!.every((item, index) => item === other![index])
  )
}
