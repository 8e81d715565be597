// One run: a store, a network, a server, and the model, which records all that happens.
import { type Api, createApi, Group } from './api.ts'
import { VirtualClock } from './clock.ts'
import { type Fields, type Instants, Model, type Operation } from './model.ts'
import { Network, type Request } from './network.ts'
import type { Action, Profile } from './profiles.ts'
import { createRandom, hash } from './random.ts'
import { GROUPS, type Reply, type Search, Server } from './server.ts'
import { type Before, type ListReader, type MountedReader, type Reading, readingOf, type Screen } from './screen.ts'
import { createSubject, type Garbage, type Response, type Subject } from './subject.ts'

/** A promise that a caller waits for. */
interface PendingPromise {
  readonly what: string
  settled: boolean
}

/** The part of a request that the network does not know. */
interface SentRequest {
  readonly at: number
  readonly epoch: number
  served: number
}

/** The response of a list that may not be stored yet. */
interface ListResponse extends SentRequest {
  readonly request: Request
  readonly values: readonly Fields[]
  response?: Response
}

/** Describes the action that caused a request. */
export interface Tag {
  readonly action: Action
  readonly operation?: Operation | undefined
  /** Filled when the response arrives. */
  readonly result: { fields?: Fields | undefined }
  /** The stored record when the mutation was sent. */
  readonly old?: Fields | undefined
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
  readonly model: Model = new Model()
  readonly server: Server
  readonly network: Network
  readonly api: Api
  readonly profile: Profile
  subject: Subject
  screen: Screen
  readonly mounted: MountedReader[] = []
  readonly promises: Set<PendingPromise> = new Set()
  /** The polls, by the key that they fetch. */
  readonly polls: { readonly what: string; readonly end: () => void }[] = []
  /** Keys for which a reader waited without being mounted. */
  readonly suspended: Set<string> = new Set()
  /** The path that owns the unnamed lists of a key. */
  readonly owners: Map<string, string> = new Map()
  /** Records that overlapping writes moved, and when the last of these writes had its response: where they belong is unknown. */
  readonly ambiguous: Map<string, number> = new Map()
  /** Lists that were invalidated, until their next response. */
  readonly invalid: Set<string> = new Set()
  /** Lists of which a page has been loaded. */
  readonly pages: Set<string> = new Set()
  /** Everything that a response or write ever put into a list. */
  readonly paged: Map<string, Set<string>> = new Map()
  /** Records that a write put into a list: they may be anywhere between the records of its pages. */
  readonly placed: Set<string> = new Set()
  /** For each list, when the last page that has a response was sent. */
  private readonly lastPage = new Map<string, number>()
  /** Lists of which a response was stored while a page was in flight, or a page failed that others overtook: the order of their pages is unknown. */
  readonly unordered: Set<string> = new Set()
  /** Lists of which a page was requested before the page that precedes it. */
  readonly gapped: Set<string> = new Set()
  /** When `Retry-After` allows the library to fetch a key again. */
  private readonly retryTimes = new Map<string, number>()
  /** When each key was last invalidated, and when a mutation last touched a table. */
  readonly bounds: Map<string, number> = new Map()
  /** For each key, when the newest request that has a response was sent. */
  readonly respondedTo: Map<string, number> = new Map()
  before: Before | undefined
  /** Values that readers received, with their content at that time. */
  readonly samples: [unknown, string][] = []
  /** How often everything was checked, or skipped because nothing had changed. */
  turn = 0
  /** A violation that was found in a callback; the next check throws it. */
  violation: Violation | undefined
  epoch = 0
  /** Receives a line for everything that happens. */
  log: ((text: string) => void) | undefined
  private readonly random: () => number
  private readonly sent = new Map<Request, SentRequest>()
  /** Responses of paged lists that are not stored yet: those of all pages may be stored together. */
  private listResponses: ListResponse[] = []
  /** The writes on each record that have their response. */
  private readonly writes = new Map<string, { readonly delivered: number; readonly isMove: boolean }[]>()

  constructor(profile: Profile, seed: number) {
    this.profile = profile
    this.server = new Server(seed, profile.format ?? {})
    this.network = new Network(this.clock, this.server, seed, profile.conditions, {
      sent: (request) => this.onSent(request),
      served: (request) => {
        const sent = this.sent.get(request)
        if (sent !== undefined) {
          sent.served = this.model.now()
        }
        this.log?.(`  served ${request.number} at ${sent?.served}`)
      },
      delivered: (request, reply) => this.onDelivered(request, reply),
      aborted: (request) => void this.close(request),
      retryAfter: ({ method, url }, until) => void this.retryTimes.set(`${method} http://sim${url}`, until),
    })
    this.api = createApi(this.network, this.server)
    const random = createRandom(hash(seed, 'store'))
    this.random = () => random.next()
    this.subject = this.startStore()
    this.screen = this.openScreen(this.subject)
  }

