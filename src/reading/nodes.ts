import { tableOf } from '../lists/tableOf.ts'
import { classInfo } from '../records/classInfo.ts'
import { isObject } from '../base/equal.ts'
import { recall } from '../base/recall.ts'
import { stableKey } from '../base/stableKey.ts'
import { indexName } from '../records/indexes.ts'
import { type Row } from '../rows/Row.ts'
import { Table } from '../rows/Table.ts'
import type { ListClass } from '../schema/ListClass.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { isEntity, isList, isOwn, isSchemaClass } from '../schema/Schema.ts'
import type { Reader } from './denormalize.ts'
import { type Kind, Node, type NodeExtra } from '../rows/Node.ts'

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

/** The node of a record. */
export function entityNode(reader: Reader, Class: RecordClass, row: Row): Node {
  const { apart } = reader
  const first = apart ? apart.get(row) : row.node
  // The usual case, checked first because it is cheap.
  if (first?.schema === Class && !first.aside?.variant) {
    return first
  }
  return findNode(reader, row, 'entity', Class, variant(reader, Class))
}

/** The node of a record by its key. */
export function childNode(reader: Reader, Class: RecordClass, pk: string): Node {
  const info = classInfo(reader.tables, Class)
  return entityNode(reader, info.Entity, info.table.row(pk))
}

/** The node of a stored list. */
export function listNode(reader: Reader, schema: ListClass, pk: string): Node {
  return findNode(reader, tableOf(reader.tables, schema).row(pk), 'list', schema, variant(reader, schema))
}

/** The node of all records of a class. */
export function allNode(reader: Reader, Class: RecordClass): Node {
  return findNode(reader, classInfo(reader.tables, Class).table, 'all', Class, variant(reader, Class))
}

/** The node of one entry of an index. */
export function indexNode({ apart }: Reader, table: Table, field: string, value: string): Node {
  const nodes = apart ? new Map<string, Node>() : table.indexNodes
  return recall(nodes, indexName(field, value), () => new Node('leaf', undefined, table, { args: [field, value] }))
}

/** The current value of a node's source. */
export function sourceValue(reader: Reader, { source, kind, aside }: Node): unknown {
  if (!(source instanceof Table)) {
    return source && reader.row(source)
  }
  return kind === 'leaf' && aside?.args ? source.indexes.get(aside.args[0])?.get(aside.args[1]) : source.version
}

/** Tells a node from others of the same row by the arguments that its value depends on. */
function variant({ args }: Reader, schema: RecordClass | ListClass): NodeExtra | undefined {
  return shapeOf(schema).usesArgs ? { args, variant: stableKey(args) } : undefined
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

/** Facts about a class or a Collection, computed once. */
interface Shape {
  readonly schema: unknown
  /** Fields whose deletion makes the record unusable: relations whose default is there. */
  readonly required: readonly string[]
  /** The value depends on the arguments. */
  readonly usesArgs: boolean
}

const shapes = new WeakMap<object, Shape>()

/** The shape of a class; it is computed again when the class gets another schema. */
export function shapeOf(Class: RecordClass | ListClass): Shape {
  const { schema } = Class as any
  let shape = shapes.get(Class)
  if (shape?.schema !== schema || shape === undefined) {
    const { defaults = {} } = Class as any
    const isRequired = (name: string): boolean => isReference(schema[name], true) && defaults[name]
    shape = {
      schema,
      required: isEntity(Class) ? Object.keys(schema as object).filter(isRequired) : [],
      usesArgs: usesArgs(Class),
    }
    shapes.set(Class, shape)
  }
  return shape
}

/** True for what a record refers to by key; with `single`, for what is one record. */
export function isReference(member: any, single = false): boolean {
  return isEntity(member) || member?.isUnion === true || (!single && member.cacheWith !== undefined)
}

/** True where a schema reaches a Scalar, or a schema of the app: what we do not know may look at the arguments. */
function usesArgs(root: unknown): boolean {
  const met = new Set([root])
  for (const schema of met as Set<any>) {
    let members: any = isEntity(schema) ? schema.schema : schema
    if (isSchemaClass(schema)) {
      if (!isOwn(schema) || 'lens' in schema) {
        return true
      }
      members = schema.parts!()
    }
    if (typeof members === 'object') {
      Object.values(members ?? {}).forEach((member) => met.add(member))
    }
  }
  return false
}
