import type { Table } from '../rows/Table.ts'
import type { AllTables } from '../lists/ListRow.ts'
import type { ClassInfo } from '../records/RecordRow.ts'
import type { Node } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import type { ListClass } from '../schema/ListClass.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import type { Reader } from './denormalize.ts'

/** The code by which an Entity reads its records. */
export interface RecordReader {
  /** Facts about a class, which is known to the store from now on. */
  classInfo(tables: AllTables, Class: RecordClass): ClassInfo
  /** The node of a record, by its row or by its key. */
  node(reader: Reader, Class: RecordClass, row: Row): Node
  child(reader: Reader, Class: RecordClass, pk: string): Node
  /** The node of all records of a class. */
  all(reader: Reader, Class: RecordClass): Node
  /** The node of one entry of an index. */
  entry(reader: Reader, table: Table, field: string, value: string): Node
  /** Makes the instance of a record, whose relations are set later; `INVALID` if the record is not shown. */
  make(reader: Reader, node: Node): unknown
  /** Sets the relations and converted fields. */
  fill(reader: Reader, node: Node): void
  /** All records of a class. */
  readAll(reader: Reader, node: Node, old: unknown, before: unknown): unknown
  /** Records by their keys, the items `node.seen`; `undefined` where these are no keys. */
  readKeys(reader: Reader, node: Node, Class: RecordClass, old: unknown, before: unknown): unknown
  /** The first field that the class of a record names, and that nothing stored has set. */
  missingField(Class: RecordClass, record: object, stored: object): string | undefined
}

/** The code that an Entity has brought. */
export function recordsOf(Class: unknown): RecordReader {
  return (Class as RecordClass).code as RecordReader
}

/** The code by which a Collection reads its lists. */
export interface ListReader {
  /** The node of a stored list. */
  node(reader: Reader, collection: ListClass, pk: string): Node
  /** The items of a list. */
  read(reader: Reader, node: Node, old: unknown, before: unknown): unknown
}

/** The code that a Collection has brought. */
export function listsOf(collection: unknown): ListReader {
  return (collection as ListClass).code as ListReader
}
