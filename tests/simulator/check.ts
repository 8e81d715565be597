// The invariants, which are checked after every step.
import { isOptimistic } from 'restitch'
import { Group, Person, Todo } from './api.ts'
import type { Contribution, Fields, Membership, Operation } from './model.ts'
import { rankOf } from './server.ts'
import { type ListReader, valuesOf } from './screen.ts'
import type { Reader } from './subject.ts'
import { show, Violation, type World } from './world.ts'

const DEFAULTS: Fields = { title: '', body: '', group: '', name: '' }
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Todo: ['title', 'body', 'group', 'author'],
  Person: ['name'],
  Group: ['name'],
}
const CLASSES: Readonly<Record<string, unknown>> = { Todo, Person, Group }

/** Records that did not change are checked once in so many steps. */
const CHECK_INTERVAL = 12
/** Once in so many steps, everything is compared with a store that is restored from the saved state. */
const COLD_INTERVAL = 50

export function checkAll(world: World): void {
  if (world.violation !== undefined) {
    throw world.violation
  }
  if (!world.subject.isTimeSteady()) {
    fault('ST-21', 'the time of the store went back with the wall clock')
  }
  checkReaders(world)
  if (world.profile.isAlone && world.network.open.size === 0) {
    checkRest(world)
  }
  const { screen, model } = world
  const state = world.subject.state()
  const isSame = screen.state === state && screen.operations === model.operations && screen.version === model.version
  if (isSame && world.turn % CHECK_INTERVAL !== 0) {
    return void world.turn++
  }
  Object.assign(screen, { state, operations: model.operations, version: model.version })
  const all: readonly any[] = screen.all().data ?? []
  const shown = new Map<string, any>(all.map((item) => [item.pk(), item]))
  const turn = world.turn++ % CHECK_INTERVAL
  for (const [i, id] of world.server.known.entries()) {
    if (
      i % CHECK_INTERVAL === turn ||
      !isChecked(world, `Todo ${id}`, shown.get(id), world.model.record('Todo', id)?.version ?? 0)
    ) {
      checkTodo(world, id, shown.get(id))
    }
  }
  for (const id of world.server.people.keys()) {
    checkRecord(world, 'Person', id)
  }
  for (const id of world.server.groups.keys()) {
    checkGroup(world, id)
  }
  for (const list of screen.lists) {
    checkList(world, list, shown)
  }
  const { operations } = world.model
  const pending = world.subject.pending()
  if (operations.length === 0) {
    checkBefore(world)
  }
  if (world.turn % COLD_INTERVAL === 0) {
    checkCold(world)
  }
  if (pending !== operations.length) {
    fault('O4', `${pending} operations are pending, ${operations.length} should be`)
  }
}

/** C2: at rest the mounted lists equal those of the server, and so do the lists in mounted records. */
function checkRest(world: World): void {
  const { screen, mounted, server, api } = world
  for (const { what, read } of mounted) {
    const { data } = read()
    const list = [...screen.lists, ...screen.searches].find(({ endpoint, args }) => endpoint.key(...args) === what)
    if (list !== undefined) {
      checkListAtRest(world, list, data)
    }
    for (const id of server.groups.keys()) {
      if (what === api.group.key({ id })) {
        checkGroupAtRest(world, id, data)
      } else if (what === api.groups.key({})) {
        checkGroupAtRest(
          world,
          id,
          data?.find((one: Group) => one.id === id),
        )
      }
    }
  }
}

/** In the same order if the list is sorted, else with the same records. */
function checkListAtRest({ server, model }: World, list: ListReader, data: unknown): void {
  const { path, group, search = {} } = list
  const items = (data ?? []) as readonly Todo[]
  const shown = items.map(({ id }) => id)
  const listed = server.listIds(path, group, search)
  const history = model.list(list.name)
  const fetched = Math.max(...(history?.statements ?? []).map(({ ids, sent }) => (ids ? sent : 0)))
  const isKnown = (id: string): boolean =>
    !model.record('Todo', id)?.isReversed(fetched) &&
    !history?.isReversed(fetched, ({ ids, pk }) => ids !== undefined || pk === id)
  const known = [shown, listed].map((ids) => ids.filter(isKnown)) as [string[], string[]]
  const [one, other] = search.sort ? known : known.map((ids) => ids.toSorted())
  if (String(one) !== String(other)) {
    fault('C2', `at rest ${list.name} shows ${String(shown)}, the server has ${String(listed)}`)
  }
  for (const { id, title } of items.filter((item) => isKnown(item.id))) {
    if (title !== server.rows.get(id)!.title) {
      fault('C2', `at rest ${list.name} shows ${title}, on the server it is ${server.rows.get(id)!.title}`)
    }
  }
}

