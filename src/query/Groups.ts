import { asBefore } from '../base/equal.ts'
import { recall } from '../base/recall.ts'
import type { Reader } from '../denormalize/denormalize.ts'
import { type Live, Node } from '../rows/Node.ts'
import { checkKey, compareKeys } from './compareKeys.ts'
import { Entry } from './Entry.ts'
import { orderAbove } from './Ordered.ts'
import { type Member, Sorted } from './Sorted.ts'
import { type Batch, both, type Run, Stage } from './Stage.ts'
import { Blocks, type Place, type Total } from './Totals.ts'

/** What a group shows: its totals by name, or without any its records; or nothing but its key. */
export type Shows = 'key' | 'records' | ReadonlyMap<string, Total>

/** Entries by a key. Each group is an entry for what follows. */
export class Groups extends Stage {
  readonly #keyOf: Run
  readonly #shows: Shows
  readonly #groups = new Map<unknown, Group>()
  readonly #byEntry = new Map<Entry, Group>()
  readonly #groupOf = new Map<Entry, Group>()
  readonly #order: (a: Member, b: Member) => number

  constructor(parent: Stage, args: readonly any[], keyOf: Run, shows: Shows) {
    super(parent.hub, parent, args)
    this.#keyOf = keyOf
    this.#shows = shows
    const order = orderAbove(parent)
    this.#order = (a, b) => order?.(a.entry, b.entry) ?? a.entry.at - b.entry.at
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
    return this.#byEntry.keys()
  }

  get size(): number {
    return this.#groupOf.size
  }

  override drop(): void {
    super.drop()
    this.#groups.forEach((group) => group.drop())
  }

  protected look(reader: Reader, entries: Batch, foreign: ReadonlySet<Entry>): void {
    const changed = new Set<Group>()
    const seen = both(entries, foreign)
    for (const entry of seen) {
      this.#see(reader, entry, changed)
    }
    for (const entry of this.#shows === 'records' ? this.moved : []) {
      if (!seen.has(entry)) {
        this.#put(entry, undefined, this.#groupOf.get(entry), changed)
      }
    }
    for (const group of changed) {
      if (group.size === 0) {
        this.#groups.delete(group.id)
        this.#byEntry.delete(group.entry)
        group.drop()
      } else if (!this.#byEntry.has(group.entry)) {
        this.#byEntry.set(group.entry, group)
      }
      group.changed()
      this.pass(group.entry)
    }
  }

  #see(reader: Reader, entry: Entry, changed: Set<Group>): void {
    const shows = this.#shows
    const { args } = this
    const found = this.parent!.has(entry)
      ? this.run(reader, entry, (value) => {
          const key = checkKey(this.#keyOf(value, ...args))
          const parts = shows instanceof Map ? [...shows.values()].map((total) => total.partOf(value, args)) : undefined
          return { key, parts }
        })
      : undefined
    if (!this.parent!.has(entry)) {
      this.forget(entry)
    }
    const group = found && this.#group(found.key)
    this.#put(entry, found?.parts, group, changed)
  }

  #put(entry: Entry, parts: readonly unknown[] | undefined, group: Group | undefined, changed: Set<Group>): void {
    const before = this.#groupOf.get(entry)
    if (before && before !== group) {
      before.remove(entry)
      changed.add(before)
      this.#groupOf.delete(entry)
    }
    if (group) {
      this.#groupOf.set(entry, group)
      group.put(entry, parts)
      changed.add(group)
    }
  }

  #group(key: unknown): Group {
    // Dates are equal by their time.
    const id = key instanceof Date ? `date ${key.getTime()}` : key
    return recall(this.#groups, id, () => new Group(id, key, this.#shows, this.#order))
  }
}

/** The entries with one key. */
class Group implements Live<Reader> {
  readonly id: unknown
  readonly key: unknown
  readonly entry: Entry
  readonly #shows: Shows
  readonly #blocks: Blocks | undefined
  readonly #sorted: Sorted
  readonly #places = new Map<Entry, Place | Member | undefined>()
  #placed: Member[] = []

  constructor(id: unknown, key: unknown, shows: Shows, order: (a: Member, b: Member) => number) {
    this.id = id
    this.key = key
    this.#shows = shows
    this.#blocks = shows instanceof Map ? new Blocks([...(shows as ReadonlyMap<string, Total>).values()]) : undefined
    this.#sorted = new Sorted(order)
    this.entry = new Entry(new Node('live', this, undefined), {}, 0, String(id), shows !== 'records')
  }

  get size(): number {
    return this.#places.size
  }

  /** It is empty, or nothing shows it any more. */
  drop(): void {
    this.#sorted.drop()
  }

  put(entry: Entry, parts: readonly unknown[] | undefined): void {
    const place = this.#places.get(entry)
    let made: Place | Member | undefined
    if (this.#blocks) {
      made = this.#blocks.put(place as Place | undefined, parts!)
    } else if (this.#shows === 'records') {
      if (place) {
        this.#sorted.remove(place as Member)
      }
      made = { entry, seen: entry.seen, keys: [], chunk: undefined }
      this.#placed.push(made)
    }
    this.#places.set(entry, made)
  }

  remove(entry: Entry): void {
    const place = this.#places.get(entry)
    this.#places.delete(entry)
    if (this.#blocks) {
      this.#blocks.remove(place as Place)
    } else if (place) {
      this.#sorted.remove(place as Member)
    }
  }

  /** Something in it is another value now. Records are placed when all that moved have left their places. */
  changed(): void {
    if (this.#placed.length > 0) {
      this.#sorted.add(this.#placed)
      this.#placed = []
    }
    this.entry.seen = {}
    this.entry.node.touch()
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
    const totals = this.#blocks!.totals()
    return asBefore(old, { key, ...Object.fromEntries([...shows.keys()].map((name, i) => [name, totals[i]])) })
  }
}
