'use client'
import { useMemo } from 'react'
import { useReaderGroup } from '../readerGroup.ts'
import type { CheckedReads, DataOfAll, Read } from '../../binding/args.ts'
import { takeAll } from '../../binding/Reader.ts'

/**
 * The data of several endpoints. All requests start before it suspends.
 *
 * @example
 * const [user, posts] = useSuspenseAll([[getUser, { id: 5 }], [getPosts, { userId: 5 }]])
 * @see docs/api/useSuspenseAll.md
 */
export function useSuspenseAll<const Q extends readonly Read[]>(reads: Q & CheckedReads<Q>): DataOfAll<Q> {
  const [seen, readers] = useReaderGroup(reads, takeAll)
  const data = useMemo(() => seen.map((one) => one.data as unknown), [seen])
  const pending = readers.filter((_, index) => seen[index]!.loading).map((reader) => reader.wait())
  const failed = seen.find(({ error }) => error !== undefined)
  if (failed) {
    throw failed.error
  }
  if (pending.length > 0) {
    const whole = Promise.all(pending)
    whole.catch(() => {})
    // oxlint-disable-next-line typescript/only-throw-error -- React suspends on a thrown promise
    throw whole
  }
  return data as DataOfAll<Q>
}
