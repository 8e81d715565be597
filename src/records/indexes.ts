import { DEV } from '../base/env.ts'
import { member } from '../base/equal.ts'
import { warnOnce } from '../base/warn.ts'
import type { Row } from '../rows/Row.ts'

/** Enters a row in the indexes of its table. */
export function indexRow(
  { table, pk }: Pick<Row, 'table' | 'pk'>,
  old: unknown,
  value: unknown,
  fields: Iterable<string> = table.indexes.keys(),
): void {
  if (table.indexes.size === 0) {
    return
  }
  for (const field of fields) {
    const was = indexText(old, field)
    const now = indexText(value, field)
    const entries = table.indexes.get(field)!
    const touch = (text: string): void => table.indexNodes.get(indexName(field, text))?.touch()
    if (was !== now && entries.get(was!) === pk) {
      entries.delete(was!)
      touch(was!)
    }
    if (DEV && now === undefined && typeof value === 'object') {
      warnUnindexed(table.key, table.indexes.keys())
    }
    if (now !== undefined && entries.get(now) !== pk) {
      entries.set(now, pk)
      touch(now)
    }
  }
}

/** The value by which an index finds a row. An object has none: its text may be anything. */
export function indexText(row: unknown, field: string): string | undefined {
  const value = member(row, field)
  return value === undefined || typeof value === 'object' ? undefined : String(value)
}

/** The name of one place of an index. */
export function indexName(field: string, value: string): string {
  return `${field}\0${value}`
}

/** Warns of a record that its index cannot find. */
function warnUnindexed(key: string, fields: Iterable<string>): void {
  if (DEV) {
    const names = [...fields].join(', ')
    warnOnce(`A record of "${key}" lacks a field of its indexes (${names}), so it is not found by it.`)
  }
}
