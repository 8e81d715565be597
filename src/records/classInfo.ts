import { findOld, replaceClass } from './hotReload.ts'
import { DEV } from '../base/env.ts'
import { nodesOf } from '../rows/Node.ts'
import type { Tables } from '../rows/Tables.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { checkKey, keyOwner, mayShare, taken, warnKeyless } from '../schema/entityKey.ts'
import { indexRow } from './indexes.ts'
import type { ClassInfo, RecordCode, RecordTable } from './RecordRow.ts'

const MERGE_HOOKS = ['merge', 'shouldReorder', 'shouldUpdate', 'mergeWithStore', 'mergeMetaWithStore'] as const

/** The tables of a store, as records see them. */
type OfRecords = Pick<Tables<RecordTable>, 'classes' | 'onReplace' | 'records'> & { recordCode: RecordCode | undefined }

/** The table of a class, and facts about it. */
export function classInfo(tables: OfRecords, Class: RecordClass): ClassInfo {
  return (tables.classes.get(Class) as ClassInfo | undefined) ?? register(tables, Class)
}

function register(tables: OfRecords, Class: RecordClass): ClassInfo {
  const key = checkKey(Class.key)
  const table = tables.records(key)
  const first = table.entity as RecordClass | undefined
  tables.recordCode ??= Class.code as RecordCode
  const known = tables.classes as Map<unknown, ClassInfo>
  const old = DEV ? findOld(Class, table, known.values()) : undefined
  if (DEV && keyOwner(Class) === undefined) {
    warnKeyless(key)
  }
  if (first === undefined) {
    table.entity = Class
  } else if (old === undefined && !mayShare(Class, first)) {
    throw taken(Class, first)
  }
  // A class that someone else made may have none.
  const Base = Class.entityBase
  const info: ClassInfo = {
    Entity: Class,
    table,
    hasMergeHooks: MERGE_HOOKS.some((name) => Class[name] !== Base?.[name]),
    ownProcess: Class.process !== Base?.process,
    ownPk: Class.pk !== Base?.pk || Class.prototype.pk !== Base?.prototype.pk,
    checked: false,
  }
  if (DEV && old) {
    const nodes = [...table.byPk.values()].flatMap(({ node }) => (node ? nodesOf(node) : []))
    replaceClass(old, info, nodes, tables.onReplace)
    table.rows.forEach((row) => table.watch?.(row))
  }
  known.set(Class, old ?? info)
  startIndexes(table, Class.indexes)
  return info
}

function startIndexes(table: RecordTable, fields: readonly string[] = []): void {
  const fresh = fields.filter((field) => !table.indexes.has(field))
  for (const field of fresh) {
    table.indexes.set(field, new Map())
  }
  // Restored rows come before their class is known.
  for (const row of fresh.length > 0 ? table.rows : []) {
    indexRow(row, undefined, row.value, fresh)
  }
}
