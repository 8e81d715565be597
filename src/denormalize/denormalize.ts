import { DEV } from '../base/env.ts'
import { freezePlain, put } from '../base/equal.ts'
import { fail } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'
import { isStandIn } from '../base/standIn.ts'
import { markOrigin } from '../normalize/origin.ts'
import { type Row, type Slot, Table, type Tables, top } from '../normalize/tables.ts'
import { denormalizeItems } from '../schema/Array.ts'
import { Collection } from '../schema/Collection.ts'
import { assignFields, type Entity } from '../schema/Entity.ts'
import { give } from '../schema/give.ts'
import { denormalizeMembers } from '../schema/Object.ts'
import { type Choice, listChoice } from '../schema/polymorphic.ts'
import { Query } from '../schema/Query.ts'
import { scalarTable } from '../schema/Scalar.ts'
import { INVALID, type IDenormalizeDelegate, isEntity, isOwn, isSchemaClass } from '../schema/Schema.ts'
import { denormalizeEntries } from '../schema/Values.ts'
import { isComplete } from './complete.ts'
import { convert, isConverter } from './convert.ts'
import { findOld, hasSameItems, holdsRecords, type Old, takeOver } from './items.ts'
import {
  clean,
  COVERED,
  depsFrom,
  DIRTY,
  extras,
  FAILED,
  isAsOf,
  isCovered,
  type Kept,
  KNOWN,
  link,
  MAKING,
  mayReturn,
  type Node,
  parentsOf,
  TRYING,
  UNMADE,
  verify,
} from './memo.ts'
import { childNode, entityNode, find, listNode, now, own, type Rows, variant } from './lookup.ts'
import { findNode } from './nodes.ts'
import { keyOf, schemaName } from './queryKey.ts'
import { instantiate, isReference, shapeOf } from './shape.ts'
import { isShown, needs } from './usable.ts'

type Fields = Record<string, any>

/** How deep what may come back after a pending operation is looked for: it takes a stack. */
const DEEPEST = 30

/** Makes values from rows. */
export interface Reader {
  /** The value of a node. Throws what user code threw while it was made. */
  read(node: Node): unknown
  /** The view of an endpoint's result, or of what can be inferred in its place. */
  resultNode(slot: Slot, schema: unknown, args: readonly any[], path: string | undefined): Node
}

/**
 * Makes a reader. Each value is kept in a node until a row it was made from changes. Objects are made before their
 * fields are set, from a queue: rings of records and chains of any length need no stack.
 *
 * @param row which rows are read; with it the reader keeps its values apart from those everybody shares
 */
export function createReader(tables: Tables, row?: (slot: Slot) => Row): Reader {
  const apart = row && new Map<object, Node>()
  const rows: Rows = {
    tables,
    row: row ?? top,
    apart,
    made: [],
    queue: [],
    usable: new Map(),
    failed: false,
    busy: false,
  }
  return {
    read: (node) => read(rows, node),
    resultNode: (slot, schema, args, path) => findNode(apart, slot, 'result', schema, extras(args, '', Infinity, path)),
  }
}

let run = 0
/** The field of the record that is being set. */
let field: string | undefined
let tries = 0
/**
 * What the node being made depends on, from `base` to `end`: one array for all, since most nodes depend on little and
 * arrays that grow are dear. Where it is known otherwise, it is `given`.
 */
const noted: Node[] = []
let base = 0
let end = 0
let given: readonly Node[] | undefined

function read(rows: Rows, node: Node): unknown {
  if (node.flags & DIRTY) {
    // User code that is asked while something is read may read as well.
    const { rows: outer, node: outerNode } = now
    now.rows = rows
    now.node = undefined
    try {
      if ((node.flags & KNOWN) === 0) {
        verify(node, own, run)
      }
      if (node.flags & DIRTY) {
        make(rows, node)
      }
    } finally {
      now.rows = outer
      now.node = outerNode
    }
  }
  if (node.flags & FAILED) {
    throw node.view
  }
  return node.view === INVALID ? undefined : node.view
}

function make(rows: Rows, node: Node): void {
  if (rows.busy) {
    start(node)
    drain()
    return
  }
  const from = [base, end, tries] as const
  rows.busy = true
  run++
  try {
    start(node)
    drain()
  } finally {
    if (rows.failed) {
      spreadFailure()
    }
    for (const done of rows.made) {
      if (DEV && done.extra?.args && (done.flags & FAILED) === 0) {
        freezePlain(done.view)
      }
      clean(done, run)
    }
    rows.made = []
    rows.usable.clear()
    rows.failed = rows.busy = false
    ;[base, end, tries] = from
    // Nothing that was read is held here.
    noted.length = end
  }
}

