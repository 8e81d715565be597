import { listAt } from '../lists/ListRow.ts'
import type { Row } from '../rows/Row.ts'
import { INVALID } from '../schema/Schema.ts'
import { asText, nameOf, pksOf } from './rowNames.ts'

/** A field before and after a change, as text. */
export interface FieldChange {
  readonly field: string
  /** `undefined`: it was not there. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The change of a row. */
export interface RowChange {
  readonly name: string
  readonly kind: 'added' | 'updated' | 'removed'
  readonly fields: readonly FieldChange[]
}

const MOST_FIELDS = 30
const MOST_TEXT = 200

/** The difference between two values of a row. */
export function changeOf(row: Row, before: unknown, after: unknown): RowChange {
  const isGone = after === undefined || after === INVALID
  const isNew = before === undefined || before === INVALID
  return {
    name: nameOf(row),
    kind: isGone ? 'removed' : isNew ? 'added' : 'updated',
    fields: isGone
      ? []
      : listAt(row)
        ? itemChanges(isNew ? [] : before, after)
        : fieldChanges(isNew ? undefined : before, after),
  }
}

function fieldChanges(before: unknown, after: unknown): FieldChange[] {
  if (before === undefined && isRecord(after)) {
    return fieldChanges({}, after)
  }
  if (!isRecord(before) || !isRecord(after)) {
    return [{ field: 'value', before: textOf(before), after: textOf(after) }]
  }
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])]
  return names
    .filter((name) => !Object.is(before[name], after[name]))
    .slice(0, MOST_FIELDS)
    .map((field) => ({ field, before: textOf(before[field]), after: textOf(after[field]) }))
}

function itemChanges(before: unknown, after: unknown): FieldChange[] {
  const [old, next] = [pksOf(before), pksOf(after)]
  const [was, is] = [new Set(old), new Set(next)]
  const added = next.filter((pk) => !was.has(pk))
  const removed = old.filter((pk) => !is.has(pk))
  const changes: FieldChange[] = [
    ...(removed.length > 0 ? [{ field: 'items that left', before: cut(removed.join(', ')), after: undefined }] : []),
    ...(added.length > 0 ? [{ field: 'items that joined', before: undefined, after: cut(added.join(', ')) }] : []),
  ]
  return changes.length > 0
    ? changes
    : [{ field: 'order of items', before: cut(old.join(', ')), after: cut(next.join(', ')) }]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : cut(asText(value))
}

function cut(text: string): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text
}
