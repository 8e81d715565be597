import { DEV } from '../base/env.ts'
import { fail, type RestitchError } from '../base/errors.ts'
import { recall } from '../base/recall.ts'
import type { Reader } from '../reading/denormalize.ts'
import type { Row } from '../rows/Row.ts'
import { Table } from '../rows/Table.ts'
import { guard } from './track.ts'

/** A part of a query that looks at rows. */
interface Watcher {
  /** A row is about to be seen differently; `watched`: the row itself, or its table. */
  touch(row: Row, watched: Row | Table): void
}

/** The live queries of one store. */
export class Hub {
  readonly reader: Reader
  /** The sources of inputs, by their arguments. */
  readonly sources: Map<unknown, Map<string, object>> = new Map()
  /** The stages that look at a row, or at all rows of a table. */
  readonly #watchers = new Map<Row | Table, Set<Watcher>>()
  /** Calls a function of the app for a record that refers to no others. In development it finds out what changes records. */
  readonly guard: <T>(value: unknown, call: (value: any) => T) => T = DEV ? guard : (value, call) => call(value)

  /** How many rows of a table are looked at, and the table itself. */
  readonly #counts = new Map<Table, number>()

  constructor(reader: Reader) {
    this.reader = reader
  }

  /** Tells a stage before readers see a row, or a row of a table, differently. A state does not change. */
  watch(row: Row | Table, watcher: Watcher): void {
    if (!this.reader.host?.clock) {
      return
    }
    const table = tableOf(row)
    recall(this.#watchers, row, () => {
      this.#counts.set(table, (this.#counts.get(table) ?? 0) + 1)
      return new Set<Watcher>()
    }).add(watcher)
    table.watch ??= (changed) => {
      this.#watchers.get(changed)?.forEach((one) => one.touch(changed, changed))
      this.#watchers.get(table)?.forEach((one) => one.touch(changed, table))
    }
  }

  unwatch(row: Row | Table, watcher: Watcher): void {
    const watchers = this.#watchers.get(row)
    watchers?.delete(watcher)
    if (watchers?.size === 0) {
      const table = tableOf(row)
      const left = this.#counts.get(table)! - 1
      this.#watchers.delete(row)
      this.#counts.set(table, left)
      table.watch = left > 0 ? table.watch : undefined
    }
  }
}

function tableOf(row: Row | Table): Table {
  return row instanceof Table ? row : row.table
}

/** A query is read by a function of its own. */
export function loop(): RestitchError {
  return fail(
    'query-input',
    'loop',
    DEV && 'A query reads itself while it is computed. Queries may use others as their input, but not in a circle.',
  )
}

const hubs = /* @__PURE__ */ new WeakMap<Reader, Hub>()

export function hubOf(reader: Reader): Hub {
  return recall(hubs, reader, () => new Hub(reader))
}
