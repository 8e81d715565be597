import { asBefore } from '../base/equal.ts'
import type { Reader } from '../reading/denormalize.ts'
import type { Entry } from './Entry.ts'
import type { Ordered } from './Ordered.ts'
import { CHANGED, Stage } from './Stage.ts'

/** The entries from one place of an order up to another one. */
export class Window extends Stage {
  readonly #order: Ordered
  readonly #start: number
  readonly #end: number
  /** Its entries, where somebody needs them: a window of this one counts in the same order. */
  #shown: readonly Entry[] | undefined
  /** The same, where that is asked. */
  #set: ReadonlySet<Entry> | undefined

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
    return (this.#set ??= new Set(this.#entries())).has(entry)
  }

  all(): Iterable<Entry> {
    return this.#entries()
  }

  get size(): number {
    return this.#shown?.length ?? 0
  }

  override read(reader: Reader, old: unknown): unknown {
    return asBefore(
      old,
      this.#entries().map((entry) => entry.value(reader)),
    )
  }

  protected override update(): void {
    const { inbox } = this
    const shown = this.#shown
    this.#shown = this.#set = undefined
    if (this.isFollowed) {
      const now = this.#entries()
      const before = new Set(shown ?? now)
      for (const entry of new Set([...before, ...now])) {
        const why = before.has(entry) === this.has(entry) ? inbox.get(entry) : CHANGED
        if (why) {
          this.pass(entry, why)
        }
      }
    }
    inbox.clear()
  }

  protected see(): void {}

  protected override get looksAtEntries(): boolean {
    return this.isFollowed
  }

  #entries(): readonly Entry[] {
    return (this.#shown ??= this.#order.sorted.slice(this.#start, this.#end))
  }
}
