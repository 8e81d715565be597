// Performs one step of a user of the library, or of another client.
import { Group, Person, Todo } from './api.ts'
import type { Step } from './profiles.ts'
import { GROUPS, PEOPLE } from './server.ts'
import { itemsIn, type MountedReader, readingOf, valuesOf } from './screen.ts'
import { type Fields, isThere, keyOf, show, Violation, type World, type Write } from './world.ts'

/** At most so many readers are mounted. */
const READERS = 14
/** With more records than this a create becomes a delete, so that a run stays small. */
const MAX_RECORDS = 8

export function act(world: World, step: Step): void {
  const { server, api, subject, screen } = world
  const { which, how } = step
  world.log?.(`${step.do}${step.optimistic ? ' optimistic' : ''} ${which} ${how}`)
  const known = world.profile.focus === undefined ? server.known : server.known.slice(0, world.profile.focus)
  const id = known[which % known.length]!
  const person = PEOPLE[which % PEOPLE.length]!
  const group = GROUPS[how % GROUPS.length]!
  const listArgs = [{}, { group: 'a' }, { group: 'b' }][which % 3]!
  const mutations = step.optimistic ? api.optimistic : api.plain
  const content = { title: server.uniqueText('title'), body: server.uniqueText('body'), group, author: person }
  const row = server.rows.get(id)
  const isOpen = row !== undefined && !row.hidden
  switch (step.do) {
    case 'get':
      return void fetchRead(world, step, api.get, [{ id }])
    case 'person':
      return void fetchRead(world, step, api.person, [{ id: person }])
    case 'count':
      return void fetchRead(world, step, api.count, [])
    case 'list':
      return void fetchRead(world, step, api.list, [listArgs])
    case 'page': {
      // One page at a time, as the hooks do.
      const key: string = api.list.key(listArgs)
      const isLoading = [...world.network.open].some(
        (one) => one.tag !== undefined && one.search.has('cursor') && keyOf(one) === key,
      )
      const next = isLoading ? undefined : subject.nextPage(api.list, [listArgs])
      return next && void fetchRead(world, step, api.page, next)
    }
    case 'hot':
      return void fetchRead(world, step, api.hot, [{}])
    case 'archive':
      return void fetchRead(world, step, api.archive, [{}])
    case 'push':
    case 'unshift': {
      if (server.rows.size > MAX_RECORDS + (world.isPaged ? 6 : 0)) {
        return mutate(world, step, mutations.delete, [{ id }], 'delete', id, {})
      }
      // Sometimes with an id from the client, which may have existed before.
      const own = how % 5 === 0 && !server.hasCursors ? { id: `own${which % 3}` } : {}
      if (own.id !== undefined && !server.known.includes(own.id)) {
        server.known.push(own.id)
      }
      const fields = { ...own, ...content }
      return mutate(world, step, mutations[step.do], [{}, fields], 'create', own.id, fields)
    }
    case 'put':
      return mutate(world, step, mutations.put, [{ id }, content], 'put', id, content)
    case 'patch': {
      const fields = how % 3 === 0 ? { body: content.body } : { title: content.title }
      return mutate(world, step, mutations.patch, [{ id }, fields], 'patch', id, fields)
    }
    case 'move':
      return mutate(world, step, mutations.move, [{ id }, { group }], 'move', id, { group })
    case 'regroup':
      return mutate(world, step, mutations.patch, [{ id }, { group }], 'patch', id, { group })
    case 'remove': {
      const fields = { id, title: content.title }
      return mutate(world, step, mutations.remove, [{}, fields], 'remove', id, fields)
    }
    case 'delete':
      return mutate(world, step, mutations.delete, [{ id }], 'delete', id, {})
    case 'putPerson': {
      const fields = { name: content.title }
      return mutate(world, step, api.putPerson, [{ id: person }, fields], 'put', person, fields, 'Person')
    }
    case 'group':
      return void fetchRead(world, step, api.group, [{ id: group }])
    case 'groups':
      return void fetchRead(world, step, api.groups, [{}])
    case 'putGroup':
    case 'patchGroup': {
      const fields = { name: content.title }
      const kind = step.do === 'putGroup' ? 'put' : 'patch'
      return mutate(world, step, mutations[step.do], [{ id: group }, fields], kind, group, fields, 'Group')
    }
    case 'setGroup': {
      if (!isThere(subject.stored('Group', group))) {
        return undefined
      }
      const { title: name } = content
      server.write('Group', group, { id: group, name })
      world.announce('Group', group, { name })
      // The list that it contains stands for itself.
      return void subject.set(Group, [{ id: group }], (old: any) => ({ ...old, name }))
    }
    case 'event': {
      if (!isOpen) {
        return undefined
      }
      const fields = how % 2 === 0 ? content : { title: content.title }
      server.update(id, fields)
      // All fields, or those that have changed.
      const { id: _id, ...all } = server.rows.get(id)!
      const told = which % 3 === 0 && isThere(subject.stored('Todo', id)) ? fields : all
      world.announce('Todo', id, told)
      return void subject.set(Todo, [{ id }], { id, ...told })
    }
    case 'eventWith': {
      const { title } = content
      if (!isOpen || !isThere(subject.stored('Todo', id))) {
        return undefined
      }
      server.update(id, { title })
      world.announce('Todo', id, { title })
      return void subject.set(Todo, [{ id }], (old: any) => ({ ...old, title }))
    }
    case 'eventResponse': {
      if (!isOpen) {
        return undefined
      }
      // Lists do not follow the response of a read.
      world.isUnsure = true
      server.update(id, content)
      const detail = server.detail(id) as Fields
      world.announce('Todo', id, detail)
      world.respondedTo.set(api.get.key({ id }), world.now())
      return void subject.setResponse(api.get, [{ id }], detail)
    }
    case 'eventCreate': {
      if (server.rows.size > MAX_RECORDS) {
        return undefined
      }
      const created = server.insert(group, person, content)
      const { id: _id, ...all } = server.rows.get(created)!
      world.announce('Todo', created, all)
      return void subject.set(Todo, [{ id: created }], { id: created, ...all })
    }
    case 'eventDelete':
      if (!isOpen) {
        return undefined
      }
      server.write('Todo', id, undefined)
      world.announce('Todo', id, {})
      return void subject.set(api.gone, [{ id }], { id })
    case 'invalidate': {
      const list = screen.lists[how % screen.lists.length]!
      const [endpoint, args] = how % 2 === 0 ? [api.get, [{ id }]] : [list.endpoint, list.args]
      world.bounds.set(endpoint.key(...args), world.now())
      world.version++
      world.pay()
      return void subject.invalidate(endpoint, args)
    }
    case 'expire':
      world.pay()
      return void subject.expireAll()
    case 'reset':
      world.forget()
      world.pay()
      return void subject.reset()
    case 'leave':
      return how % 2 === 0 ? leave(world, step, api.get, [{ id }]) : leave(world, step, api.list, [listArgs])
    case 'abort':
      return void subject.abort(...pickRead(world, which))
    case 'mount':
      if (world.mounted.length >= READERS) {
        world.mounted.shift()!.end()
      }
      return mountSome(world, which)
    case 'unmount':
      return world.mounted.splice(which % (world.mounted.length || 1), 1)[0]?.end()
    case 'suspend': {
      const [endpoint, args] = pickRead(world, which)
      const key: string = endpoint.key(...args)
      world.suspended.add(key)
      world.pay(key)
      void world.track(key, subject.suspend(endpoint, args)).catch(() => {})
      return undefined
    }
    case 'poll': {
      const [endpoint, args] = pickRead(world, which)
      const polled = endpoint.extend({ pollFrequency: [200, 500, 1_000][how % 3] })
      world.pay(endpoint.key(...args))
      world.polls.push({ what: endpoint.key(...args), end: subject.poll(polled, args) })
      return undefined
    }
    case 'unpoll':
      return world.polls.splice(which % (world.polls.length || 1), 1)[0]?.end()
    case 'reload':
      return reload(world)
    case 'foreign':
      // A stream tells the client of it.
      world.isUnsure ||= !world.profile.stream
      world.isForeign = true
      server.change(how)
      world.isForeign = false
      return undefined
    case 'drop':
      return world.stream?.drop()
    case 'hide':
    case 'show':
      return world.stream?.setHidden(step.do === 'hide')
    case 'jump':
      // Back by up to a day, or forward by up to a minute: requests in flight must stay younger than five minutes.
      world.clock.skew += how % 3 === 0 ? which % 60_000 : -(which % 86_400_000)
      return undefined
    case 'rest':
    case 'wait':
      return undefined
  }
}

