// One run: a store, a network, a server, and notes of what was sent and what has arrived.
import { type Api, createApi, Group, Person, Todo } from './api.ts'
import { VirtualClock } from './clock.ts'
import { Network, type Request } from './network.ts'
import type { Action, Profile } from './profiles.ts'
import { createRandom, hash } from './random.ts'
import { GROUPS, type Reply, type Search, Server, type ServerChange } from './server.ts'
import { itemsIn, type ListReader, type MountedReader, type Reading, readingOf, type Screen } from './screen.ts'
import { Stream } from './stream.ts'
import { createSubject, type Subject } from './subject.ts'

export type Fields = Readonly<Record<string, unknown>>

/** A mutation of this client. */
export interface Write {
  readonly action: Action
  readonly kind: 'create' | 'put' | 'patch' | 'move' | 'remove' | 'delete'
  readonly table: string
  /** Missing for a create until the server has chosen it. */
  pk: string | undefined
  readonly fields: Fields
  readonly isOptimistic: boolean
  readonly epoch: number
  readonly sent: number
  /** When it had its response, or failed. */
  settled: number
  /** It was done: it has a response. */
  isOk: boolean
  response?: Fields | undefined
  /** The lists that were loaded when its response arrived, and those of them that have to show the record since. */
  readonly loaded: Set<string>
  readonly holds: Set<string>
}

/** The facts about one record since the store was reset. */
export interface Notes {
  /** The client's own mutations, by when they were sent. Refused ones do not count. */
  writes: readonly Write[]
  /** When another client last wrote it. */
  touched: number
  /** All values that have arrived, by field. */
  readonly values: Map<string, Set<unknown>>
  /** The versions that have arrived, and whether some responses had only a part of the fields. */
  readonly versions: Set<string>
  isPartial: boolean
}

/** A promise that a caller waits for. */
interface PendingPromise {
  readonly what: string
}

interface SentRequest {
  readonly at: number
  readonly epoch: number
}

export class Violation extends Error {
  readonly code: string
  constructor(code: string, text: string) {
    super(`${code}: ${text}`)
    this.code = code
  }
}

export class World {
  readonly clock: VirtualClock = new VirtualClock()
  readonly server: Server
  readonly network: Network
  readonly api: Api
  readonly profile: Profile
  readonly stream: Stream | undefined
  private readonly seed: number
  subject: Subject
  screen: Screen
  readonly mounted: MountedReader[] = []
  readonly promises: Set<PendingPromise> = new Set()
  /** The polls, by the key that they fetch. */
  readonly polls: { readonly what: string; readonly end: () => void }[] = []
  /** Keys for which a reader waited without being mounted. */
  readonly suspended: Set<string> = new Set()
  /** Grows with every reset and reload: what was sent before does not count any more. */
  epoch = 0
  /** Grows with everything that may change the rows of the store. */
  version = 0
  /** A delete has ended without an outcome: the record may be gone later. */
  hasLostDelete = false
  /** Pending mutations that are shown. */
  operations: readonly Write[] = []
  /** The server may differ from the store, and nothing tells the store: data has to be expired before they are compared. */
  isUnsure = false
  /** Another client changes the server. */
  isForeign = false
  /** Keys whose last request failed: the library may have stopped trying. */
  readonly failed: Set<string> = new Set()
  /** When each key was last invalidated, and when a mutation last touched a table. */
  readonly bounds: Map<string, number> = new Map()
  /** For each request key, when the newest request that has a response was sent. */
  readonly respondedTo: Map<string, number> = new Map()
  /** The same for each list, with its pages. */
  readonly listed: Map<string, number> = new Map()
  /** Requests that the library sent, by key, and what pays for them: for one key, and for all. */
  readonly automatic: Map<string, number> = new Map()
  private readonly ownCosts = new Map<string, number>()
  private costs = 0
  /** The screen before an operation started while no other was pending: if it fails, it is shown again. */
  before: { readonly version: number; readonly values: readonly unknown[] } | undefined
  /** Values that readers received, with their content at that time. */
  readonly samples: [unknown, string][] = []
  /** How often everything was checked, or skipped because nothing had changed. */
  turn = 0
  /** The state of the store and the version when everything was last checked. */
  checked: { readonly state: unknown; readonly version: number; readonly operations: unknown } | undefined
  /** A violation that was found in a callback; the next check throws it. */
  violation: Violation | undefined
  /** Receives a line for everything that happens. */
  log: ((text: string) => void) | undefined
  private instant = 0
  private readonly random: () => number
  private readonly sent = new Map<Request, SentRequest>()
  private notes = new Map<string, Notes>()
  /** When `Retry-After` allows the library to fetch a key again. */
  private readonly retryTimes = new Map<string, number>()
  /** When the last event of the stream arrives. */
  private lastEvent = 0

