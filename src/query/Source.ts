import type { ClassInfo } from '../records/RecordRow.ts'
import type { Node } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import { Numbers } from './ByEntry.ts'
import { Entry } from './Entry.ts'
import type { Hub } from './Hub.ts'
import { forgetIn, MOVED, Stage } from './Stage.ts'
import { isFlat } from './track.ts'

/** The records of an input. */
export abstract class Source extends Stage {
  /** The input is there: without it the result is `undefined`. */
  isKnown = false
  protected readonly entries: Map<Row, Entry> = new Map()
  readonly #numbers = new Numbers()

  constructor(hub: Hub, args: readonly any[]) {
    super(hub, undefined, args)
  }

  has(entry: Entry): boolean {
    return this.entries.get(entry.row!) === entry
  }

  all(): Iterable<Entry> {
    return this.entries.values()
  }

  get size(): number {
    return this.entries.size
  }

  protected see(): void {}

  override drop(): void {
    super.drop()
    forgetIn(this.hub.sources, this)
  }

  /** A query with readers keeps its input from the garbage collector, with all that the records refer to. */
  *inputs(): Iterable<Node> {
    const { reader } = this.hub
    for (const entry of this.entries.values()) {
      const node = entry.node(reader)
      // Of a record that was never read it is not known what it refers to.
      if (!reader.node && !isFlat(entry.info!.Entity)) {
        try {
          reader.read(node)
        } catch {
          // Its readers get the error.
        }
      }
      yield node
    }
  }

  /** A row is there, as it is now. */
  protected put(row: Row, seen: unknown, at: number, info: ClassInfo, node?: Node): Entry {
    let entry = this.entries.get(row)
    if (!entry) {
      this.entries.set(row, (entry = new Entry(this.#numbers.take(), row.pk, at, node, row, info)))
      this.pass(entry)
    } else if (entry.seen !== seen) {
      this.pass(entry)
    } else if (entry.at !== at) {
      this.pass(entry, MOVED)
    }
    entry.seen = seen
    entry.at = at
    return entry
  }

  protected remove(row: Row): void {
    const entry = this.entries.get(row)
    if (entry) {
      this.entries.delete(row)
      this.pass(entry)
      this.#numbers.giveBack(entry.number)
    }
  }
}