/** Gives a node an object to refer to, and queues the setting of its fields. */
function start(node: Node): void {
  const { flags, view, seen, deps, builtAt, changedAt } = node
  const isOld = (flags & FAILED) === 0
  if (node.extra?.back) {
    node.extra.back = undefined
  }
  const last: Kept | undefined =
    flags & COVERED && isOld && seen !== UNMADE
      ? { view, seen, deps, builtAt, since: changedAt, until: run }
      : undefined
  if (last) {
    ;(node.extra ??= extras()).kept ??= last
  }
  node.flags = DIRTY | KNOWN | TRYING
  node.seen = own(node)
  // Who looks at it meanwhile has to take it for changed.
  node.changedAt = run
  now.rows.made.push(node)
  const { extra } = node
  const kept = extra?.kept
  const changed = kept && comeBack(node, kept)
  if (node.flags & TRYING) {
    begin(node, isOld ? view : undefined, seen)
  }
  if (kept) {
    const isBack = kept.view === node.view
    if (isBack) {
      extra.back = kept
    }
    const isLost = changed && !isCovered(changed) && (changed === node || !changed.extra?.kept)
    const { source } = node
    // What lies below the pending operations is another.
    const isOver = changed === node && source && !(source instanceof Table) && source.value !== kept.seen
    // What it was then is shown, or is no more, whatever becomes of the pending operations; what it was just now may be.
    if (isBack || isLost || (last && last !== kept && changed && (isOver || !mayReturn(node, kept)))) {
      extra.kept = isLost || kept === last || (last && !mayReturn(node, last)) ? undefined : last
    }
  }
  if (isOld && node.view === view && (node.flags & FAILED) === 0) {
    node.changedAt = changedAt
  }
}

/** Shows a node as before a pending operation, if that is gone and nothing else has changed; gives what has. */
function comeBack(node: Node, { view, seen, deps, builtAt }: Kept): Node | undefined {
  if (seen !== node.seen) {
    return node
  }
  if (tries > DEEPEST) {
    return undefined
  }
  tries++
  let other: Node | undefined
  for (const dep of deps) {
    ensure(dep)
    if (!isAsOf(dep, builtAt)) {
      other = dep
    }
    // Without the flag somebody needed it meanwhile, and it is being made anew.
    if (other !== undefined || (node.flags & TRYING) === 0) {
      break
    }
  }
  tries--
  if (other === undefined && node.flags & TRYING) {
    node.flags = DIRTY | KNOWN | MAKING
    node.view = view
    link(node, deps)
  }
  return other
}

function begin(node: Node, old?: unknown, before?: unknown): void {
  const { kind, seen } = node
  node.flags = DIRTY | KNOWN | MAKING
  if (kind === 'entity') {
    try {
      node.view = seen === undefined ? undefined : isShown(node) ? instantiate(node) : INVALID
      now.rows.queue.push(node)
    } catch (error) {
      refuse(node, error)
    }
  } else if (kind === 'cell' || kind === 'table' || kind === 'index') {
    node.view = seen
  } else {
    within(node, old, before)
  }
}

function drain(): void {
  const { queue } = now.rows
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    within(node)
  }
}

/** Makes `node`, as the one whose dependencies are noted. What user code throws stays with it. */
function within(node: Node, old?: unknown, before?: unknown): void {
  const outer = now.node
  const outerBase = base
  const outerArgs = now.args
  const outerField = field
  const outerGiven = given
  now.node = node
  base = end
  given = field = undefined
  if (node.extra?.args) {
    now.args = node.extra.args
  }
  try {
    if (node.kind === 'entity') {
      fill(node)
    } else {
      node.view = asBefore(node, old, compute(node, old, before))
    }
  } catch (error) {
    refuse(node, error)
  }
  link(node, given ?? depsFrom(noted, base, end))
  end = base
  now.node = outer
  base = outerBase
  now.args = outerArgs
  field = outerField
  given = outerGiven
}

function refuse(node: Node, error: unknown): void {
  node.view = error
  node.flags |= FAILED
  node.changedAt = run
  now.rows.failed = true
}

function spreadFailure(): void {
  const all = now.rows.made.filter((node) => node.flags & FAILED)
  for (const node of all) {
    for (const parent of parentsOf(node)) {
      if ((parent.flags & (MAKING | FAILED)) !== MAKING) {
        continue
      }
      refuse(parent, node.view)
      all.push(parent)
    }
  }
}

