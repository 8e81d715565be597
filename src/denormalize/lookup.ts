import { DEV } from '../base/env.ts'
import { stableKey } from '../base/stableKey.ts'
import { type Row, type Slot, Table, type Tables } from '../normalize/tables.ts'
import type { Collection } from '../schema/Collection.ts'
import type { Entity } from '../schema/Entity.ts'
import { extras, type Node, type NodeExtra } from './memo.ts'
import { type Apart, findNode } from './nodes.ts'
import { type Shape, shapeOf } from './shape.ts'

/** What one reader reads from, and its reading under way. */
export interface Rows {
  readonly tables: Tables
  readonly row: (slot: Slot) => Row
  readonly apart: Apart
  /** What was begun in this run, and of that the records whose fields are not set. */
  made: Node[]
  readonly queue: Node[]
  /** Whether records that need each other are there. */
  readonly usable: Map<Node, boolean>
  failed: boolean
  busy: boolean
}

/** What is being read. Reading ends before it returns, so that one place serves all readers; see `read`. */
export const now: { rows: Rows; node: Node | undefined; args: readonly any[] } = {
  rows: undefined as never,
  node: undefined,
  args: [],
}

/** What stands in a slot for the reader under way. */
export function valueOf(slot: Slot): unknown {
  return now.rows.row(slot).value
}

/** The view of a slot or table by a schema. */
export function find(source: Slot | Table, kind: Node['kind'], schema?: unknown, extra?: NodeExtra): Node {
  return findNode(now.rows.apart, source, kind, schema, extra)
}

/** The view of a record by its key. */
export function childNode(Class: typeof Entity, pk: string): Node {
  return entityNode(Class, now.rows.tables.classInfo(Class, 0).table.slot(pk))
}

/** The view of a record. */
export function entityNode(Given: typeof Entity, slot: Slot): Node {
  // A class that was declared again, which only happens in development, is read through its new version.
  const Class = DEV ? now.rows.tables.current(Given) : Given
  const above = now.node?.extra?.depth ?? Infinity
  const { apart } = now.rows
  const first = apart === undefined ? (slot.node as Node | undefined) : apart.get(slot)
  // What nearly always holds is told at little cost.
  if (above === Infinity && first?.schema === Class && first?.kind === 'entity' && !first.extra?.variant) {
    return first
  }
  const depth = above === Infinity ? (Class.maxEntityDepth ?? Infinity) : above - 1
  return find(slot, 'entity', Class, variant(depth, shapeOf(Class).lenses))
}

/** The view of a stored list. */
export function listNode(schema: Collection, slot: Slot): Node {
  return find(slot, 'list', schema, variant(now.node?.extra?.depth ?? Infinity, shapeOf(schema).lenses))
}

/** What sets a view apart from others of the same row: how deep it goes, and what of the arguments it depends on. */
export function variant(depth: number, lenses: Shape['lenses']): NodeExtra | undefined {
  if (depth === Infinity && lenses.length === 0) {
    return undefined
  }
  return extras(now.args, `${depth} ${lenses.map((lens) => stableKey(lens(now.args))).join(' ')}`, depth)
}

/** What a node is made from, as it stands now. */
export function own({ source, kind, extra }: Node): unknown {
  if (source === undefined || kind === 'all') {
    return undefined
  }
  if (!(source instanceof Table)) {
    return valueOf(source)
  }
  return kind === 'index' ? source.indexes.get(extra!.args![0])?.get(extra!.args![1]) : source.version
}
