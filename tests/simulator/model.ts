// What may be shown, worked out from the instants at which answers were sent, served and delivered, and from nothing else.

/** The instants of what an answer contributes. A value written by the app has one instant for all three. */
export interface Instants {
  readonly sent: number
  readonly served: number
  readonly delivered: number
  readonly write: boolean
}

export type Fields = Readonly<Record<string, unknown>>

/** What an answer says of a record; no fields: it is gone. */
export interface Contribution extends Instants {
  readonly fields: Fields | undefined
  /** A delete that came when a write sent later had been answered. */
  readonly overtaken?: boolean
}

/** What an answer says of a list: all it holds, or that one record is in or out. */
export interface Membership extends Instants {
  readonly ids?: ReadonlySet<string>
  readonly pk?: string
  readonly isIn?: boolean
}

/** A mutation that is shown before it is answered. */
export interface Operation {
  readonly sent: number
  readonly kind: 'create' | 'put' | 'patch' | 'delete' | 'move' | 'remove'
  /** Missing for a create whose id the server chooses. */
  readonly pk: string | undefined
  readonly fields: Fields
}

/** The statements that stand: those that nothing later has superseded, and what overlaps one that is clouded. */
function standing<T extends Instants>(all: readonly T[], pairs: readonly Pair<T>[]): T[] {
  // A read sent after both has told which came last.
  const read = Math.max(...all.map(({ write, sent }) => (write ? -1 : sent)))
  const clouded = pairs.flatMap(({ writes, end }) => (read > end ? [] : writes))
  const overlaps = (one: T, other: T): boolean =>
    one === other || (one.sent <= other.delivered && other.sent <= one.delivered)
  return all.filter((one) => !isSuperseded(one, all) || clouded.some((write) => overlaps(one, write)))
}

function isSuperseded<T extends Instants>(one: T, all: readonly T[]): boolean {
  return one.write
    ? all.some((other) => other.sent > one.delivered)
    : all.some((other) => other !== one && (other.sent > one.served || (other.write && other.delivered > one.sent)))
}

/** Two own writes that ran at the same time, and when both were answered. */
interface Pair<T> {
  readonly writes: readonly [T, T]
  readonly end: number
}

function overlapping<T extends Instants>(all: readonly T[]): Pair<T>[] {
  const writes = all.filter(({ write }) => write)
  const pairs: Pair<T>[] = []
  for (const [i, one] of writes.entries()) {
    for (const other of writes.slice(i + 1)) {
      if (one.sent < other.delivered && other.sent < one.delivered) {
        pairs.push({ writes: [one, other], end: Math.max(one.delivered, other.delivered) })
      }
    }
  }
  return pairs
}

/** The fields that a contribution may carry. */
const NAMES = ['title', 'body', 'group', 'author', 'name']

/** The statements about one thing, and what stands of them, worked out when it is asked for. */
class History<T extends Instants> {
  /** Grows with each statement. */
  version = 0
  /** Collected while something older was under way: it may be missing, but nothing else may be shown. */
  isFaded = false
  private all: T[] = []
  private uniform: boolean | undefined
  private pairs: readonly Pair<T>[] = []
  private readonly cached = new Map<string, T[]>()
  /** True when one says something about all that the other speaks of. */
  private readonly covers: (one: T, other: T) => boolean
  /** All of it is about one thing. */
  private readonly isOne: boolean

  constructor(covers: (one: T, other: T) => boolean, isOne: boolean) {
    this.covers = covers
    this.isOne = isOne
  }

  add(statement: T, oldest: number): void {
    this.version++
    this.all.push(statement)
    this.cached.clear()
    this.uniform = undefined
    // Writes that overlap are about one record, whichever of its fields they carry; in a list each item is for itself.
    if (this.isOne) {
      this.pairs = overlapping(this.all)
    }
    // What is superseded matters only to those who were under way at the same time.
    this.all = this.all.filter((one) => {
      const stands = (): boolean => this.of(this.all.filter((other) => this.covers(other, one))).includes(one)
      return one.delivered >= oldest || stands()
    })
  }

  get statements(): readonly T[] {
    return this.all
  }

