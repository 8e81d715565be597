import { DEV } from '../base/env.ts'
import { put } from '../base/equal.ts'
import { isStandIn } from '../base/standIn.ts'
import { markOrigin } from '../rows/origin.ts'
import type { Row } from '../rows/Row.ts'
import { assignFields } from '../schema/assignFields.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { type Choice, isTagged } from '../schema/polymorphic.ts'
import { INVALID, isEntity } from '../schema/Schema.ts'
import type { Reader } from './denormalize.ts'
import { type Node, NONE } from '../rows/Node.ts'
import { classInfo } from '../records/classInfo.ts'
import { declaredFields } from '../schema/required.ts'
import type { RecordReader } from './code.ts'
import { readAll, readKeys } from './readRecords.ts'
import { allNode, childNode, entityNode, indexNode, isReference, shapeOf } from './recordNodes.ts'
import { unvisit } from './unvisit.ts'

/** An instance with the fields of its row; relations are set later. */
function instantiate({ schema: Class, seen, source }: Node): object {
  const instance: object = new Class()
  // First, while the engine still makes room in the object for what comes.
  markOrigin(instance, source as Row)
  if ((seen as any)['__proto__'] === Object.prototype) {
    try {
      return Object.assign(instance, seen)
    } catch {
      // A getter of the class has the name of a field.
    }
  }
  assignFields(instance, seen as object)
  return instance
}

/** Sets the relations and converted fields of a record. */
function fillRecord(reader: Reader, node: Node): void {
  const { value: record, source, seen, schema: Class } = node
  if (record === INVALID) {
    // A record that is not shown depends on those that it requires.
    needs(reader, node).forEach((needed) => reader.get(needed))
  }
  if (record === undefined || record === INVALID) {
    return
  }
  for (const name in Class.schema) {
    const raw: unknown = (seen as Record<string, unknown>)[name]
    const member: unknown = Class.schema[name]
    // A function is inherited: `constructor`, `toString`.
    if (raw === null || raw === undefined || typeof raw === 'function') {
      continue
    }
    reader.field = name
    let value: unknown = unvisit(reader, member, raw)
    if (value === undefined || value === INVALID) {
      value = isReference(member) ? Class.defaults[name] : undefined
    }
    try {
      put(record as object, name, value)
    } catch {
      // A getter of the class has its name.
    }
  }
  const { pk, pending } = source as Row
  if (pending !== undefined && isStandIn(pk)) {
    Object.defineProperty(record, 'pk', { value: () => pk })
  }
  if (DEV) {
    Object.freeze(record)
  }
}

/** A record is shown unless it was deleted, its class refuses it, or a record that it requires was deleted. */
export function isShown(reader: Reader, node: Pick<Node, 'schema' | 'seen'>): boolean {
  const { schema: Class, seen } = node
  const { validate } = Class
  return (
    seen !== INVALID &&
    !(validate && !('~standard' in validate) && validate.call(Class, seen)) &&
    needs(reader, node).every(({ source }) => reader.row(source as Row) !== INVALID)
  )
}

/** The records that a record requires. */
export function needs(reader: Reader, { schema: Class, seen }: Pick<Node, 'schema' | 'seen'>): readonly Node[] {
  const { required } = shapeOf(Class as RecordClass)
  if (required.length === 0 || seen === INVALID) {
    return NONE
  }
  const out: Node[] = []
  for (const name of required) {
    let pk: any = (seen as any)[name]
    let Child: any = Class.schema[name]
    if (isTagged(pk, (Child as Choice).schema as object)) {
      Child = Child.schema[pk.schema]
      pk = pk.id
    }
    if (typeof pk === 'string' && isEntity(Child)) {
      out.push(childNode(reader, Child as never, pk))
    }
  }
  return out
}

/** The first field that the class of a record declares, or names in `static required`, and that nothing stored has set. */
function missingField(Class: RecordClass, record: object, stored: object): string | undefined {
  const { required, schema } = Class
  // The instance has the defaults of the class; its row has what was received.
  for (const name of required ?? declaredFields(Class)) {
    if (!Object.hasOwn(stored, name)) {
      return name
    }
    // A Scalar may have been received for other arguments only.
    const isScalar = (schema[name] as { lens?: unknown } | undefined)?.lens !== undefined
    if (isScalar && (record as Record<string, unknown>)[name] === undefined) {
      return name
    }
  }
  return undefined
}

export const recordReader: RecordReader = {
  classInfo,
  node: entityNode,
  child: childNode,
  all: allNode,
  entry: indexNode,
  make: (reader, node) => (isShown(reader, node) ? instantiate(node) : INVALID),
  fill: fillRecord,
  readAll,
  readKeys,
  missingField,
}
