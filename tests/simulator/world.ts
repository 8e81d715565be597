// One run: a store, a network, a server, and the model that is told all of it.
import { type Api, createApi } from './api.ts'
import { VirtualClock } from './clock.ts'
import { type Fields, type Instants, Model, type Operation } from './model.ts'
import { Network, type Request } from './network.ts'
import type { Action, Profile } from './profiles.ts'
import { createRandom, hash } from './random.ts'
import { GROUPS, type Said, type Search, Server } from './server.ts'
import { type Before, type Listed, type Mounted, type Seen, seen, type Sight } from './sight.ts'
import { createSubject, type Garbage, type Response, type Subject } from './subject.ts'

/** A promise that was handed out. */
interface Handed {
  readonly what: string
  settled: boolean
}

/** What is known of a request beside what the network knows. */
interface Sent {
  readonly at: number
  readonly epoch: number
  served: number
}

/** What a list was answered with, and what becomes of that. */
interface Listing extends Sent {
  readonly request: Request
  readonly values: readonly Fields[]
  response?: Response
}

/** What an action tells about the request it causes. */
export interface Tag {
  readonly action: Action
  readonly operation?: Operation | undefined
  readonly answer: { fields?: Fields | undefined }
  /** What was stored of the record when a mutation was sent. */
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
  sight: Sight
  readonly mounted: Mounted[] = []
  readonly handed: Set<Handed> = new Set()
  /** Ends of polls, by the key they ask for. */
  readonly polls: { readonly what: string; readonly end: () => void }[] = []
  /** Keys that somebody waited for without being mounted. */
  readonly suspended: Set<string> = new Set()
  /** The path that owns the unnamed lists of a key. */
  readonly owners: Map<string, string> = new Map()
  /** Records on which writes ran at the same time that moved them, and when the last of these was answered. */
  readonly clouds: Map<string, number> = new Map()
  /** Lists whose result was taken out, until the next answer. */
  readonly invalid: Set<string> = new Set()
  /** Lists of which some page was answered. */
  readonly pages: Set<string> = new Set()
  /** Of paged lists, all that any answer or write put there. */
  readonly paged: Map<string, Set<string>> = new Map()
  /** Records that joined a list by a write: they may stand between others that were read before. */
  readonly placed: Set<string> = new Set()
  /** Lists of which a response was stored, or a page failed, while a page was under way: which page follows which, nobody knows. */
  readonly scattered: Set<string> = new Set()
  /** Lists of which a page was asked for before the one that it follows. */
  readonly islands: Set<string> = new Set()
  /** Until when nobody but the user may ask for a key. */
  private readonly postponed = new Map<string, number>()
  /** When each key was last invalidated, and when a mutation last touched a table. */
  readonly bounds: Map<string, number> = new Map()
  /** For each key the instant at which the newest request was sent that has been answered. */
  readonly answered: Map<string, number> = new Map()
  before: Before | undefined
  /** Values that were handed out, and what they were then. */
  readonly samples: [unknown, string][] = []
  /** How often everything was checked. */
  turn = 0
  /** What to say of a violation that is found in a callback. */
  violation: Violation | undefined
  epoch = 0
  /** What happened, for whoever wants to read a run. */
  log: ((text: string) => void) | undefined
  private readonly random: () => number
  private readonly sent = new Map<Request, Sent>()
  /** Responses of paged lists that are not stored yet: those of all pages may be stored together. */
  private listings: Listing[] = []
  /** Writes on each record that were answered. */
  private readonly writes = new Map<string, { readonly delivered: number; readonly isMove: boolean }[]>()

  constructor(profile: Profile, seed: number) {
    this.profile = profile
    this.server = new Server(seed, profile.wording ?? {})
    this.network = new Network(this.clock, this.server, seed, profile.weather, {
      sent: (request) => this.onSent(request),
      served: (request) => {
        const sent = this.sent.get(request)
        if (sent !== undefined) {
          sent.served = this.model.now()
        }
        this.log?.(`  served ${request.number} at ${sent?.served}`)
      },
      delivered: (request, said) => this.onDelivered(request, said),
      aborted: (request) => void this.close(request),
      postponed: ({ method, url }, until) => void this.postponed.set(`${method} http://sim${url}`, until),
    })
    this.api = createApi(this.network, this.server)
    const random = createRandom(hash(seed, 'store'))
    this.random = () => random.next()
    this.subject = this.begin()
    this.sight = this.open(this.subject)
  }

