'use client'
import { useMemo, useRef, useSyncExternalStore } from 'react'
import { DEV } from '../base/env.ts'
import { Reader, type Take } from '../binding/Reader.ts'
import type { Target } from '../requests/read.ts'
import { componentName } from './componentName.ts'
import { useController } from './hooks/useController.ts'

type AnyRead = readonly [target: Target, ...args: any[]]

/** `useReader` for any number of reads, which may change from render to render. A read that stays keeps its reader. */
export function useReaderGroup<T>(reads: readonly AnyRead[], take: Take<T>): [values: readonly T[], Reader<T>[]] {
  const controller = useController()
  /** The readers on the screen. */
  const shown = useRef<readonly Reader<T>[]>([])
  const views = reads.map(([target, ...args]) => controller.core.view(target, args))
  const group = useMemo(
    () => {
      const known = new Map<object, Reader<T>>()
      const readers = reads.map(([target, ...args], index) => {
        const view = views[index]!
        const isKnown = (one: Reader<T>): boolean => one.view === view && one.controller === controller
        // The age of data is judged once, when its read is new.
        const reader =
          known.get(view) ??
          shown.current.find(isKnown) ??
          new Reader(controller, target, args, view, take, false, false, DEV ? componentName() : undefined)
        known.set(view, reader)
        return reader
      })
      return {
        readers,
        get: keepEqual(() => readers.map(({ get }) => get())),
        getFirst: keepEqual(() => readers.map(({ getFirst }) => getFirst())),
        subscribe: (notify: () => void) => {
          shown.current = readers
          const ends = [...known.values()].map((reader) => reader.subscribe(notify))
          return () => ends.forEach((end) => end())
        },
      }
    },
    // Equal arguments have the same view.
    [controller, views.map(numberOf).join()],
  )
  for (const [index, reader] of group.readers.entries()) {
    // An equal read may have other options.
    reader.use(reads[index]![0])
  }
  return [useSyncExternalStore(group.subscribe, group.get, group.getFirst), group.readers]
}

/** The same array while its items are the same. */
function keepEqual<T>(get: () => readonly T[]): () => readonly T[] {
  let last: readonly T[] = []
  return () => {
    const values = get()
    return values.length === last.length && values.every((value, index) => value === last[index])
      ? last
      : (last = values)
  }
}

const numbers = /* @__PURE__ */ new WeakMap<object, number>()
let counter = 0

function numberOf(key: object): number {
  const number = numbers.get(key) ?? ++counter
  numbers.set(key, number)
  return number
}