  /** Creates a store, which may restore what an earlier one saved. */
  startStore(saved?: string): Subject {
    const { garbage, duplicates = 0 } = this.profile
    return createSubject({
      clock: this.clock,
      random: this.random,
      saved,
      duplicates,
      garbage,
      onGarbage: (collected) => this.onGarbage(collected),
      onResponse: (url, response) => this.onResponse(url, response),
    })
  }

  /** Creates readers for everything that is checked in a store. */
  openScreen(subject: Subject): Screen {
    const { list, hot, archive } = this.api
    const listReader = (endpoint: any, path: string, group: string | null): ListReader => {
      const args = group === null ? [{}] : [{ group }]
      const name = group === null ? `/${path}` : `/${path}?group=${group}`
      return { name, endpoint, args, path, group, read: subject.reader(endpoint, args) }
    }
    const lists = [
      ...[null, ...GROUPS].map((group) => listReader(list, 'todos', group)),
      ...(this.isPaged ? [] : [listReader(hot, 'hot', null)]),
      ...('archive' in this.profile.actions ? [listReader(archive, 'archive', null)] : []),
    ]
    const searchReader = (search: Search, group: string | null = null): ListReader => {
      const args = [{ ...(group !== null && { group }), ...search }]
      const name = `/todos?${JSON.stringify(args[0])}`
      return { name, endpoint: list, args, path: 'todos', group, search, read: subject.reader(list, args) }
    }
    const { isAlone, format } = this.profile
    const searches =
      isAlone && !format?.nested
        ? [
            searchReader({ sort: 'title' }),
            searchReader({ sort: 'title' }, 'a'),
            searchReader({ q: '1' }),
            searchReader({ q: '2', sort: 'title' }),
            searchReader({ q: '1' }, 'b'),
            searchReader({ sort: 'title', limit: '2' }, 'b'),
            searchReader({ sort: 'title', limit: '3' }),
          ]
        : []
    return {
      all: subject.reader(this.api.all, []),
      lists,
      searches,
      groups: new Map([...this.server.groups.keys()].map((id) => [id, subject.reader(Group, [{ id }])])),
      readers: new Map(),
      checked: new Map(),
      state: undefined,
      operations: undefined,
      version: -1,
    }
  }

