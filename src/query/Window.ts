import { asBefore } from '../base/equal.ts'
import type { Reader } from '../denormalize/denormalize.ts'
import type { Entry } from './Entry.ts'
import type { Ordered } from './Ordered.ts'
import { Stage } from './Stage.ts'

/** The entries from one place of an order up to another one. */
export class Window extends Stage {
  readonly start: number
  readonly end: number
  #shown: readonly Entry[] = []
  #set = new Set<Entry>()

  constructor(parent: Stage, args: readonly any[], start: number, end: number) {
    super(parent.hub, parent, args)
    this.start = start
    this.end = end
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
    this.#shown = (this.parent as Ordered).sorted.slice(this.start, this.end)
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