  constructor(profile: Profile, seed: number) {
    this.profile = profile
    this.seed = seed
    this.server = new Server(seed, profile.format ?? {})
    this.network = new Network(this.clock, this.server, seed, profile.conditions, {
      sent: (request) => this.onSent(request),
      served: ({ number }) => this.log?.(`  served ${number}`),
      delivered: (request, reply) => this.onDelivered(request, reply),
      aborted: (request) => this.onAborted(request),
      retryAfter: ({ method, url }, until) => void this.retryTimes.set(`${method} http://sim${url}`, until),
    })
    this.api = createApi(this.network, this.server)
    const random = createRandom(hash(seed, 'store'))
    this.random = () => random.next()
    this.stream = this.openStream()
    this.subject = this.startStore()
    this.screen = this.openScreen(this.subject)
    this.server.onChange = (change) => this.onServerChange(change)
  }

  /** Creates a store, which may restore what an earlier one saved. */
  startStore(saved?: string): Subject {
    const { clock, random, profile, stream } = this
    const { garbage, duplicates = 0 } = profile
    return createSubject({ clock, random, saved, duplicates, garbage, stream, onGarbage: () => this.onGarbage() })
  }

  private openStream(): Stream | undefined {
    const { clock, random, profile } = this
    const { spread, stream: latency = 0 } = profile
    const watcher = {
      written: (table: string, id: string, fields: Fields) => this.announce(table, id, { ...fields }),
      expired: () => this.pay(),
    }
    return spread === undefined ? undefined : new Stream({ clock, random, spread, latency, watcher })
  }

  /** Creates readers for everything that is checked in a store. */
  openScreen(subject: Subject): Screen {
    const { list, hot, archive, all } = this.api
    const reader = (endpoint: any, path: string, group: string | null = null, search?: Search): ListReader => {
      const args = [{ ...(group !== null && { group }), ...search }]
      const read = subject.reader(endpoint, args)
      return { key: endpoint.key(...args), endpoint, args, path, group, read, ...(search && { search }) }
    }
    const { format, actions, searches: hasSearches = hash(this.seed, 'searches') % 2 === 0 } = this.profile
    const searches = [
      reader(list, 'todos', null, { sort: 'title' }),
      reader(list, 'todos', 'a', { sort: 'title' }),
      reader(list, 'todos', null, { q: '1' }),
      reader(list, 'todos', null, { q: '2', sort: 'title' }),
      reader(list, 'todos', 'b', { q: '1' }),
      reader(list, 'todos', 'b', { sort: 'title', limit: '2' }),
      reader(list, 'todos', null, { sort: 'title', limit: '3' }),
    ]
    return {
      all: subject.reader(all, []),
      lists: [
        ...[null, ...GROUPS].map((group) => reader(list, 'todos', group)),
        ...(this.isPaged || !hasSearches ? [] : [reader(hot, 'hot')]),
        ...('archive' in actions ? [reader(archive, 'archive')] : []),
      ],
      searches: this.isPaged || format?.nested || !hasSearches ? [] : searches,
      groups: new Map([...this.server.groups.keys()].map((id) => [id, subject.reader(Group, [{ id }])])),
      readers: new Map(),
    }
  }

  now(): number {
    return ++this.instant
  }

  get isPaged(): boolean {
    return this.server.isPaged
  }

  fault(code: string, text: string): void {
    this.violation ??= new Violation(code, text)
  }

  /** Reads an endpoint or a schema. */
  read(target: any, args: readonly any[]): Reading {
    return readingOf(this.subject.reader(target, args))
  }

  /** Keeps a promise until it settles, and returns it. */
  track<T>(what: string, promise: Promise<T>): Promise<T> {
    const entry: PendingPromise = { what }
    this.promises.add(entry)
    const settle = (): void => void this.promises.delete(entry)
    promise.then(settle, settle)
    return promise
  }

  /** The store was reset: earlier responses no longer count. */
  forget(): void {
    // Responses to mutations that are on their way will not be stored.
    this.isUnsure ||= [...this.network.open].some(({ method }) => method !== 'GET')
    this.epoch++
    this.version++
    this.operations = []
    this.notes = new Map()
    // The server may still do these.
    for (const { tag } of this.network.open) {
      if ((tag as Write | undefined)?.pk !== undefined) {
        this.addWrite(tag as Write)
      }
    }
    this.respondedTo.clear()
    this.listed.clear()
    this.retryTimes.clear()
    for (const table of ['Todo', 'Person', 'Group']) {
      this.bounds.set(table, this.now())
    }
  }

