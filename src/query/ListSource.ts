import { DEV } from '../base/env.ts'
import { isObject, member } from '../base/equal.ts'
import { fail } from '../base/errors.ts'
import type { Reader } from '../reading/denormalize.ts'
import { originOf } from '../rows/origin.ts'
import { classInfo } from '../records/classInfo.ts'
import { nodesOf } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { isList, isQuery, membersOf } from '../schema/Schema.ts'
import type { Hub } from './Hub.ts'
import { Source } from './Source.ts'

/** The records of a list: of an endpoint, or of a Collection. */
export class ListSource extends Source {
  readonly #list: object
  #items: readonly unknown[] = []

  constructor(hub: Hub, args: readonly any[], list: object) {
    super(hub, args)
    this.#list = list
  }

  protected override update(reader: Reader): void {
    const { host } = reader
    const path = pathIn(typeof this.#list === 'function' ? (this.#list as { schema?: unknown }).schema : this.#list)
    if (!host || !path) {
      throw notInput()
    }
    const value: any = reader.get(host.node(this.#list, this.args))
    const items = recordsOf(path.reduce((part: any, name) => part?.[name] as unknown, value))
    const before = this.#items
    this.#items = items ?? []
    this.isKnown = items !== undefined
    const left = new Map<Row, unknown>()
    before.forEach((item, at) => item !== this.#items[at] && left.set(originOf(item)!, item))
    this.#items.forEach((item, at) => {
      if (item !== before[at]) {
        const row = originOf(item)!
        left.delete(row)
        const node = nodesOf(row.node!).find((one) => one.value === item)!
        this.put(row, reader.row(row), at, classInfo(reader.tables, node.schema as RecordClass), node)
      }
    })
    // One that stands twice has left a place, not the list.
    const stayed = left.size > 0 ? new Set(this.#items.map(originOf)) : undefined
    left.forEach((_, row) => stayed!.has(row) || this.remove(row))
  }
}

/** The names that lead from the value of a schema to its first list; `undefined` where it has none. */
function pathIn(schema: unknown): readonly string[] | undefined {
  if (Array.isArray(schema) || isList(schema) || member(schema, 'choice')) {
    return []
  }
  if (isObject(schema) && isQuery(schema)) {
    return pathIn(schema.schema)
  }
  for (const [name, inner] of Object.entries(membersOf(schema) ?? {})) {
    const path = pathIn(inner)
    if (path) {
      return [name, ...path]
    }
  }
  return undefined
}

/** The records of a list, which may be a map. */
function recordsOf(list: unknown): readonly unknown[] | undefined {
  if (!isObject(list)) {
    return undefined
  }
  const items = Array.isArray(list) ? (list as unknown[]) : Object.values(list)
  if (!items.every((item) => originOf(item)?.table.isOfLists === false)) {
    throw notInput()
  }
  return items
}

/** The error for a value that is no input. */
export function notInput(): Error {
  return fail(
    'query-input',
    'input',
    DEV &&
      'The input of a query is an Entity, a Union, an endpoint or a Collection whose value has a list of records, or another query without totals.',
    TypeError,
  )
}
