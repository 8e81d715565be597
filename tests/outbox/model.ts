// The outbox on a storage and a server of the test's own: every transaction and every message is an event, at which a tab can be killed. The
// schedule decides which event comes next, and how it ends.
import type { DiskFound, DiskWrite } from '../../src/disk/DiskStorage.ts'
import type { Entry, EntryRequest } from '../../src/outbox/Entry.ts'
import { judge } from '../../src/outbox/judge.ts'
import { Queue } from '../../src/outbox/Queue.ts'
import { type Outcome, Sender } from '../../src/outbox/Sender.ts'
import { TestClock } from '../../src/testing/TestClock.ts'

/** Faults that the model has to find. */
export type Fault = 'two transactions' | 'saved after it was sent' | 'ids from 1' | 'no claim' | 'new key'

/** How an event ends: it happens, its tab is killed before or after, or the message is lost. */
export type Fate = 'happens' | 'killed before' | 'killed after' | 'lost'

export interface Schedule {
  /** The place of the event that is next, among `count`. */
  next(count: number): number
  fate(isMessage: boolean): Fate
  /** The server repeats no request whose key it knows. */
  readonly knowsKeys: boolean
}

/** A deed of the user: the record it concerns, by the number of its create, or a record of the server. */
export interface Action {
  readonly kind: 'create' | 'edit' | 'delete'
  readonly of: string
}

interface Event {
  readonly tab: ModelTab
  readonly isMessage: boolean
  run(): void
  /** The message is lost: its sender learns that nothing has come. */
  lose(): void
}

export class World {
  readonly clock: TestClock = new TestClock()
  readonly rows: Map<string, unknown> = new Map()
  readonly events: Event[] = []
  readonly faults: string[] = []
  readonly schedule: Schedule
  readonly fault: Fault | undefined
  /** The numbers of the actions that were saved, by the record they concern. */
  readonly owed: Map<string, number[]> = new Map()
  /** The numbers that the server has carried out, by record. */
  readonly log: Map<string, number[]> = new Map()
  tabs: ModelTab[] = []
  /** Records of the server, by id; false once they are deleted. */
  private readonly records = new Map<string, boolean>([
    ['a', true],
    ['b', true],
  ])
  private readonly responses = new Map<string, { status: number; id?: string }>()
  /** The requests that are on their way, by the number of their action. */
  private readonly open = new Map<number, ModelTab>()
  private count = 0

  constructor(schedule: Schedule, fault?: Fault) {
    this.schedule = schedule
    this.fault = fault
  }

  /** Runs the script of each tab, and starts others instead of those that are killed, until nothing is left to do. */
  async run(scripts: readonly (readonly Action[])[]): Promise<void> {
    let number = 0
    const numbered = scripts.map((script) => script.map((action) => ({ ...action, number: ++number })))
    this.tabs = numbered.map((script) => this.start(script))
    for (let turn = 0; turn < 2_000; turn++) {
      await turns()
      const event = this.events.splice(this.schedule.next(this.events.length), 1)[0]
      if (event) {
        this.handle(event)
      } else if (this.entries().every(({ state }) => state !== 'pending') && this.tabs.every((tab) => tab.isIdle)) {
        return this.check()
      } else if (this.clock.pending > 0) {
        this.clock.runNext()
      } else {
        break
      }
    }
    this.faults.push(`stuck with ${JSON.stringify(this.entries())}`)
  }

  entries(): Entry[] {
    return [...this.rows].flatMap(([key, value]) => (key.startsWith('entry/') ? [value as Entry] : []))
  }

  /** An event of a tab; one that is gone has none. */
  push(event: Event): void {
    if (!event.tab.isKilled) {
      this.events.push(event)
    }
  }

  /** A request that arrives. */
  respond(request: EntryRequest, key: string, tab: ModelTab): { status: number; id?: string } {
    const { number, of } = request.body as { number: number; of: string }
    const other = this.open.get(number)
    if (other && other !== tab && !other.isKilled) {
      this.faults.push(`action ${number} is sent twice at the same time`)
    }
    this.open.set(number, tab)
    const known = this.schedule.knowsKeys ? this.responses.get(key) : undefined
    const response = known ?? this.carryOut(request, number, of)
    this.responses.set(key, response)
    return response
  }

  /** A response, or the loss of a message, has reached its tab. */
  end(request: EntryRequest, tab: ModelTab): void {
    const { number } = request.body as { number: number }
    if (this.open.get(number) === tab) {
      this.open.delete(number)
    }
  }

  /** A number that is unique in this world. */
  unique(): number {
    return ++this.count
  }

