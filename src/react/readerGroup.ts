'use client'
import { useMemo, useRef, useSyncExternalStore } from 'react'
import { DEV } from '../base/env.ts'
import { componentName } from '../binding/componentName.ts'
import { type AnyRead, createReaderGroup, groupKey } from '../binding/createReaderGroup.ts'
import type { Reader, Take } from '../binding/Reader.ts'
import { useController } from './hooks/useController.ts'

/** `useReader` for any number of reads, which may change from render to render. A read that stays keeps its reader. */
export function useReaderGroup<T>(
  reads: readonly AnyRead[],
  take: Take<T>,
): [values: readonly T[], readers: readonly Reader<T>[]] {
  const controller = useController()
  /** The readers on the screen. */
  const shown = useRef<readonly Reader<T>[]>([])
  const group = useMemo(
    () => createReaderGroup(controller, reads, take, shown, DEV ? componentName() : undefined),
    // Equal arguments have the same view.
    [controller, groupKey(controller, reads)],
  )
  for (const [index, reader] of group.readers.entries()) {
    // An equal read may have other options.
    reader.use(reads[index]![0])
  }
  return [useSyncExternalStore(group.subscribe, group.get, group.getFirst), group.readers]
}