function checkGroupAtRest(world: World, id: string, shown: Group | undefined): void {
  const { screen, server, model } = world
  checkListAtRest(
    world,
    screen.lists.find(({ path, group }) => path === 'todos' && group === id)!,
    shown?.todos,
  )
  const { name } = server.groups.get(id)!
  if (shown?.name !== name && !model.record('Group', id)?.isReversed(0)) {
    fault('C2', `at rest Group ${id} is called ${show(shown?.name)}, on the server ${name}`)
  }
}

/** O3: a failed operation that was the only one pending leaves no trace. */
function checkBefore(world: World): void {
  const { before, model, screen } = world
  world.before = undefined
  if (before?.version !== model.version) {
    return
  }
  for (const [i, value] of valuesOf(screen).entries()) {
    if (show(before.values[i]) !== show(value)) {
      fault('O3', `a failed operation turned ${show(before.values[i])} into ${show(value)}`)
    }
  }
}

/** R1, I1: memoised values equal those of a restored store, and do not change after a reader received them. */
function checkCold(world: World): void {
  for (const [value, text] of world.samples.splice(0)) {
    if (show(value) !== text) {
      fault('I1', `${text} became ${show(value)}`)
    }
  }
  const warm = valuesOf(world.screen)
  for (const value of warm) {
    world.samples.push([value, show(value)])
  }
  if (world.model.operations.length > 0) {
    return
  }
  const subject = world.startStore(world.subject.save())
  const cold = valuesOf(world.openScreen(subject))
  subject.stop()
  for (const [i, value] of warm.entries()) {
    if (show(value ?? []) !== show(cold[i] ?? [])) {
      fault('R1', `a reader shows ${show(value)}, a restored store ${show(cold[i])}`)
    }
  }
}

/** L2: every reader gets the same object for a record. */
function checkTodo(world: World, id: string, inAll: any): void {
  const shown = checkRecord(world, 'Todo', id)
  if (shown !== inAll) {
    fault('L2', `Todo ${id} is ${show(shown)} by key, and ${show(inAll)} in the list of all`)
  }
  if (shown !== undefined) {
    checkAuthor(world, id, shown)
  }
}

/** L2: the list in a record is the same object as by its own endpoint. */
function checkGroup(world: World, id: string): void {
  const shown: Group | undefined = checkRecord(world, 'Group', id)
  if (shown === undefined) {
    return
  }
  const list: unknown = world.screen.lists.find(({ path, group }) => path === 'todos' && group === id)!.read().data
  const isContained = world.subject.stored('Group', id)?.todos !== undefined
  if (isContained && list !== undefined ? shown.todos !== list : shown.todos?.length > 0) {
    fault('L2', `Group ${id} contains ${show(shown.todos)}, its list is ${show(list)}`)
  }
}

/** N1, R1: readers are notified of changes, and of nothing else. */
function checkReaders(world: World): void {
  for (const entry of world.mounted) {
    if (entry.calls > 2) {
      fault('N1', `a reader of ${entry.what} was notified ${entry.calls} times in a task`)
    }
    entry.calls = 0
    const { data } = entry.read()
    if (data !== entry.shown.data) {
      fault('N1', `a reader of ${entry.what} was not notified of ${show(data)}`)
    }
    if (world.turn % CHECK_INTERVAL === 0 && entry.read().data !== data) {
      fault('R1', `two reads of ${entry.what} differ`)
    }
  }
}

