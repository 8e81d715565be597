import { DEV } from '../base/env.ts'
import { freezePlain, put } from '../base/equal.ts'
import { fail } from '../base/errors.ts'
import { show } from '../base/show.ts'
import { stableKey } from '../base/stableKey.ts'
import { warnOnce } from '../base/warn.ts'
import { isStandIn, markOrigin, originOf, rawValues } from '../normalize/origin.ts'
import { indexName, type Row, type Slot, Table, type Tables, top } from '../normalize/tables.ts'
import { All } from '../schema/All.ts'
import { ArraySchema, denormalizeItems } from '../schema/Array.ts'
import { Collection, CollectionAdder } from '../schema/Collection.ts'
import type { EntityClass } from '../schema/Denormalize.ts'
import { assignFields, type Entity } from '../schema/Entity.ts'
import { Invalidate } from '../schema/Invalidate.ts'
import { Lazy, LazyQuery } from '../schema/Lazy.ts'
import { denormalizeMembers, ObjectSchema } from '../schema/Object.ts'
import { type Choice, choiceKey, isTagged, listChoice } from '../schema/polymorphic.ts'
import { Query } from '../schema/Query.ts'
import { Scalar, scalarTable } from '../schema/Scalar.ts'
import { INVALID, type IDenormalizeDelegate, isEntity, isSchemaClass, type SchemaClass } from '../schema/Schema.ts'
import { Union } from '../schema/Union.ts'
import { denormalizeEntries, Values } from '../schema/Values.ts'
import {
  DIRTY,
  FAILED,
  KNOWN,
  type Kind,
  link,
  MAKING,
  Node,
  type NodeExtra,
  parentsOf,
  UNMADE,
  verify,
} from './memo.ts'
import { queryKey } from './queryKey.ts'

type Fields = Record<string, any>

/**
 * Makes values from rows. Each value is kept in a node until a row it was made from changes. Objects are made before
 * their fields are set, from a queue: rings of records and chains of any length need no stack.
 */
export class Reader implements IDenormalizeDelegate {
  readonly tables: Tables
  args: readonly any[] = []
  private readonly row: (slot: Slot) => Row
  private readonly apart: Map<Slot | Table, Node> | undefined
  private run = 0
  private readonly queue: Node[] = []
  private made: Node[] = []
  private failed = false
  /** A record under a pending operation changed in the list being made. */
  private covered = false
  private current: Node | undefined = undefined
  /**
   * What the node being made depends on, from `base` to `top`: one array for all, since most nodes depend on little and
   * arrays that grow are dear.
   */
  private readonly noted: Node[] = []
  private base = 0
  private top = 0
  /** The node being made depends on what it depended on before. */
  private sameDeps = false
  /** Whether records that need each other are there, for the run under way. */
  private usable = new Map<Node, boolean>()
  private lastClass: unknown = undefined
  private lastTable: Table | undefined = undefined

  /** @param row which rows are read; with it the reader keeps its values apart from those everybody shares */
  constructor(tables: Tables, row?: (slot: Slot) => Row) {
    this.tables = tables
    this.row = row ?? top
    this.apart = row && new Map()
  }

  /** The value of a node. Throws what user code threw while it was made. */
  read(node: Node): unknown {
    if (node.flags & DIRTY) {
      if ((node.flags & KNOWN) === 0) verify(node, this.own, this.run)
      if (node.flags & DIRTY) this.make(node)
    }
    if (node.flags & FAILED) throw node.view
    return node.view === INVALID ? undefined : node.view
  }

  /** The view of an endpoint's result, or of what can be inferred in its place. */
  resultNode(slot: Slot, schema: unknown, args: readonly any[], path: string | undefined): Node {
    return this.slotNode(slot, 'result', schema, extras(args, '', Infinity, path))
  }

  /** A class was declared again: what was made with the old one is made anew with the new one. */
  replaceClass(table: Table, old: typeof Entity, next: typeof Entity): void {
    for (const slot of table.slots.values()) {
      const first = this.first(slot)
      if (first === undefined) continue
      for (const node of [first, ...(first.extra?.siblings ?? [])]) {
        if (node.kind !== 'entity' || node.schema !== old) continue
        ;(node as { schema: unknown }).schema = next
        node.seen = UNMADE
        if (node.extra !== undefined) node.extra.kept = undefined
      }
      first.touch()
    }
  }

