import { DIRTY, type Live, Node, unlink } from '../rows/Node.ts'
import { asBefore } from '../base/equal.ts'
import type { Reader } from '../reading/denormalize.ts'
import type { Entry } from './Entry.ts'

/** A full chunk is split into two. */
const MOST = 512

/** How many chunks a large set begins with. */
const PARTS = 16

/** An entry in a sorted set, with its place in the input and its sort key. It is found by this handle, so that a comparison cannot lose it. */
export interface Member {
  readonly entry: Entry
  readonly at: number
  /** The sort key, or an array of several. */
  readonly key: unknown
  chunk: Chunk | undefined
}

/** A run of neighbours. The values of one that nothing has changed in are the same array. */
export class Chunk implements Live<Reader> {
  members: Member[]
  /** Members without an order: all stand before this one, or they are the last chunk. A chunk is sorted when it is first looked at. */
  readonly end: Member | undefined
  isSorted: boolean
  /** Made when a result needs the values. */
  #node: Node | undefined

  constructor(members: Member[], isSorted: boolean, end?: Member) {
    this.members = members
    this.isSorted = isSorted
    this.end = end
    members.forEach((member) => (member.chunk = this))
  }

  get node(): Node {
    return (this.#node ??= new Node('live', this, undefined))
  }

  compute(reader: Reader, _: Node, old: unknown): unknown {
    return asBefore(
      old,
      this.members.map(({ entry }) => entry.value(reader)),
    )
  }

  /** It is no part of the set any more. */
  drop(): void {
    if (this.#node) {
      unlink(this.#node)
    }
  }

  /** Its members have changed. The same change has already touched the nodes that were made from it. */
  changed(): void {
    if (this.#node) {
      this.#node.flags |= DIRTY
    }
  }
}

/**
 * Members in order, as an array in pieces: each change moves a few hundred at most, however many there are. Of many the pieces that
 * nothing looks at are never sorted: the first fifty of 100,000 take a few comparisons for each.
 */
export class Sorted {
  readonly #compare: (a: Member, b: Member) => number
  chunks: Chunk[] = []
  size = 0

  constructor(compare: (a: Member, b: Member) => number) {
    this.#compare = compare
  }

  /**
   * Adds members. Many at once are divided anew together with those that are there.
   *
   * @param isLazy comparing them calls no code of the app: it may wait until a chunk is looked at
   */
  add(members: Member[], isLazy: boolean = false): void {
    if (this.size === 0 || members.length > Math.max(MOST / 8, this.size / 8)) {
      const all = [...this.chunks.flatMap((chunk) => chunk.members), ...members]
      this.drop()
      this.chunks = isLazy && all.length > PARTS * MOST ? this.#divide(all) : [new Chunk(all, false)]
      if (!isLazy) {
        this.settle()
      }
    } else {
      members.forEach((member) => this.#insert(member))
    }
    this.size += members.length
  }

  /** Sorts the chunks from one place up to another one. */
  settle(from: number = 0, to: number = Infinity): void {
    const { chunks } = this
    for (let i = 0, start = 0; i < chunks.length && start < to; i++) {
      const { members, isSorted } = chunks[i]!
      if (!isSorted && start + members.length > from) {
        chunks.splice(i, 1, ...inPieces(members.sort(this.#compare)))
      }
      start += chunks[i]!.members.length
    }
  }

  drop(): void {
    this.chunks.forEach((chunk) => chunk.drop())
  }

  remove(member: Member): void {
    const chunk = member.chunk!
    const { members } = chunk
    members.splice(members.indexOf(member), 1)
    member.chunk = undefined
    this.size--
    chunk.changed()
    if (members.length === 0) {
      this.chunks.splice(this.chunks.indexOf(chunk), 1)
      chunk.drop()
    }
  }

  /** The entries from one place up to another one. */
  slice(start: number, end: number): Entry[] {
    this.settle(start, end)
    const found: Entry[] = []
    let left = start
    for (const { members } of this.chunks) {
      for (let i = left; i < members.length && found.length < end - start; i++) {
        found.push(members[i]!.entry)
      }
      if (found.length >= end - start) {
        break
      }
      left = Math.max(0, left - members.length)
    }
    return found
  }

  #insert(member: Member): void {
    const { chunks } = this
    const isAfter = ({ members, isSorted, end }: Chunk): boolean =>
      isSorted
        ? this.#compare(members[members.length - 1]!, member) < 0
        : end !== undefined && this.#compare(end, member) <= 0
    const at = Math.min(place(chunks, isAfter), chunks.length - 1)
    const chunk = chunks[at]!
    const { members, isSorted } = chunk
    const to = isSorted ? place(members, (other) => this.#compare(other, member) < 0) : members.length
    members.splice(to, 0, member)
    member.chunk = chunk
    chunk.changed()
    if (isSorted && members.length > MOST) {
      chunks.splice(at + 1, 0, new Chunk(members.splice(MOST / 2), true))
    }
  }

  /** Members in chunks, each before the next one, but without an order of their own. */
  #divide(all: readonly Member[]): Chunk[] {
    const step = Math.floor(all.length / (PARTS * 8))
    const sample = all.filter((_, i) => i % step === 0).sort(this.#compare)
    const ends = sample.filter((_, i) => i % 8 === 7).slice(0, PARTS - 1)
    const parts: Member[][] = [...ends, undefined].map(() => [])
    for (const member of all) {
      parts[place(ends, (end) => this.#compare(end, member) <= 0)]!.push(member)
    }
    return parts.map((members, i) => new Chunk(members, false, ends[i])).filter(({ members }) => members.length > 0)
  }
}

/** Sorted members as chunks that have room for more. */
function inPieces(members: readonly Member[]): Chunk[] {
  const chunks: Chunk[] = []
  for (let i = 0; i < members.length; i += MOST / 2) {
    chunks.push(new Chunk(members.slice(i, i + MOST / 2), true))
  }
  return chunks
}

/** The first place that is not before. */
function place<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(items[middle]!)) {
      low = middle + 1
    } else {
      high = middle
    }
  }
  return low
}
