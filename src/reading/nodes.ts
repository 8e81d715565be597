import { isObject } from '../base/equal.ts'
import { type Kind, Node, type NodeExtra } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import { Table } from '../rows/Table.ts'
import { isList, isSchemaClass } from '../schema/Schema.ts'
import type { Reader } from './denormalize.ts'

/** The node of a row or table by a schema; it is created by the first read. */
export function findNode(
  { apart }: Reader,
  source: Row | Table,
  kind: Kind,
  schema?: unknown,
  aside?: NodeExtra,
): Node {
  const first = apart ? apart.get(source) : source.node
  for (let node = first, i = 0; node !== undefined; node = first!.aside?.siblings?.[i++]) {
    const isSame = node.kind === kind && node.aside?.variant === aside?.variant
    if (isSame && (kind === 'list' || isSameSchema(node.schema, schema))) {
      return node
    }
  }
  const made = new Node(kind, schema, source, aside)
  if (first !== undefined) {
    ;((first.aside ??= {}).siblings ??= []).push(made)
  } else if (apart) {
    apart.set(source, made)
  } else {
    source.node = made
  }
  return made
}

/** The current value of a node's source. */
export function sourceValue(reader: Reader, { source, kind, aside }: Node): unknown {
  if (!(source instanceof Table)) {
    return source && reader.row(source)
  }
  return kind === 'leaf' && aside?.args ? source.indexes.get(aside.args[0])?.get(aside.args[1]) : source.version
}

/** Equal inline schemas count as one: `[User]` written twice. */
function isSameSchema(a: any, b: any): boolean {
  if (a === b || !isObject(a) || !isObject(b) || a.constructor !== b.constructor) {
    return a === b
  }
  if (isList(a)) {
    return a.key === b['key'] && a.name === b['name']
  }
  if (isSchemaClass(a)) {
    const { choice } = a as { choice?: unknown }
    return choice !== undefined && isSameSchema(choice, b['choice'])
  }
  const names = Object.keys(a)
  const isSame = (name: string): boolean => Object.hasOwn(b, name) && isSameSchema((a as any)[name], b[name])
  return names.length === Object.keys(b).length && names.every(isSame)
}
