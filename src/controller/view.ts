import type { Reader } from '../denormalize/denormalize.ts'
import type { Node, Told as Watched } from '../denormalize/memo.ts'
import type { Slot } from '../normalize/tables.ts'
import type { ResultMeta, Store } from '../store/Store.ts'
import { type Listening, report } from '../store/subscriptions.ts'
import { ageOf, isGone, waitingFor } from './read.ts'

/** What a listener is told: the value changed, or how fresh it is. */
export type Told = 'value' | 'freshness'

/** One listener. */
export interface Entry {
  call(told: Told): void
  /** The endpoint a reader reads by; set for listeners that may fetch. */
  readonly by?: { readonly target: any } | undefined
}

/** A mounted reader of a node, with all its listeners. A page may have ten thousand, so it is one object. */
export class View implements Watched, Listening {
  /** Grows with whatever may have changed. */
  version = 0
  private readonly node: Node
  private readonly reader: Reader
  private readonly store: Store
  /** Most have one. */
  private entries: Entry | Set<Entry> | undefined = undefined
  private value: unknown = undefined
  private error: unknown = undefined
  private freshness: unknown = undefined
  /** It was marked stale, invalidated, or met an error. */
  private old = false

  constructor(node: Node, reader: Reader, store: Store) {
    this.node = node
    this.reader = reader
    this.store = store
    this.judge()
  }

  add(entry: Entry): void {
    const { entries } = this
    if (entries === undefined) {
      this.entries = entry
    } else if (entries instanceof Set) {
      entries.add(entry)
    } else {
      this.entries = new Set([entries, entry])
    }
  }

  /** True when it was the last. */
  remove(entry: Entry): boolean {
    if (this.entries instanceof Set) {
      this.entries.delete(entry)
    } else if (this.entries === entry) {
      this.entries = undefined
    }
    return this.entries === undefined || (this.entries as Set<Entry>).size === 0
  }

  /** True where one of the listeners passes. */
  some(test: (entry: Entry) => unknown): boolean {
    const { entries } = this
    return entries instanceof Set ? [...entries].some(test) : entries !== undefined && Boolean(test(entries))
  }

  changed(): void {
    this.version++
    this.store.subscriptions.add(this)
  }

  aged(anew?: boolean): void {
    this.old = true
    if (anew) {
      this.freshness = undefined
    }
    this.changed()
  }

  tell(): void {
    const told = this.judge()
    const { entries } = this
    if (told === undefined || entries === undefined) {
      return
    }
    if (!(entries instanceof Set)) {
      return call(entries, told)
    }
    // A listener may end others; those that begin now have seen the new value.
    const all = [...entries]
    for (const entry of all) {
      if (entries.has(entry)) {
        call(entry, told)
      }
    }
  }

  /** Looks again, and says what is different. A later end of freshness is no news. */
  private judge(): Told | undefined {
    const { node, store, value: lastValue, error: lastError, freshness: lastFreshness, old: wasAged } = this
    const meta: ResultMeta | undefined = node.kind === 'result' ? (node.source as Slot).meta : undefined
    let value: unknown
    try {
      value = this.reader.read(node)
    } catch (thrown) {
      value = thrown
    }
    this.value = value
    // An error that readers do not see is no news either.
    const gone = isGone(node, value)
    this.error = meta?.errorPolicy === 'soft' && !gone ? undefined : meta?.error
    const isInvalid = meta?.invalidated === true
    this.freshness = gone ? `${isInvalid} ${waitingFor(store, node, value)?.waiting.join(' ')}` : isInvalid
    this.old = false
    if (value !== lastValue) {
      return 'value'
    }
    const isStale = this.freshness !== lastFreshness || this.error !== lastError || (wasAged && ageOf(store, node) <= 1)
    return isStale ? 'freshness' : undefined
  }
}

function call(entry: Entry, told: Told): void {
  try {
    entry.call(told)
  } catch (thrown) {
    report(thrown)
  }
}