  private make(node: Node): void {
    if (this.current !== undefined) {
      this.start(node)
      this.drain()
      return
    }
    this.run++
    this.made = []
    this.failed = false
    try {
      this.start(node)
      this.drain()
    } finally {
      this.current = undefined
      this.top = this.base = this.noted.length = 0
      this.usable.clear()
      if (this.failed) this.spreadFailure()
      for (const done of this.made) {
        if (DEV && done.extra?.hasArgs && (done.flags & FAILED) === 0) freezePlain(done.view)
        done.flags &= FAILED
        done.builtAt = this.run
      }
      this.made = []
    }
  }

  /** Gives a node an object to refer to, and queues the setting of its fields. */
  private start(node: Node): void {
    const old: unknown = node.flags & FAILED ? undefined : node.view
    if (node.kind === 'entity' && (node.source as Slot).layers !== undefined) keep(node)
    node.flags = DIRTY | KNOWN | MAKING
    const value = this.own(node)
    const before = node.seen
    node.seen = value
    this.made.push(node)
    switch (node.kind) {
      case 'entity':
        if (!this.restore(node)) {
          try {
            node.view = value === undefined ? undefined : this.isShown(node) ? instantiate(node) : INVALID
            this.queue.push(node)
          } catch (error) {
            this.refuse(node, error)
          }
        }
        break
      case 'list':
      case 'all':
      case 'result':
      case 'query':
        this.within(node, old, before)
        break
      default:
        node.view = value
    }
    if (node.view !== old) node.changedAt = this.run
  }

  /** Shows the object from before a pending operation again, when the operation is gone and nothing else has changed. */
  private restore(node: Node): boolean {
    const kept = node.extra?.kept
    if (kept === undefined || (node.source as Slot).layers !== undefined) return false
    node.extra!.kept = undefined
    if (kept.seen !== node.seen) return false
    for (const dep of kept.deps) {
      if (dep.flags & DIRTY && (dep.flags & KNOWN) === 0) verify(dep, this.own, this.run)
      if (dep.flags & DIRTY || dep.changedAt > kept.builtAt) return false
    }
    node.view = kept.view
    link(node, kept.deps, 0, kept.deps.length)
    return true
  }

  private drain(): void {
    for (let node = this.queue.pop(); node !== undefined; node = this.queue.pop())
      this.within(node, undefined, undefined)
  }

  /** Makes `node`, as the one whose dependencies are noted. What user code throws stays with it. */
  private within(node: Node, old: unknown, before: unknown): void {
    const { current, base, args } = this
    this.current = node
    this.base = this.top
    this.sameDeps = false
    if (node.extra?.hasArgs) this.args = node.extra.args
    try {
      if (node.kind === 'entity') this.fill(node)
      else node.view = this.compute(node, old, before)
    } catch (error) {
      this.refuse(node, error)
    } finally {
      if (!this.sameDeps) link(node, this.noted, this.base, this.top)
      this.sameDeps = false
      this.current = current
      this.top = this.base
      this.base = base
      this.args = args
    }
  }

  private refuse(node: Node, error: unknown): void {
    node.view = error
    node.flags |= FAILED
    node.changedAt = this.run
    this.failed = true
  }

  private spreadFailure(): void {
    const failed = this.made.filter((node) => node.flags & FAILED)
    for (const node of failed)
      for (const parent of parentsOf(node)) {
        if ((parent.flags & (MAKING | FAILED)) !== MAKING) continue
        parent.flags |= FAILED
        parent.view = node.view
        failed.push(parent)
      }
  }

  private compute(node: Node, old: unknown, before: unknown): unknown {
    const { schema, seen } = node
    switch (node.kind) {
      case 'list':
        return typeof seen === 'object' ? this.makeList(node, old, before) : seen
      case 'all':
        return this.makeAll(node, old)
      case 'result':
        return seen === undefined ? this.infer(node) : this.unvisit(schema, seen)
      default: {
        const value = this.ask(node)
        return schema instanceof Query ? sameItems(old, value) : value
      }
    }
  }

  private makeList(node: Node, old: unknown, before: unknown): unknown {
    const { isMap, cacheWith } = node.schema as Collection
    const { choice } = cacheWith
    const items: any =
      (before === node.seen ? this.patch(node, old, 0) : this.extend(node, old, before)) ??
      (isMap ? denormalizeEntries(choice, node.seen, this) : denormalizeItems(choice, node.seen, this))
    const view: any = this.asBefore(node, old, items)
    if (view === items) handOut(view as object, node.source as Slot)
    return view
  }