  private carryOut({ method, url }: EntryRequest, number: number, of: string): { status: number; id?: string } {
    const id = method === 'POST' ? `s${this.unique()}` : url.slice(1)
    if (method !== 'POST' && !this.records.get(id)) {
      return { status: 404 }
    }
    this.records.set(id, method !== 'DELETE')
    this.log.set(of, [...(this.log.get(of) ?? []), number])
    return { status: 200, id }
  }

  private start(script: readonly (Action & { number: number })[]): ModelTab {
    return new ModelTab(this, script, `tab${this.unique()}`)
  }

  private handle(event: Event): void {
    const { tab } = event
    if (tab.isKilled) {
      return
    }
    const fate = this.schedule.fate(event.isMessage)
    if (fate === 'lost') {
      return event.lose()
    }
    if (fate !== 'killed before') {
      event.run()
    }
    if (fate !== 'happens') {
      tab.kill()
      this.tabs = this.tabs.map((one) => (one === tab ? this.start(tab.rest) : one))
    }
  }

  /** Each action that was saved was carried out, once where the server knows keys, and those of a record in their order. */
  private check(): void {
    const parked = this.entries()
    if (parked.length > 0) {
      this.faults.push(`parked: ${JSON.stringify(parked)}`)
    }
    for (const of of new Set([...this.owed.keys(), ...this.log.keys()])) {
      const done = this.log.get(of) ?? []
      const seen = this.schedule.knowsKeys ? done : done.filter((one, i) => done.indexOf(one) === i)
      const owed = this.owed.get(of) ?? []
      if (String(seen) !== String(owed)) {
        this.faults.push(`record ${of}: owed ${String(owed)}, carried out ${String(done)}`)
      }
    }
  }
}

export class ModelTab {
  isKilled = false
  /** The actions that its user has not done yet. */
  rest: readonly (Action & { number: number })[]
  private readonly world: World
  private readonly queue: Queue
  private readonly sender: Sender
  private readonly name: string
  private count = 0
  private timers = new Set<unknown>()
  /** The ids that the last response to each entry has given. */
  private readonly aliases = new Map<string, ReadonlyMap<string, string>>()

  constructor(world: World, script: readonly (Action & { number: number })[], name: string) {
    this.world = world
    this.rest = script
    this.name = name
    const { fault } = world
    this.queue = fault === 'two transactions' ? new TwoTransactions(this, name) : new Queue(this, name)
    this.sender = new Sender(this.queue, {
      clock: {
        now: () => world.clock.now(),
        setTimeout: (run, delay) => {
          const timer = world.clock.setTimeout(() => {
            this.timers.delete(timer)
            run()
          }, delay)
          this.timers.add(timer)
          return timer
        },
        clearTimeout: (timer) => {
          this.timers.delete(timer)
          world.clock.clearTimeout(timer)
        },
      },
      random: () => 0.5,
      tab: name,
      version: 1,
      tabs: {
        living: () =>
          Promise.resolve(fault === 'no claim' ? new Map() : new Map(world.tabs.map((tab) => [tab.name, 1]))),
        // Nobody keeps the tabs apart but the claims.
        alone: (run) => run(),
      },
      knows: () => true,
      deliver: this.deliver,
      apply: (entry) => ({ aliases: this.aliases.get(entry.id) ?? new Map<string, string>() }),
      changed: () => world.tabs.forEach((tab) => tab.drain()),
    })
    void this.act()
  }

  get isIdle(): boolean {
    return this.rest.length === 0
  }

  drain(): void {
    if (!this.isKilled) {
      void this.sender.drain()
    }
  }

  kill(): void {
    this.isKilled = true
    this.sender.stop()
    this.timers.forEach((timer) => this.world.clock.clearTimeout(timer))
  }

  transact(keys: readonly string[], decide: (found: DiskFound) => Iterable<DiskWrite>): Promise<void> {
    const { rows } = this.world
    return new Promise((resolve) => {
      const run = (): void => {
        const found = [...rows].filter(([key]) => keys.some((start) => key.startsWith(start)))
        for (const [key, value] of decide(new Map(structuredClone(found.toSorted())))) {
          this.owe(key, value)
          rows[value === undefined ? 'delete' : 'set'](key, structuredClone(value))
        }
        resolve()
      }
      this.world.push({ tab: this, isMessage: false, run, lose: run })
    })
  }

  /** From now on the action counts. */
  private owe(key: string, value: unknown): void {
    const { rows, owed } = this.world
    if (key.startsWith('entry/') && value !== undefined && !rows.has(key)) {
      const { number, of } = (value as Entry).args.at(-1) as { number: number; of: string }
      owed.set(of, [...(owed.get(of) ?? []), number])
      // It is done, even if its tab is killed before it learns of it.
      this.rest = this.rest.filter((one) => one.number !== number)
    }
  }