function compute(node: Node, old: unknown, before: unknown): unknown {
  const { kind, schema, seen } = node
  if (kind === 'all') {
    return makeAll(node, old)
  }
  if (kind === 'list') {
    if (typeof seen !== 'object') {
      return seen
    }
    const { isMap, cacheWith } = schema as Collection
    return isMap ? denormalizeEntries(cacheWith.choice, seen, delegate) : makeList(node, cacheWith.choice, old, before)
  }
  if (kind === 'result' && seen !== undefined) {
    return Array.isArray(schema) && schema.length > 0
      ? makeList(node, listChoice(schema), old, before)
      : unvisit(schema, seen)
  }
  return ask(node)
}

/** What was shown before, or before a pending operation, where it has the same items. */
function asBefore(node: Node, old: unknown, value: unknown): unknown {
  const isResult = node.kind === 'result' || node.kind === 'query'
  // What another node shows is as it is there.
  if (isResult) {
    for (let i = base; i < end; i++) {
      if (noted[i]!.view === value) {
        return value
      }
    }
  }
  for (const known of [old, node.extra?.kept?.view]) {
    if (hasSameItems(known, value)) {
      return known
    }
  }
  if (!isResult && typeof value === 'object' && value !== null) {
    if (node.kind === 'list') {
      markOrigin(value, node.source as Slot)
    }
    if (DEV) {
      Object.freeze(value)
    }
  }
  return value
}

function makeList(node: Node, choice: Choice, old: unknown, before: unknown): unknown {
  const now = node.seen as unknown[]
  const known = holdsRecords(choice) ? findOld(node, old, before, now) : undefined
  return (
    (known && takeItems(node, known, before === now ? undefined : choice)) ?? denormalizeItems(choice, now, delegate)
  )
}

function takeItems(node: Node, old: Old, choice?: Choice): unknown {
  const { deps, seen } = node
  const { start: from, end: till } = old
  const fresh: any =
    choice && denormalizeItems(choice, (seen as unknown[]).slice(from, (seen as unknown[]).length - till), delegate)
  given =
    choice === undefined
      ? deps
      : deps.slice(0, from).concat(noted.slice(base, end), deps.slice(old.items.length - till))
  const items = takeOver(node, old, fresh, viewOf)
  if (items === undefined) {
    given = undefined
    end = base
  }
  return items
}

function makeAll(node: Node, old: unknown): unknown {
  const table = node.source as Table
  const members = find(table, 'table')
  ensure(members)
  if (members.changedAt <= node.builtAt) {
    const known = findOld(node, old, old, old, 1)
    const items = known && takeItems(node, known)
    if (items) {
      return items
    }
  }
  get(members)
  const view: unknown[] = []
  const add = (slot: Slot): void => {
    const value = get(entityNode(node.schema as typeof Entity, slot))
    if (value !== undefined && value !== INVALID) {
      view.push(value)
    }
  }
  table.rows.forEach(add)
  table.floating.forEach(add)
  return view
}

/** What the store can tell about a schema with these arguments. */
function ask(node: Node): unknown {
  if (node.schema === undefined || node.schema === null) {
    return undefined
  }
  const input = keyOf(node, get)
  return input === undefined ? undefined : unvisit(node.schema, input)
}

function fill(node: Node): void {
  const { view, source, seen } = node
  if (view === undefined) {
    return
  }
  if (view === INVALID) {
    // An invalid record depends on what made it so.
    needs(node).forEach(get)
    return
  }
  const Class = node.schema as typeof Entity
  const { schema } = Class
  const { hasGetters } = shapeOf(Class)
  const deep = (node.extra?.depth ?? Infinity) > 0
  if (DEV && !deep) {
    warnOnce(
      `Reading stopped at the maxEntityDepth of "${Class.key}"; deeper relations hold ids. Use Lazy for them.`,
      'error',
    )
  }
  for (const name in schema) {
    if (!Object.hasOwn(seen as Fields, name)) {
      continue
    }
    const raw: unknown = (seen as Fields)[name]
    const member: unknown = schema[name]
    if (raw === null || raw === undefined || (!deep && !isConverter(member))) {
      continue
    }
    field = name
    let value: unknown = unvisit(member, raw)
    if (value === undefined && isReference(member)) {
      value = (Class.defaults as Fields)[name]
    }
    if (value === INVALID) {
      value = undefined
    }
    if (hasGetters) {
      assignFields(view as object, { [name]: value })
    } else {
      put(view as object, name, value)
    }
  }
  const { pk } = source as Slot
  if (isStandIn(pk)) {
    Object.defineProperty(view, 'pk', { value: () => pk, configurable: true })
  }
  if (DEV) {
    Object.freeze(view)
  }
}