  /** The list that was shown before, or before a pending operation, where it has the same items. */
  private asBefore(node: Node, old: unknown, items: unknown): unknown {
    const { covered } = this
    this.covered = false
    if (!Array.isArray(old) || sameItems(old, items) === old) return Array.isArray(old) ? old : items
    const pending = covered || (node.source as Slot).layers !== undefined
    const kept: unknown = node.extra?.kept?.view
    const view = kept === undefined ? items : sameItems(kept, items)
    if (pending && kept === undefined) extraOf(node).kept = { view: old, seen: undefined, deps: [], builtAt: 0 }
    else if (kept !== undefined && (!pending || view === kept)) node.extra!.kept = undefined
    return view
  }

  /**
   * A list whose members are the same as before takes over the items that did not change. Its dependencies are its items
   * in order, after the first `skip`; it can be patched where each that changed is shown at its own place.
   */
  private patch(node: Node, old: unknown, skip: number): unknown[] | undefined {
    const { deps, builtAt } = node
    if (!Array.isArray(old) || old.length !== deps.length - skip) return undefined
    const out = old.slice()
    for (let i = skip; i < deps.length; i++) {
      const dep = deps[i]!
      if ((dep.flags & DIRTY) === 0 && dep.changedAt <= builtAt) continue
      this.covered ||= (dep.source as Slot).layers !== undefined
      if (originOf(old[i - skip]) !== dep.source) return undefined
      const value = this.viewOf(dep)
      if (value === undefined || value === INVALID) return undefined
      out[i - skip] = value
    }
    this.sameDeps = true
    return out
  }

  /** A list that gained or lost items takes over what stands before the first and behind the last difference. */
  private extend(node: Node, old: unknown, before: unknown): unknown[] | undefined {
    const { deps, builtAt } = node
    const items = node.seen
    if (!Array.isArray(old) || !Array.isArray(before) || !Array.isArray(items)) return undefined
    if (old.length !== deps.length || before.length !== deps.length) return undefined
    const least = Math.min(items.length, before.length)
    let start = 0
    while (start < least && items[start] === before[start]) start++
    let end = 0
    while (end < least - start && items[items.length - 1 - end] === before[before.length - 1 - end]) end++
    const out: unknown[] = []
    const take = (from: number, to: number): boolean => {
      for (let i = from; i < to; i++) {
        const dep = deps[i]!
        if (dep.flags & DIRTY || dep.changedAt > builtAt || originOf(old[i]) !== dep.source) return false
        this.noted[this.top++] = dep
        out.push(old[i])
      }
      return true
    }
    const { choice } = (node.schema as Collection).cacheWith
    if (take(0, start)) {
      for (const item of denormalizeItems(choice, items.slice(start, items.length - end), this) as unknown[])
        out.push(item)
      if (take(deps.length - end, deps.length)) return out
    }
    this.top = this.base
    return undefined
  }

  private makeAll(node: Node, old: unknown): unknown {
    const table = node.source as Table
    const members = this.tableNode(table)
    const patched = members.changedAt <= node.builtAt && (members.flags & DIRTY) === 0 && this.patch(node, old, 1)
    if (patched) {
      const view = this.asBefore(node, old, patched)
      if (DEV) Object.freeze(view)
      return view
    }
    const view: unknown[] = []
    const add = (slot: Slot): void => {
      const value = this.get(this.entityNode(node.schema as typeof Entity, slot))
      if (value !== undefined && value !== INVALID) view.push(value)
    }
    this.get(members)
    for (const slot of table.rows) add(slot)
    for (const slot of table.floating) add(slot)
    const shown = this.asBefore(node, old, view)
    if (DEV) Object.freeze(shown)
    return shown
  }

  /** What the store can tell about a schema with these arguments. */
  private ask(node: Node): unknown {
    const input: unknown = queryKey(node.schema, node.extra!.args, this.queryDelegate(node.extra!.path))
    return input === undefined ? undefined : this.unvisit(node.schema, input)
  }

  /** What an endpoint that never answered may show: records that lack a required field do not answer for it. */
  private infer(node: Node): unknown {
    const { schema } = node
    if (schema === undefined || schema === null) return undefined
    const { required } = schema as typeof Entity
    if (required !== undefined && isEntity(schema)) {
      const pk: unknown = queryKey(schema, node.extra!.args, this.queryDelegate(node.extra!.path))
      if (typeof pk !== 'string') return undefined
      const row = this.row(this.tables.table(schema.key).slot(pk)).value as object
      if (!required.every((name) => Object.hasOwn(row, name))) return undefined
    }
    return this.ask(node)
  }

