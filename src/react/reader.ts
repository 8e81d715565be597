'use client'
import { useMemo, useRef, useSyncExternalStore } from 'react'
import { DEV } from '../base/env.ts'
import { componentName } from '../binding/componentName.ts'
import { isOnServer } from '../binding/onServer.ts'
import { Reader, type Take, viewOf } from '../binding/Reader.ts'
import { checkSchema, type SchemaMemory } from '../binding/steadySchema.ts'
import type { Target } from '../requests/Reading.ts'
import { useController } from './hooks/useController.ts'

/** Returns the part of the state that `take` selects, and renders again when it changes. */
export function useReader<T>(...of: Parameters<typeof useReaderOf<T>>): [T, Reader<T>] {
  const reader = useReaderOf(...of)
  // Preact does not know the third argument.
  const get = isOnServer(reader.controller) ? reader.getFirst : reader.get
  return [useSyncExternalStore(reader.subscribe, get, reader.getFirst), reader]
}

/**
 * The reader of a hook, the same while its arguments are equal. It does not render by itself.
 *
 * @param keeps data that was invalidated stays on the screen until it is fetched again
 */
export function useReaderOf<T>(
  target: Target,
  args: readonly any[],
  take: Take<T>,
  passive?: boolean,
  keeps?: boolean,
): Reader<T> {
  const controller = useController()
  const view = viewOf(controller, target, args, passive)
  if (DEV) {
    checkSchema(useRef<SchemaMemory['current']>(undefined), target)
  }
  const reader = useMemo(
    () => new Reader(controller, target, args, view, take, passive, keeps, DEV ? componentName() : undefined),
    // Equal arguments have the same view.
    [controller, view],
  )
  // Equal arguments may come with other options.
  reader.use(target)
  return reader
}

/** Fetches the data of a hook that shows `loading`. On a server it suspends, since a page is rendered once. */
export function load(reader: Reader<any>): void {
  const promise = reader.wait(true)
  if (isOnServer(reader.controller)) {
    // oxlint-disable-next-line typescript/only-throw-error -- React suspends on a thrown promise
    throw promise
  }
}
