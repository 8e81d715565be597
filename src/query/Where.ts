import type { Reader } from '../denormalize/denormalize.ts'
import type { Entry } from './Entry.ts'
import { type Batch, type Run, Stage } from './Stage.ts'

/** The entries that pass a condition. */
export class Where extends Stage {
  readonly #passes: Run
  readonly #passing = new Set<Entry>()

  constructor(parent: Stage, args: readonly any[], passes: Run) {
    super(parent.hub, parent, args)
    this.#passes = passes
  }

  has(entry: Entry): boolean {
    return this.#passing.has(entry)
  }

  all(): Iterable<Entry> {
    return this.#passing
  }

  get size(): number {
    return this.#passing.size
  }

  protected look(reader: Reader, entries: Batch, foreign: ReadonlySet<Entry>): void {
    for (const entry of entries) {
      const was = this.has(entry)
      if (this.#judge(reader, entry) || was) {
        this.pass(entry)
      }
    }
    for (const entry of foreign) {
      const was = this.has(entry)
      if (!entries.has(entry) && this.#judge(reader, entry) !== was) {
        this.pass(entry)
      }
    }
    for (const entry of this.moved) {
      if (this.has(entry)) {
        this.pass(entry, true)
      }
    }
  }

  #judge(reader: Reader, entry: Entry): boolean {
    let passes = false
    if (!this.parent!.has(entry)) {
      this.forget(entry)
    } else {
      passes = Boolean(this.run(reader, entry, this.#judgeRecord))
    }
    this.#passing[passes ? 'add' : 'delete'](entry)
    return passes
  }

  readonly #judgeRecord = (value: unknown): unknown => this.#passes(value, ...this.args) as unknown
}