  private fill(node: Node): void {
    if (node.view === undefined) return
    if (node.view === INVALID) {
      // An invalid record depends on what made it so.
      for (const child of this.requiredNodes(node)) this.get(child)
      return
    }
    this.setFields(node, node.schema as typeof Entity, node.view as Fields, node.seen as Fields)
    handOut(node.view as object, node.source as Slot)
  }

  private setFields(node: Node, Class: typeof Entity, instance: Fields, row: Fields): void {
    const { schema } = Class
    const deep = (node.extra?.depth ?? Infinity) > 0
    if (DEV && !deep)
      warnOnce(
        `Reading stopped at the maxEntityDepth of "${Class.key}"; deeper relations hold ids. Use Lazy for them.`,
        'error',
      )
    let getters: boolean | undefined
    for (const name in schema) {
      if (!Object.hasOwn(row, name)) continue
      const raw: unknown = row[name]
      if (raw === null || raw === undefined) continue
      const member: unknown = schema[name]
      if (!deep && !isConverter(member)) continue
      let value: unknown
      if (isConverter(member)) value = this.convertField(Class, (node.source as Slot).pk, name, member, raw)
      else value = this.unvisit(member, raw)
      if (value === undefined && isReference(member)) value = (Class.defaults as Fields)[name]
      const shown: unknown = value === INVALID ? undefined : value
      getters ??= shapeOf(Class).hasGetters
      if (getters) assignFields(instance, { [name]: shown })
      else put(instance, name, shown)
    }
    const { pk } = node.source as Slot
    if (isStandIn(pk)) Object.defineProperty(instance, 'pk', { value: () => pk, configurable: true })
  }

  private convertField(Class: typeof Entity, pk: string, name: string, converter: any, raw: unknown): unknown {
    try {
      return convert(converter, raw)
    } catch (cause) {
      throw convertFailed(
        `${Class.key} ${pk} at ${name}`,
        DEV && `The converter of "${name}" threw for "${Class.key}" ${pk}`,
        cause,
        raw,
      )
    }
  }

  private isShown(node: Node): boolean {
    if (node.seen === INVALID) return false
    const { validate } = node.schema as typeof Entity
    if (validate !== undefined && !('~standard' in validate) && validate.call(node.schema as never, node.seen))
      return false
    return this.isUsable(node)
  }

  /**
   * A record is usable unless one it needs was deleted, or is itself not usable. Records that need each other are
   * judged together: all that can be reached, then what was found missing spreads back.
   */
  private isUsable(node: Node): boolean {
    const { required } = shapeOf(node.schema as typeof Entity)
    if (required.length === 0) return true
    const known = this.usable.size === 0 ? undefined : this.usable.get(node)
    if (known !== undefined) return known
    if (this.needsNoMore(node, required)) return true
    const met: Node[] = [node]
    const needs: Node[][] = []
    this.usable.set(node, true)
    const bad: Node[] = []
    for (let i = 0; i < met.length; i++) {
      const children = this.requiredNodes(met[i]!)
      needs.push(children)
      for (const child of children) {
        const clean = (child.flags & DIRTY) === 0
        const gone = clean ? child.view === INVALID : this.row(child.source as Slot).value === INVALID
        if (gone) this.usable.set(child, false)
        if (this.usable.get(child) === false) bad.push(met[i]!)
        else if (!clean && !this.usable.has(child)) {
          this.usable.set(child, true)
          met.push(child)
        }
      }
    }
    if (bad.length > 0) this.spreadUnusable(met, needs, bad)
    return this.usable.get(node)!
  }

  /** True when all that a record needs is there and needs nothing itself: the usual case, told at little cost. */
  private needsNoMore(node: Node, required: readonly string[]): boolean {
    const { schema } = node.schema as typeof Entity
    const row = node.seen as Fields
    for (const name of required) {
      const Child: unknown = schema[name]
      const pk: unknown = row[name]
      if (typeof pk !== 'string' || !isEntity(Child) || shapeOf(Child as never).required.length > 0) return false
      const child = this.childNode(Child as never, pk)
      const gone = child.flags & DIRTY ? this.row(child.source as Slot).value : child.view
      if (gone === INVALID || (Child as unknown as typeof Entity).validate !== undefined) return false
    }
    return true
  }

  private spreadUnusable(met: readonly Node[], needs: readonly Node[][], bad: Node[]): void {
    const neededBy = new Map<Node, Node[]>()
    for (const [i, node] of met.entries())
      for (const child of needs[i]!) neededBy.set(child, [...(neededBy.get(child) ?? []), node])
    for (let node = bad.pop(); node !== undefined; node = bad.pop()) {
      if (this.usable.get(node) === false) continue
      this.usable.set(node, false)
      bad.push(...(neededBy.get(node) ?? []))
    }
  }