/** E1 to E4, O1. Returns the value that readers of the record show. */
function checkRecord(world: World, table: string, pk: string): any {
  const { model } = world
  const name = `${table} ${pk}`
  const shown: Fields | undefined = readerOf(world, table, pk)().data
  const history = model.record(table, pk)
  const operations = model.operations.filter((one) => one.pk === pk)
  const all = history?.current('', () => true) ?? []
  const data = all.filter(({ fields }) => fields !== undefined)
  const alive =
    history?.isCollected && operations.length > 0
      ? 'unsure'
      : data.length === 0
        ? 'no'
        : data.length === all.length
          ? 'yes'
          : 'unsure'
  if (operations.length === 0) {
    if (shown === undefined) {
      if (alive === 'yes' && !history!.isCollected) {
        fault('E4', `${name} cannot be read, although responses say ${show(data[0]!.fields)}`)
      }
      return undefined
    }
    if (alive === 'no') {
      fault(
        all.length > 0 ? 'E3' : 'E1',
        `${name} is shown as ${show(shown)}, although no current response contains it`,
      )
    }
    if (history!.isUniform() && !history!.isCollected) {
      if (!data.some(({ fields }) => isShown(fields!, shown))) {
        fault('E2', `${name} is shown as ${show(shown)}, which is none of the current responses ${show(data)}`)
      }
      return shown
    }
  }
  const previews = preview(operations, history?.statements ?? [], alive)
  if (previews.exists === undefined) {
    return shown
  }
  if (!previews.exists) {
    if (shown !== undefined) {
      fault('O1', `${name} is shown, although a pending operation deletes it`)
    }
    return undefined
  }
  if (shown === undefined) {
    return operations.length === 0
      ? undefined
      : fault('O1', `${name} is hidden, although the pending operations show it`)
  }
  for (const field of FIELDS[table]!) {
    const value = field === 'author' ? (shown['author'] as Fields | undefined)?.['id'] : shown[field]
    if (field === 'author' && value === undefined) {
      continue
    }
    if (field in previews.fields) {
      if (previews.fields[field] !== value) {
        fault('O1', `${field} of ${name} is ${show(value)}, a pending operation says ${show(previews.fields[field])}`)
      }
      continue
    }
    const statements = history?.current(field, ({ fields }) => fields === undefined || field in fields) ?? []
    // A delete that a later write has overtaken leaves the record as it was.
    if (statements.some(({ overtaken }) => overtaken)) {
      continue
    }
    const allowed = statements.map(({ fields }) => (fields ?? DEFAULTS)[field])
    // A write on top of a pending delete does not show the fields from before the delete.
    if (allowed.length === 0 || history?.isCollected || operations.some(({ kind }) => kind === 'delete')) {
      allowed.push(DEFAULTS[field])
    }
    if (!allowed.includes(value)) {
      fault('E1', `${field} of ${name} is shown as ${show(value)}, current responses say ${show(allowed)}`)
    }
  }
  return shown
}

function readerOf(world: World, table: string, pk: string): Reader {
  const name = `${table} ${pk}`
  let reader = world.screen.readers.get(name)
  if (reader === undefined) {
    world.screen.readers.set(name, (reader = world.subject.reader(CLASSES[table], [{ id: pk }])))
  }
  return reader
}

/** True when the same value has passed the checks and nothing has changed since. */
function isChecked(world: World, name: string, shown: unknown, version: number): boolean {
  const { operations } = world.model
  const last = world.screen.checked.get(name)
  if (last?.shown === shown && last?.operations === operations && last.version === version) {
    return true
  }
  world.screen.checked.set(name, { shown, operations, version })
  return false
}