// What schemas ask for.

function unvisit(schema: any, input: any): any {
  if (input === undefined || input === null || input === INVALID) {
    return input
  }
  if (typeof schema === 'function') {
    if (!isEntity(schema)) {
      return convert(schema, input, now.node!, field)
    }
    if (typeof input !== 'object') {
      return get(childNode(schema as never, String(input)))
    }
    return inline(schema as never, input as Fields)
  }
  if (typeof schema !== 'object' || schema === null) {
    return input
  }
  if (Array.isArray(schema)) {
    return denormalizeItems(listChoice(schema), input, delegate)
  }
  if (schema instanceof Collection && typeof input === 'string') {
    return get(listNode(schema, now.rows.tables.table(schema.key).slot(input)))
  }
  if (schema instanceof Query) {
    return query(schema, input)
  }
  if (!isSchemaClass(schema)) {
    return denormalizeMembers(schema as object, input, delegate)
  }
  return schema.denormalize(input, isOwn(schema) ? delegate : careful(delegate))
}

const delegate: IDenormalizeDelegate = {
  get args() {
    return now.args
  },
  unvisit,
  give: (schema, input) => give(schema, input, delegate),
  all(schema) {
    const { table } = now.rows.tables.classInfo(schema as never, 0)
    const extra = variant(now.node?.extra?.depth ?? Infinity, shapeOf(schema as never).lenses)
    return get(find(table, 'all', schema, extra)) as any[]
  },
  cell(key, cell) {
    const value = get(find(now.rows.tables.table(scalarTable(key)).slot(cell), 'cell'))
    return value === INVALID ? undefined : value
  },
}

/** Schemas of the user's may look into values: what is queued is finished first. */
function careful({ all, cell }: IDenormalizeDelegate): IDenormalizeDelegate {
  const whole = (schema: unknown, input: unknown): unknown => {
    const value: unknown = unvisit(schema, input)
    drain()
    return value
  }
  const looks: IDenormalizeDelegate = {
    args: now.args,
    unvisit: whole,
    give: (schema, input) => give(schema, input, looks),
    all,
    cell,
  }
  return looks
}

/** User code sees whole values, too. */
function query(schema: Query, input: unknown): unknown {
  const entries: unknown = unvisit(schema.schema, input)
  if (entries === undefined || entries === INVALID) {
    return undefined
  }
  const { kind, seen } = now.node!
  // An endpoint never fetched may have found a part: `process` is written for the whole.
  if (kind === 'result' && seen === undefined && !isComplete(schema.schema, entries)) {
    return undefined
  }
  drain()
  for (let i = base; i < end; i++) {
    if (noted[i]!.flags & FAILED) {
      throw noted[i]!.view
    }
  }
  try {
    return schema.process(entries, ...now.args)
  } catch (cause) {
    const name = schemaName(schema)
    throw fail('query-failed', name, DEV && `The process of a Query over "${name}" threw: ${String(cause)}.`, Error, {
      status: 400,
      refused: true,
      cause,
    })
  }
}

/** A value that was never taken apart is shown as what it would have been. */
function inline(Class: typeof Entity, input: Fields): unknown {
  if (input instanceof Class) {
    return input
  }
  const instance = Class.fromJS.call(Class as never, input) as Fields
  for (const [name, member] of Object.entries(Class.schema)) {
    if (Object.hasOwn(input, name)) {
      put(instance, name, unvisit(member, input[name]))
    }
  }
  return instance
}

/** The view of a child; it is noted as a dependency. */
function get(child: Node): unknown {
  noted[end++] = child
  return viewOf(child)
}

/** The view of a node, as far as it is made. */
function viewOf(child: Node): unknown {
  ensure(child)
  if (child.flags & FAILED) {
    throw child.view
  }
  return child.view
}

function ensure(node: Node): void {
  if ((node.flags & (DIRTY | MAKING)) !== DIRTY) {
    return
  }
  if (node.flags & TRYING) {
    begin(node)
    return
  }
  if ((node.flags & KNOWN) === 0) {
    verify(node, own, run)
  }
  if (node.flags & DIRTY) {
    start(node)
  }
}
