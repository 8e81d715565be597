import type { Slot, Table } from '../normalize/tables.ts'
import { denormalizeItems } from '../schema/Array.ts'
import type { Entity } from '../schema/Entity.ts'
import type { Choice } from '../schema/polymorphic.ts'
import { INVALID } from '../schema/Schema.ts'
import { entityNode, type ReadContext } from './context.ts'
import { findOld, holdsRecords, type Old, takeOver } from './items.ts'
import type { Node } from './memo.ts'
import { findNode } from './nodes.ts'

/** Reads a list; the part that it has in common with the old value is taken over. */
export function readItems(context: ReadContext, node: Node, choice: Choice, old: unknown, before: unknown): unknown {
  const items = node.seen as unknown[]
  const known = holdsRecords(choice) ? findOld(node, old, before, items) : undefined
  return (
    (known && takeItems(context, node, known, before === items ? undefined : choice)) ??
    denormalizeItems(choice, items, context.delegate)
  )
}

/** Every record of a table. */
export function readAll(context: ReadContext, node: Node, old: unknown): unknown {
  const table = node.source as Table
  const members = findNode(context.apart, table, 'table')
  context.peek(members)
  if (members.changedAt <= node.builtAt) {
    const known = findOld(node, old, old, old, 1)
    const items = known && takeItems(context, node, known)
    if (items) {
      return items
    }
  }
  context.get(members)
  const records: unknown[] = []
  const add = (slot: Slot): void => {
    const value = context.get(entityNode(context, node.schema as typeof Entity, slot))
    if (value !== undefined && value !== INVALID) {
      records.push(value)
    }
  }
  table.rows.forEach(add)
  table.floating.forEach(add)
  return records
}

/** @param choice what its items are, where some of them are new */
function takeItems(context: ReadContext, node: Node, old: Old, choice?: Choice): unknown {
  const { deps } = node
  const { frame, noted } = context
  const { start, end } = old
  const items = node.seen as unknown[]
  const fresh: any = choice && denormalizeItems(choice, items.slice(start, items.length - end), context.delegate)
  frame.deps =
    choice === undefined
      ? deps
      : deps.slice(0, start).concat(noted.slice(frame.start, context.end), deps.slice(old.items.length - end))
  // These are its dependencies also if nothing can be taken over: all items are read again.
  return takeOver(node, old, fresh, (dep) => context.peek(dep))
}