/** A record with the pending operations applied; `exists` is `undefined` where the model cannot tell. */
function preview(
  operations: readonly Operation[],
  statements: readonly Contribution[],
  alive: 'yes' | 'no' | 'unsure',
): { exists: boolean | undefined; fields: Fields } {
  let exists = alive === 'unsure' ? undefined : alive === 'yes'
  let fields: Record<string, unknown> = {}
  for (const { kind, sent, fields: given } of operations) {
    // A write that was sent later and has its response outranks it.
    const later = statements.filter((one) => one.write && one.sent > sent)
    if (kind === 'delete') {
      if (later.length > 0) {
        exists = undefined
      } else {
        exists = false
        fields = {}
      }
    } else if (kind === 'patch' || (kind === 'move' && exists !== false)) {
      if (exists === undefined) {
        return { exists, fields }
      }
      if (!exists) {
        continue
      }
      for (const [name, value] of Object.entries(given)) {
        if (!later.some((one) => carries(one, name))) {
          fields[name] = value
        }
      }
    } else if (later.some((one) => one.fields === undefined)) {
      exists = undefined
    } else {
      exists = true
      for (const [name, value] of Object.entries(given)) {
        if (name !== 'id' && !later.some((one) => carries(one, name))) {
          fields[name] = value
        }
      }
    }
    if (exists === undefined) {
      return { exists, fields }
    }
  }
  return { exists, fields }
}

function carries({ fields }: Contribution, name: string): boolean {
  return fields === undefined || name in fields
}

function isShown(fields: Fields, shown: Fields): boolean {
  return Object.entries(fields).every(([name, value]) => {
    if (name !== 'author') {
      return shown[name] === value
    }
    const author = shown['author'] as Fields | undefined
    return author === undefined || author['id'] === value
  })
}

/** L2 for the author of a record. */
function checkAuthor(world: World, id: string, shown: any): void {
  const author: string | undefined = shown.author?.id ?? storedAuthor(world, id)
  const stored = author === undefined ? undefined : readerOf(world, 'Person', author)().data
  if (stored !== shown.author) {
    fault('L2', `the author of Todo ${id} is ${show(shown.author)}, by key ${show(stored)}`)
  }
}

function storedAuthor(world: World, id: string): string | undefined {
  if (world.model.operations.some(({ pk }) => pk === id)) {
    return undefined
  }
  const stored = world.subject.stored('Todo', id)
  return typeof stored === 'object' ? (stored as { author?: string } | null)?.author : undefined
}

/** L1 to L5, and O1 for lists. */
function checkList(world: World, list: ListReader, byKey: ReadonlyMap<string, any>): void {
  const { model } = world
  const { name } = list
  const shown: readonly any[] | undefined = list.read().data
  const history = model.list(name)
  const isLoaded = history?.statements.some(({ ids }) => ids !== undefined) === true || world.pages.has(name)
  if (shown === undefined) {
    if (isLoaded && !world.invalid.has(name) && !history?.isCollected) {
      fault('L5', `${name} cannot be read, although it was fetched`)
    }
    return
  }
  // Items are the same objects as by key: if one changes, the list is another object, too.
  if (isChecked(world, name, shown, model.version)) {
    return
  }
  if (!isLoaded) {
    fault('L4', `${name} is shown as ${show(shown.map(({ id }) => id))}, but was never fetched`)
  }
  const creates =
    list.path !== 'hot' ? model.operations.filter(({ kind, fields }) => kind === 'create' && matches(list, fields)) : []
  const pks = new Set<unknown>()
  for (const item of shown) {
    const pk: string = item.pk()
    if (pks.has(pk)) {
      fault('L1', `${name} shows ${pk} twice`)
    }
    pks.add(pk)
    if (isOptimistic(item)) {
      continue
    }
    if (item !== byKey.get(pk)) {
      fault('L2', `${pk} in ${name} is not the same object as by key`)
    }
  }
  for (const { pk, fields } of creates) {
    const isCreated = (item: any): boolean =>
      pk === undefined ? isOptimistic(item) && item.title === fields['title'] : item.pk() === pk
    const count = shown.filter(isCreated).length
    if (count !== 1 && !isTaken(world, pk)) {
      fault('O1', `a pending create is ${count} times in ${name}`)
    }
  }
  for (const { title } of shown.filter(isOptimistic)) {
    if (!creates.some(({ fields }) => fields['title'] === title)) {
      fault('L4', `${name} shows ${title}, which no pending operation creates`)
    }
  }
  if (world.server.cursors) {
    checkOrder(world, list, [...pks] as string[])
  }
  for (const pk of world.server.known) {
    checkMember(world, list, pk, byKey.has(pk), pks.has(pk))
  }
}

