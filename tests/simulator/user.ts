// Performs one step of a user of the library.
import { Group, Person, Todo } from './api.ts'
import type { Fields, Operation } from './model.ts'
import type { Step } from './profiles.ts'
import { GROUPS, PEOPLE, rankOf } from './server.ts'
import { type MountedReader, readingOf, valuesOf } from './screen.ts'
import { isThere, show, type Tag, Violation, type World } from './world.ts'

/** At most so many readers are mounted. */
const READERS = 7
/** With more records than this a create becomes a delete, so that a run stays small. */
const MAX_RECORDS = 8

export function act(world: World, step: Step): void {
  const { server, api, subject, model, screen } = world
  const { which, how } = step
  world.log?.(`${step.do}${step.optimistic ? ' optimistic' : ''} ${which} ${how}`)
  const known = world.profile.focus === undefined ? server.known : server.known.slice(0, world.profile.focus)
  const id = known[which % known.length]!
  const person = PEOPLE[which % PEOPLE.length]!
  const group = GROUPS[how % GROUPS.length]!
  const listArgs = [{}, { group: 'a' }, { group: 'b' }][which % 3]!
  const mutations = step.optimistic ? api.optimistic : api.plain
  const content = { title: server.uniqueText('title'), body: server.uniqueText('body'), group, author: person }
  switch (step.do) {
    case 'get':
      return void fetchRead(world, step, api.get, [{ id }])
    case 'person':
      return void fetchRead(world, step, api.person, [{ id: person }])
    case 'count':
      return void fetchRead(world, step, api.count, [])
    case 'list':
      return void fetchRead(world, step, api.list, [listArgs])
    case 'page':
      for (const cursor of cursorsFor(world, listArgs, how)) {
        void fetchRead(world, step, api.page, [{ ...listArgs, cursor }])
      }
      return undefined
    case 'hot':
      return void fetchRead(world, step, api.hot, [{}])
    case 'archive':
      return void fetchRead(world, step, api.archive, [{}])
    case 'push':
    case 'unshift': {
      if (server.rows.size > MAX_RECORDS) {
        return mutate(world, step, mutations.delete, [{ id }], 'delete', id, {})
      }
      // Sometimes with an id from the client, which may have existed before.
      const own = how % 5 === 0 && !server.cursors ? { id: `own${which % 3}` } : {}
      if (own.id !== undefined && !server.known.includes(own.id)) {
        server.known.push(own.id)
      }
      const fields = { ...own, ...content }
      return mutate(world, step, mutations[step.do], [{}, fields], 'create', own.id, fields)
    }
    case 'put':
      return mutate(world, step, mutations.put, [{ id }, content], 'put', id, content)
    case 'patch': {
      const fields = { title: content.title }
      return mutate(world, step, mutations.patch, [{ id }, fields], 'patch', id, fields)
    }
    case 'move':
      return mutate(world, step, mutations.move, [{ id }, { group }], 'move', id, { group })
    case 'remove': {
      const fields = { id, title: content.title }
      return mutate(world, step, mutations.remove, [{}, fields], 'remove', id, fields)
    }
    case 'delete':
      return mutate(world, step, mutations.delete, [{ id }], 'delete', id, {})
    case 'putPerson':
      return mutate(world, step, api.putPerson, [{ id: person }, { name: content.title }], undefined, person, {})
    case 'group':
      return void fetchRead(world, step, api.group, [{ id: group }])
    case 'groups':
      return void fetchRead(world, step, api.groups, [{}])
    case 'putGroup':
    case 'patchGroup': {
      const fields = { name: content.title }
      const kind = step.do === 'putGroup' ? 'put' : 'patch'
      return mutate(world, step, mutations[step.do], [{ id: group }, fields], kind, group, fields)
    }
    case 'setGroup': {
      if (!isThere(subject.stored('Group', group))) {
        return undefined
      }
      const { title: name } = content
      server.groups.set(group, { id: group, name })
      world.write(step.do, group, { name }, 'Group')
      // The list that it contains stands for itself.
      return void subject.set(Group, [{ id: group }], (old: any) => ({ ...old, name }))
    }
    case 'set': {
      const fields = maybeWithoutAuthor(content, how)
      world.write(step.do, id, fields)
      return void subject.set(Todo, [{ id }], { id, ...fields })
    }
    case 'setWith': {
      const { title } = content
      if (isThere(subject.stored('Todo', id))) {
        world.write(step.do, id, { title })
      }
      return void subject.set(Todo, [{ id }], (old: any) => ({ ...old, title }))
    }
    case 'setResponse': {
      const fields = maybeWithoutAuthor(content, how)
      world.write(step.do, id, fields)
      world.respondedTo.set(api.get.key({ id }), model.now())
      return void subject.setResponse(api.get, [{ id }], { id, ...fields })
    }
    case 'serverPush': {
      if (!server.rows.has(id)) {
        return undefined
      }
      const fields = how % 2 === 0 ? content : { title: content.title }
      const { id: _id, ...row } = server.broadcast(id, fields)
      world.write(step.do, id, row)
      return void subject.set(Todo, [{ id }], { id, ...row })
    }
    case 'invalidate': {
      const list = screen.lists[how % screen.lists.length]!
      const [endpoint, args] = how % 2 === 0 ? [api.get, [{ id }]] : [list.endpoint, list.args]
      if (endpoint === list.endpoint) {
        world.invalid.add(list.name)
      }
      world.bounds.set(endpoint.key(...args), model.now())
      model.version++
      return void subject.invalidate(endpoint, args)
    }
    case 'expire':
      return void subject.expireAll()
    case 'reset':
      world.forget()
      return void subject.reset()
    case 'leave':
      return how % 2 === 0 ? leave(world, step, api.get, [{ id }]) : leave(world, step, api.list, [listArgs])
    case 'abort':
      return void subject.abort(...pickRead(world, which))
    case 'mount':
      if (world.mounted.length >= READERS) {
        world.mounted.shift()!.end()
      }
      return mount(world, which)
    case 'unmount':
      return world.mounted.splice(which % (world.mounted.length || 1), 1)[0]?.end()
    case 'suspend': {
      const [endpoint, args] = pickRead(world, which)
      const key: string = endpoint.key(...args)
      world.suspended.add(key)
      void world.track(key, subject.suspend(endpoint, args)).catch(() => {})
      return undefined
    }
    case 'poll': {
      const [endpoint, args] = pickRead(world, which)
      const polled = endpoint.extend({ pollFrequency: [200, 500, 1_000][how % 3] })
      world.polls.push({ what: endpoint.key(...args), end: subject.poll(polled, args) })
      return undefined
    }
    case 'unpoll':
      return world.polls.splice(which % (world.polls.length || 1), 1)[0]?.end()
    case 'reload':
      // The server would apply the writes in flight, and nothing would notify the client.
      return world.profile.isAlone && world.network.open.size > 0 ? undefined : reload(world)
    case 'foreign':
      return void world.placed.add(server.change(how)!)
    case 'jump':
      // Back by up to a day, or forward by up to a minute: requests in flight must stay younger than five minutes.
      world.clock.skew += how % 3 === 0 ? which % 60_000 : -(which % 86_400_000)
      return undefined
    case 'wait':
      return undefined
  }
}

