import { asBefore } from '../base/equal.ts'
import type { Reader } from '../reading/denormalize.ts'
import { ByEntry } from './ByEntry.ts'
import type { Entry } from './Entry.ts'
import { checkKey, compareKeys, type Direction } from './compareKeys.ts'
import { type Member, Sorted } from './Sorted.ts'
import { CHANGED, MOVED, Stage, type Step, type Why } from './Stage.ts'
import type { Run } from './functions.ts'

/** The order that the stages before give their entries. */
const IN_ORDER: Step = { name: 'order', usesArgs: false, make: (parent) => new Ordered(parent, [], []) }

/** The stage itself if its entries have places, else the one that gives them places. */
export function inOrder(stage: Stage): Stage {
  return stage.read ? stage : stage.follow(IN_ORDER, [])
}

/** All entries in order: by keys that functions compute, or as the stages before have them. */
export class Ordered extends Stage {
  readonly sorted: Sorted
  readonly #runs: readonly Run[]
  readonly #directions: (Direction | undefined)[]
  readonly #members = new ByEntry<Member>()
  readonly #inherited: ((a: Entry, b: Entry) => number) | undefined
  #placed: Member[] = []
  #parts: unknown
  #values: unknown

  constructor(parent: Stage, args: readonly any[], runs: readonly Run[]) {
    super(parent.hub, parent, args, runs)
    this.#runs = runs
    this.#directions = runs.map(() => undefined)
    this.#inherited = runs.length > 0 ? undefined : orderAbove(parent)
    this.sorted = new Sorted(this.#compare)
  }

  override get compare(): (a: Entry, b: Entry) => number {
    return (a, b) => this.#compare(this.#members.get(a)!, this.#members.get(b)!)
  }

  has(entry: Entry): boolean {
    return this.#members.has(entry)
  }

  all(): Iterable<Entry> {
    return this.sorted.slice(0, Infinity)
  }

  get size(): number {
    return this.sorted.size
  }

  override drop(): void {
    super.drop()
    this.sorted.drop()
  }

  override read(reader: Reader): unknown {
    this.sorted.settle()
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

  readonly #compare = (a: Member, b: Member): number => {
    const { entry } = a
    const size = this.#runs.length
    if (this.#inherited) {
      return this.#inherited(entry, b.entry)
    }
    try {
      for (let i = 0; i < size; i++) {
        const result =
          size === 1
            ? compareKeys(a.key, b.key, this.#directions[0])
            : compareKeys((a.key as Keys)[i], (b.key as Keys)[i], this.#directions[i])
        if (result !== 0) {
          return result
        }
      }
    } catch (error) {
      this.errors.set(entry, error)
    }
    const { id } = b.entry
    return (size > 0 && entry.id !== id && (entry.id < id ? -1 : 1)) || a.at - b.at
  }

  protected see(reader: Reader, entry: Entry, why: Why, isHere: boolean): void {
    const old = this.#members.get(entry)
    const found = isHere && (old && why === MOVED ? { ...old, at: entry.at } : this.#look(reader, entry))
    const stays = old && found && !this.#inherited && old.at === entry.at && isSame(old.key, found.key)
    if (!stays) {
      if (old) {
        this.sorted.remove(old)
        this.#members.delete(entry)
      }
      if (found) {
        this.#members.set(entry, found)
        this.#placed.push(found)
      }
    }
    if (why === CHANGED ? old || isHere : !stays) {
      this.pass(entry, why === CHANGED || !old || !found ? CHANGED : MOVED)
    }
  }

  protected override finish(): void {
    if (this.#placed.length > 0) {
      this.sorted.add(this.#placed, this.#runs.length > 0 && !this.#directions.some((one) => typeof one === 'function'))
      this.#placed = []
    }
  }

  /** The entry with its keys; `undefined` where a function throws. */
  #look(reader: Reader, entry: Entry): Member | undefined {
    const member = { entry, at: entry.at, key: undefined, chunk: undefined }
    if (this.#runs.length > 0) {
      member.key = this.run(reader, entry, this.#keysOf) as undefined
    }
    return this.errors.has(entry) ? undefined : member
  }

  readonly #keysOf = (value: unknown): unknown => {
    const runs = this.#runs
    return runs.length === 1 ? this.#keyOf(value, runs[0]!, 0) : runs.map((run, i) => this.#keyOf(value, run, i))
  }

  #keyOf(value: unknown, run: Run, i: number): unknown {
    const key: unknown = run(value, ...this.args)
    if (!Array.isArray(key)) {
      return checkKey(key)
    }
    this.#directions[i] = key[1] as Direction
    return checkKey(key[0])
  }
}

/** Several sort keys. */
type Keys = readonly unknown[]

function isSame(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (Array.isArray(a) && a.every((key, i) => Object.is(key, (b as Keys)[i])))
}

/** The order that a stage inherits; `undefined` for that of the input. */
export function orderAbove(stage: Stage | undefined): ((a: Entry, b: Entry) => number) | undefined {
  return stage && (stage.compare ?? orderAbove(stage.parent))
}
