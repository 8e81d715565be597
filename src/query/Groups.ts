import { asBefore } from '../base/equal.ts'
import { recall } from '../base/recall.ts'
import type { Reader } from '../reading/denormalize.ts'
import { type Live, Node } from '../rows/Node.ts'
import { ByEntry, Numbers } from './ByEntry.ts'
import { checkKey, compareKeys } from './compareKeys.ts'
import { Entry } from './Entry.ts'
import { orderAbove } from './Ordered.ts'
import { type Member, Sorted } from './Sorted.ts'
import { MOVED, Stage, type Why } from './Stage.ts'
import type { Run } from './functions.ts'
import { Blocks, type Place, runsOf, type Total } from './Totals.ts'

/** The content of a group: its totals by name, or without any its records; or nothing but its key. */
export type Shows = 'key' | 'records' | Readonly<Record<string, Total>>

/** An entry in its group. */
interface Grouped extends Place {
  readonly group: Group
  member: Member | undefined
}

/** Entries by a key. Each group is an entry for what follows. */
export class Groups extends Stage {
  readonly #keyOf: Run
  readonly #shows: Shows
  readonly #totals: readonly Total[]
  readonly #groups = new Map<unknown, Group>()
  readonly #byEntry = new ByEntry<Group>()
  readonly #numbers = new Numbers()
  readonly #grouped = new ByEntry<Grouped>()
  readonly #changed = new Set<Group>()
  readonly #order: (a: Member, b: Member) => number

  constructor(parent: Stage, args: readonly any[], keyOf: Run, shows: Shows) {
    const totals = typeof shows === 'object' ? Object.values(shows) : []
    super(parent.hub, parent, args, [keyOf, ...runsOf(totals)])
    this.#keyOf = keyOf
    this.#shows = shows
    this.#totals = totals
    const order = orderAbove(parent)
    this.#order = (a, b) => order?.(a.entry, b.entry) ?? a.at - b.at
  }

  /** Groups stand in the order of their keys. */
  override get compare(): (a: Entry, b: Entry) => number {
    const keyOf = (entry: Entry): unknown => this.#byEntry.get(entry)?.key
    return (a, b) => compareKeys(keyOf(a), keyOf(b)) || compareKeys(a.id, b.id)
  }

  has(entry: Entry): boolean {
    return this.#byEntry.has(entry)
  }

  all(): Iterable<Entry> {
    return this.#byEntry.entries()
  }

  get size(): number {
    return this.#grouped.size
  }

  override drop(): void {
    super.drop()
    this.#groups.forEach((group) => group.drop())
  }

  protected see(reader: Reader, entry: Entry, why: Why, isHere: boolean): void {
    const old = this.#grouped.get(entry)
    if (why === MOVED) {
      if (old && this.#shows === 'records') {
        this.#put(entry, old, [])
      }
      return
    }
    const found = isHere ? this.run(reader, entry, this.#look) : undefined
    const group = found && this.#group(found.key)
    if (old && old.group !== group) {
      old.group.remove(old)
      this.#changed.add(old.group)
      this.#grouped.delete(entry)
    }
    if (group) {
      this.#put(entry, old?.group === group ? old : { group, at: -1, member: undefined }, found.parts)
    }
  }

  readonly #look = (value: unknown): { key: unknown; parts: readonly unknown[] } => ({
    key: checkKey(this.#keyOf(value, ...this.args)),
    parts: this.#totals.map((total) => total.partOf(value, this.args)),
  })

  #put(entry: Entry, grouped: Grouped, parts: readonly unknown[]): void {
    const { group } = grouped
    this.#grouped.set(entry, grouped)
    group.put(entry, grouped, parts)
    this.#changed.add(group)
  }

  protected override finish(): void {
    for (const group of this.#changed) {
      if (group.size === 0) {
        this.#groups.delete(group.id)
        this.#byEntry.delete(group.entry)
        group.drop()
      } else {
        this.#byEntry.set(group.entry, group)
      }
      group.changed()
      this.pass(group.entry)
      if (group.size === 0) {
        this.#numbers.giveBack(group.entry.number)
      }
    }
    this.#changed.clear()
  }

  #group(key: unknown): Group {
    // Dates are equal by their time.
    const id = key instanceof Date ? `date ${key.getTime()}` : key
    return recall(this.#groups, id, () => new Group(this.#numbers.take(), id, key, this.#shows, this.#order))
  }
}

/** The entries with one key. */
class Group implements Live<Reader> {
  readonly id: unknown
  readonly key: unknown
  readonly node: Node = new Node('live', this, undefined)
  readonly entry: Entry
  readonly #shows: Shows
  readonly #blocks: Blocks
  readonly #sorted: Sorted
  #placed: Member[] = []

  constructor(number: number, id: unknown, key: unknown, shows: Shows, order: (a: Member, b: Member) => number) {
    this.id = id
    this.key = key
    this.#shows = shows
    this.#blocks = new Blocks(typeof shows === 'object' ? Object.values(shows) : [])
    this.#sorted = new Sorted(order)
    this.entry = new Entry(number, String(id), 0, this.node)
  }

  get size(): number {
    return this.#blocks.size
  }

  /** It is empty, or nothing shows it any more. */
  drop(): void {
    this.#sorted.drop()
  }

  put(entry: Entry, grouped: Grouped, parts: readonly unknown[]): void {
    this.#blocks.put(grouped, parts)
    if (this.#shows === 'records') {
      if (grouped.member) {
        this.#sorted.remove(grouped.member)
      }
      grouped.member = { entry, at: entry.at, key: undefined, chunk: undefined }
      this.#placed.push(grouped.member)
    }
  }

  remove(grouped: Grouped): void {
    this.#blocks.remove(grouped)
    if (grouped.member) {
      this.#sorted.remove(grouped.member)
    }
  }

  /** Something in it is another value now. Records are placed when all that moved have left their places. */
  changed(): void {
    if (this.#placed.length > 0) {
      this.#sorted.add(this.#placed)
      this.#placed = []
    }
    this.node.touch()
  }

  compute(reader: Reader, _: Node, old: unknown): unknown {
    const { key } = this
    const shows = this.#shows
    if (shows === 'key') {
      return key
    }
    if (shows === 'records') {
      const { records: before } = (old ?? {}) as { records?: unknown }
      const all = this.#sorted.chunks.flatMap((chunk) => reader.get(chunk.node) as unknown[])
      return asBefore(old, { key, records: asBefore(before, all) })
    }
    const totals = this.#blocks.totals()
    return asBefore(old, { key, ...Object.fromEntries(Object.keys(shows).map((name, i) => [name, totals[i]])) })
  }
}