  notesOn(table: string, pk: string): Notes {
    const key = `${table} ${pk}`
    let notes = this.notes.get(key)
    if (notes === undefined) {
      notes = { writes: [], touched: 0, values: new Map(), versions: new Set(), isPartial: false }
      this.notes.set(key, notes)
    }
    return notes
  }

  /** The last write of a record, if it was done, and nobody wrote the record at the same time or since. */
  lastWord({ writes, touched }: Notes): Write | undefined {
    const last = writes.at(-1)
    return last?.isOk && touched < last.sent && writes.every((one) => one === last || one.settled < last.sent)
      ? last
      : undefined
  }

  /** The last write of a record while it is pending and shown, if nobody wrote the record since. */
  lastOperation({ writes, touched }: Notes): Write | undefined {
    const last = writes.at(-1)
    return last && this.operations.includes(last) && touched < last.sent ? last : undefined
  }

  /** A mutation is sent. */
  begin(write: Write): void {
    if (write.pk !== undefined) {
      this.addWrite(write)
    }
    if (write.isOptimistic) {
      this.operations = [...this.operations, write]
    }
  }

  private addWrite(write: Write): void {
    const notes = this.notesOn(write.table, write.pk!)
    notes.writes = [...notes.writes, write].sort((one, other) => one.sent - other.sent).slice(-20)
  }

  /** Something happens for which the library may send requests: of one key, or of all. */
  pay(key?: string): void {
    if (key === undefined) {
      this.costs++
    } else {
      this.ownCosts.set(key, (this.ownCosts.get(key) ?? 0) + 1)
    }
  }

  /** The server tells the client of a change, at once: by a value that the app sets. */
  announce(table: string, pk: string, fields: Fields): void {
    this.log?.(`  event ${table} ${brief({ ...fields, id: pk })}`)
    this.version++
    this.pay()
    for (const [other, id] of [[table, pk] as const, ...nestedIn(fields)]) {
      this.notesOn(other, id).touched = this.now()
    }
    this.learn(table, { ...fields, id: pk })
  }

  private onServerChange({ table, id, row }: ServerChange): void {
    const { random, clock, profile } = this
    if (this.isForeign) {
      this.notesOn(table, id).touched = this.now()
    }
    if (!profile.stream || table === 'Group') {
      return
    }
    if (this.stream) {
      return this.stream.say(table, id, row && { ...row })
    }
    // In the order of the server, and also to the client that wrote it.
    this.lastEvent = Math.max(this.lastEvent, clock.time + random() * profile.stream)
    const fields = row && { ...row }
    clock.setTimeout(() => {
      this.announce(table, id, fields ? { ...fields } : {})
      if (fields === undefined) {
        void this.subject.set(this.api.gone, [{ id }], { id })
      } else {
        void this.subject.set(table === 'Todo' ? Todo : Person, [{ id }], fields)
      }
    }, this.lastEvent - clock.time)
  }

  /** Mounted readers keep their data when the collector runs. */
  private onGarbage(): () => void {
    this.log?.('  collected garbage')
    this.version++
    const before = this.mounted.map(({ read }) => read().data)
    // A record is another object when the key of a deleted record is removed from the list that it contains.
    const isSame = (one: unknown, other: unknown): boolean =>
      one === other || (this.screen.groups.size > 0 && show(one) === show(other))
    return () => {
      for (const [i, { what, read }] of this.mounted.entries()) {
        if (!isSame(read().data, before[i])) {
          this.fault('GC-2', `a mounted reader of ${what} lost ${show(before[i])} to the collector`)
        }
      }
    }
  }

  private onSent(request: Request): void {
    const { number, method, url, body, tag } = request
    const at = (tag as Partial<Write> | undefined)?.sent ?? this.now()
    this.log?.(`  sent ${number}: ${method} ${url} ${body ? brief(body) : ''}`)
    // A list and a page of it that cross may not fit together.
    const crosses = (other: Request): boolean =>
      other.search.has('cursor') !== request.search.has('cursor') && keyOf(other) === keyOf(request)
    if (method !== 'GET') {
      this.pay()
    } else if ([...this.sent.keys()].some(crosses)) {
      this.pay(keyOf(request))
    }
    this.sent.set(request, { at, epoch: this.epoch })
    if (tag === undefined) {
      this.checkAutomatic(request)
    }
  }

