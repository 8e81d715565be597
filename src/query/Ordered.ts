import { asBefore } from '../base/equal.ts'
import type { Reader } from '../denormalize/denormalize.ts'
import type { Entry } from './Entry.ts'
import { checkKey, compareKeys, type Direction } from './compareKeys.ts'
import { type Member, Sorted } from './Sorted.ts'
import { type Batch, type Run, Stage, type Step } from './Stage.ts'

/** The stage itself if its entries have places, else the one that gives them places. */
export function inOrder(stage: Stage): Stage {
  return stage.isOrdered ? stage : stage.follow(IN_ORDER, [])
}

const IN_ORDER: Step = { name: 'order', usesArgs: false, make: (parent) => new Ordered(parent, [], []) }

/** All entries in order: by keys that functions compute, or as the stages before have them. */
export class Ordered extends Stage {
  readonly sorted: Sorted
  readonly #runs: readonly Run[]
  readonly #directions: (Direction | undefined)[] = []
  readonly #members = new Map<Entry, Member>()
  readonly #inherited: ((a: Entry, b: Entry) => number) | undefined
  #parts: unknown
  #values: unknown

  constructor(parent: Stage, args: readonly any[], runs: readonly Run[]) {
    super(parent.hub, parent, args)
    this.#runs = runs
    this.#inherited = runs.length > 0 ? undefined : orderAbove(parent)
    this.sorted = new Sorted((a, b) => this.#compare(a, b))
  }

  override get isOrdered(): boolean {
    return true
  }

  override get compare(): (a: Entry, b: Entry) => number {
    return (a, b) => this.#compare(this.#members.get(a)!, this.#members.get(b)!)
  }

  has(entry: Entry): boolean {
    return this.#members.has(entry)
  }

  all(): Iterable<Entry> {
    return this.#members.keys()
  }

  get size(): number {
    return this.sorted.size
  }

  override drop(): void {
    super.drop()
    this.sorted.drop()
  }

  override read(reader: Reader): unknown {
    const parts = asBefore(
      this.#parts,
      this.sorted.chunks.map(({ node }) => reader.get(node)),
    )
    if (parts !== this.#parts || !this.#values) {
      this.#parts = parts
      this.#values = ([] as unknown[]).concat(...(parts as unknown[][]))
    }
    return this.#values
  }

  #compare(a: Member, b: Member): number {
    if (this.#runs.length === 0) {
      return this.#inherited?.(a.entry, b.entry) ?? a.entry.at - b.entry.at
    }
    try {
      for (let i = 0; i < this.#runs.length; i++) {
        const result = compareKeys(a.keys[i], b.keys[i], this.#directions[i])
        if (result !== 0) {
          return result
        }
      }
    } catch (error) {
      this.errors.set(a.entry, error)
    }
    return compareKeys(a.entry.id, b.entry.id) || a.entry.at - b.entry.at
  }

  protected look(reader: Reader, entries: Batch, foreign: ReadonlySet<Entry>): void {
    const placed: Member[] = []
    const see = (entry: Entry, isForeign: boolean): void => {
      const old = this.#members.get(entry)
      const isHere = this.parent!.has(entry)
      if (old) {
        this.sorted.remove(old)
        this.#members.delete(entry)
      }
      if (!isHere) {
        this.forget(entry)
      } else {
        const keys = old && old.seen === entry.seen && !isForeign ? old.keys : this.#keysOf(reader, entry)
        if (keys) {
          const member = { entry, seen: entry.seen, keys, chunk: undefined }
          this.#members.set(entry, member)
          placed.push(member)
        }
      }
      if (old || isHere) {
        this.pass(entry, isForeign && old !== undefined)
      }
    }
    for (const entry of entries) {
      see(entry, false)
    }
    foreign.forEach((entry) => entries.has(entry) || see(entry, true))
    this.moved.forEach((entry) => entries.has(entry) || foreign.has(entry) || see(entry, false))
    if (placed.length > 0) {
      this.sorted.add(placed)
    }
  }

  #keysOf(reader: Reader, entry: Entry): readonly unknown[] | undefined {
    return this.#runs.length === 0 ? NO_KEYS : this.run(reader, entry, this.#keysOfRecord)
  }

  readonly #keysOfRecord = (value: unknown): readonly unknown[] => {
    const runs = this.#runs
    const keys: unknown[] = []
    for (let i = 0; i < runs.length; i++) {
      keys.push(this.#direct(runs[i]!(value, ...this.args), i))
    }
    return keys
  }

  /** Takes the direction from a key that has one. */
  #direct(key: unknown, i: number): unknown {
    if (!Array.isArray(key)) {
      return checkKey(key)
    }
    this.#directions[i] = key[1] as Direction
    return checkKey(key[0])
  }
}

const NO_KEYS: readonly unknown[] = []

/** The order that a stage inherits; `undefined` for that of the input. */
export function orderAbove(stage: Stage | undefined): ((a: Entry, b: Entry) => number) | undefined {
  return stage && (stage.compare ?? orderAbove(stage.parent))
}
