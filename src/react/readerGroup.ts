'use client'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Controller } from '../controller/Controller.ts'
import { isSkip, type Target } from '../controller/read.ts'
import { useController } from './hooks/useController.ts'
import { Reader, type Take } from './reader.ts'

type AnyRead = readonly [target: Target, ...args: any[]]

/** `useReader` for any number of reads, which may change from render to render. A read that stays keeps its reader. */
export function useReaderGroup<T>(reads: readonly AnyRead[], take: Take<T>): [values: readonly T[], Reader<T>[]] {
  const controller = useController()
  const [subscription] = useState(() => new GroupSubscription<T>())
  const { views } = controller.core
  const keys = reads.map(([target, ...args]) => (isSkip(args) ? target : views.view(target, args)))
  const group = useMemo(
    () => new ReaderGroup(controller, reads, keys, take, subscription.group),
    // Equal arguments have the same view.
    [controller, keys.map(numberOf).join()],
  )
  for (const [index, reader] of group.readers.entries()) {
    // An equal read may have other options.
    reader.target = reads[index]![0]
  }
  const values = useSyncExternalStore(subscription.subscribe, group.get, group.getFirst)
  useEffect(() => subscription.show(group), [group])
  return [values, group.readers]
}

class ReaderGroup<T> {
  readonly controller: Controller
  readonly byKey: ReadonlyMap<object, Reader<T>>
  readonly readers: Reader<T>[]
  readonly get: () => readonly T[]
  readonly getFirst: () => readonly T[]

  constructor(
    controller: Controller,
    reads: readonly AnyRead[],
    keys: readonly object[],
    take: Take<T>,
    last: ReaderGroup<T> | undefined,
  ) {
    const byKey = new Map<object, Reader<T>>()
    this.controller = controller
    this.byKey = byKey
    this.readers = reads.map(([target, ...args], index) => {
      const key = keys[index]!
      // The age of data is judged once, when its read is new.
      const known = byKey.get(key) ?? (last?.controller === controller ? last.byKey.get(key) : undefined)
      const reader =
        known ?? new Reader(controller, target, args, controller.core.views.view(target, args), take, false, false)
      byKey.set(key, reader)
      return reader
    })
    this.get = keepEqual(() => this.readers.map(({ get }) => get()))
    this.getFirst = keepEqual(() => this.readers.map(({ getFirst }) => getFirst()))
  }
}

/** Subscribes to the readers that are on the screen: one that stays does not subscribe again, and so refetches nothing. */
class GroupSubscription<T> {
  group: ReaderGroup<T> | undefined = undefined
  readonly subscribe: (notify: () => void) => () => void
  private notify: (() => void) | undefined = undefined
  private readonly ends = new Map<Reader<T>, () => void>()

  constructor() {
    this.subscribe = (notify) => {
      this.notify = notify
      this.follow()
      return () => {
        this.notify = undefined
        this.follow()
      }
    }
  }

  show(group: ReaderGroup<T>): void {
    this.group = group
    this.follow()
    // Something may have changed since the render.
    this.notify?.()
  }

  private follow(): void {
    const { notify, ends } = this
    const readers = new Set(notify && this.group?.readers)
    for (const reader of readers) {
      if (!ends.has(reader)) {
        ends.set(reader, reader.subscribe(notify!))
      }
    }
    for (const [reader, end] of ends) {
      if (!readers.has(reader)) {
        ends.delete(reader)
        end()
      }
    }
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

function numberOf(key: object): number {
  const number = numbers.get(key) ?? ++counter
  numbers.set(key, number)
  return number
}
