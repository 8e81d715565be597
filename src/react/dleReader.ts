'use client'
import { useMemo, useRef, useSyncExternalStore } from 'react'
import type { ReadOptions } from '../binding/args.ts'
import { createDLEReader, type DLEReader, type DLEResult, type Shown } from '../binding/createDLEReader.ts'
import { createTracker } from '../binding/createTracker.ts'
import { takeAll } from '../binding/Reader.ts'
import { load, useReaderOf } from './reader.ts'

/**
 * The data of an endpoint, or other data in its place while it loads, with all that `useDLE` tells of it.
 *
 * @param keeps data that was invalidated stays on the screen until it is fetched again
 * @param suspends the hook suspends while there is no data, and throws the error that keeps it away
 */
export function useDLEReader(
  options: ReadOptions<any>,
  args: readonly any[],
  keeps?: boolean,
  suspends?: boolean,
): DLEResult {
  const reader = useReaderOf(options.endpoint, args, takeAll, false, keeps)
  const mounted = useRef<DLEReader<DLEResult>>(undefined)
  const dle = useMemo(() => createDLEReader(reader, mounted, createTracker<Shown, DLEResult, undefined>), [reader])
  dle.options = options
  const result = useSyncExternalStore(dle.subscribe, dle.get, dle.getFirst)
  if (suspends) {
    if (result.loading) {
      // oxlint-disable-next-line typescript/only-throw-error -- React suspends on a thrown promise
      throw reader.wait()
    }
    if (result.error !== undefined) {
      throw result.error
    }
  } else if (reader.get().loading) {
    // Effects wait for the whole boundary; a request need not.
    load(reader)
  }
  return result
}