  /** A store begins its life, with what another one saved. */
  begin(saved?: string): Subject {
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

  /** Opens the eyes upon a store. */
  open(subject: Subject): Sight {
    const { list, hot, archive } = this.api
    const listed = (endpoint: any, path: string, group: string | null): Listed => {
      const args = group === null ? [{}] : [{ group }]
      const name = group === null ? `/${path}` : `/${path}?group=${group}`
      return { name, endpoint, args, path, group, read: subject.reader(endpoint, args) }
    }
    const lists = [
      ...[null, ...GROUPS].map((group) => listed(list, 'todos', group)),
      ...(this.isPaged ? [] : [listed(hot, 'hot', null)]),
      ...('archive' in this.profile.actions ? [listed(archive, 'archive', null)] : []),
    ]
    const searched = (search: Search, group: string | null = null): Listed => {
      const args = [{ ...(group !== null && { group }), ...search }]
      const name = `/todos?${JSON.stringify(args[0])}`
      return { name, endpoint: list, args, path: 'todos', group, search, read: subject.reader(list, args) }
    }
    const searches = this.profile.isAlone
      ? [
          searched({ sort: 'title' }),
          searched({ sort: 'title' }, 'a'),
          searched({ q: '1' }),
          searched({ q: '2', sort: 'title' }),
          searched({ q: '1' }, 'b'),
          searched({ sort: 'title', limit: '2' }, 'b'),
          searched({ sort: 'title', limit: '3' }),
        ]
      : []
    return {
      all: subject.reader(this.api.all, []),
      lists,
      searches,
      readers: new Map(),
      checked: new Map(),
      state: undefined,
      operations: undefined,
      version: -1,
    }
  }

  /** What is collected may be missing, but nobody who looks at something loses it. */
  private onGarbage({ entities, endpoints }: Garbage): () => void {
    this.log?.(`  collected ${[...endpoints, ...entities.map(({ key, pk }) => `${key} ${pk}`)].join(', ')}`)
    for (const { key, pk } of entities) {
      if (key.startsWith('[')) {
        this.forgetList(pk)
      } else {
        // What is known to be deleted leaves the lists when that is forgotten.
        if (!isThere(this.subject.stored(key, pk))) {
          this.clouds.set(pk, this.model.now())
        }
        this.model.forget(key, pk)
      }
    }
    const seen = this.mounted.map(({ read }) => read().data)
    return () => {
      for (const [i, { what, read }] of this.mounted.entries()) {
        if (read().data !== seen[i]) {
          this.fault('GC-2', `a reader of ${what} lost ${show(seen[i])} to the collector`)
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
    return this.profile.wording?.paged === true
  }

  fault(code: string, text: string): void {
    this.violation ??= new Violation(code, text)
  }

  /** What is seen of an endpoint or of a schema. */
  look(target: any, args: readonly any[]): Seen {
    return seen(this.subject.reader(target, args))
  }

  /** Forgets what was obtained. */
  forget(): void {
    this.epoch++
    this.model.reset()
    const { owners, invalid, clouds, answered, paged, pages, writes, postponed } = this
    for (const map of [owners, invalid, clouds, answered, paged, pages, writes, postponed]) {
      map.clear()
    }
    const now = this.model.now()
    this.bounds.set('Todo', now).set('Person', now)
  }

  hand<T>(what: string, promise: Promise<T>): Promise<T> {
    const entry: Handed = { what, settled: false }
    this.handed.add(entry)
    const settle = (): void => {
      entry.settled = true
      this.handed.delete(entry)
    }
    promise.then(settle, settle)
    return promise
  }

  /** The app writes a record: sent, served and delivered at once. */
  write(action: Action, pk: string, fields: Fields): void {
    const now = this.model.now()
    const instants = { sent: now, served: now, delivered: now, write: true }
    this.placed.add(pk)
    this.cloud(pk, instants, action)
    if (action === 'set' || action === 'told') {
      this.follow(pk, fields, instants)
    }
    this.model.contribute('Todo', pk, { ...instants, fields })
  }

  /** A write of the group takes a record from one list to another, whatever endpoint it came from. */
  private follow(pk: string, { group }: Fields, instants: Instants, joins = true): void {
    const stored: unknown = this.subject.stored('Todo', pk)
    const old: unknown = isThere(stored) ? stored['group'] : undefined
    if (group === undefined || old === group) {
      return
    }
    this.placed.add(pk)
    for (const one of GROUPS) {
      // Of a record that was not known, a list that lacks it may be right.
      if (one === group && (old === undefined || !joins)) {
        continue
      }
      const name = `/todos?group=${one}`
      if (one === group) {
        this.listedIn(name).add(pk)
      }
      this.model.member(name, { ...instants, pk, isIn: one === group })
    }
  }

  private onSent(request: Request): void {
    const { operation } = (request.tag ?? {}) as Partial<Tag>
    const at = operation?.sent ?? this.model.now()
    this.log?.(`  sent ${request.number} at ${at}: ${request.method} ${request.url} ${show(request.body)}`)
    this.sent.set(request, { at, epoch: this.epoch, served: 0 })
    this.model.underWay.add(at)
    if (request.tag === undefined) {
      this.checkUnasked(request)
    }
  }

  /** O5, T1: what the library asks for of itself, somebody has to want. */
  private checkUnasked({ path, search, url }: Request): void {
    const [, what, pk] = path.split('/')
    const key = `GET http://sim${search.has('cursor') ? listName({ path, search }) : url}`
    const isPolled = this.polls.some((poll) => poll.what === key)
    const isCalled = [...this.handed].some((promise) => promise.what === key)
    const isWanted =
      isPolled || this.suspended.has(key) || this.mounted.some((reader) => reader.what === key) || isCalled
    if (!isWanted) {
      this.fault('T1', `${key} was asked for, and nobody wants it`)
    }
    // Where time jumps the pause may be over. The library asks for pages only to complete a refetch that has begun.
    const isPage = search.has('cursor')
    if (!isPage && this.clock.skew === 0 && (this.postponed.get(key) ?? 0) > this.clock.time) {
      this.fault('NET-16', `${key} was asked for, though the server said not to`)
    }
    if (what !== 'todos' || pk === undefined || isPolled) {
      return
    }
    const hiding = this.model.operations.findLast((one) => one.pk === pk && one.kind !== 'patch')
    const later = this.model.record('Todo', pk)?.statements.some((one) => one.write && one.sent > (hiding?.sent ?? 0))
    if (hiding?.kind === 'delete' && !later && isThere(this.subject.stored('Todo', pk))) {
      this.fault('O5', `${key} was asked for, though a pending delete only hides it`)
    }
  }

  private close(request: Request): Sent {
    const sent = this.sent.get(request)!
    this.log?.(`  ${request.state} ${request.number}`)
    this.sent.delete(request)
    this.model.underWay.delete(sent.at)
    this.postponed.delete(`${request.method} http://sim${request.url}`)
    // Without getNextPage, a page stands where the first request that succeeded puts it: behind those that did so before it.
    const isFailedPage = request.state !== 'answered' && request.search.has('cursor')
    if (isFailedPage && this.server.cursors !== 'link' && this.hasOpenPage(listName(request))) {
      this.scattered.add(listName(request))
    }
    const { operation } = (request.tag ?? {}) as Partial<Tag>
    if (operation !== undefined) {
      this.model.operations = this.model.operations.filter((one) => one !== operation)
    }
    return sent
  }

  private onDelivered(request: Request, said: Said | undefined): void {
    const { at, served, epoch } = this.close(request)
    if (epoch !== this.epoch) {
      return
    }
    const { model } = this
    const write = request.method !== 'GET'
    const instants: Instants = { sent: at, served, delivered: model.now(), write }
    const { action, answer } = (request.tag ?? {}) as Partial<Tag>
    const [, what, id] = request.path.split('/')
    if (said === undefined) {
      // The server may have executed it, before or after another write to the same record.
      if (write && what === 'todos' && id !== undefined) {
        this.cloud(id, instants, action!)
      }
      return
    }
    this.log?.(`  ${show(instants)} ${show(said.value)}`)
    const key = `${request.method} http://sim${request.url}`
    if (!write) {
      this.answered.set(key, Math.max(at, this.answered.get(key) ?? 0))
    }
    if (what === 'count') {
      return
    }
    if (!write && what !== 'people' && id === undefined && this.isPaged) {
      this.listings.push({ request, values: said.value as Fields[], at, served, epoch })
      model.underWay.add(at)
      return
    }
    if (!write && what !== 'people' && id === undefined) {
      return this.takeList(request, said.value as Fields[], instants)
    }
    const value = said.value as Fields | undefined
    if (answer !== undefined) {
      answer.fields = value
    }
    const pk = id ?? (value!['id'] as string)
    if (what === 'people') {
      this.contribute('Person', value!, instants)
    } else {
      if (write) {
        this.cloud(pk, instants, action!)
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
    // Every other answer carries the author.
    if (value !== undefined) {
      this.bounds.set('Person', model.now())
    }
  }

  /** A response has reached the store. */
  private onResponse(url: string, response: Response): void {
    const mine = this.listings.find((one) => !one.response && `GET http://sim${one.request.url}` === url)
    if (mine) {
      mine.response = response
    }
    this.takeListings(response)
  }

  /** Takes in the responses of lists that are stored by now. Those that are not known at rest never reached the store. */
  takeListings(unknown?: Response): void {
    this.listings = this.listings.filter(({ request, values, at, served, epoch, response }) => {
      const state = response?.state() ?? (unknown ? 'held' : 'dropped')
      if (state === 'held' && epoch === this.epoch) {
        return true
      }
      this.model.underWay.delete(at)
      if (state === 'stored' && epoch === this.epoch) {
        this.takeList(request, values, { sent: at, served, delivered: this.model.now(), write: false })
      }
      return false
    })
  }

  /** Which of two writes at the same time came last, and so where a record belongs, only a later answer tells. */
  private cloud(pk: string, { sent, delivered }: Instants, action: Action): void {
    const isMove = ['push', 'unshift', 'move', 'remove', 'put', 'patch', 'set', 'told'].includes(action)
    const writes = this.writes.get(pk) ?? []
    if (writes.some((other) => other.delivered > sent && (isMove || other.isMove))) {
      this.clouds.set(pk, delivered)
    }
    this.writes.set(pk, [...writes.slice(-20), { delivered, isMove }])
  }

  /** A record came, perhaps by a mutation that puts it into lists. */
  private take(tag: Tag | undefined, value: Fields, instants: Instants): void {
    const action = tag?.action
    const pk = value['id'] as string
    const put = (name: string, isIn: boolean): void => {
      if (isIn) {
        this.placed.add(pk)
        this.listedIn(name).add(pk)
      }
      this.model.member(name, { ...instants, pk, isIn })
    }
    const putAnywhere = (): void => {
      // Whichever of the two paths owns the list.
      for (const name of [`/todos?group=${String(value['group'])}`, '/todos', '/archive']) {
        put(name, true)
      }
    }
    const isCreate = action === 'push' || action === 'unshift'
    if (isCreate || action === 'put' || action === 'patch' || action === 'remove') {
      this.follow(pk, value, instants, action !== 'remove')
      // A read has brought it meanwhile: from where it is moved is not sure.
      if ((this.subject.stored('Todo', pk) as Fields | undefined)?.['group'] !== tag?.old?.['group']) {
        this.clouds.set(pk, instants.delivered)
      }
    }
    const stored: unknown = action === 'move' ? this.subject.stored('Todo', pk)?.group : undefined
    const old = tag?.old?.['group'] ?? stored
    if (isCreate || (action === 'move' && old === undefined)) {
      putAnywhere()
    } else if (action === 'move') {
      // From where it was moved is not sure when the record has changed since.
      if (stored !== tag?.old?.['group']) {
        this.clouds.set(pk, instants.delivered)
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

  private takeList(request: Request, values: readonly Fields[], instants: Instants): void {
    const group = request.search.get('group')
    const name = listName(request)
    // Of two paths with equal arguments the first to be answered owns the list; the other is refused.
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
    const ids = new Set(values.map(({ id }) => id as string))
    const listed = this.listedIn(name)
    for (const id of ids) {
      listed.add(id)
    }
    this.model.version++
    if (!request.search.has('cursor') && this.hasOpenPage(name)) {
      this.scattered.add(name)
    }
    if (request.search.has('cursor')) {
      this.pages.add(name)
    } else {
      if (instants.sent > (this.bounds.get(`GET http://sim${request.url}`) ?? 0)) {
        this.invalid.delete(name)
      }
      this.model.member(name, { ...instants, ids })
    }
    for (const value of values) {
      this.contribute('Todo', value, instants)
    }
  }

  /** True where a page of a list is under way, or waits to be stored together with others. */
  hasOpenPage(name: string): boolean {
    return [...this.network.open, ...this.listings.map(({ request }) => request)].some(
      (request) => request.search.has('cursor') && name === listName(request),
    )
  }

  private listedIn(name: string): Set<string> {
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

/** True for a record that is stored, not for the mark of a deleted one. */
export function isThere(stored: unknown): stored is Record<string, unknown> {
  return typeof stored === 'object' && stored !== null
}

export function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

/** The list of a request, whichever page of it. */
function listName({ path, search }: Pick<Request, 'path' | 'search'>): string {
  const group = search.get('group')
  return group === null ? path : `${path}?group=${group}`
}
