// Which rows a function reads for one record.
//
// A record refers to others by plain members, so a function that is given the record itself reads them unseen. It is given a stand-in
// instead: a proxy that notes the row of each record which it hands out, and hands out stand-ins in turn. A record that refers to no
// others needs none. Functions return keys, numbers and the like, so no stand-in leaves them.

import { DEV } from '../base/env.ts'
import { isObject, isPlain } from '../base/equal.ts'
import { fail } from '../base/errors.ts'
import { recall } from '../base/recall.ts'
import type { Reader } from '../reading/denormalize.ts'
import { childNode, shapeOf } from '../reading/recordNodes.ts'
import { needs } from '../reading/record.ts'
import { originOf } from '../rows/origin.ts'
import { type Node, nodesOf } from '../rows/Node.ts'
import { Row } from '../rows/Row.ts'
import type { Table } from '../rows/Table.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { isEntity } from '../schema/Schema.ts'

/** A run of a function. */
interface Run {
  /** `undefined`: it only finds out what the function changes. */
  readonly reader: Reader | undefined
  readonly rows: Set<Row | Table>
  readonly standIns: Map<object, object>
}

/** The run that stand-ins note for. */
let current: Run | undefined

const flat = /* @__PURE__ */ new WeakMap<object, boolean>()

/** True for a class whose schema has converters at most: its records refer to no others. */
export function isFlat(Class: RecordClass): boolean {
  // The shape belongs to the schema, which a class may replace.
  return recall(flat, shapeOf(Class), () =>
    Object.values(Class.schema).every((member) => typeof member === 'function' && !isEntity(member)),
  )
}

/** Calls a function with a value, and adds the rows of all records that it reads. */
export function track<T>(reader: Reader, value: unknown, rows: Set<Row | Table>, call: (value: any) => T): T {
  const outer = current
  current = { reader, rows, standIns: new Map() }
  try {
    return call(wrap(value))
  } catch (error) {
    if (isChange(error)) {
      throw error
    }
    // A class with private members cannot be stood in for: its record is read as a whole.
    const row = originOf(value)
    if (row) {
      addAll(nodeOf(row, value), rows)
    }
    return guard(value, call)
  } finally {
    current = outer
  }
}

/** Calls a function with a value. In development, one that changes a record gets an error that says so. */
export function guard<T>(value: unknown, call: (value: any) => T): T {
  try {
    return call(value)
  } catch (error) {
    if (DEV && error instanceof TypeError) {
      // Records are frozen, and each engine has its own words for that.
      const outer = current
      current = { reader: undefined, rows: new Set(), standIns: new Map() }
      try {
        call(standIn(value))
      } catch (second) {
        if (isChange(second)) {
          throw second
        }
      } finally {
        current = outer
      }
    }
    throw error
  }
}

/** The value as a function sees it. */
function wrap(value: unknown): unknown {
  const row = originOf(value)
  if (row) {
    current?.rows.add(row)
  }
  return row || isPlain(value) || !current?.reader ? standIn(value) : value
}

function standIn(value: unknown): unknown {
  if (!isObject(value)) {
    return value
  }
  // A frozen target would have to show its own members.
  return recall(current!.standIns, value, () => new Proxy(Array.isArray(value) ? [] : {}, new Handler(value)))
}

class Handler implements ProxyHandler<object> {
  readonly #value: any
  readonly #row: Row | undefined
  readonly #schema: Readonly<Record<string, unknown>> | undefined

  constructor(value: object) {
    this.#value = value
    this.#row = Array.isArray(value) ? undefined : originOf(value)
    this.#schema = this.#row && (value.constructor as { schema?: Record<string, unknown> }).schema
  }

  get(_: object, name: string | symbol, receiver: unknown): unknown {
    const of = this.#value
    const value: unknown = Object.hasOwn(of, name) ? of[name] : Reflect.get(of, name, receiver)
    const schema = this.#schema
    const hasSchema = schema && typeof name === 'string' && Object.hasOwn(schema, name)
    if (hasSchema && current?.reader) {
      noteMember(current.reader, this.#row!, of, name, schema[name], value)
    }
    return current && (!current.reader || (isObject(value) && (hasSchema || !schema))) ? wrap(value) : value
  }

  getPrototypeOf(): object | null {
    return Object.getPrototypeOf(this.#value) as object | null
  }

  has(_: object, name: string | symbol): boolean {
    return name in this.#value
  }

  ownKeys(): (string | symbol)[] {
    return Reflect.ownKeys(this.#value as object)
  }

  getOwnPropertyDescriptor(target: object, name: string | symbol): PropertyDescriptor | undefined {
    const known = Reflect.getOwnPropertyDescriptor(this.#value as object, name)
    const configurable = !Object.hasOwn(target, name)
    return known && { ...known, value: this.get(target, name, undefined), configurable, writable: true }
  }

  defineProperty(_: object, name: string | symbol): boolean {
    throw changed(name)
  }

  deleteProperty(_: object, name: string | symbol): boolean {
    throw changed(name)
  }
}

function changed(name: string | symbol): Error {
  return fail(
    'query-changes',
    String(name),
    DEV &&
      `A function of a query sets "${String(name)}". Such functions only look at a record: copy what you want to change, or sort.`,
    TypeError,
  )
}

function isChange(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 'query-changes'
}

/** Notes what a member of a record depends on. */
function noteMember(reader: Reader, row: Row, record: unknown, name: string, schema: any, value: unknown): void {
  if (isEntity(schema)) {
    const pk: unknown = (reader.row(row) as Record<string, unknown> | undefined)?.[name]
    // The other record may be missing, or deleted.
    if (typeof pk === 'string') {
      noteNode(reader, childNode(reader, schema as never, pk))
    }
  } else if (typeof schema !== 'function' && (isObject(value) || value === undefined)) {
    nodeOf(row, record)?.deps.forEach((dep) => noteNode(reader, dep))
  }
}

/** Notes the records and lists that a node shows. The records that are read of these are noted when they are read. */
function noteNode(reader: Reader, node: Node): void {
  const { rows } = current!
  const { source, kind } = node
  if (source) {
    rows.add(source)
  }
  if (kind === 'entity') {
    needs(reader, { schema: node.schema as unknown, seen: reader.row(source as Row) ?? {} }).forEach((need) => {
      if (!rows.has(need.source!)) {
        noteNode(reader, need)
      }
    })
  } else {
    node.deps.forEach((dep) => noteNode(reader, dep))
  }
}

function nodeOf(row: Row, record: unknown): Node | undefined {
  return row.node && nodesOf(row.node).find(({ value }) => value === record)
}

/** Adds all rows of a value. */
function addAll(root: Node | undefined, rows: Set<Row | Table>): void {
  const met = new Set(root ? [root] : [])
  for (const { source, deps } of met) {
    if (source) {
      rows.add(source)
    }
    deps.forEach((dep) => met.add(dep))
  }
}