  private requiredNodes(node: Node): Node[] {
    const Class = node.schema as typeof Entity
    const row = this.row(node.source as Slot).value as Fields | undefined
    const out: Node[] = []
    if (typeof row !== 'object') return out
    for (const name of shapeOf(Class).required) {
      const raw: unknown = Object.hasOwn(row, name) ? row[name] : undefined
      const member: any = Class.schema[name]
      const Child: unknown = isEntity(member)
        ? member
        : isTagged(raw, member.schema)
          ? member.schema[raw.schema]
          : undefined
      const pk: unknown = isTagged(raw, member.schema ?? {}) ? raw.id : raw
      if (isEntity(Child) && typeof pk === 'string') out.push(this.childNode(Child as never, pk))
    }
    return out
  }

  // What schemas ask for.

  unvisit = (schema: any, input: any): any => {
    if (input === undefined || input === null || input === INVALID) return input
    if (schema === null || schema === undefined) return input
    if (typeof schema === 'function') {
      if (!isEntity(schema)) return this.convertPlain(schema, input)
      if (typeof input !== 'object') return this.get(this.childNode(schema as never, String(input)))
      return this.inline(schema as never, input as Fields)
    }
    if (typeof schema !== 'object') return input
    if (Array.isArray(schema)) return denormalizeItems(listChoice(schema), input, this)
    if (schema instanceof Collection) return this.list(schema, input)
    if (schema instanceof Query) return this.query(schema, input)
    if (!isSchemaClass(schema)) return denormalizeMembers(schema as object, input, this)
    return isNative(schema) ? schema.denormalize(input, this) : schema.denormalize(input, this.careful())
  }

  all(schema: EntityClass): any[] {
    const { table } = this.tables.classInfo(schema as never, 0)
    const extra = this.variant(this.current?.extra?.depth ?? Infinity, shapeOf(schema as never).lenses)
    return this.get(this.allNode(schema, table, extra)) as any[]
  }

  cell(key: string, cell: string): any {
    const value = this.get(this.cellNode(this.tables.table(scalarTable(key)).slot(cell)))
    return value === INVALID ? undefined : value
  }

  private list(schema: Collection, input: any): unknown {
    if (typeof input !== 'string') return schema.denormalize(input, this)
    return this.get(this.listNode(schema, this.tables.table(schema.key).slot(input)))
  }

  /** User code sees whole values: what is queued is finished first. */
  private query(schema: Query, input: unknown): unknown {
    const entries: unknown = this.unvisit(schema.schema, input)
    if (entries === undefined || entries === INVALID) return undefined
    this.drain()
    const failure = this.noted.slice(this.base, this.top).find((dep) => dep.flags & FAILED)
    if (failure !== undefined) throw failure.view
    try {
      return schema.process(entries, ...this.args)
    } catch (cause) {
      const name = schemaName(schema)
      throw fail('query-failed', name, DEV && `The process of a Query over "${name}" threw: ${String(cause)}.`, Error, {
        status: 400,
        refused: true,
        cause,
      })
    }
  }

  private careful(): IDenormalizeDelegate {
    return {
      args: this.args,
      unvisit: (schema, input) => {
        const value: unknown = this.unvisit(schema, input)
        this.drain()
        return value
      },
      all: (schema) => this.all(schema),
      cell: (key, cell) => this.cell(key, cell),
    }
  }

  /** A value that was never taken apart is shown as what it would have been. */
  private inline(Class: typeof Entity, input: Fields): unknown {
    if (input instanceof Class) return input
    const instance = Class.fromJS.call(Class as never, input) as Fields
    for (const [name, member] of Object.entries(Class.schema))
      if (Object.hasOwn(input, name)) put(instance, name, this.unvisit(member, input[name]))
    return instance
  }

  private convertPlain(converter: unknown, raw: unknown): unknown {
    try {
      return convert(converter, raw)
    } catch (cause) {
      const { kind, source } = this.current!
      const of = kind === 'entity' ? `${(source as Slot).table.key} ${(source as Slot).pk}` : 'answer'
      const named = DEV && (kind === 'entity' ? `"${(source as Slot).table.key}" ${(source as Slot).pk}` : 'the answer')
      throw convertFailed(of, DEV && `A converter threw in ${named}`, cause, raw)
    }
  }