  /** The user acts, one thing after the other. */
  private async act(): Promise<void> {
    this.drain()
    while (this.rest.length > 0) {
      const [action] = this.rest as [Action & { number: number }]
      // An edit of a record whose create was not saved is none.
      const isKnown = /^[ab]$/.test(action.of) || action.kind === 'create' || this.world.owed.has(action.of)
      if (isKnown) {
        await this.queue.add(this.entryOf(action))
      }
      this.rest = this.rest.filter((one) => one !== action)
      this.drain()
    }
  }

  private entryOf({ kind, of, number }: Action & { number: number }): Entry {
    const { world } = this
    const restarts = world.fault === 'ids from 1'
    const id = String(restarts ? ++this.count : number)
    const temporary = `optimistic-${restarts ? 1 : (this.creators.get(of) ?? number)}-0`
    if (kind === 'create') {
      this.creators.set(of, number)
    }
    const record = /^[ab]$/.test(of) ? of : temporary
    return {
      id,
      order: 0,
      endpoint: kind,
      args: [{ id: kind === 'create' ? undefined : record }, { number, of }],
      records: [record],
      creates: kind === 'create' ? [record] : [],
      version: 1,
      createdAt: 0,
      dueAt: 0,
      attempts: 0,
      key: `key ${id} ${this.name}`,
      shown: [],
      state: 'pending',
    }
  }

  /** The numbers of the creates of records, which their temporary ids contain. */
  private get creators(): Map<string, number> {
    return creatorsOf(this.world)
  }

  private readonly deliver = async (
    entry: Entry,
    begin: (request: EntryRequest) => Promise<Entry | undefined>,
  ): Promise<Outcome | undefined> => {
    const { world } = this
    const [{ id }, body] = entry.args as [{ id?: string }, object]
    const method = { create: 'POST', edit: 'PATCH', delete: 'DELETE' }[entry.endpoint]!
    const made = { method, url: `/${id ?? ''}`, body }
    const isLate = world.fault === 'saved after it was sent'
    const begun = isLate ? entry : await begin(made)
    if (!begun) {
      return undefined
    }
    const key = world.fault === 'new key' ? `${entry.key} ${begun.attempts}` : begun.key
    const response = await this.send(begun.request ?? made, key)
    if (isLate && !(await begin(made))) {
      return undefined
    }
    const wasUnknown = isLate ? entry.unknownSince !== undefined : begun.attempts > 1
    const verdict = judge({ method, status: response?.status, isReadable: true, wasUnknown })
    this.aliases.set(entry.id, new Map(entry.creates.map((from) => [from, response?.id ?? ''])))
    return verdict === 'done'
      ? { verdict }
      : { verdict: verdict as 'unknown' | 'refused', error: { message: String(response?.status) } }
  }

  private send(request: EntryRequest, key: string): Promise<{ status: number; id?: string } | undefined> {
    const { world } = this
    return new Promise((resolve) => {
      const lose = (): void => {
        world.end(request, this)
        resolve(undefined)
      }
      const arrive = (): void => {
        const response = world.respond(request, key, this)
        const run = (): void => {
          world.end(request, this)
          resolve(response)
        }
        world.push({ tab: this, isMessage: true, run, lose })
      }
      world.push({ tab: this, isMessage: true, run: arrive, lose })
    })
  }
}

const creators = new WeakMap<World, Map<string, number>>()

function creatorsOf(world: World): Map<string, number> {
  const known = creators.get(world) ?? new Map<string, number>()
  creators.set(world, known)
  return known
}

/** A settled entry goes in one transaction, what it brings in another. */
class TwoTransactions extends Queue {
  private readonly storage: ModelTab

  constructor(storage: ModelTab, tab: string) {
    super(storage, tab)
    this.storage = storage
  }

  override async settle(id: string, settled: { aliases: ReadonlyMap<string, string> }): Promise<boolean> {
    const before = this.entries.find((one) => one.id === id)
    await this.storage.transact([], () => [[`entry/${id}`, undefined]])
    const others = this.entries.filter((one) => one.order > (before?.order ?? 0))
    await this.storage.transact([], () =>
      others.map((one): DiskWrite => {
        const args = JSON.parse(JSON.stringify(one.args)) as any[]
        const real = settled.aliases.get(args[0].id as string)
        return [`entry/${one.id}`, real ? { ...one, args: [{ id: real }, args[1]], records: [real] } : one]
      }),
    )
    return true
  }
}

/** Lets everything run that waits for no event. */
async function turns(): Promise<void> {
  for (let i = 0; i < 12; i++) {
    await Promise.resolve()
  }
}
