import { asBefore } from '../base/equal.ts'
import type { Reader } from '../denormalize/denormalize.ts'
import type { Entry } from './Entry.ts'
import type { Ordered } from './Ordered.ts'
import { Stage } from './Stage.ts'

/** The entries from one place of an order up to another one. */
export class Window extends Stage {
  readonly #order: Ordered
  readonly #start: number
  readonly #end: number
  #shown: readonly Entry[] = []
  #set = new Set<Entry>()

  /** @param parent the order, or another window of it, in which it counts */
  constructor(parent: Stage, args: readonly any[], start: number, end: number) {
    super(parent.hub, parent, args)
    const isInner = parent instanceof Window
    const from = isInner ? parent.#start : 0
    this.#order = isInner ? parent.#order : (parent as Ordered)
    this.#start = from + start
    this.#end = Math.min(isInner ? parent.#end : Infinity, from + end)
  }

  has(entry: Entry): boolean {
    return this.#set.has(entry)
  }

  all(): Iterable<Entry> {
    return this.#shown
  }

  override read(reader: Reader, old: unknown): unknown {
    return asBefore(
      old,
      this.#shown.map((entry) => entry.value(reader)),
    )
  }

  protected look(_: Reader, entries: ReadonlySet<Entry>): void {
    const before = this.#set
    this.#shown = this.#order.sorted.slice(this.#start, this.#end)
    const now = (this.#set = new Set(this.#shown))
    for (const entry of new Set([...before, ...now])) {
      if (before.has(entry) !== now.has(entry) || entries.has(entry)) {
        this.pass(entry)
      } else if (this.moved.has(entry)) {
        this.pass(entry, true)
      }
    }
  }
}