  /** The view of a child; it is noted as a dependency. */
  private get(child: Node): unknown {
    this.noted[this.top++] = child
    return this.viewOf(child)
  }

  /** The view of a node, as far as it is made. */
  private viewOf(child: Node): unknown {
    if (child.flags & DIRTY && (child.flags & MAKING) === 0) {
      if ((child.flags & KNOWN) === 0) verify(child, this.own, this.run)
      if (child.flags & DIRTY) this.start(child)
    }
    if (child.flags & FAILED) throw child.view
    return child.view
  }

  private childNode(Class: typeof Entity, pk: string): Node {
    if (Class !== this.lastClass) {
      this.lastTable = this.tables.classInfo(Class, 0).table
      this.lastClass = Class
    }
    return this.entityNode(Class, this.lastTable!.slot(pk))
  }

  private entityNode(Given: typeof Entity, slot: Slot): Node {
    // A class that was declared again is read through its new version.
    const Class = this.tables.current(Given)
    const parent = this.current?.extra
    const above = parent?.depth ?? Infinity
    const first = this.first(slot)
    if (
      above === Infinity &&
      first !== undefined &&
      first.schema === Class &&
      first.kind === 'entity' &&
      !first.extra?.variant
    )
      return first
    const depth = above === Infinity ? (Class.maxEntityDepth ?? Infinity) : above - 1
    return this.slotNode(slot, 'entity', Class, this.variant(depth, shapeOf(Class).lenses))
  }

  private listNode(schema: Collection, slot: Slot): Node {
    return this.slotNode(slot, 'list', schema, this.variant(this.current?.extra?.depth ?? Infinity, listLenses(schema)))
  }

  /** What sets a view apart from others of the same row: how deep it goes, and what of the arguments it depends on. */
  private variant(depth: number, lenses: Shape['lenses']): NodeExtra | undefined {
    if (depth === Infinity && lenses.length === 0) return undefined
    return extras(this.args, `${depth} ${lenses.map((lens) => stableKey(lens(this.args))).join(' ')}`, depth)
  }

  /** What `queryKey` of a schema asks: each question is a dependency. */
  private queryDelegate(path: string | undefined): Parameters<typeof queryKey>[2] {
    return {
      args: this.args,
      path,
      meet: (schema) => void this.tables.classInfo(schema as never, 0),
      getEntity: (key, pk) => {
        const table = this.tables.table(key)
        const slot = table.slot(pk)
        // What cannot be shown is not there: the answer depends on the view, and so has to follow from it.
        const view = this.get(table.entity === undefined ? this.cellNode(slot) : this.entityNode(table.entity, slot))
        return view === undefined || view === INVALID ? undefined : this.row(slot).value
      },
      getIndex: (schema, field, value) => {
        const { table } = this.tables.classInfo(schema as never, 0)
        return this.get(this.indexNode(table, field, value)) as string | undefined
      },
      hasEntities: (key) => {
        const table = this.tables.table(key)
        this.get(this.tableNode(table))
        return table.rows.length > 0 || [...table.floating].some((slot) => typeof this.row(slot).value === 'object')
      },
      hasList: (list, pk) => {
        const slot = this.tables.table(list.key).slot(pk)
        this.get(this.listNode(list as Collection, slot))
        const { value } = this.row(slot)
        const at = slot.list?.path
        return (
          value !== undefined &&
          value !== INVALID &&
          (path === undefined || at === undefined || at === path || (list as Collection).shares)
        )
      },
    }
  }

  /** What a node is made from, as it stands now. */
  private own = (node: Node): unknown => {
    const { source, kind } = node
    if (source === undefined || kind === 'all') return undefined
    if (source instanceof Table)
      return kind === 'index' ? source.indexes.get(node.extra!.args[0])?.get(node.extra!.args[1]) : source.version
    return this.row(source).value
  }

  /** Views of a slot or table lie with it; those of a reader that sees other rows lie apart. */
  private first(of: Slot | Table): Node | undefined {
    return this.apart === undefined ? (of.node as Node | undefined) : this.apart.get(of)
  }

  private slotNode(slot: Slot, kind: Kind, schema: unknown, extra?: NodeExtra): Node {
    const first = this.first(slot)
    const variant = extra?.variant ?? ''
    if (first !== undefined) {
      if (isView(first, kind, schema, variant)) return first
      for (const other of first.extra?.siblings ?? []) if (isView(other, kind, schema, variant)) return other
    }
    const node = new Node(kind, schema, slot, extra)
    if (first !== undefined) addSibling(first, node)
    else if (this.apart === undefined) slot.node = node
    else this.apart.set(slot, node)
    return node
  }