/** A read endpoint and its arguments. */
function pickRead({ api, server, screen }: World, which: number): readonly [any, readonly any[]] {
  const n = Math.floor(which / 8)
  if (screen.groups.size > 0 && which % 8 < 3) {
    return n % 3 === 2 ? [api.groups, [{}]] : [api.group, [{ id: GROUPS[n % 3] }]]
  }
  if (which % 8 < 5) {
    const lists = [...screen.lists, ...screen.searches]
    const list = lists[n % lists.length]!
    return [list.endpoint, list.args]
  }
  return which % 8 === 5
    ? [api.person, [{ id: PEOPLE[n % PEOPLE.length] }]]
    : [api.get, [{ id: server.known[n % server.known.length] }]]
}

function mountSome(world: World, which: number): void {
  const { api, server, screen } = world
  const n = Math.floor(which / 16)
  const id = server.known[n % server.known.length]!
  const targets: readonly (readonly [string, any, readonly any[]])[] = [
    [`Todo ${id}`, Todo, [{ id }]],
    screen.groups.size > 0
      ? ['Group', Group, [{ id: GROUPS[n % GROUPS.length] }]]
      : ['Person', Person, [{ id: PEOPLE[n % PEOPLE.length] }]],
    ['all', api.all, []],
    ['todos', api.todos, [{}]],
  ]
  const target = targets[which % 16]
  if (target) {
    mount(world, ...target)
  } else {
    mountEndpoint(world, ...pickRead(world, n))
  }
}

