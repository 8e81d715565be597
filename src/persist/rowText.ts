// A row as it stands on the disk: a key, and a text of its own.
//
// | member        | what it is                                                            |
// | ------------- | --------------------------------------------------------------------- |
// | `fetchedAt`   | when it was requested, in wall time, as are all of these              |
// | `date`        | when it arrived                                                       |
// | `expiresAt`   | until when it is fresh; 1 if it was in doubt                          |
// | `order`       | its place among all rows                                              |
// | `writtenAt`   | when it was written                                                   |
// | `writer`      | the tab that wrote it                                                 |
// | `value`       | its content, with marks                                               |
// | `more`        | of a list, what is known of it besides; of a result, its ETag         |

import { isObject } from '../base/equal.ts'
import {
  checkData,
  fromText,
  isContent,
  readList,
  toText,
  unreadable,
  type WrittenList,
  writeList,
} from '../client/codec.ts'
import type { List } from '../lists/List.ts'
import { listAt } from '../lists/ListRow.ts'
import { STALE } from '../rows/Meta.ts'
import type { Row } from '../rows/Row.ts'
import { isOfLists } from '../rows/Table.ts'
import { INVALID } from '../schema/Schema.ts'
import { shifted, timesOf, withoutNumbers } from '../store/State.ts'

/** The rows of one version of the app. */
export function prefixOf(version: number): string {
  return `row/${version}/`
}

/** The key of a row on the disk. The results of endpoints are a table without a name. */
export function nameOf(prefix: string, { key, pk }: Pick<Row, 'key' | 'pk'>): string {
  return `${prefix}${key}\n${pk}`
}

/** A row that was read from the disk. */
export interface SavedRow {
  readonly key: string
  readonly pk: string
  /** Records come first, then the lists that name them, then results. */
  readonly place: number
  readonly value: unknown
  readonly fetchedAt: number
  readonly date: number
  readonly expiresAt: number
  readonly order: number
  readonly writtenAt: number
  readonly writer: string
  readonly list: List | undefined
  readonly etag: string | undefined
}

/** How a row is written, beside its content. */
export interface Writing {
  readonly order: number
  readonly now: number
  readonly writer: string
  /** By how much the clock of the store is ahead of the wall clock. */
  readonly ahead: number
  readonly etag?: string | undefined
}

/** Makes the text of a row. Throws where something in it cannot be text. */
export function writeRow(row: Row, { order, now, writer, ahead, etag }: Writing): string {
  const { fetchedAt, date, expiresAt } = timesOf(row)
  // Endless in JSON is null.
  const times = [fetchedAt, date, expiresAt].map((time) => (time === Infinity ? null : shifted(time, -ahead)))
  const list = listAt(row)
  const more = list ? writeList(list) : etag
  return toText([...times, order, now, writer, row.value, ...(more === undefined ? [] : [more])], checkData)
}

/** Reads a row. Throws where the text is none of ours. */
export function readRow(name: string, prefix: string, text: unknown): SavedRow {
  const at = name.indexOf('\n')
  const key = name.slice(prefix.length, at)
  const found: unknown = fromText(String(text))
  if (at < 0 || !Array.isArray(found) || !isSaved(key, found)) {
    throw unreadable('no row')
  }
  const [fetchedAt, date, expiresAt, order, writtenAt, writer, value, more] = found as unknown[] as [
    ...[number, number, number | null, number, number],
    string,
    unknown,
    WrittenList | string | undefined,
  ]
  const etag = typeof more === 'string' ? more : undefined
  const list = isObject(more) && value !== INVALID ? withoutNumbers(readList(more, value)) : undefined
  return {
    key,
    pk: name.slice(at + 1),
    place: key === '' ? 2 : isOfLists(key) ? 1 : 0,
    value,
    fetchedAt,
    date,
    expiresAt: expiresAt ?? Infinity,
    order,
    writtenAt,
    writer,
    list,
    etag,
  }
}

function isSaved(key: string, found: readonly unknown[]): boolean {
  const isRight =
    key === '' || (isContent(found[6], found[7]) && (found[6] === INVALID || isOfLists(key) === !!found[7]))
  const [fetchedAt, date, expiresAt, order, writtenAt] = found
  const isTimed = [fetchedAt, date, expiresAt ?? 0, order, writtenAt].every((time) => typeof time === 'number')
  return isRight && isTimed && found.length >= 7
}

/** When the content of a text was requested, without reading all of it. */
export function fetchedAtOf(text: unknown): number {
  return Number(/^\[(\d+),/.exec(String(text))?.[1] ?? 0)
}

/** The same text of a row in doubt. */
export function staleText(text: unknown): string {
  const found = JSON.parse(String(text)) as unknown[]
  found[2] = STALE
  return JSON.stringify(found)
}