  /** Collected records may be missing later, but mounted readers keep their data. */
  private onGarbage({ entities, endpoints }: Garbage): () => void {
    this.log?.(`  collected ${[...endpoints, ...entities.map(({ key, pk }) => `${key} ${pk}`)].join(', ')}`)
    for (const { key, pk } of entities) {
      if (key === '[Todo]') {
        this.forgetList(pk)
      } else if (!key.startsWith('[')) {
        // The lists that contained a deleted record no longer know that it was deleted.
        if (!isThere(this.subject.stored(key, pk))) {
          this.ambiguous.set(pk, this.model.now())
        }
        this.model.forget(key, pk)
      }
    }
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

  private forgetList(pk: string): void {
    const start = pk.indexOf('{')
    const { group }: { group?: string } = JSON.parse(pk.slice(start))
    const path = start > 0 ? '/hot' : (this.owners.get(group ?? '') ?? '/todos')
    const name = group === undefined ? path : `${path}?group=${group}`
    this.model.forgetList(name)
    for (const known of [this.invalid, this.pages, this.paged]) {
      known.delete(name)
    }
    if (path !== '/hot') {
      this.owners.delete(group ?? '')
    }
  }

  get isPaged(): boolean {
    return this.profile.format?.paged === true
  }

  fault(code: string, text: string): void {
    this.violation ??= new Violation(code, text)
  }

  /** Reads an endpoint or a schema. */
  read(target: any, args: readonly any[]): Reading {
    return readingOf(this.subject.reader(target, args))
  }

  /** The store was reset: earlier responses no longer count. */
  forget(): void {
    this.epoch++
    this.model.reset()
    const { owners, invalid, ambiguous, respondedTo, paged, pages, writes, retryTimes } = this
    for (const map of [owners, invalid, ambiguous, respondedTo, paged, pages, writes, retryTimes]) {
      map.clear()
    }
    const now = this.model.now()
    this.bounds.set('Todo', now).set('Person', now).set('Group', now)
  }

  /** Keeps a promise until it settles, and returns it. */
  track<T>(what: string, promise: Promise<T>): Promise<T> {
    const entry: PendingPromise = { what, settled: false }
    this.promises.add(entry)
    const settle = (): void => {
      entry.settled = true
      this.promises.delete(entry)
    }
    promise.then(settle, settle)
    return promise
  }

  /** The app writes a record, which is sent, served and delivered at once. */
  write(action: Action, pk: string, fields: Fields, table = 'Todo'): void {
    const now = this.model.now()
    const instants = { sent: now, served: now, delivered: now, write: true }
    if (table !== 'Todo') {
      return this.model.contribute(table, pk, { ...instants, fields })
    }
    this.placed.add(pk)
    this.noteOverlap(pk, instants, action)
    if (action === 'set' || action === 'serverPush') {
      this.follow(pk, fields, instants)
    }
    this.model.contribute('Todo', pk, { ...instants, fields })
  }

  /** A write that changes the group of a record moves it from one list to another. */
  private follow(pk: string, { group }: Fields, instants: Instants, joins = true): void {
    const stored: unknown = this.subject.stored('Todo', pk)
    const old: unknown = isThere(stored) ? stored['group'] : undefined
    if (group === undefined || old === group) {
      return
    }
    this.placed.add(pk)
    for (const one of GROUPS) {
      // A record that the client did not know need not join the list.
      if (one === group && (old === undefined || !joins)) {
        continue
      }
      const name = `/todos?group=${one}`
      if (one === group) {
        this.everListed(name).add(pk)
      }
      this.model.member(name, { ...instants, pk, isIn: one === group })
    }
  }

  private onSent(request: Request): void {
    const { operation } = (request.tag ?? {}) as Partial<Tag>
    const at = operation?.sent ?? this.model.now()
    this.log?.(`  sent ${request.number} at ${at}: ${request.method} ${request.url} ${show(request.body)}`)
    this.sent.set(request, { at, epoch: this.epoch, served: 0 })
    this.model.inFlight.add(at)
    if (request.tag === undefined) {
      this.checkAutomatic(request)
    }
  }

  /** O5, T1, NET-16: the library sends requests only for readers, polls and callers, and respects `Retry-After`. */
  private checkAutomatic({ path, search, url }: Request): void {
    const [, what, pk] = path.split('/')
    const key = `GET http://sim${search.has('cursor') ? listName({ path, search }) : url}`
    const isPolled = this.polls.some((poll) => poll.what === key)
    const isCalled = [...this.promises].some((promise) => promise.what === key)
    const isWanted =
      isPolled || this.suspended.has(key) || this.mounted.some((reader) => reader.what === key) || isCalled
    if (!isWanted) {
      this.fault('T1', `${key} was requested without a reader, poll or caller`)
    }
    // When the wall clock jumps, the wait may be over. The library requests pages only to complete a refetch that has begun.
    const isPage = search.has('cursor')
    if (!isPage && this.clock.skew === 0 && (this.retryTimes.get(key) ?? 0) > this.clock.time) {
      this.fault('NET-16', `${key} was requested during its Retry-After`)
    }
    if (what !== 'todos' || pk === undefined || isPolled) {
      return
    }
    const hiding = this.model.operations.findLast((one) => one.pk === pk && one.kind !== 'patch')
    const later = this.model.record('Todo', pk)?.statements.some((one) => one.write && one.sent > (hiding?.sent ?? 0))
    if (hiding?.kind === 'delete' && !later && isThere(this.subject.stored('Todo', pk))) {
      this.fault('O5', `${key} was requested, although only a pending delete hides it`)
    }
  }

  private close(request: Request): SentRequest {
    const sent = this.sent.get(request)!
    this.log?.(`  ${request.state} ${request.number}`)
    this.sent.delete(request)
    this.model.inFlight.delete(sent.at)
    this.retryTimes.delete(`${request.method} http://sim${request.url}`)
    // Without getNextPage, the first successful response of a page decides its place: after the pages that are loaded already.
    const isFailedPage = request.state !== 'responded' && request.search.has('cursor')
    const name = listName(request)
    const isOvertaken = this.hasOpenPage(name) || (this.lastPage.get(name) ?? 0) > sent.at
    if (isFailedPage && this.server.cursors !== 'link' && isOvertaken) {
      this.unordered.add(name)
    }
    const { operation } = (request.tag ?? {}) as Partial<Tag>
    if (operation !== undefined) {
      this.model.operations = this.model.operations.filter((one) => one !== operation)
    }
    return sent
  }

  private onDelivered(request: Request, reply: Reply | undefined): void {
    const { at, served, epoch } = this.close(request)
    if (epoch !== this.epoch) {
      return
    }
    const { model } = this
    const write = request.method !== 'GET'
    const instants: Instants = { sent: at, served, delivered: model.now(), write }
    const { action, result } = (request.tag ?? {}) as Partial<Tag>
    const [, what, id] = request.path.split('/')
    if (reply === undefined) {
      // The server may have executed it, before or after another write to the same record.
      if (write && what === 'todos' && id !== undefined) {
        this.noteOverlap(id, instants, action!)
      }
      return
    }
    this.log?.(`  ${show(instants)} ${show(reply.value)}`)
    const key = `${request.method} http://sim${request.url}`
    if (!write) {
      this.respondedTo.set(key, Math.max(at, this.respondedTo.get(key) ?? 0))
    }
    if (what === 'count') {
      return
    }
    if (what === 'groups') {
      return this.takeGroups([reply.value].flat() as Fields[], instants, result)
    }
    if (!write && what !== 'people' && id === undefined && this.isPaged) {
      this.listResponses.push({ request, values: reply.value as Fields[], at, served, epoch })
      model.inFlight.add(at)
      return
    }
    if (!write && what !== 'people' && id === undefined) {
      return this.takeList(request, reply.value as Fields[], instants)
    }
    const value = reply.value as Fields | undefined
    if (result !== undefined) {
      result.fields = value
    }
    const pk = id ?? (value!['id'] as string)
    if (what === 'people') {
      this.contribute('Person', value!, instants)
    } else {
      if (write) {
        this.noteOverlap(pk, instants, action!)
      }
      if (value === undefined) {
        model.contribute('Todo', pk, { ...instants, fields: undefined })
      } else {
        this.take(request.tag as Tag | undefined, value, instants)
      }
    }
    if (!write) {
      return
    }
    if (what === 'todos') {
      this.bounds.set('Todo', model.now())
    }
    // Every other response contains the author.
    if (value !== undefined) {
      this.bounds.set('Person', model.now())
    }
  }

  /** A response has reached the store. */
  private onResponse(url: string, response: Response): void {
    const mine = this.listResponses.find((one) => !one.response && `GET http://sim${one.request.url}` === url)
    if (mine) {
      mine.response = response
    }
    this.takeListResponses(response)
  }

  /** Records the list responses that are stored by now. At rest, those that the store never received count as dropped. */
  takeListResponses(unknown?: Response): void {
    this.listResponses = this.listResponses.filter(({ request, values, at, served, epoch, response }) => {
      const state = response?.state() ?? (unknown ? 'held' : 'dropped')
      if (state === 'held' && epoch === this.epoch) {
        return true
      }
      this.model.inFlight.delete(at)
      if (state === 'stored' && epoch === this.epoch) {
        this.takeList(request, values, { sent: at, served, delivered: this.model.now(), write: false })
      }
      return false
    })
  }

  /** Of two overlapping writes only a later response shows which came last, and so which lists the record belongs to. */
  private noteOverlap(pk: string, { sent, delivered }: Instants, action: Action): void {
    const isMove = ['push', 'unshift', 'move', 'remove', 'put', 'patch', 'set', 'serverPush'].includes(action)
    const writes = this.writes.get(pk) ?? []
    if (writes.some((other) => other.delivered > sent && (isMove || other.isMove))) {
      this.ambiguous.set(pk, delivered)
    }
    this.writes.set(pk, [...writes.slice(-20), { delivered, isMove }])
  }

  /** Records the response of a record, which may be that of a mutation that puts it into lists. */
  private take(tag: Tag | undefined, value: Fields, instants: Instants): void {
    const action = tag?.action
    const pk = value['id'] as string
    const put = (name: string, isIn: boolean): void => {
      if (isIn) {
        this.placed.add(pk)
        this.everListed(name).add(pk)
      }
      this.model.member(name, { ...instants, pk, isIn })
    }
    const putAnywhere = (): void => {
      // Either of the two paths may own the list.
      for (const name of [`/todos?group=${String(value['group'])}`, '/todos', '/archive']) {
        put(name, true)
      }
    }
    const isCreate = action === 'push' || action === 'unshift'
    const stored: unknown = action === 'move' ? this.subject.stored('Todo', pk)?.group : undefined
    const old = tag?.old?.['group'] ?? stored
    const isNew = action === 'move' && old === undefined
    if (isCreate || isNew || action === 'put' || action === 'patch' || action === 'remove') {
      this.follow(pk, value, instants, action !== 'remove')
      // A read has changed the record since the mutation was sent, so the list that it leaves is unknown.
      if ((this.subject.stored('Todo', pk) as Fields | undefined)?.['group'] !== tag?.old?.['group']) {
        this.ambiguous.set(pk, instants.delivered)
      }
    }
    if (isCreate || isNew) {
      putAnywhere()
    } else if (action === 'move') {
      // The record has changed since the mutation was sent, so the list that it leaves is unknown.
      if (stored !== tag?.old?.['group']) {
        this.ambiguous.set(pk, instants.delivered)
      }
      if (old !== value['group']) {
        put(`/todos?group=${String(old)}`, false)
        put(`/todos?group=${String(value['group'])}`, true)
      }
    }
    if (action === 'remove') {
      const now: unknown = this.subject.stored('Todo', pk)
      for (const name of [
        `/todos?group=${String(isThere(now) ? now['group'] : value['group'])}`,
        '/todos',
        '/archive',
      ]) {
        put(name, false)
      }
    }
    this.contribute('Todo', value, instants)
  }

  /** Records a response with groups, and the lists that they contain. */
  private takeGroups(values: readonly Fields[], instants: Instants, result: Tag['result'] | undefined): void {
    for (const { todos, ...group } of values) {
      this.contribute('Group', group, instants)
      if (todos !== undefined) {
        this.takeItems(`/todos?group=${String(group['id'])}`, todos as Fields[], instants)
      }
    }
    if (instants.write) {
      result!.fields = values[0]
      const now = this.model.now()
      this.bounds.set('Group', now)
      const todos = (values[0]!['todos'] ?? []) as Fields[]
      if (todos.length > 0) {
        this.bounds.set('Todo', now)
      }
      if (todos.some(({ author }) => typeof author === 'object')) {
        this.bounds.set('Person', now)
      }
    }
  }

  private takeList(request: Request, values: readonly Fields[], instants: Instants): void {
    const group = request.search.get('group')
    const name = listName(request)
    // Of two paths with equal arguments the first to respond owns the list; the other is refused.
    if (request.path !== '/hot') {
      const owner = this.owners.get(group ?? '') ?? request.path
      if (owner !== request.path) {
        return
      }
      this.owners.set(group ?? '', owner)
    }
    if (['q', 'sort', 'limit'].some((arg) => request.search.has(arg))) {
      for (const value of values) {
        this.contribute('Todo', value, instants)
      }
      return
    }
    if (!request.search.has('cursor') && this.hasOpenPage(name)) {
      this.unordered.add(name)
    }
    this.takeItems(name, values, instants, request.search.has('cursor'))
  }

  /** Records the items of a list, or of one of its pages. */
  private takeItems(name: string, values: readonly Fields[], instants: Instants, isPage = false): void {
    const ids = new Set(values.map(({ id }) => id as string))
    const listed = this.everListed(name)
    for (const id of ids) {
      listed.add(id)
    }
    this.model.version++
    if (isPage) {
      this.lastPage.set(name, Math.max(instants.sent, this.lastPage.get(name) ?? 0))
      this.pages.add(name)
    } else {
      if (instants.sent > (this.bounds.get(`GET http://sim${name}`) ?? 0)) {
        this.invalid.delete(name)
      }
      this.model.member(name, { ...instants, ids })
    }
    for (const value of values) {
      this.contribute('Todo', value, instants)
    }
  }

  /** True while a page of a list is in flight, or waits to be stored together with others. */
  hasOpenPage(name: string): boolean {
    return [...this.network.open, ...this.listResponses.map(({ request }) => request)].some(
      (request) => request.search.has('cursor') && name === listName(request),
    )
  }

  private everListed(name: string): Set<string> {
    let ids = this.paged.get(name)
    if (ids === undefined) {
      this.paged.set(name, (ids = new Set()))
    }
    return ids
  }

  private contribute(table: string, value: Fields, instants: Instants): void {
    const { id, author, ...fields } = value as Record<string, any>
    if (author === undefined) {
      this.model.contribute(table, id, { ...instants, fields })
    } else {
      this.model.contribute(table, id, { ...instants, fields: { ...fields, author: author.id ?? author } })
      if (typeof author === 'object') {
        this.contribute('Person', author, instants)
      }
    }
  }
}

/** True for a stored record, false for the tombstone of a deleted one. */
export function isThere(stored: unknown): stored is Record<string, unknown> {
  return typeof stored === 'object' && stored !== null
}

export function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

/** The name of the list that a request or its page belongs to. */
function listName({ path, search }: Pick<Request, 'path' | 'search'>): string {
  const group = search.get('group')
  return group === null ? path : `${path}?group=${group}`
}