  private cellNode(slot: Slot): Node {
    return this.slotNode(slot, 'cell', undefined)
  }

  private tableNode(table: Table): Node {
    const first = this.first(table)
    if (first !== undefined) return first
    const node = new Node('table', undefined, table)
    if (this.apart === undefined) table.node = node
    else this.apart.set(table, node)
    return node
  }

  private allNode(schema: unknown, table: Table, extra: NodeExtra | undefined): Node {
    const first = this.tableNode(table)
    for (const other of first.extra?.siblings ?? [])
      if (isView(other, 'all', schema, extra?.variant ?? '')) return other
    const node = new Node('all', schema, table, extra)
    addSibling(first, node)
    return node
  }

  private indexNode(table: Table, field: string, value: string): Node {
    const name = indexName(field, value)
    let node = table.indexNodes.get(name) as Node | undefined
    if (node === undefined || this.apart !== undefined) {
      node = new Node('index', undefined, table, extras([field, value]))
      if (this.apart === undefined) table.indexNodes.set(name, node)
    }
    return node
  }
}

/** Remembers what the committed row looked like while an operation covers it. */
function keep(node: Node): void {
  const slot = node.source as Slot
  if (node.seen !== slot.value || node.seen === UNMADE || node.flags & FAILED) return
  const { view, seen, deps, builtAt } = node
  extraOf(node).kept = { view, seen, deps, builtAt }
}

/** Most nodes have no extras; one gets them when they are needed. */
function extraOf(node: Node): NodeExtra {
  return ((node as { extra: NodeExtra | undefined }).extra ??= extras())
}

/** What is stamped as ours, and in development frozen. */
function handOut(value: object, slot: Slot): void {
  markOrigin(value, slot)
  if (DEV) Object.freeze(value)
}

/** Extras of a node that depends on nothing special. */
export function extras(args?: readonly any[], variant = '', depth: number = Infinity, path?: string): NodeExtra {
  return {
    args: args ?? [],
    hasArgs: args !== undefined,
    variant,
    depth,
    path,
    siblings: undefined,
    told: undefined,
    kept: undefined,
  }
}

function addSibling(first: Node, node: Node): void {
  ;(extraOf(first).siblings ??= []).push(node)
}

function isView(node: Node, kind: Kind, schema: unknown, variant: string): boolean {
  if (node.kind !== kind || (node.extra?.variant ?? '') !== variant) return false
  return node.schema === schema || (kind === 'list' ? true : kind === 'result' && isSameSchema(node.schema, schema))
}

/** Equal inline schemas count as one: `[User]` written twice. */
function isSameSchema(a: any, b: any): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (isSchemaClass(a) || isSchemaClass(b)) {
    if (a instanceof Collection && b instanceof Collection) return a.key === b.key && a.name === b.name
    return (
      a.constructor === b.constructor &&
      !(a instanceof Query) &&
      'choice' in a &&
      isSameSchema(a.choice, (b as All).choice)
    )
  }
  const names = Object.keys(a as object)
  return (
    Array.isArray(a) === Array.isArray(b) &&
    names.length === Object.keys(b as object).length &&
    names.every((name) => Object.hasOwn(b as object, name) && isSameSchema(a[name], b[name]))
  )
}

/** What is worked out once per class. */
interface Shape {
  readonly schema: object
  /** Fields whose deletion makes the record unusable: relations whose default is there. */
  readonly required: readonly string[]
  /** What of the arguments the value depends on. */
  readonly lenses: readonly ((args: readonly any[]) => unknown)[]
  readonly hasGetters: boolean
}

const shapes = new WeakMap<object, Shape>()

function shapeOf(Class: typeof Entity): Shape {
  const known = shapes.get(Class)
  if (known !== undefined && known.schema === Class.schema) return known
  const defaults = Class.defaults as Fields
  const shape: Shape = {
    schema: Class.schema,
    required: Object.keys(Class.schema).filter((name) => isReference(Class.schema[name], true) && defaults[name]),
    lenses: lensesOf(Class),
    hasGetters: hasGetters(Class.prototype),
  }
  shapes.set(Class, shape)
  return shape
}

const lensesOfLists = new WeakMap<object, Shape['lenses']>()

function listLenses(schema: Collection): Shape['lenses'] {
  let lenses = lensesOfLists.get(schema)
  if (lenses === undefined) lensesOfLists.set(schema, (lenses = lensesOf(schema)))
  return lenses
}

