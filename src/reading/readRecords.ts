import { classInfo } from '../records/classInfo.ts'
import { asBefore } from '../base/equal.ts'
import type { Table } from '../rows/Table.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { INVALID } from '../schema/Schema.ts'
import type { Reader } from './denormalize.ts'
import { type Node, NONE } from '../rows/Node.ts'
import { entityNode } from './recordNodes.ts'

/** Records by their keys, the items `node.seen`, which were `before`; `undefined` where these are no keys. */
export function readKeys(reader: Reader, node: Node, schema: RecordClass, old: unknown, before: unknown): unknown {
  const { deps, seen: items } = node
  const change = Array.isArray(items)
    ? changeOf(Array.isArray(before) && before.length === deps.length ? before : NONE, items)
    : undefined
  if (!change?.items.every((item) => typeof item === 'string')) {
    return undefined
  }
  const { table, Entity: Class } = classInfo(reader.tables, schema)
  const { rows } = table
  let next = 0
  const nodes = change.items.map((pk) => {
    // Most lists have the order of the table, and to look a key up takes long.
    const row = rows[next]?.pk === pk ? rows[next]! : table.row(pk)
    next = row.position + 1
    return entityNode(reader, Class, row)
  })
  return readChanged(reader, node, old, { ...change, nodes })
}

/** Every record of a table, which had the version `before`. */
export function readAll(reader: Reader, node: Node, old: unknown, before: unknown): unknown {
  const { rows, floating } = node.source as Table
  const { Entity: Class } = classInfo(reader.tables, node.schema as never)
  return node.seen === before
    ? readChanged(reader, node, old)
    : readEach(
        reader,
        old,
        [...rows, ...floating].map((row) => entityNode(reader, Class, row)),
      )
}

/** The change between the items at both ends that stayed: how many of these there are, and the new items. */
interface Change {
  readonly start: number
  readonly end: number
  readonly items: readonly unknown[]
}

function changeOf(before: readonly unknown[], items: readonly unknown[]): Change {
  const most = before === items ? 0 : Math.min(before.length, items.length)
  let start = 0
  while (start < most && before[start] === items[start]) {
    start++
  }
  let end = 0
  while (end < most - start && before[before.length - 1 - end] === items[items.length - 1 - end]) {
    end++
  }
  return before === items
    ? { start: items.length, end, items: NONE }
    : { start, end, items: items.slice(start, items.length - end) }
}

/** A list in which some records, or none, were replaced by others: only these are read, and those that were touched. */
function readChanged(
  reader: Reader,
  { deps, touched }: Node,
  old: unknown,
  { start, end, nodes }: Omit<Change, 'items'> & { readonly nodes: readonly Node[] } = {
    start: deps.length,
    end: 0,
    nodes: NONE,
  },
): unknown {
  const isSame = start === deps.length && nodes.length === 0
  const last = deps.length - end
  const now = isSame ? deps : replaced(deps, start, last, nodes)
  if (!touched || !Array.isArray(old) || old.length !== deps.length) {
    return readEach(reader, old, now)
  }
  reader.deps = now
  const values = nodes.map((node) => reader.peek(node))
  let all: unknown[] = isSame ? old : replaced(old, start, last, values)
  if (values.some(isAbsent)) {
    return readEach(reader, old, now)
  }
  for (const dep of touched) {
    const value = reader.peek(dep)
    for (let i = now.indexOf(dep); i >= 0 && value !== all[i]; i = now.indexOf(dep, i + 1)) {
      if (isAbsent(value)) {
        return readEach(reader, old, now)
      }
      all = all === old ? old.slice() : all
      all[i] = value
    }
  }
  return all
}

/** A copy with others in place of the parts from `start` to `last`. */
function replaced<T>(all: readonly T[], start: number, last: number, by: readonly T[]): T[] {
  // Most lists grow at their end: then one copy is enough.
  return start === all.length ? all.concat(by) : all.slice(0, start).concat(by, all.slice(last))
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === INVALID
}

/** The records of these nodes, which become the dependencies, without those that are missing or deleted. */
function readEach(reader: Reader, old: unknown, nodes: readonly Node[]): unknown {
  reader.deps = nodes
  const out: unknown[] = []
  for (let i = 0; i < nodes.length; i++) {
    const value = reader.peek(nodes[i]!)
    if (!isAbsent(value)) {
      out.push(value)
    }
  }
  return asBefore(old, out)
}
