// The invariants that are checked after every step.
import { isOptimistic } from 'restitch'
import { Group, Person, Todo } from './api.ts'
import { itemsIn, type ListReader, valuesOf } from './screen.ts'
import type { Reader } from './subject.ts'
import { type Fields, isThere, show, versionOf, Violation, type World } from './world.ts'

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Todo: ['title', 'body', 'group', 'author'],
  Person: ['name'],
  Group: ['name'],
}
const CLASSES: Readonly<Record<string, unknown>> = { Todo, Person, Group }

/** If nothing has changed, everything is checked once in so many steps. */
const CHECK_INTERVAL = 12
/** Once in so many steps, everything is compared with a store that is restored from the saved state. */
const COLD_INTERVAL = 50

export function checkStep(world: World): void {
  if (world.violation !== undefined) {
    throw world.violation
  }
  if (!world.subject.isTimeSteady()) {
    fault('ST-21', 'the time of the store went back with the wall clock')
  }
  checkReaders(world)
  const unheard = world.turn % CHECK_INTERVAL === 0 && world.subject.unheard()
  if (unheard) {
    fault('FEED', unheard)
  }
  const { screen, server, operations, version, checked } = world
  const state = world.subject.state()
  const isSame = checked?.state === state && checked?.version === version && checked?.operations === operations
  if (isSame && world.turn % CHECK_INTERVAL !== 0) {
    return void world.turn++
  }
  world.turn++
  world.checked = { state, version, operations }
  const all: readonly any[] = screen.all().data ?? []
  const shown = new Map<string, any>(all.map((item) => [item.pk(), item]))
  for (const id of server.known) {
    checkTodo(world, id, shown.get(id))
  }
  for (const id of server.people.keys()) {
    checkRecord(world, 'Person', id, server.people.get(id))
  }
  for (const id of server.groups.keys()) {
    checkGroup(world, id)
  }
  for (const list of [...screen.lists, ...screen.searches]) {
    checkList(world, list, shown)
  }
  if (operations.length === 0) {
    checkBefore(world)
  }
  if (world.turn % COLD_INTERVAL === 0) {
    checkCold(world)
  }
  const pending = world.subject.pending()
  if (pending !== operations.length) {
    fault('O4', `${pending} operations are pending, ${operations.length} should be`)
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

/** E2, E4, O1, W1, W2 for a record that is read by key. Returns what readers show. */
function checkRecord(world: World, table: string, pk: string, row: object | undefined): any {
  const name = `${table} ${pk}`
  const shown: Fields | undefined = readerOf(world, table, pk)().data
  const notes = world.notesOn(table, pk)
  const operations = world.operations.filter((one) => one.table === table && one.pk === pk)
  const last = world.lastOperation(notes)
  const write = world.lastWord(notes)
  if (last?.kind === 'delete' && shown) {
    fault('O1', `${name} is shown, although a pending operation deletes it`)
  }
  if (write?.kind === 'delete' && shown) {
    fault('W2', `${name} is shown as ${show(shown)}, although it was deleted`)
  }
  if (!shown) {
    if (last?.kind === 'put' || last?.kind === 'create') {
      fault('O1', `${name} is hidden, although a pending operation shows it`)
    }
    if (operations.length === 0 && isThere(world.subject.stored(table, pk))) {
      fault('E4', `${name} cannot be read, although it is stored`)
    }
    return undefined
  }
  for (const field of FIELDS[table]!) {
    const value: unknown = field === 'author' ? (shown['author'] as Fields | undefined)?.['id'] : shown[field]
    // Without its default: a record may lack it, and a person need not be known.
    if (value === '' || (field === 'author' && value === undefined)) {
      continue
    }
    if (last && field in last.fields && last.fields[field] !== value) {
      fault('O1', `${field} of ${name} is ${show(value)}, a pending operation says ${show(last.fields[field])}`)
    }
    if (write && field in write.fields && (row as Fields | undefined)?.[field] !== value) {
      fault('W1', `${field} of ${name} is ${show(value)}, although ${show(write.fields[field])} was written`)
    }
    const isPending = operations.some(({ fields }) => fields[field] === value)
    if (!isPending && !notes.values.get(field)?.has(value)) {
      fault('E2', `${field} of ${name} is ${show(value)}, which no response and no pending operation contains`)
    }
  }
  const isWhole = table === 'Todo' && operations.length === 0 && !notes.isPartial
  if (isWhole && !notes.versions.has(versionOf(shown))) {
    fault('E2', `${name} is ${versionOf(shown)}, which is none of the responses ${[...notes.versions].join(' ')}`)
  }
  return shown
}

/** L2: every reader gets the same object for a record, and for its author. */
function checkTodo(world: World, id: string, inAll: any): void {
  const shown = checkRecord(world, 'Todo', id, world.server.rows.get(id))
  if (shown !== inAll) {
    fault('L2', `Todo ${id} is ${show(shown)} by key, and ${show(inAll)} in the list of all`)
  }
  const author = shown?.author && readerOf(world, 'Person', shown.author.id)().data
  if (author !== shown?.author) {
    fault('L2', `the author of Todo ${id} is ${show(shown.author)}, by key ${show(author)}`)
  }
}

/** L2: the list in a record is the same object as by its own endpoint. */
function checkGroup(world: World, id: string): void {
  const shown: Group | undefined = checkRecord(world, 'Group', id, world.server.groups.get(id))
  if (shown === undefined) {
    return
  }
  const list: unknown = world.screen.lists.find(({ path, group }) => path === 'todos' && group === id)!.read().data
  const isContained = world.subject.stored('Group', id)?.todos !== undefined
  if (isContained && list !== undefined ? shown.todos !== list : shown.todos?.length > 0) {
    fault('L2', `Group ${id} contains ${show(shown.todos)}, its list is ${show(list)}`)
  }
}

/** L1, L2, and O1, W1 and W2 for lists whose arguments are fields. */
function checkList(world: World, list: ListReader, byKey: ReadonlyMap<string, any>): void {
  const { key, group, path, search } = list
  const shown = itemsIn(list.read().data)
  if (shown === undefined) {
    return
  }
  const pks = new Set<string>()
  for (const item of shown) {
    const pk: string = item.pk()
    if (pks.has(pk)) {
      fault('L1', `${key} shows ${pk} twice`)
    }
    pks.add(pk)
    if (isOptimistic(item)) {
      if (!world.operations.some(({ fields }) => fields['title'] === item.title)) {
        fault('O3', `${key} shows ${item.title}, which no pending operation creates`)
      }
    } else if (item !== byKey.get(pk)) {
      fault('L2', `${pk} in ${key} is not the same object as by key`)
    }
  }
  if (path !== 'todos' || search !== undefined) {
    return
  }
  for (const { kind, pk, fields } of world.operations) {
    if (kind === 'create' && pk === undefined && (group === null || fields['group'] === group)) {
      const count = shown.filter((item) => isOptimistic(item) && item.title === fields['title']).length
      if (count !== 1) {
        fault('O1', `a pending create is ${count} times in ${key}`)
      }
    }
  }
  const isMounted = world.mounted.some(({ what }) => what === key)
  for (const pk of isMounted ? world.server.known : []) {
    checkMember(world, list, pk, pks.has(pk))
  }
}

function checkMember(world: World, { key, group }: ListReader, pk: string, isIn: boolean): void {
  const notes = world.notesOn('Todo', pk)
  if (isIn && world.lastOperation(notes)?.kind === 'remove') {
    fault('O1', `${key} shows ${pk}, which a pending operation removes`)
  }
  const write = world.lastWord(notes)
  if (!write) {
    return
  }
  const { kind, settled, loaded, holds } = write
  const row = world.server.rows.get(pk)
  const fits = row !== undefined && !row.hidden && (group === null || row.group === group)
  const hasResponse = (world.listed.get(key) ?? 0) > settled
  // A list that arrives for the first time, and was requested before, may be wrong until its refetch, which swaps all pages at once.
  if (isIn && !fits && (kind === 'delete' || loaded.has(key) || (hasResponse && !world.isPaged))) {
    fault(kind === 'delete' ? 'W2' : 'W1', `${key} shows ${pk}, although a ${kind} of it was done`)
  }
  // The server may have put it on another page.
  if (!isIn && fits && holds.has(key) && !(world.isPaged && hasResponse)) {
    fault('W1', `${key} does not show ${pk}, although a ${kind} of it was done`)
  }
}

/** O3: a failed operation that was the only one pending leaves no trace. */
function checkBefore(world: World): void {
  const { before, version, screen } = world
  world.before = undefined
  if (before?.version !== version) {
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
  if (world.operations.length > 0) {
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

function readerOf(world: World, table: string, pk: string): Reader {
  const name = `${table} ${pk}`
  let reader = world.screen.readers.get(name)
  if (reader === undefined) {
    world.screen.readers.set(name, (reader = world.subject.reader(CLASSES[table], [{ id: pk }])))
  }
  return reader
}

export function fault(code: string, text: string): never {
  throw new Violation(code, text)
}
