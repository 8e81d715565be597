import { DEV } from '../base/env.ts'
import type { Reader } from '../reading/denormalize.ts'
import { ByEntry } from './ByEntry.ts'
import type { Entry } from './Entry.ts'
import { CHANGED, MOVED, Stage, type Why } from './Stage.ts'
import { noFunction, type Run } from './functions.ts'

/** The entries that pass a condition. */
export class Where extends Stage {
  readonly #passes: Run
  readonly #passing = new ByEntry<true>()

  constructor(parent: Stage, args: readonly any[], passes: Run) {
    super(parent.hub, parent, args, [passes])
    this.#passes = passes
  }

  has(entry: Entry): boolean {
    return this.#passing.has(entry)
  }

  all(): Iterable<Entry> {
    return this.#passing.entries()
  }

  get size(): number {
    return this.#passing.size
  }

  protected see(reader: Reader, entry: Entry, why: Why, isHere: boolean): void {
    const passed = this.#passing.has(entry)
    if (why === MOVED) {
      if (passed) {
        this.pass(entry, MOVED)
      }
      return
    }
    const passes = isHere && Boolean(this.run(reader, entry, this.#judge))
    if (passes !== passed) {
      if (passes) {
        this.#passing.set(entry, true)
      } else {
        this.#passing.delete(entry)
      }
    }
    if (passes !== passed || (passes && why === CHANGED)) {
      this.pass(entry)
    }
  }

  readonly #judge = (value: unknown): unknown => {
    const passes: unknown = this.#passes(value, ...this.args)
    if (DEV && passes instanceof Promise) {
      // It would pass for every record.
      throw noFunction('where', passes)
    }
    return passes
  }
}
