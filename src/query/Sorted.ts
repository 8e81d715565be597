import { DIRTY, type Live, Node, unlink } from '../rows/Node.ts'
import { asBefore } from '../base/equal.ts'
import type { Reader } from '../reading/denormalize.ts'
import type { Entry } from './Entry.ts'

/** A full chunk is split into two. */
const MOST = 512

/** An entry in a sorted set, with its place in the input and its sort key. It is found by this handle, so that a comparison cannot lose it. */
export interface Member {
  readonly entry: Entry
  at: number
  /** The sort key, or an array of several. */
  readonly key: unknown
  chunk: Chunk | undefined
}

/** A run of neighbours. The values of one that nothing has changed in are the same array. */
export class Chunk implements Live<Reader> {
  members: Member[]
  /** Made when a result needs the values. */
  #node: Node | undefined

  constructor(members: Member[]) {
    this.members = members
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

/** Members in order, as an array in pieces: each change moves a few hundred at most, however many there are. */
export class Sorted {
  readonly #compare: (a: Member, b: Member) => number
  chunks: Chunk[] = []
  size = 0

  constructor(compare: (a: Member, b: Member) => number) {
    this.#compare = compare
  }

  /** Adds members. Many at once are sorted together with those that are there. */
  add(members: Member[]): void {
    if (this.size === 0 || members.length > Math.max(MOST / 8, this.size / 8)) {
      const all = [...this.chunks.flatMap((chunk) => chunk.members), ...members].sort(this.#compare)
      this.drop()
      this.chunks = []
      for (let i = 0; i < all.length; i += MOST / 2) {
        this.chunks.push(new Chunk(all.slice(i, i + MOST / 2)))
      }
    } else {
      members.forEach((member) => this.#insert(member))
    }
    this.size += members.length
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
    const at = Math.min(
      place(chunks, ({ members }) => this.#compare(members[members.length - 1]!, member) < 0),
      chunks.length - 1,
    )
    const chunk = chunks[at]!
    const { members } = chunk
    members.splice(
      place(members, (other) => this.#compare(other, member) < 0),
      0,
      member,
    )
    member.chunk = chunk
    chunk.changed()
    if (members.length > MOST) {
      chunks.splice(at + 1, 0, new Chunk(members.splice(MOST / 2)))
    }
  }
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
