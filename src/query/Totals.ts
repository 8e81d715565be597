import { asBefore } from '../base/equal.ts'
import type { Reader } from '../denormalize/denormalize.ts'
import type { Entry } from './Entry.ts'
import { type Batch, both, Stage } from './Stage.ts'

/** A number, or another value, of many records: each record has a part in it. */
export interface Total {
  readonly name: string
  readonly usesArgs: boolean
  /** The part of one record. */
  partOf(value: any, args: readonly any[]): unknown
  /** Many parts as one. */
  fold(parts: readonly any[]): unknown
  /** The total. */
  end(part: any): unknown
}

/** How many records a block has at most: after a change, one block is added up again, and then the blocks. */
const MOST = 256

/** Where the parts of a record stand. */
export interface Place {
  block: Block
  at: number
  parts: readonly unknown[]
}

interface Block {
  readonly places: Place[]
  /** The folded parts; `undefined` after a change. */
  sums: readonly unknown[] | undefined
}

/**
 * The parts of many records, in blocks. A part that leaves is not subtracted: sums would drift, and nothing takes `Infinity` out of a sum.
 */
export class Blocks {
  readonly #totals: readonly Total[]
  readonly #blocks: Block[] = []

  constructor(totals: readonly Total[]) {
    this.#totals = totals
  }

  put(place: Place | undefined, parts: readonly unknown[]): Place {
    if (place) {
      place.parts = parts
      place.block.sums = undefined
      return place
    }
    let block = this.#blocks.at(-1)
    if (block === undefined || block.places.length === MOST) {
      this.#blocks.push((block = { places: [], sums: undefined }))
    }
    const made = { block, at: block.places.length, parts }
    block.places.push(made)
    block.sums = undefined
    return made
  }

  remove({ block, at }: Place): void {
    const last = block.places.pop()!
    block.sums = undefined
    if (at < block.places.length) {
      block.places[at] = last
      last.at = at
    } else if (block.places.length === 0) {
      this.#blocks.splice(this.#blocks.indexOf(block), 1)
    }
  }

  totals(): unknown[] {
    for (const block of this.#blocks) {
      block.sums ??= this.#totals.map(({ fold }, i) => fold(block.places.map(({ parts }) => parts[i])))
    }
    return this.#totals.map(({ fold, end }, i) => end(fold(this.#blocks.map(({ sums }) => sums![i]))))
  }
}

/** Totals of all entries: one value, or an object of several. */
export class Totals extends Stage {
  readonly #blocks: Blocks
  readonly #totals: readonly Total[]
  readonly #names: readonly string[] | undefined
  readonly #places = new Map<Entry, Place>()

  constructor(parent: Stage, args: readonly any[], totals: readonly Total[], names?: readonly string[]) {
    super(parent.hub, parent, args)
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

  protected look(reader: Reader, entries: Batch, foreign: ReadonlySet<Entry>): void {
    const { args } = this
    const places = this.#places
    for (const entry of both(entries, foreign)) {
      const place = places.get(entry)
      const parts = this.parent!.has(entry)
        ? this.run(reader, entry, (value) => this.#totals.map((total) => total.partOf(value, args)))
        : this.forget(entry)
      if (parts) {
        places.set(entry, this.#blocks.put(place, parts))
      } else if (place) {
        this.#blocks.remove(place)
        places.delete(entry)
      }
    }
  }
}