  /** O5, T1, D3, NET-16: the library sends requests only for readers, polls and callers, only with a reason, and respects `Retry-After`. */
  private checkAutomatic(request: Request): void {
    const { path, search } = request
    const [, what, pk] = path.split('/')
    const key = keyOf(request)
    const isPage = search.has('cursor')
    const isPolled = this.polls.some((poll) => poll.what === key)
    const isCalled = [...this.promises].some((promise) => promise.what === key)
    const isWanted = isCalled || this.suspended.has(key) || this.mounted.some((reader) => reader.what === key)
    if (!isWanted && !isPolled) {
      this.fault('T1', `${key} was requested without a reader, poll or caller`)
    }
    // Clocks count whole milliseconds. When the wall clock jumps, the wait may be over. The library requests pages only to complete a refetch that has begun.
    if (!isPage && this.clock.skew === 0 && (this.retryTimes.get(key) ?? 0) >= this.clock.time + 1) {
      this.fault('NET-16', `${key} was requested during its Retry-After`)
    }
    if (isPolled) {
      return
    }
    if (!isPage) {
      const count = (this.automatic.get(key) ?? 0) + 1
      this.automatic.set(key, count)
      const reasons = this.costs + (this.ownCosts.get(key) ?? 0)
      if (count > reasons) {
        this.fault('D3', `${key} was requested ${count} times, with ${reasons} reasons`)
      }
    }
    if (what === 'todos' && pk !== undefined) {
      const operation = this.lastOperation(this.notesOn('Todo', pk))
      if (operation?.kind === 'delete' && isThere(this.subject.stored('Todo', pk))) {
        this.fault('O5', `${key} was requested, although only a pending delete hides it`)
      }
    }
  }

  private close(request: Request): SentRequest {
    const sent = this.sent.get(request)!
    this.sent.delete(request)
    this.retryTimes.delete(`${request.method} http://sim${request.url}`)
    const write = request.tag as Write | undefined
    this.operations = this.operations.filter((one) => one !== write)
    return sent
  }

  private onAborted(request: Request): void {
    this.log?.(`  aborted ${request.number}`)
    const { epoch } = this.close(request)
    this.pay()
    if (request.method === 'GET') {
      this.failed.add(keyOf(request))
    } else if (epoch === this.epoch) {
      this.onWritten(request.tag as Write, false, undefined, undefined)
    }
  }

  private onDelivered(request: Request, reply: Reply | undefined): void {
    const { at, epoch } = this.close(request)
    const { status, value } = reply ?? {}
    const key = keyOf(request)
    const isOk = status !== undefined && status < 300
    this.log?.(
      `  arrived ${request.number} ${request.method} ${request.url}: ${isOk ? brief(value) : (status ?? 'failed')}`,
    )
    if (request.method === 'GET') {
      this.failed[isOk || status === 404 ? 'delete' : 'add'](key)
    }
    if (request.method !== 'GET' || !isOk) {
      this.pay()
    }
    if (epoch !== this.epoch) {
      if (request.method !== 'GET') {
        ;(request.tag as Write).settled = this.now()
      }
      return
    }
    if (request.method !== 'GET') {
      return this.onWritten(request.tag as Write, isOk, status, value as Fields | undefined)
    }
    if (isOk) {
      const name = `GET http://sim${request.url}`
      this.version++
      this.respondedTo.set(name, Math.max(at, this.respondedTo.get(name) ?? 0))
      this.listed.set(key, Math.max(at, this.listed.get(key) ?? 0))
      this.learnAll(request.path.split('/')[1]!, value)
    } else if (status !== undefined) {
      this.version++
    }
  }

  /** A mutation has its response, or has failed. */
  private onWritten(write: Write, isOk: boolean, status: number | undefined, value: Fields | undefined): void {
    const { table } = write
    write.settled = this.now()
    write.isOk = isOk
    write.response = value
    if (!isOk && write.pk !== undefined && status !== undefined) {
      // Refused: it has done nothing.
      const notes = this.notesOn(table, write.pk)
      notes.writes = notes.writes.filter((one) => one !== write)
    }
    if (!isOk) {
      // A write that ends without an outcome may show that an earlier delete was done.
      this.hasLostDelete ||= status === undefined && write.kind === 'delete'
      this.version += status === undefined && this.hasLostDelete ? 1 : 0
      return
    }
    this.version++
    if (write.pk === undefined) {
      write.pk = value!['id'] as string
      this.addWrite(write)
    }
    if (table === 'Todo') {
      this.noteLists(write, value)
    }
    for (const [other, pk] of nestedIn(value)) {
      // Its response speaks of them, too.
      this.addWrite({ ...write, table: other, pk, kind: 'patch', fields: {}, loaded: new Set(), holds: new Set() })
    }
    if (value !== undefined) {
      this.learnAll(table === 'Todo' ? 'todos' : table === 'Group' ? 'groups' : 'people', value)
    }
    this.bounds.set(table, this.now())
    const todos = itemsIn(value?.['todos'])
    if (table === 'Group' && todos !== undefined && todos.length > 0) {
      this.bounds.set('Todo', this.now())
    }
    // Every other response contains the author.
    if (value !== undefined && (table === 'Todo' || todos?.some(({ author }) => typeof author === 'object'))) {
      this.bounds.set('Person', this.now())
    }
  }