/** All fields, or all but the author. */
function maybeWithoutAuthor({ author, ...fields }: Fields, how: number): Fields {
  return how % 3 === 0 ? fields : { ...fields, author }
}

/** A read endpoint and its arguments. */
function pickRead({ api, server, screen }: World, which: number): readonly [any, readonly any[]] {
  const n = Math.floor(which / 4)
  if (screen.groups.size > 0 && which % 4 < 2) {
    return n % 3 === 2 ? [api.groups, [{}]] : [api.group, [{ id: GROUPS[n % 3] }]]
  }
  const lists = [...screen.lists, ...screen.searches]
  if (which % 4 === 0 || (screen.searches.length > 0 && which % 4 === 1)) {
    const list = lists[n % lists.length]!
    return [list.endpoint, list.args]
  }
  if (which % 4 === 1) {
    return [api.person, [{ id: PEOPLE[n % PEOPLE.length] }]]
  }
  return [api.get, [{ id: server.known[n % server.known.length] }]]
}

/**
 * The cursors of the pages to fetch next. Cursors are requested in the order of the list, or again, so that `PAG-1` can be checked;
 * page numbers in any order.
 */
function cursorsFor(world: World, listArgs: { group?: string }, how: number): readonly unknown[] {
  const { api, server, subject } = world
  if (!server.cursors) {
    return [2 + (how % 3)]
  }
  const { loaded, next, gap } = subject.pages(api.list, [listArgs])
  const { name } = world.screen.lists.find(({ args }) => args[0].group === listArgs.group)!
  const lastOfNext = (last: string): string | undefined =>
    server.listIds('todos', listArgs.group ?? null).filter((id) => rankOf(id) < rankOf(last))[server.size - 1]
  const n = Math.floor(how / 4)
  if (how % 4 === 0 && loaded.length > 0) {
    return [loaded[n % loaded.length]]
  }
  if (server.cursors === 'link') {
    if (loaded.length === 0) {
      world.gapped.delete(name)
    }
    // Once per list, one page is skipped: it is fetched later, and its place is before the page that was loaded first.
    const afterGap = gap !== undefined && !world.gapped.has(name) && n % 3 === 0 ? lastOfNext(String(gap)) : undefined
    if (afterGap !== undefined) {
      world.gapped.add(name)
      return [server.cursorAfter(afterGap)]
    }
    const cursor = n % 2 === 0 ? gap : next
    return cursor === undefined ? [] : [cursor]
  }
  const shown: readonly { id: string }[] = (world.read(api.list, [listArgs]).data as any) ?? []
  const last = shown.map(({ id }) => id).findLast((id) => server.known.includes(id) && !world.placed.has(id))
  if (last === undefined || world.hasOpenPage(name)) {
    return []
  }
  // The end of the page is known, so the page after it can be requested at the same time.
  const after = n % 2 === 0 ? lastOfNext(last) : undefined
  const fresh = [last, ...(after === undefined ? [] : [after])].map((id) => server.cursorAfter(id))
  return loaded.length > 0 && n % 3 === 0 ? [...fresh, loaded.at(-1)] : fresh
}