/** Every lens that can be reached from a class; what we do not know may look at all arguments. */
function lensesOf(Class: unknown): Shape['lenses'] {
  const met = new Set<unknown>()
  const lenses: ((args: readonly any[]) => unknown)[] = []
  const stack: unknown[] = [Class]
  for (let schema: any = stack.pop(); stack.length > 0 || schema !== undefined; schema = stack.pop()) {
    if (schema === undefined || schema === null || met.has(schema)) continue
    met.add(schema)
    if (isEntity(schema)) stack.push(...Object.values(schema.schema as object))
    else if (schema instanceof Scalar) lenses.push((args) => schema.lens(args))
    else if (schema instanceof Collection) stack.push(schema.cacheWith.choice.schema)
    else if (schema instanceof Lazy) continue
    else if (schema instanceof ArraySchema || schema instanceof Values) stack.push(schema.choice.schema)
    else if (schema instanceof Union || schema instanceof ObjectSchema)
      stack.push(...Object.values(schema.schema as object))
    else if (Array.isArray(schema)) stack.push(...(schema as unknown[]))
    else if (isSchemaClass(schema)) lenses.push((args) => args)
    else if (typeof schema === 'object') stack.push(...Object.values(schema as object))
  }
  return lenses
}

function hasGetters(prototype: object): boolean {
  for (
    let at: object | null = prototype;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  )
    for (const member of Object.values(Object.getOwnPropertyDescriptors(at))) if (member.get !== undefined) return true
  return false
}

/** An instance with the fields of its row; relations are set later. */
function instantiate(node: Node): object {
  const Class = node.schema as typeof Entity
  const row = node.seen as Fields
  const instance = new (Class as unknown as new () => object)()
  if (shapeOf(Class).hasGetters || Object.hasOwn(row, '__proto__')) assignFields(instance, row)
  else Object.assign(instance, row)
  return instance
}

function isReference(member: unknown, single = false): boolean {
  return isEntity(member) || member instanceof Union || (!single && member instanceof Collection)
}

function isConverter(member: unknown): boolean {
  return typeof member === 'function' && !isEntity(member)
}

function convertFailed(subject: string, text: string | false, cause: unknown, raw: unknown): Error {
  return fail('convert-failed', subject, DEV && `${text}: ${String(cause)}. The stored value is ${show(raw)}.`, Error, {
    status: 400,
    refused: true,
    cause,
  })
}

const CALLED = new Set<unknown>([Number, String, Boolean, BigInt, Symbol])

/** Functions are called, classes are constructed. */
function convert(converter: any, raw: unknown): unknown {
  if (typeof raw === 'object' && raw !== null && typeof converter.prototype === 'object' && raw instanceof converter)
    return raw
  const value: unknown = construct(converter, raw)
  if (typeof value === 'object' && value !== null && value !== raw) rawValues.set(value, raw)
  return value
}

function construct(converter: any, raw: unknown): unknown {
  if (CALLED.has(converter)) return converter(raw)
  if (Object.getOwnPropertyDescriptor(converter, 'prototype')?.writable === false) return new converter(raw)
  try {
    return converter(raw)
  } catch (error) {
    if (
      error instanceof TypeError &&
      /without 'new'|without new|constructor .* requires|class as a function|Illegal constructor/i.test(error.message)
    )
      return new converter(raw)
    throw error
  }
}

/** Equal items keep the list they stood in. */
function sameItems(old: unknown, value: unknown): unknown {
  if (!Array.isArray(old) || !Array.isArray(value) || old.length !== value.length) return value
  return value.every((item, i) => Object.is(item, old[i])) ? old : value
}

/** What a schema is called in messages. */
function schemaName(schema: any): string {
  if (schema instanceof Query) return schemaName(schema.schema)
  const { key, choice } = schema as { key?: unknown; choice?: Choice }
  if (typeof key === 'string') return key
  return choice === undefined ? Object.keys(schema.schema ?? schema).join(', ') : choiceKey(choice)
}

const OURS: { prototype: object }[] = [
  ArraySchema,
  ObjectSchema,
  Values,
  Union,
  All,
  Invalidate,
  Lazy,
  LazyQuery,
  Scalar,
  CollectionAdder,
]
const NATIVE = new Set<unknown>(OURS.map(({ prototype }) => (prototype as SchemaClass).denormalize))

/** Schemas of ours pass values on without looking into them; those of users may look. */
function isNative(schema: SchemaClass): boolean {
  return NATIVE.has(schema.denormalize)
}
