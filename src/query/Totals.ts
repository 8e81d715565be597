import { asBefore } from '../base/equal.ts'
import type { Reader } from '../reading/denormalize.ts'
import { ByEntry } from './ByEntry.ts'
import type { Entry } from './Entry.ts'
import { MOVED, Stage, type Why } from './Stage.ts'
import type { Run } from './functions.ts'

/** A number, or another value, of many records: each record has a part in it. */
export interface Total {
  readonly name: string
  readonly usesArgs: boolean
  /** The function of the app. */
  readonly run: Run | undefined
  /** The part of one record. */
  partOf(value: any, args: readonly any[]): unknown
  /** Parts from one place up to another one as one part. */
  fold(parts: readonly any[], from: number, to: number): unknown
  /** The total. */
  end(part: any): unknown
}

/** How many records a block has at most: after a change, one block is added up again, and then the blocks. */
const MOST = 256

/** Where the parts of a record stand. */
export interface Place {
  at: number
}

/**
 * The parts of many records, in blocks. A part that leaves is not subtracted: sums would drift, and nothing takes `Infinity` out of a sum.
 */
export class Blocks {
  readonly #places: Place[] = []
  /** For each total its parts, and those of each block as one: `undefined` after a change. */
  readonly #columns: readonly { readonly total: Total; readonly parts: unknown[]; readonly blocks: unknown[] }[]

  constructor(totals: readonly Total[]) {
    this.#columns = totals.map((total) => ({ total, parts: [], blocks: [] }))
  }

  get size(): number {
    return this.#places.length
  }

  /** Takes the parts of a record. A place below 0 is a new one. */
  put(place: Place, parts: readonly unknown[]): void {
    if (place.at < 0) {
      place.at = this.#places.push(place) - 1
    }
    this.#set(place.at, parts)
  }

  remove({ at }: Place): void {
    const last = this.#places.pop()!
    const from = this.#places.length
    this.#set(
      at,
      this.#columns.map(({ parts }) => parts[from]),
    )
    this.#set(from, [])
    if (at < from) {
      this.#places[at] = last
      last.at = at
    }
    for (const { parts, blocks } of this.#columns) {
      parts.length = from
      blocks.length = Math.ceil(from / MOST)
    }
  }

  #set(at: number, values: readonly unknown[]): void {
    this.#columns.forEach(({ parts, blocks }, i) => {
      parts[at] = values[i]
      blocks[Math.floor(at / MOST)] = undefined
    })
  }

  totals(): unknown[] {
    return this.#columns.map(({ total, parts, blocks }) => {
      for (let i = 0; i < blocks.length; i++) {
        blocks[i] ??= total.fold(parts, i * MOST, Math.min((i + 1) * MOST, parts.length))
      }
      return total.end(total.fold(blocks, 0, blocks.length))
    })
  }
}

/** Totals of all entries: one value, or an object of several. */
export class Totals extends Stage {
  readonly #blocks: Blocks
  readonly #totals: readonly Total[]
  readonly #names: readonly string[] | undefined
  readonly #places = new ByEntry<Place>()

  constructor(parent: Stage, args: readonly any[], totals: readonly Total[], names?: readonly string[]) {
    super(parent.hub, parent, args, runsOf(totals))
    this.#totals = totals
    this.#names = names
    this.#blocks = new Blocks(totals)
  }

  has(): boolean {
    return false
  }

  all(): Iterable<Entry> {
    return []
  }

  get size(): number {
    return this.#places.size
  }

  override read(_: Reader, old: unknown): unknown {
    const totals = this.#blocks.totals()
    return this.#names ? asBefore(old, Object.fromEntries(this.#names.map((name, i) => [name, totals[i]]))) : totals[0]
  }

  protected see(reader: Reader, entry: Entry, why: Why, isHere: boolean): void {
    if (why === MOVED) {
      return
    }
    const places = this.#places
    const place = places.get(entry) ?? { at: -1 }
    const parts = isHere && this.run(reader, entry, this.#partsOf)
    if (parts) {
      this.#blocks.put(place, parts)
      places.set(entry, place)
    } else if (places.delete(entry)) {
      this.#blocks.remove(place)
    }
  }

  readonly #partsOf = (value: unknown): readonly unknown[] =>
    this.#totals.map((total) => total.partOf(value, this.args))
}

/** The functions of totals. */
export function runsOf(totals: readonly Total[]): Run[] {
  return totals.flatMap(({ run }) => run ?? [])
}