function mount(world: World, which: number): void {
  const { api, server, subject, screen } = world
  const n = Math.floor(which / 8)
  const id = server.known[n % server.known.length]!
  const targets: readonly (readonly [string, any, readonly any[]])[] = [
    [`Todo ${id}`, Todo, [{ id }]],
    screen.groups.size > 0
      ? ['Group', Group, [{ id: GROUPS[n % GROUPS.length] }]]
      : ['Person', Person, [{ id: PEOPLE[n % PEOPLE.length] }]],
    ['all', api.all, []],
    ['todos', api.todos, [{}]],
  ]
  const [endpoint, endpointArgs] = pickRead(world, n)
  const [what, target, args] =
    which % 8 < 4 ? targets[which % 8]! : ([endpoint.key(...endpointArgs), endpoint, endpointArgs] as const)
  const read = subject.reader(target, args)
  const entry: MountedReader = { what, read, calls: 0, shown: readingOf(read), end: () => {} }
  world.mounted.push(entry)
  entry.end = subject.mount(target, args, () => {
    entry.calls++
    const now = readingOf(read)
    const { shown: last } = entry
    // Stale data may have been fetched and become stale again at once, by a crossing; invalid data may have become valid.
    const isNews = now.expiresAt < last.expiresAt || now.expiresAt <= 1 || (last.expiresAt <= 1 && !now.data)
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
  const tag: Tag = { action: step.do, result: {} }
  world.network.next = { tag, seed: step.how, method: 'GET' }
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
    if (endpoint === api.page) {
      return
    }
    const shown = world.read(endpoint, args).data
    if (value !== shown) {
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
  kind: Operation['kind'] | undefined,
  pk: string | undefined,
  fields: Fields,
): void {
  const { model, epoch, screen } = world
  const sent = model.now()
  const operation: Operation | undefined =
    kind !== undefined && endpoint.getOptimisticResponse ? { sent, kind, pk, fields } : undefined
  if (operation !== undefined) {
    const values = valuesOf(screen)
    if (model.operations.length === 0) {
      world.before = { version: model.version, values }
    }
    model.operations = [...model.operations, operation]
  }
  if (pk !== undefined && kind !== 'patch' && kind !== 'delete') {
    world.placed.add(pk)
  }
  const stored = kind === undefined || pk === undefined ? undefined : world.subject.stored('Todo', pk)
  const tag: Tag = { action: step.do, operation, result: {}, old: isThere(stored) ? stored : undefined }
  world.network.next = { tag, seed: step.how, method: endpoint.method }
  const check = async (): Promise<void> => {
    const value: Fields | undefined = await world.track(endpoint.key(...args), world.subject.fetch(endpoint, args))
    if (world.epoch === epoch && kind !== 'delete') {
      checkOutcome(world, value, tag, sent)
    }
  }
  check().catch(() => {})
}

/** F1: a mutation resolves to its own result, or to that of a write sent later. */
function checkOutcome(world: World, value: Fields | undefined, { result, action }: Tag, sent: number): void {
  const { model, server } = world
  const { fields } = result
  if (value === undefined || fields === undefined) {
    return
  }
  const pk = fields['id'] as string
  const table = action === 'putPerson' ? 'Person' : server.groups.has(pk) ? 'Group' : 'Todo'
  const history = model.record(table, pk)
  const later = model.operations.filter((one) => one.pk === pk && one.sent > sent)
  const allowed = [
    fields,
    ...history!.statements.filter((one) => one.write && one.sent > sent).map((one) => one.fields),
    // Of overlapping writes, any may be the current one.
    ...history!.current('', () => true).map((one) => one.fields),
    ...later.map((one) => (one.kind === 'delete' ? undefined : one.fields)),
  ]
  for (const name of ['title', 'body', 'group', 'name']) {
    if (name in fields && !allowed.some((one) => one === undefined || one[name] === value[name])) {
      world.fault(
        'F1',
        `${action} of ${pk} resolved to ${name} ${show(value[name])}, its response was ${show(fields[name])}`,
      )
    }
  }
}

/** The page is closed and opened again: only the saved state is left. */
function reload(world: World): void {
  const { subject, model } = world
  const before = textOf(world)
  const isAlone = model.operations.length === 0
  const saved = subject.save()
  subject.stop()
  for (const list of [world.mounted, world.polls]) {
    list.length = 0
  }
  world.suspended.clear()
  world.forget()
  world.subject = world.startStore(saved)
  world.screen = world.openScreen(world.subject)
  const instants = { sent: 0, served: 0, delivered: 0, write: false }
  for (const table of ['Todo', 'Person', 'Group']) {
    for (const [pk, value] of world.subject.table(table)) {
      const { id: _id, todos: _todos, ...fields } = isThere(value) ? value : {}
      model.contribute(table, pk, { ...instants, fields: isThere(value) ? fields : undefined })
    }
  }
  for (const { name, path, group, read } of world.screen.lists) {
    const data = read().data as readonly { id: string }[] | undefined
    if (data === undefined) {
      continue
    }
    const ids = new Set(data.map(({ id }) => id))
    model.member(name, { ...instants, ids })
    world.paged.set(name, new Set(ids))
    // Its items are one page now: the new records of a page that is fetched again follow them.
    world.unordered.add(name)
    if (path !== 'hot') {
      world.owners.set(group ?? '', `/${path}`)
    }
  }
  const after = textOf(world)
  if (isAlone && after !== before) {
    throw new Violation('R1', `a restored store shows ${after}, the one before showed ${before}`)
  }
}

/** Everything that is shown, as text. */
function textOf({ screen }: World): string {
  return JSON.stringify(valuesOf(screen))
}
