// Reads without a response: queries, endpoints that were never fetched, and whether a record is complete.

import { type AnyRow, listAt } from '../lists/ListRow.ts'
import { isObject } from '../base/equal.ts'
import { recall } from '../base/recall.ts'
import { stableKey } from '../base/stableKey.ts'
import { originOf } from '../rows/origin.ts'
import { top } from '../rows/overlay.ts'
import { type Row } from '../rows/Row.ts'
import { Table } from '../rows/Table.ts'
import type { ListClass } from '../schema/ListClass.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { queryMembers } from '../schema/Object.ts'
import {
  INVALID,
  type IQueryDelegate,
  isEntity,
  isQuery,
  isSchemaClass,
  membersOf,
  type SchemaClass,
} from '../schema/Schema.ts'
import type { Reader } from './denormalize.ts'
import { type Live, Node, unlink } from '../rows/Node.ts'
import { listsOf, recordsOf } from './code.ts'
import { findNode } from './nodes.ts'

/** How many queries without readers are kept at most, for the next reader; half of them are when it is exceeded. */
const MOST = 400

/** The nodes of queries: one for each schema and arguments, while it has readers or was read lately. */
export class Queries {
  readonly #bySchema = new WeakMap<object, Map<string, Node>>()
  /** In the order they were last read. */
  readonly #idle = new Set<Node>()

  node(schema: object, args: readonly any[]): Node {
    // As text, `null` is the same as `undefined`, which skips nothing.
    const name = stableKey(args) + (args[0] === null)
    const nodes = recall(this.#bySchema, schema, () => new Map<string, Node>())
    const found = recall(nodes, name, () => queryNode(schema, args, name))
    if (!found.aside!.view?.isMounted) {
      this.use(found)
    }
    return found
  }

  /** Marks a node as read; forgets those without readers that were not read for long. */
  use(node: Node): void {
    const idle = this.#idle
    idle.delete(node)
    idle.add(node)
    for (const old of idle.size > MOST ? [...idle].slice(0, MOST / 2) : []) {
      idle.delete(old)
      if (!old.aside!.view?.isMounted && old.up === undefined) {
        unlink(old)
        this.#bySchema.get(old.schema as object)?.delete(old.aside!.variant!)
      }
    }
  }
}

/** A new node of a query. */
export function queryNode(schema: object, args: readonly any[], name?: string): Node {
  return new Node('query', schema, undefined, { args, variant: name })
}

/** Every row of a value, missing ones included, and every table whose rows it lists. */
export function sourcesOf(root: Node): Set<Row | Table> {
  const sources = new Set<Row | Table>()
  const met = new Set<Node>([root])
  for (const node of met) {
    if (node.source !== undefined) {
      sources.add(node.source)
    }
    node.deps.forEach((dep) => met.add(dep))
    for (const input of node.kind === 'live' ? ((node.schema as Live).inputs?.() ?? []) : []) {
      met.add(input)
    }
  }
  return sources
}

/** Every row of a value, missing ones included. */
export function rowsOf(root: Node): Row[] {
  return [...sourcesOf(root)].filter((source): source is Row => !(source instanceof Table))
}

/** The normalised value that the store has for the schema and arguments of a node; `undefined` when it cannot tell. */
export function keyOf(reader: Reader, { schema: root, aside }: Node): unknown {
  const { tables } = reader
  const delegate = createQueryDelegate(reader, aside!.path)
  const queryKey = (schema: any, args: readonly any[]): unknown => {
    if (isEntity(schema)) {
      // The table of a class has to know it before its rows are looked at.
      recordsOf(schema).classInfo(tables, schema as never)
    } else if (typeof schema === 'function' || Array.isArray(schema)) {
      return undefined
    } else if (!isObject(schema)) {
      // Any other value is its own default.
      return schema
    } else if (!isSchemaClass(schema)) {
      return queryMembers(schema, args, queryKey)
    }
    return (schema as unknown as SchemaClass).queryKey(args, queryKey, delegate)
  }
  return queryKey(root, delegate.args)
}

/** Each lookup is a dependency. */
function createQueryDelegate(reader: Reader, path: string | undefined): IQueryDelegate {
  const { tables } = reader
  return {
    args: tables.realArgs?.(reader.args) ?? reader.args,
    path,
    getEntity(key, pk) {
      const table = tables.table(key)
      const row = table.row(pk)
      // A record that cannot be shown counts as missing.
      const record = reader.get(
        table.entity === undefined
          ? findNode(reader, row, 'leaf')
          : recordsOf(table.entity).node(reader, table.entity as RecordClass, row),
      )
      return record === undefined || record === INVALID ? undefined : reader.row(row)
    },
    getIndex(Class, name, value) {
      const records = recordsOf(Class)
      const { table } = records.classInfo(tables, Class as never)
      return reader.get(records.entry(reader, table, name, value)) as string | undefined
    },
    hasEntities(key) {
      const table = tables.table(key)
      reader.get(findNode(reader, table, 'leaf'))
      return table.rows.length > 0 || [...table.floating].some((row) => typeof reader.row(row) === 'object')
    },
    hasList(list, pk) {
      const node = listsOf(list).node(reader, list as ListClass, pk)
      const row = node.source as Row
      reader.get(node)
      const value = reader.row(row)
      const at = listAt(row)?.path
      return (
        value !== undefined &&
        value !== INVALID &&
        (path === undefined || at === undefined || at === path || (list as ListClass).options.argsKey !== undefined)
      )
    },
  }
}

/**
 * True where everything that a schema names was found in the store, and each record has received its fields. Defaults are
 * found anywhere, so a schema of nothing but defaults is never complete: only a response can fill it.
 */
export function isComplete(root: unknown, value: unknown): boolean {
  let hasFound = false
  const isFound = (schema: any, data: any): boolean => {
    if (typeof schema !== 'function' && !isObject(schema)) {
      return true
    }
    const members = membersOf(schema)
    if (members) {
      return isObject(data) && Object.keys(members).every((name) => isFound(members[name], data[name]))
    }
    hasFound = true
    // A Query may return anything; its entries were complete before it ran.
    return data !== undefined && (isQuery(schema) || 'steps' in schema || isReceived(data))
  }
  return isFound(root, value) && hasFound
}

/** True for a record, and for a list or map of records, that lacks no field. */
function isReceived(data: unknown): boolean {
  if (Array.isArray(data)) {
    return data.every(isReceived)
  }
  const row: AnyRow | undefined = originOf(data)
  return row?.list === undefined ? missingField(data) === undefined : Object.values(data as object).every(isReceived)
}

/** The first field that the class of a record declares, or names in `static required`, and that nothing stored has set. */
export function missingField(record: unknown): string | undefined {
  const row = originOf(record)
  // Of a Union the schema does not say which class it is.
  const Class = row && (Object.getPrototypeOf(record) as { constructor: RecordClass }).constructor
  if (!isEntity(Class)) {
    return undefined
  }
  return recordsOf(Class).missingField(Class, record as object, top(row!) as object)
}
