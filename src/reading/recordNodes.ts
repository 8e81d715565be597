import { recall } from '../base/recall.ts'
import { stableKey } from '../base/stableKey.ts'
import { classInfo } from '../records/classInfo.ts'
import { indexName } from '../records/indexes.ts'
import { Node, type NodeExtra } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import type { Table } from '../rows/Table.ts'
import type { ListClass } from '../schema/ListClass.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { isEntity, isOwn, isSchemaClass } from '../schema/Schema.ts'
import type { Reader } from './denormalize.ts'
import { findNode } from './nodes.ts'

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

/** The node of all records of a class. */
export function allNode(reader: Reader, Class: RecordClass): Node {
  return findNode(reader, classInfo(reader.tables, Class).table, 'all', Class, variant(reader, Class))
}

/** The node of one entry of an index. */
export function indexNode({ apart }: Reader, table: Table, field: string, value: string): Node {
  const nodes = apart ? new Map<string, Node>() : table.indexNodes
  return recall(nodes, indexName(field, value), () => new Node('leaf', undefined, table, { args: [field, value] }))
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

/** Tells a node from others of the same row by the arguments that its value depends on. */
export function variant({ args }: Reader, schema: RecordClass | ListClass): NodeExtra | undefined {
  return shapeOf(schema).usesArgs ? { args, variant: stableKey(args) } : undefined
}