export function mountEndpoint(world: World, endpoint: any, args: readonly any[]): void {
  const key: string = endpoint.key(...args)
  world.pay(key)
  mount(world, key, endpoint, args)
}

function mount(world: World, what: string, target: any, args: readonly any[]): void {
  const read = world.subject.reader(target, args)
  const refetch = (): void => {
    if (typeof target.key === 'function') {
      world.pay(what)
      world.track(what, world.subject.fetch(target, args)).catch(() => {})
    }
  }
  const entry: MountedReader = { what, read, calls: 0, shown: readingOf(read), refetch, end: () => {} }
  world.mounted.push(entry)
  entry.end = world.subject.mount(target, args, () => {
    entry.calls++
    const now = readingOf(read)
    const { shown: last } = entry
    // Stale data may have been fetched and become stale again at once, by a crossing; invalid data may have become valid.
    const isOlder = now.expiresAt < last.expiresAt || now.expiresAt <= 1 || (last.expiresAt <= 1 && !now.data)
    // Readers that can fetch may not have shown a part of the data, or one that had expired.
    const isShownAgain = now.status.startsWith('2') && now.data !== undefined && now.expiresAt !== last.expiresAt
    const isNews = isOlder || isShownAgain
    if (!isNews && now.data === last.data && now.error === last.error && now.status === last.status) {
      world.fault('N1', `a reader of ${what} was notified although nothing changed: ${show(last)} and ${show(now)}`)
    }
    entry.shown = now
  })
}

function fetchRead(world: World, step: Step, endpoint: any, args: readonly any[], signal?: AbortSignal): Promise<void> {
  const { api, epoch } = world
  const key: string = endpoint.key(...args)
  const requestKey: string = endpoint.requestKey(...args)
  world.network.next = { tag: step.do, seed: step.how, method: 'GET' }
  const tables =
    endpoint === api.count
      ? []
      : endpoint === api.person
        ? ['Person']
        : endpoint === api.group || endpoint === api.groups
          ? ['Group', 'Todo', 'Person']
          : ['Todo', 'Person']
  // A request that was sent before any of these does not serve this call.
  const bound = Math.max(...[key, ...tables].map((name) => world.bounds.get(name) ?? 0))
  const calledAt = world.now()
  const check = async (): Promise<void> => {
    const called = signal ? endpoint.extend({ signal }) : endpoint
    const value: unknown = await world.track(key, world.subject.fetch(called, args))
    if (world.epoch !== epoch) {
      return
    }
    if ((world.respondedTo.get(requestKey) ?? 0) < bound) {
      world.fault(
        'F1',
        `fetch of ${requestKey} resolved with the response of a request that was sent before a write or an invalidation`,
      )
    }
    // A page is a part of what is shown. An invalidated request still has its own response.
    if (endpoint === api.page || (world.bounds.get(key) ?? 0) > calledAt) {
      return
    }
    const shown = world.read(endpoint, args).data
    // A number beside a list is that of the response, which may be older than the items.
    if ((itemsIn(value) ?? value) !== (itemsIn(shown) ?? shown)) {
      world.fault('F1', `fetch of ${key} resolved to ${show(value)}, readers show ${show(shown)}`)
    }
  }
  return check().catch((error: Error) => {
    // All other errors come from the network.
    const isAbort = error instanceof CallerLeft || (error.name === 'AbortError' && !world.profile.actions.abort)
    if (world.epoch === epoch && isAbort && error !== signal?.reason) {
      world.fault('NET-21', `a caller of ${key} received the abort of another: ${error.message}`)
    }
  })
}

