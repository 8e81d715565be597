// What must hold after every step.
import { isOptimistic } from 'restitch'
import { Person, Todo } from './api.ts'
import type { Contribution, Fields, Membership, Operation } from './model.ts'
import { rankOf } from './server.ts'
import type { Listed } from './sight.ts'
import type { Reader } from './subject.ts'
import { show, Violation, type World } from './world.ts'

const DEFAULTS: Fields = { title: '', body: '', group: '', name: '' }
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Todo: ['title', 'body', 'group', 'author'],
  Person: ['name'],
}
const CLASSES: Readonly<Record<string, unknown>> = { Todo, Person }

/** What did not change is looked at once in so many steps. */
const TURNS = 12
/** Once in so many steps all is made anew and compared. */
const COLD = 50

export function checkAll(world: World): void {
  if (world.violation !== undefined) {
    throw world.violation
  }
  checkReaders(world)
  if (world.profile.isAlone && world.network.open.size === 0) {
    checkRest(world)
  }
  const { sight, model } = world
  const state = world.subject.state()
  const isSame = sight.state === state && sight.operations === model.operations && sight.version === model.version
  if (isSame && world.turn % TURNS !== 0) {
    return void world.turn++
  }
  Object.assign(sight, { state, operations: model.operations, version: model.version })
  const all: readonly any[] = sight.all().data ?? []
  const shown = new Map<string, any>(all.map((item) => [item.pk(), item]))
  const turn = world.turn++ % TURNS
  for (const [i, id] of world.server.known.entries()) {
    if (
      i % TURNS === turn ||
      !isChecked(world, `Todo ${id}`, shown.get(id), world.model.record('Todo', id)?.version ?? 0)
    ) {
      checkTodo(world, id, shown.get(id))
    }
  }
  for (const id of world.server.people.keys()) {
    checkRecord(world, 'Person', id)
  }
  for (const list of sight.lists) {
    checkList(world, list, shown)
  }
  const { operations } = world.model
  const pending = world.subject.pending()
  if (operations.length === 0) {
    checkBefore(world, all)
  }
  if (world.turn % COLD === 0) {
    checkCold(world)
  }
  if (pending !== operations.length) {
    fault('O4', `${pending} operations are pending, ${operations.length} should be`)
  }
}

/** C2: at rest a mounted list is the server's: sorted as there, and of the same records where nothing tells their order. */
function checkRest({ sight, mounted, server, model }: World): void {
  for (const { what, read } of mounted) {
    const list = [...sight.lists, ...sight.searches].find(({ endpoint, args }) => endpoint.key(...args) === what)
    if (list === undefined) {
      continue
    }
    const { path, group, search = {} } = list
    const shown = ((read().data ?? []) as readonly { id: string }[]).map(({ id }) => id)
    const listed = server.listed(path, group, search)
    const fetched = Math.max(...(model.list(list.name)?.statements ?? []).map(({ ids, sent }) => (ids ? sent : 0)))
    const isKnown = (id: string): boolean => model.record('Todo', id)?.isReversed(fetched) !== true
    const known = [shown, listed].map((ids) => ids.filter(isKnown)) as [string[], string[]]
    const [one, other] = search.sort ? known : known.map((ids) => ids.toSorted())
    if (String(one) !== String(other)) {
      fault('C2', `at rest ${list.name} shows ${String(shown)}, the server has ${String(listed)}`)
    }
  }
}

/** O3: an operation that was alone and failed has left no trace. */
function checkBefore(world: World, all: readonly unknown[]): void {
  const { before, model, sight } = world
  world.before = undefined
  if (before?.version !== model.version) {
    return
  }
  if (show(before.all) !== show(all)) {
    fault('O3', `after an operation that failed ${show(before.all)} became ${show(all)}`)
  }
  for (const [i, { name, read }] of sight.lists.entries()) {
    if (show(before.lists[i]) !== show(read().data)) {
      fault('O3', `${name} is not what it was before an operation that failed`)
    }
  }
}

/** R1, I1: what is remembered is what would be made anew, and stays as it was handed out. */
function checkCold(world: World): void {
  for (const [value, text] of world.samples.splice(0)) {
    if (show(value) !== text) {
      fault('I1', `${text} became ${show(value)}`)
    }
  }
  const { all, lists } = world.sight
  const warm = [all, ...lists.map(({ read }) => read)].map((read) => read().data)
  for (const value of warm) {
    world.samples.push([value, show(value)])
  }
  if (world.model.operations.length > 0) {
    return
  }
  const subject = world.begin(world.subject.save())
  const sight = world.open(subject)
  const cold = [sight.all, ...sight.lists.map(({ read }) => read)].map((read) => read().data)
  subject.stop()
  for (const [i, value] of warm.entries()) {
    if (show(value ?? []) !== show(cold[i] ?? [])) {
      fault('R1', `shown is ${show(value)}, made anew it is ${show(cold[i])}`)
    }
  }
}

