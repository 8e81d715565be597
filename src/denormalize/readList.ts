import { asBefore } from '../base/equal.ts'
import type { Table } from '../normalize/tables.ts'
import { denormalizeItems } from '../schema/Array.ts'
import type { Choice } from '../schema/polymorphic.ts'
import { INVALID, isEntity } from '../schema/Schema.ts'
import type { Reader } from './denormalize.ts'
import type { Node } from '../normalize/Node.ts'
import { entityNode } from './nodes.ts'

/** Reads a list of the items `node.seen`, which had the items `before`. */
export function readItems(reader: Reader, node: Node, choice: Choice, old: unknown, before: unknown): unknown {
  const { deps, seen: items } = node
  const { schema, attribute } = choice
  const isOfRecords = attribute === undefined && isEntity(schema) && Array.isArray(items)
  if (isOfRecords && items === before && items.length === deps.length) {
    return readAgain(reader, node, old)
  }
  if (!isOfRecords || !items.every((item) => typeof item === 'string')) {
    return asBefore(old, denormalizeItems(choice, items, reader.delegate))
  }
  const { table, Entity: Class } = reader.tables.classInfo(schema as never)
  const { rows } = table
  let next = 0
  return readEach(reader, old, items, (pk) => {
    // Most lists have the order of the table, and to look a key up takes long.
    const slot = rows[next]?.pk === pk ? rows[next]! : table.slot(pk)
    next = slot.position + 1
    return entityNode(reader, Class, slot)
  })
}

/** Every record of a table, which had the version `before`. */
export function readAll(reader: Reader, node: Node, old: unknown, before: unknown): unknown {
  const { rows, floating } = node.source as Table
  const { Entity: Class } = reader.tables.classInfo(node.schema as never)
  return node.seen === before
    ? readAgain(reader, node, old)
    : readEach(reader, old, [...rows, ...floating], (slot) => entityNode(reader, Class, slot))
}

/** A list of the same records: those are read that were touched. */
function readAgain(reader: Reader, { deps, touched }: Node, old: unknown): unknown {
  if (!touched || !Array.isArray(old) || old.length !== deps.length) {
    return readEach(reader, old, deps)
  }
  reader.deps = deps
  let all: unknown[] = old
  for (const dep of touched) {
    const value = reader.peek(dep)
    if (value === undefined || value === INVALID) {
      return readEach(reader, old, deps)
    }
    for (let i = deps.indexOf(dep); i >= 0 && value !== old[i]; i = deps.indexOf(dep, i + 1)) {
      all = all === old ? old.slice() : all
      all[i] = value
    }
  }
  return all
}

/** The records of these nodes, which become the dependencies, without those that are missing or deleted. */
function readEach<T>(reader: Reader, old: unknown, items: readonly T[], find?: (item: T) => Node): unknown {
  const nodes = find ? [] : (items as readonly unknown[] as Node[])
  const out: unknown[] = []
  reader.deps = nodes
  for (let i = 0; i < items.length; i++) {
    if (find) {
      nodes.push(find(items[i]!))
    }
    const value = reader.peek(nodes[i]!)
    if (value !== undefined && value !== INVALID) {
      out.push(value)
    }
  }
  return asBefore(old, out)
}