/** PAG-1: pages that were requested one after the other are in the server's order, except for deleted records. */
function checkOrder(world: World, list: ListReader, shown: readonly string[]): void {
  const { name, endpoint, args, path, group } = list
  const { unordered, placed, server } = world
  if (unordered.has(name) && !world.hasOpenPage(name) && world.subject.pages(endpoint, args).loaded.length === 0) {
    unordered.delete(name)
  }
  const listed = server.listIds(path, group)
  const known = shown.filter((pk) => listed.includes(pk) && !placed.has(pk))
  const wrong = known.find((pk, i) => i > 0 && rankOf(pk) > rankOf(known[i - 1]!))
  if (wrong !== undefined && !unordered.has(name)) {
    fault('PAG-1', `${name} shows ${String(shown)}: ${wrong} comes after an older one`)
  }
}

function checkMember(world: World, list: ListReader, pk: string, isReadable: boolean, isIn: boolean): void {
  const { model } = world
  if (!isIn && !isReadable) {
    return
  }
  const pending = model.operations.filter((one) => one.pk === pk && one.kind !== 'patch')
  if (pending.length > 0) {
    return checkRemoved(world, list, pk, pending, isIn)
  }
  const current: readonly Membership[] =
    model.list(list.name)?.current(pk, (one) => one.ids !== undefined || one.pk === pk) ?? []
  const says = (one: Membership): boolean => one.ids?.has(pk) ?? one.isIn!
  // A record that was deleted and came back, or that two writes moved at once, may be in any list until the list is fetched again.
  const deletion = model.record('Todo', pk)?.statements.findLast(({ fields }) => fields === undefined)
  const last = Math.max(deletion?.delivered ?? -1, world.ambiguous.get(pk) ?? -1)
  if (last >= 0 && !current.some((one) => one.sent > last)) {
    return
  }
  // In a paged list that includes every page that may still contain it (PAG-2).
  if (deletion && world.isPaged && isIn) {
    return
  }
  const isPut = world.isPaged
    ? world.ambiguous.has(pk) || world.paged.get(list.name)?.has(pk) === true
    : current.some(says)
  if (isIn && !isPut) {
    fault('L4', `${list.name} shows ${pk}, which no current response or write has put there`)
  }
  if (!isIn && current.some(({ ids }) => ids !== undefined) && current.every(says)) {
    const isWritten = current.some((one) => one.write)
    fault(isWritten ? 'L3' : 'L5', `${list.name} does not show ${pk}, which all current responses and writes contain`)
  }
}

/** O1: a record with a pending removal is not in the list, unless a write that was sent later put it there. */
function checkRemoved(world: World, list: ListReader, pk: string, pending: readonly Operation[], isIn: boolean): void {
  const [one, other] = pending
  if (!isIn || other !== undefined || one!.kind !== 'remove' || list.path === 'hot' || list.group !== null) {
    return
  }
  const isLater = ({ write, sent }: { write: boolean; sent: number }): boolean => write && sent > one!.sent
  // A record that was deleted and that a later write brought back is in the lists of that write.
  const records = world.model.record('Todo', pk)?.statements ?? []
  if (records.some(({ fields }) => fields === undefined) && records.some((later) => later.fields && isLater(later))) {
    return
  }
  const statements = world.model.list(list.name)?.statements ?? []
  if (!statements.some((later) => later.pk === pk && isLater(later))) {
    fault('O1', `${list.name} shows ${pk}, which a pending operation removes`)
  }
}

/** True for a create with an id that another operation or an earlier record has. */
function isTaken(world: World, pk: string | undefined): boolean {
  return (
    pk !== undefined &&
    (world.model.operations.filter((one) => one.pk === pk).length > 1 || world.model.record('Todo', pk) !== undefined)
  )
}

function matches({ group }: ListReader, fields: Fields): boolean {
  return group === null || fields['group'] === group
}

export function fault(code: string, text: string): never {
  throw new Violation(code, text)
}
