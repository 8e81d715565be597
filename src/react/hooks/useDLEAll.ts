'use client'
import { useReaderGroup } from '../readerGroup.ts'
import type { CheckedReads, DLEOfAll, Read } from '../../binding/args.ts'
import { takeAll } from '../../binding/Reader.ts'
import { load } from '../reader.ts'

/**
 * The data of several endpoints, each with `loading` and `error`. It never suspends, and the number of reads may change.
 *
 * @example
 * const users = useDLEAll(ids.map((id) => [getUser, { id }] as const))
 * @see docs/api/useDLEAll.md
 */
export function useDLEAll<const Q extends readonly Read[]>(reads: Q & CheckedReads<Q>): DLEOfAll<Q> {
  const [seen, readers] = useReaderGroup(reads, takeAll)
  let held: { readonly promise: unknown } | undefined
  for (const [index, reader] of readers.entries()) {
    if (seen[index]!.loading) {
      try {
        load(reader)
      } catch (promise) {
        // On a server it suspends, once all requests have started.
        held = { promise }
      }
    }
  }
  if (held) {
    throw held.promise
  }
  return seen as never
}