/** L2: a record is the same object wherever it is seen. */
function checkTodo(world: World, id: string, inAll: any): void {
  const shown = checkRecord(world, 'Todo', id)
  if (shown !== inAll) {
    fault('L2', `Todo ${id} is ${show(shown)} by key, and ${show(inAll)} among all`)
  }
  if (shown !== undefined) {
    checkAuthor(world, id, shown)
  }
}

/** N1, R1: readers are told what changed, and only that. */
function checkReaders(world: World): void {
  for (const entry of world.mounted) {
    if (entry.calls > 2) {
      fault('N1', `a reader of ${entry.what} was called ${entry.calls} times in a task`)
    }
    entry.calls = 0
    const { data } = entry.read()
    if (data !== entry.seen.data) {
      fault('N1', `a reader of ${entry.what} was not told of ${show(data)}`)
    }
    if (world.turn % TURNS === 0 && entry.read().data !== data) {
      fault('R1', `two reads of ${entry.what} differ`)
    }
  }
}

/** E1 to E4, O1: gives what is shown of a record. */
function checkRecord(world: World, table: string, pk: string): any {
  const { model } = world
  const name = `${table} ${pk}`
  const shown: Fields | undefined = readerOf(world, table, pk)().data
  const history = model.record(table, pk)
  const operations = table === 'Todo' ? model.operations.filter((one) => one.pk === pk) : []
  const all = history?.standing('', () => true) ?? []
  const data = all.filter(({ fields }) => fields !== undefined)
  const alive =
    history?.isFaded && operations.length > 0
      ? 'unsure'
      : data.length === 0
        ? 'no'
        : data.length === all.length
          ? 'yes'
          : 'unsure'
  if (operations.length === 0) {
    if (shown === undefined) {
      if (alive === 'yes' && !history!.isFaded) {
        fault('E4', `${name} cannot be read, though it is ${show(data[0]!.fields)}`)
      }
      return undefined
    }
    if (alive === 'no') {
      fault(all.length > 0 ? 'E3' : 'E1', `${name} is shown, though nothing stands that says so: ${show(shown)}`)
    }
    if (history!.isUniform() && !history!.isFaded) {
      if (!data.some(({ fields }) => isShown(fields!, shown))) {
        fault('E2', `${name} is shown as ${show(shown)}, no answer that stands says that: ${show(data)}`)
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
      fault('O1', `${name} is shown, though a pending operation takes it away`)
    }
    return undefined
  }
  if (shown === undefined) {
    return operations.length === 0 ? undefined : fault('O1', `${name} is hidden by operations that show it`)
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
    const said = history?.standing(field, ({ fields }) => fields === undefined || field in fields) ?? []
    // A delete that a write sent later has overtaken leaves the record as it was.
    if (said.some(({ overtaken }) => overtaken)) {
      continue
    }
    const standing = said.map(({ fields }) => (fields ?? DEFAULTS)[field])
    // What is put over a pending delete shows nothing of what lies below.
    if (standing.length === 0 || history?.isFaded || operations.some(({ kind }) => kind === 'delete')) {
      standing.push(DEFAULTS[field])
    }
    if (!standing.includes(value)) {
      fault('E1', `${field} of ${name} is shown as ${show(value)}, what stands is ${show(standing)}`)
    }
  }
  return shown
}

function readerOf(world: World, table: string, pk: string): Reader {
  const name = `${table} ${pk}`
  let reader = world.sight.readers.get(name)
  if (reader === undefined) {
    world.sight.readers.set(name, (reader = world.subject.reader(CLASSES[table], [{ id: pk }])))
  }
  return reader
}

/** True when the same was shown and found right while nothing else was known. */
function isChecked(world: World, name: string, shown: unknown, version: number): boolean {
  const { operations } = world.model
  const last = world.sight.checked.get(name)
  if (last?.shown === shown && last?.operations === operations && last.version === version) {
    return true
  }
  world.sight.checked.set(name, { shown, operations, version })
  return false
}

/** What pending operations make of a record; `undefined` where that cannot be told. */
function preview(
  operations: readonly Operation[],
  statements: readonly Contribution[],
  alive: 'yes' | 'no' | 'unsure',
): { exists: boolean | undefined; fields: Fields } {
  let exists = alive === 'unsure' ? undefined : alive === 'yes'
  let fields: Record<string, unknown> = {}
  for (const { kind, sent, fields: given } of operations) {
    // A write that was sent later and has been answered covers it.
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

/** L2 for what a record refers to. */
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
function checkList(world: World, list: Listed, byKey: ReadonlyMap<string, any>): void {
  const { model } = world
  const { name } = list
  const shown: readonly any[] | undefined = list.read().data
  const history = model.list(name)
  const isLoaded = history?.statements.some(({ ids }) => ids !== undefined) === true || world.pages.has(name)
  if (shown === undefined) {
    if (isLoaded && !world.invalid.has(name) && !history?.isFaded) {
      fault('L5', `${name} was answered and cannot be read`)
    }
    return
  }
  // What is in a list is the same object as by key, or the list would be another.
  if (isChecked(world, name, shown, model.version)) {
    return
  }
  if (!isLoaded) {
    fault('L4', `${name} is shown as ${show(shown.map(({ id }) => id))}, and was never answered`)
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
      fault('L2', `${pk} in ${name} is not the object that is read by key`)
    }
  }
  for (const { pk, fields } of creates) {
    const isIt = (item: any): boolean =>
      pk === undefined ? isOptimistic(item) && item.title === fields['title'] : item.pk() === pk
    const count = shown.filter(isIt).length
    if (count !== 1 && !isTaken(world, pk)) {
      fault('O1', `a pending create stands ${count} times in ${name}`)
    }
  }
  const ghosts = shown.filter(isOptimistic)
  for (const { title } of ghosts) {
    if (!creates.some(({ fields }) => fields['title'] === title)) {
      fault('L4', `${name} shows a stand-in that nobody is creating: ${title}`)
    }
  }
  if (world.server.cursors) {
    checkOrder(world, list, [...pks] as string[])
  }
  for (const pk of world.server.known) {
    checkMember(world, list, pk, byKey.has(pk), pks.has(pk))
  }
}

/** PAG-1: pages that were asked for one after the other stand as on the server, but for records that are not there any more. */
function checkOrder(world: World, list: Listed, shown: readonly string[]): void {
  const { name, endpoint, args, path, group } = list
  const { scattered, placed, server } = world
  if (scattered.has(name) && !world.hasOpenPage(name) && world.subject.pages(endpoint, args).loaded.length === 0) {
    scattered.delete(name)
  }
  const listed = server.listed(path, group)
  const known = shown.filter((pk) => listed.includes(pk) && !placed.has(pk))
  const wrong = known.find((pk, i) => i > 0 && rankOf(pk) > rankOf(known[i - 1]!))
  if (wrong !== undefined && !scattered.has(name)) {
    fault('PAG-1', `${name} shows ${String(shown)}: ${wrong} stands behind an older one`)
  }
}

function checkMember(world: World, list: Listed, pk: string, isReadable: boolean, isIn: boolean): void {
  const { model } = world
  if (!isIn && !isReadable) {
    return
  }
  const pending = model.operations.filter((one) => one.pk === pk && one.kind !== 'patch')
  if (pending.length > 0) {
    return checkRemoved(world, list, pk, pending, isIn)
  }
  const standing: readonly Membership[] =
    model.list(list.name)?.standing(pk, (one) => one.ids !== undefined || one.pk === pk) ?? []
  const says = (one: Membership): boolean => one.ids?.has(pk) ?? one.isIn!
  // What was deleted and came back, or was moved by two writes at once, may stand anywhere until the list is read again.
  const gone = model.record('Todo', pk)?.statements.findLast(({ fields }) => fields === undefined)
  const last = Math.max(gone?.delivered ?? -1, world.clouds.get(pk) ?? -1)
  if (last >= 0 && !standing.some((one) => one.sent > last)) {
    return
  }
  // Of a paged list that is every page it may have been left on (PAG-2).
  if (gone && world.isPaged && isIn) {
    return
  }
  const isPut = world.isPaged
    ? world.clouds.has(pk) || world.paged.get(list.name)?.has(pk) === true
    : standing.some(says)
  if (isIn && !isPut) {
    fault('L4', `${list.name} shows ${pk}, which nothing that stands put there`)
  }
  if (!isIn && standing.some(({ ids }) => ids !== undefined) && standing.every(says)) {
    const isWritten = standing.some((one) => one.write)
    fault(isWritten ? 'L3' : 'L5', `${list.name} does not show ${pk}, which all that stands put there`)
  }
}

/** O1: what is being removed is not in the list, unless a write sent later has the last word. */
function checkRemoved(world: World, list: Listed, pk: string, pending: readonly Operation[], isIn: boolean): void {
  const [one, other] = pending
  if (!isIn || other !== undefined || one!.kind !== 'remove' || list.path === 'hot' || list.group !== null) {
    return
  }
  const isLater = ({ write, sent }: { write: boolean; sent: number }): boolean => write && sent > one!.sent
  // What was deleted, and brought back by a write sent later, is put where that write puts it.
  const told = world.model.record('Todo', pk)?.statements ?? []
  if (told.some(({ fields }) => fields === undefined) && told.some((later) => later.fields && isLater(later))) {
    return
  }
  const statements = world.model.list(list.name)?.statements ?? []
  if (!statements.some((later) => later.pk === pk && isLater(later))) {
    fault('O1', `${list.name} shows ${pk}, which a pending operation takes out`)
  }
}

/** A create under an id that a delete or another write is busy with. */
function isTaken(world: World, pk: string | undefined): boolean {
  return (
    pk !== undefined &&
    (world.model.operations.filter((one) => one.pk === pk).length > 1 || world.model.record('Todo', pk) !== undefined)
  )
}

function matches({ group }: Listed, fields: Fields): boolean {
  return group === null || fields['group'] === group
}

export function fault(code: string, text: string): never {
  throw new Violation(code, text)
}