  /**
   * True when two writes ran at the same time, the server did them in the other order than they were sent in, and the
   * responses came in the order of sending: nothing tells a client of it (`ST-18`).
   *
   * @param since when a read was sent that tells all the same
   */
  isReversed(since: number): boolean {
    return this.pairs.some(({ writes, end }) => {
      const [one, other] = writes.toSorted((a, b) => a.sent - b.sent) as [T, T]
      return end > since && one.delivered < other.delivered && one.served > other.served
    })
  }

  /** True when all that says something of a record says it of the same fields. */
  isUniform(this: History<Contribution>): boolean {
    return (this.uniform ??= this.all.every(
      ({ fields }) => fields === undefined || NAMES.every((name) => name in fields === name in this.first()),
    ))
  }

  private first(this: History<Contribution>): Fields {
    return this.all.find(({ fields }) => fields !== undefined)!.fields!
  }

  private of(some: readonly T[]): T[] {
    return standing(some, this.isOne ? this.pairs : overlapping(some))
  }

  standing(name: string, concerns: (statement: T) => boolean): T[] {
    let found = this.cached.get(name)
    if (found === undefined) {
      this.cached.set(name, (found = this.of(this.all.filter(concerns))))
    }
    return found
  }
}

/** Everything that was delivered since the last reset. */
export class Model {
  private instant = 0
  private records = new Map<string, History<Contribution>>()
  private lists = new Map<string, History<Membership>>()
  operations: readonly Operation[] = []
  /** Grows with all that changes what may be shown. */
  version = 0
  /** Instants at which the requests under way were sent. */
  readonly underWay: Set<number> = new Set()

  now(): number {
    return ++this.instant
  }

  contribute(table: string, pk: string, contribution: Contribution): void {
    this.version++
    const history = this.history(this.records, `${table} ${pk}`, carries)
    const { fields, sent } = contribution
    const overtaken = fields === undefined && history.statements.some((one) => one.write && one.sent > sent)
    history.add({ ...contribution, overtaken }, this.oldest())
  }

  member(list: string, membership: Membership): void {
    this.version++
    this.history(this.lists, list, concerns).add(membership, this.oldest())
  }

  record(table: string, pk: string): History<Contribution> | undefined {
    return this.records.get(`${table} ${pk}`)
  }

  list(name: string): History<Membership> | undefined {
    return this.lists.get(name)
  }

  /** A record was collected. Unless something older is still under way, nothing that was known of it matters any more. */
  forget(table: string, pk: string): void {
    this.version++
    const name = `${table} ${pk}`
    if (this.fade(this.records.get(name))) {
      this.records.delete(name)
    }
  }

  /** A list was collected: only what joins and leaves it counts for the next one. */
  forgetList(name: string): void {
    this.version++
    const old = this.lists.get(name)
    if (!this.fade(old)) {
      return
    }
    this.lists.delete(name)
    for (const one of old?.statements ?? []) {
      if (one.ids === undefined) {
        this.member(name, one)
      }
    }
  }

  private fade(history: History<Contribution> | History<Membership> | undefined): boolean {
    const oldest = this.oldest()
    const statements: readonly Membership[] = (history?.statements ?? []) as readonly Instants[]
    // What joined or left a list is remembered apart from it.
    const isOver = statements.every(({ write, sent, delivered, pk }) => pk || (write ? delivered : sent) < oldest)
    if (history && !isOver) {
      history.isFaded = true
    }
    return isOver
  }

  reset(): void {
    this.version++
    this.records = new Map()
    this.lists = new Map()
    this.operations = []
    this.underWay.clear()
  }

  private oldest(): number {
    let oldest = this.instant
    for (const sent of this.underWay) {
      oldest = Math.min(oldest, sent)
    }
    return oldest
  }

  private history<T extends Instants>(
    map: Map<string, History<T>>,
    name: string,
    covers: (one: T, other: T) => boolean,
  ): History<T> {
    let history = map.get(name)
    if (history === undefined) {
      map.set(name, (history = new History(covers, map === (this.records as unknown))))
    }
    return history
  }
}

/** A contribution without fields speaks of all of them. */
function carries({ fields }: Contribution, other: Contribution): boolean {
  return (
    fields === undefined || (other.fields !== undefined && Object.keys(other.fields).every((name) => name in fields))
  )
}

function concerns({ ids, pk }: Membership, other: Membership): boolean {
  return ids !== undefined || pk === other.pk
}
