// Computes which values a reader may show, only from when requests were sent, served and delivered.

/** When a request was sent, served and delivered. A value that the app writes has the same instant for all three. */
export interface Instants {
  readonly sent: number
  readonly served: number
  readonly delivered: number
  readonly write: boolean
}

export type Fields = Readonly<Record<string, unknown>>

/** The fields of a record in a response; `undefined` if the record was deleted. */
export interface Contribution extends Instants {
  readonly fields: Fields | undefined
  /** A delete whose response arrived after that of a write sent later. */
  readonly overtaken?: boolean
}

/** The members of a list in a response: all of them, or whether one record is in it. */
export interface Membership extends Instants {
  readonly ids?: ReadonlySet<string>
  readonly pk?: string
  readonly isIn?: boolean
}

/** A mutation that is shown before its response. */
export interface Operation {
  readonly sent: number
  readonly kind: 'create' | 'put' | 'patch' | 'delete' | 'move' | 'remove'
  /** Missing for a create whose id the server chooses. */
  readonly pk: string | undefined
  readonly fields: Fields
}

/** The statements that nothing later has superseded, and those that overlap an ambiguous write. */
function currentOf<T extends Instants>(all: readonly T[], pairs: readonly Pair<T>[]): T[] {
  // A read that was sent after both writes shows which came last.
  const read = Math.max(...all.map(({ write, sent }) => (write ? -1 : sent)))
  const ambiguous = pairs.flatMap(({ writes, end }) => (read > end ? [] : writes))
  const overlaps = (one: T, other: T): boolean =>
    one === other || (one.sent <= other.delivered && other.sent <= one.delivered)
  return all.filter((one) => !isSuperseded(one, all) || ambiguous.some((write) => overlaps(one, write)))
}

function isSuperseded<T extends Instants>(one: T, all: readonly T[]): boolean {
  return one.write
    ? all.some((other) => other.sent > one.delivered)
    : all.some((other) => other !== one && (other.sent > one.served || (other.write && other.delivered > one.sent)))
}

/** Two writes of this client that ran at the same time, and when both had a response. */
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

/** The statements about one record or list. The current ones are computed on demand and cached. */
class History<T extends Instants> {
  /** Grows with each statement. */
  version = 0
  /** Collected while an older request was in flight: it may be missing, but no other value may be shown. */
  isCollected = false
  private all: T[] = []
  private uniform: boolean | undefined
  private pairs: readonly Pair<T>[] = []
  private readonly cached = new Map<string, T[]>()
  /** True when the first statement is about everything that the second is about. */
  private readonly covers: (one: T, other: T) => boolean
  /** About a record; otherwise about a list, where each item counts separately. */
  private readonly isRecord: boolean

  constructor(covers: (one: T, other: T) => boolean, isRecord: boolean) {
    this.covers = covers
    this.isRecord = isRecord
  }

  add(statement: T, oldest: number): void {
    this.version++
    this.all.push(statement)
    this.cached.clear()
    this.uniform = undefined
    // Overlapping writes of a record are ambiguous whichever fields they contain; in a list each item counts separately.
    if (this.isRecord) {
      this.pairs = overlapping(this.all)
    }
    // A superseded statement matters only to requests that were in flight at the same time.
    this.all = this.all.filter((one) => {
      const isCurrent = (): boolean => this.of(this.all.filter((other) => this.covers(other, one))).includes(one)
      return one.delivered >= oldest || isCurrent()
    })
  }

  get statements(): readonly T[] {
    return this.all
  }

  /**
   * True when two writes ran at the same time, the server applied them in the opposite order, and the responses arrived in
   * the order of sending: a client cannot notice (`ST-18`).
   *
   * @param since when a later read was sent, which shows the right order
   * @param concerns selects the statements about one item of a list
   */
  isReversed(since: number, concerns: (statement: T) => boolean = () => true): boolean {
    const pairs = this.isRecord ? this.pairs : overlapping(this.all.filter(concerns))
    return pairs.some(({ writes, end }) => {
      const [one, other] = writes.toSorted((a, b) => a.sent - b.sent) as [T, T]
      return end > since && one.delivered < other.delivered && one.served > other.served
    })
  }

  /** True when all statements contain the same fields. */
  isUniform(this: History<Contribution>): boolean {
    return (this.uniform ??= this.all.every(
      ({ fields }) => fields === undefined || NAMES.every((name) => name in fields === name in this.first()),
    ))
  }

  private first(this: History<Contribution>): Fields {
    return this.all.find(({ fields }) => fields !== undefined)!.fields!
  }

  private of(some: readonly T[]): T[] {
    return currentOf(some, this.isRecord ? this.pairs : overlapping(some))
  }

  /** The current statements among those that `concerns` selects; `name` identifies the selection. */
  current(name: string, concerns: (statement: T) => boolean): T[] {
    let found = this.cached.get(name)
    if (found === undefined) {
      this.cached.set(name, (found = this.of(this.all.filter(concerns))))
    }
    return found
  }
}

/** Everything that was delivered since the last reset of the store. */
export class Model {
  private instant = 0
  private records = new Map<string, History<Contribution>>()
  private lists = new Map<string, History<Membership>>()
  operations: readonly Operation[] = []
  /** Increases with every change of what may be shown. */
  version = 0
  /** When the requests in flight were sent. */
  readonly inFlight: Set<number> = new Set()

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

  /** A record was collected. Unless an older request is still in flight, its history no longer matters. */
  forget(table: string, pk: string): void {
    this.version++
    const name = `${table} ${pk}`
    if (this.markCollected(this.records.get(name))) {
      this.records.delete(name)
    }
  }

  /** A list was collected: for the next one only the records that joined and left count. */
  forgetList(name: string): void {
    this.version++
    const old = this.lists.get(name)
    if (!this.markCollected(old)) {
      return
    }
    this.lists.delete(name)
    for (const one of old?.statements ?? []) {
      if (one.ids === undefined) {
        this.member(name, one)
      }
    }
  }

  private markCollected(history: History<Contribution> | History<Membership> | undefined): boolean {
    const oldest = this.oldest()
    const statements: readonly Membership[] = (history?.statements ?? []) as readonly Instants[]
    // The store remembers the records that joined or left a list separately.
    const isSettled = statements.every(({ write, sent, delivered, pk }) => pk || (write ? delivered : sent) < oldest)
    if (history && !isSettled) {
      history.isCollected = true
    }
    return isSettled
  }

  reset(): void {
    this.version++
    this.records = new Map()
    this.lists = new Map()
    this.operations = []
    this.inFlight.clear()
  }

  private oldest(): number {
    let oldest = this.instant
    for (const sent of this.inFlight) {
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

/** A contribution without fields, a delete, concerns all fields. */
function carries({ fields }: Contribution, other: Contribution): boolean {
  return (
    fields === undefined || (other.fields !== undefined && Object.keys(other.fields).every((name) => name in fields))
  )
}

function concerns({ ids, pk }: Membership, other: Membership): boolean {
  return ids !== undefined || pk === other.pk
}
