import type { Controller } from '../controller/Controller.ts'
import type { Target } from '../requests/Reading.ts'
import type { Source } from './createPolling.ts'
import { Reader, type Seen, type Take, viewOf } from './Reader.ts'

/** One of several reads. */
export type AnyRead = readonly [target: Target, ...args: any[]]

/** Readers of several endpoints, as one. */
export interface ReaderGroup<T> extends Source {
  readonly readers: readonly Reader<T>[]
  readonly get: () => readonly T[]
  /** Shown while a page from the server is hydrated. */
  readonly getFirst: () => readonly T[]
}

/**
 * The readers of any number of reads.
 *
 * @param shown the group of the same hook which is on the screen: a read that stays keeps its reader
 */
export function createReaderGroup<T>(
  controller: Controller,
  reads: readonly AnyRead[],
  take: Take<T>,
  shown: { current?: readonly Reader<T>[] | undefined },
  name?: string,
): ReaderGroup<T> {
  const known = new Map<object, Reader<T>>()
  const readers = reads.map(([target, ...args]) => {
    const view = viewOf(controller, target, args)
    const isKnown = (one: Reader<T>): boolean => one.view === view && one.controller === controller
    // The age of data is judged once, when its read is new.
    const reader =
      known.get(view) ??
      shown.current?.find(isKnown) ??
      new Reader(controller, target, args, view, take, false, false, name)
    known.set(view, reader)
    return reader
  })
  return {
    readers,
    get: keepEqual(() => readers.map(({ get }) => get())),
    getFirst: keepEqual(() => readers.map(({ getFirst }) => getFirst())),
    subscribe: (notify) => {
      shown.current = readers
      const ends = [...known.values()].map((reader) => reader.subscribe(notify))
      return () => ends.forEach((end) => end())
    },
  }
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

/** The same text for equal reads. */
export function groupKey(controller: Controller, reads: readonly AnyRead[]): string {
  return reads.map(([target, ...args]) => numberOf(viewOf(controller, target, args))).join()
}

function numberOf(view: object): number {
  const number = numbers.get(view) ?? ++counter
  numbers.set(view, number)
  return number
}

/**
 * Joins what several readers show. An error counts at once, even if others are still loading.
 *
 * @param last what was shown before: the same data is the same array
 */
export function joinSeen(seen: readonly Seen[], last?: Seen): Seen {
  const data = seen.map((one) => one.data as unknown)
  const error: unknown = seen.find((one) => one.error !== undefined)?.error
  const loading = error === undefined && seen.some((one) => one.loading)
  const isSame =
    last?.loading === loading &&
    last.error === error &&
    last.data.length === data.length &&
    data.every((item, index) => item === last.data[index])
  return isSame ? last : { data, loading, error }
}
