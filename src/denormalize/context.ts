import { DEV } from '../base/env.ts'
import { stableKey } from '../base/stableKey.ts'
import { type Row, type Slot, Table, type Tables } from '../normalize/tables.ts'
import type { Collection } from '../schema/Collection.ts'
import type { Entity } from '../schema/Entity.ts'
import type { IDenormalizeDelegate } from '../schema/Schema.ts'
import { extras, type Node, type NodeExtra } from './memo.ts'
import { type Apart, findNode } from './nodes.ts'
import { type Shape, shapeOf } from './shape.ts'

/** The node that is being built. */
export interface Frame {
  readonly node: Node
  readonly args: readonly any[]
  /** Where its dependencies begin in `noted`. */
  readonly start: number
  /** The field of the record that is being set, for messages. */
  field: string | undefined
  /** Its dependencies, where they are known without noting each. */
  deps: readonly Node[] | undefined
}

/** The rows that one reader reads, and its current run. */
export interface ReadContext {
  readonly tables: Tables
  readonly row: (slot: Slot) => Row
  readonly apart: Apart
  frame: Frame
  /** Dependencies of the frames, as one stack up to `end`: most nodes have few, and growing an array for each is slow. */
  readonly noted: Node[]
  end: number
  /** Whether records that need each other are there, as far as this run has found out. */
  readonly usable: Map<Node, boolean>
  /** A node of this run has failed. */
  readonly hasFailed: boolean
  /** For schemas of this package. */
  readonly delegate: IDenormalizeDelegate
  /** For schemas of the app, which may look into the values they are given: those are finished first. */
  readonly userDelegate: IDenormalizeDelegate
  /** The value of a node, as far as it is built; the node in the frame depends on it. */
  get(child: Node): unknown
  /** The same without a dependency. */
  peek(child: Node): unknown
  /** Sets the fields of all records that were begun. */
  finishRecords(): void
}

/** The node of a record by its key. */
export function childNode(context: ReadContext, Class: typeof Entity, pk: string): Node {
  return entityNode(context, Class, context.tables.classInfo(Class, 0).table.slot(pk))
}

/** The node of a record. */
export function entityNode(context: ReadContext, Given: typeof Entity, slot: Slot): Node {
  const { tables, apart, frame } = context
  // A class that was declared again, which only happens in development, is read through its new version.
  const Class = DEV ? tables.current(Given) : Given
  const above = depthOf(frame)
  const first = apart === undefined ? (slot.node as Node | undefined) : apart.get(slot)
  // The usual case, checked first because it is cheap.
  if (above === Infinity && first?.schema === Class && !first.extra?.variant) {
    return first
  }
  const depth = above === Infinity ? (Class.maxEntityDepth ?? Infinity) : above - 1
  return findNode(context.apart, slot, 'entity', Class, variant(context, depth, shapeOf(Class).lenses))
}

/** The node of a stored list. */
export function listNode(context: ReadContext, schema: Collection, slot: Slot): Node {
  return findNode(context.apart, slot, 'list', schema, variant(context, depthOf(context.frame), shapeOf(schema).lenses))
}

/** How many levels of relations the node that is being built may still show. */
export function depthOf({ node }: Frame): number {
  return node.extra?.depth ?? Infinity
}

/** Tells a node from others of the same row: by its depth, and by the arguments that its value depends on. */
export function variant(context: ReadContext, depth: number, lenses: Shape['lenses']): NodeExtra | undefined {
  if (depth === Infinity && lenses.length === 0) {
    return undefined
  }
  const { args } = context.frame
  return extras(args, `${depth} ${lenses.map((lens) => stableKey(lens(args))).join(' ')}`, depth)
}

/** The current value of a node's source. */
export function sourceValue(context: ReadContext, { source, kind, extra }: Node): unknown {
  if (source === undefined || kind === 'all') {
    return undefined
  }
  if (!(source instanceof Table)) {
    return context.row(source).value
  }
  return kind === 'index' ? source.indexes.get(extra!.args![0])?.get(extra!.args![1]) : source.version
}