  /** W1: which lists have to show a written record from now on. */
  private noteLists({ pk, kind, fields, loaded, holds }: Write, value: Fields | undefined): void {
    const stored: unknown = this.subject.stored('Todo', pk!)
    const group = value?.['group']
    for (const list of this.screen.lists.filter(({ path }) => path === 'todos')) {
      const items = itemsIn(list.read().data)
      if (items === undefined) {
        continue
      }
      const isHeld = items.some(({ id }) => id === pk)
      // A list may hold it against its fields since a read changed them: a restored store does not know why.
      if (!isHeld || !isThere(stored) || list.group === null || stored['group'] === list.group) {
        loaded.add(list.key)
      }
      const fits = value !== undefined && kind !== 'remove' && (list.group === null || list.group === group)
      // A record that belonged to the list before, and is not in it, is left out by the server.
      const joins = kind === 'create' || (isThere(stored) && list.group !== null && stored['group'] !== list.group)
      // The borders of pages move, and another operation that shows it may fail.
      const isShown = isHeld && !this.operations.some((one) => one.pk === pk)
      const stays = !this.isPaged && 'group' in fields && isShown
      if (fits && (joins || stays)) {
        holds.add(list.key)
      }
    }
  }

  private learnAll(what: string, value: unknown): void {
    if (what === 'count') {
      return
    }
    const table = what === 'people' ? 'Person' : what === 'groups' ? 'Group' : 'Todo'
    for (const one of [(value as { items?: unknown } | undefined)?.items ?? value].flat() as Fields[]) {
      this.learn(table, one)
    }
  }

  /** Notes the values of a record that has arrived. */
  learn(table: string, value: Fields): void {
    const { id, author, todos, ...fields } = value as Record<string, any>
    const notes = this.notesOn(table, id)
    const all: Fields = author === undefined ? fields : { ...fields, author: author.id ?? author }
    for (const [name, one] of Object.entries(all)) {
      notes.values.set(name, (notes.values.get(name) ?? new Set()).add(one))
    }
    notes.isPartial ||= table === 'Todo' && ['title', 'body', 'group'].some((name) => !(name in all))
    notes.versions.add(versionOf(all))
    if (typeof author === 'object') {
      this.learn('Person', author)
    }
    for (const todo of todos ?? []) {
      this.learn('Todo', todo)
    }
  }
}

/** The records in a record. */
function nestedIn(value: any): (readonly [table: string, pk: string])[] {
  const { author, todos = [] } = value ?? {}
  return [
    ...(typeof author === 'object' ? [['Person', author.id] as const] : []),
    ...todos.map((todo: any) => ['Todo', todo.id] as const),
    ...todos.flatMap(nestedIn),
  ]
}

/** The texts of a record that are always written together. */
export function versionOf(fields: Fields): string {
  return [fields['title'], fields['body'], fields['group']].join()
}

/** True for a stored record, false for the tombstone of a deleted one. */
export function isThere(stored: unknown): stored is Record<string, unknown> {
  return typeof stored === 'object' && stored !== null
}

export function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

/** Records and lists in the log. */
function brief(value: any): string {
  if (Array.isArray(value)) {
    return `[${value.map(brief).join(', ')}]`
  }
  const { id = '', group, title, body, name, items, todos, total } = value ?? {}
  const parts = [id, group, title, body, name, total, (items || todos) && brief(items ?? todos)]
  return parts.filter((part) => part !== undefined).join(' ')
}

/** The key of a request. That of a page is the key of its list. */
export function keyOf({ method, path, search }: Pick<Request, 'method' | 'path' | 'search'>): string {
  const params = new URLSearchParams(search)
  params.delete('cursor')
  return `${method} http://sim${path}${params.size > 0 ? `?${params}` : ''}`
}
