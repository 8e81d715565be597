// Reports changes to parts that keep something beside the store: a disk, other tabs, a sorted set.
//
// A change, such as a response that is stored, takes several steps. When it ends, each row is reported once, as it is by then, and before
// readers are notified. Listeners may read. Their writes are reported in another round, after all listeners of this one.

import { report } from '../base/report.ts'
import type { Meta } from './Meta.ts'

/**
 * The kind of change of a committed row.
 *
 * | what        | the row                                                                                               |
 * | ----------- | ----------------------------------------------------------------------------------------------------- |
 * | `value`     | has another value. An invalidated result has none                                                      |
 * | `age`       | has the same value. Its times, doubt or error have changed, or what is known of the pages of a list    |
 * | `deleted`   | was deleted on the server                                                                             |
 * | `collected` | was removed by the garbage collector: the server still has it                                         |
 * | `reset`     | was removed with all others, for example when the user signs out                                      |
 */
export type RowNews = 'value' | 'age' | 'deleted' | 'collected' | 'reset'

/** A committed row that has changed: no pending operation is part of it, and taking one back changes none. */
export interface CommittedChange<Row> {
  readonly row: Row
  readonly what: RowNews
  /** The response, or the value that the app set, which has changed it last; `undefined`: none did. Of a restored row its numbers are 0. */
  readonly by: Meta | undefined
}

/** A row that readers see differently, with its value before, pending operations included: `undefined` or `INVALID` where it was not there. */
export interface VisibleChange<Row> {
  readonly row: Row
  readonly before: unknown
  readonly now: unknown
}

/** How often listeners may write because of each other's writes in one change. */
const ROUNDS = 100

/** Tells which rows have changed. Without a listener it costs one comparison for each change of a row. */
export class Feed<Row, Before, Change> {
  /** There are listeners: only then are rows noted. */
  isHeard = false
  private readonly listeners = new Set<(changes: readonly Change[]) => void>()
  private noted = new Map<Row, Before>()
  private readonly describe: (row: Row, before: Before) => Change | undefined

  /** @param describe the change of a row that was `before`; `undefined` if there is none after all */
  constructor(describe: (row: Row, before: Before) => Change | undefined) {
    this.describe = describe
  }

  /** Calls the listener after each change of the store. Returns the function that ends it. */
  listen(listener: (changes: readonly Change[]) => void): () => void {
    this.listeners.add(listener)
    this.isHeard = true
    return () => {
      this.listeners.delete(listener)
      this.isHeard = this.listeners.size > 0
      if (!this.isHeard) {
        this.noted.clear()
      }
    }
  }

  /** The row as it was before this change; `undefined` if it has not changed yet. */
  before(row: Row): Before | undefined {
    return this.noted.get(row)
  }

  /** A row is about to change. */
  note(row: Row, before: Before): void {
    this.noted.set(row, before)
  }

  /** Returns false if there was nothing to tell. */
  tell(): boolean {
    const { noted } = this
    if (noted.size === 0) {
      return false
    }
    this.noted = new Map()
    const changes = [...noted].flatMap(([row, before]) => this.describe(row, before) ?? [])
    for (const listener of changes.length > 0 ? [...this.listeners] : []) {
      try {
        listener(changes)
      } catch (error) {
        report(error)
      }
    }
    return true
  }
}

/** Tells until no listener has written anything. */
export function tellAll(feeds: readonly { tell(): boolean }[]): void {
  for (let round = 0, isNew = true; isNew && round < ROUNDS; round++) {
    isNew = feeds.map((feed) => feed.tell()).includes(true)
  }
}