/** The reason with which a caller aborts. */
class CallerLeft extends Error {}

/** NET-21: a caller aborts while its request may be open. Its promise rejects at once, and the request is aborted if nothing else needs it. */
function leave(world: World, step: Step, endpoint: any, args: readonly any[]): void {
  const { clock, epoch } = world
  const key: string = endpoint.key(...args)
  const aborter = new AbortController()
  let isWaiting = true
  void fetchRead(world, step, endpoint, args, aborter.signal).finally(() => (isWaiting = false))
  clock.setTimeout(() => {
    if (!isWaiting || world.epoch !== epoch) {
      return
    }
    aborter.abort(new CallerLeft('a caller left'))
    clock.setTimeout(() => {
      if (world.epoch !== epoch) {
        return
      }
      if (isWaiting) {
        world.fault('NET-21', `a caller of ${key} aborted, but its promise has not settled`)
      }
      const isWanted =
        world.suspended.has(key) ||
        [...world.promises, ...world.mounted, ...world.polls].some(({ what }) => what === key)
      const open = [...world.network.open].find(({ url, method }) => method === 'GET' && key.endsWith(url))
      if (!isWanted && open) {
        world.fault('NET-21', `the last caller of ${key} aborted, but its request is still open`)
      }
    }, 0)
  }, step.which % 150)
}

function mutate(
  world: World,
  step: Step,
  endpoint: any,
  args: readonly any[],
  kind: Write['kind'],
  pk: string | undefined,
  fields: Fields,
  table = 'Todo',
): void {
  const { epoch, screen, operations } = world
  const isOptimistic = endpoint.getOptimisticResponse !== undefined
  const given = { action: step.do, kind, table, pk, fields, isOptimistic, epoch }
  const times = { sent: world.now(), settled: Infinity, isOk: false }
  const write: Write = { ...given, ...times, loaded: new Set(), holds: new Set() }
  if (isOptimistic && operations.length === 0) {
    world.before = { version: world.version, values: valuesOf(screen) }
  }
  world.begin(write)
  world.network.next = { tag: write, seed: step.how, method: endpoint.method }
  const check = async (): Promise<void> => {
    const value: Fields | undefined = await world.track(endpoint.key(...args), world.subject.fetch(endpoint, args))
    if (world.epoch === epoch && kind !== 'delete') {
      checkOutcome(world, value, write)
    }
  }
  check().catch(() => {})
}

/** F1: a mutation resolves to its own outcome, unless the record was written since. */
function checkOutcome(world: World, value: Fields | undefined, write: Write): void {
  const { response, table, pk, sent, action } = write
  if (value === undefined || response === undefined) {
    return
  }
  const { writes, touched } = world.notesOn(table, pk!)
  if (touched > sent || writes.some((one) => one !== write && one.settled > sent)) {
    return
  }
  for (const name of ['title', 'body', 'group', 'name']) {
    if (name in response && response[name] !== value[name]) {
      const text = `${action} of ${pk} resolved to ${name} ${show(value[name])}, its response was ${show(response[name])}`
      world.fault('F1', text)
    }
  }
}

/** The page is closed and opened again: only the saved state is left. */
function reload(world: World): void {
  const { subject, operations } = world
  const before = show(valuesOf(world.screen))
  const saved = subject.save()
  subject.stop()
  world.mounted.length = world.polls.length = 0
  world.suspended.clear()
  world.forget()
  world.subject = world.startStore(saved)
  world.screen = world.openScreen(world.subject)
  for (const table of ['Todo', 'Person', 'Group']) {
    for (const [pk, value] of world.subject.table(table)) {
      const { todos: _todos, ...fields } = isThere(value) ? value : {}
      world.learn(table, { ...fields, id: pk })
    }
  }
  const after = show(valuesOf(world.screen))
  if (operations.length === 0 && after !== before) {
    throw new Violation('R1', `a restored store shows ${after}, the one before showed ${before}`)
  }
}
