// The messages between tabs. Each has a sender, and the number of the last one that was about data.
//
// | message    | counted | says                                                        | a tab that shows such data       |
// | ---------- | ------- | ----------------------------------------------------------- | -------------------------------- |
// | `wrote`    | yes     | the app has written these records                           | takes them as an event           |
// | `doubted`  | yes     | a mutation has put these rows in doubt                      | is in doubt, too                 |
// | `read`     | yes     | these rows were fetched                                     | pulls them                       |
// | `reset`    | yes     | nothing but when the session has ended, as each message     | resets, if it began before       |
// | `pull`     | no      | requests rows from one tab                                  | that tab sends them              |
// | `rows`     | no      | the rows that one tab has requested                         | stores those that are newer      |
// | `hello`    | no      | a tab has come, or come back                                | says `here`                      |
// | `here`     | no      | what was written in the last seconds                        | the tab that came takes it       |

import { checkData, fromText, isObject, toText, writeList, type WrittenList } from '../client/codec.ts'
import { listAt } from '../lists/ListRow.ts'
import type { Row } from '../rows/Row.ts'
import { shifted, timesOf } from '../store/State.ts'

/** The name of a row: its table and its key. The results of endpoints are a table without a name. */
export type RowName = readonly [key: string, pk: string]

/** A row: its name, its times in wall time, and its content as text. */
export type SentRow = readonly [
  key: string,
  pk: string,
  fetchedAt: number,
  date: number,
  expiresAt: number,
  text: string,
]

export type Message = Head &
  (
    | { readonly type: 'wrote'; readonly rows: readonly SentRow[] }
    | { readonly type: 'doubted'; readonly names: readonly RowName[] }
    | { readonly type: 'read'; readonly names: readonly RowName[]; readonly fetchedAt: number }
    | { readonly type: 'reset' }
    | { readonly type: 'pull'; readonly to: string; readonly names: readonly RowName[] }
    | { readonly type: 'rows'; readonly to: string; readonly rows: readonly SentRow[] }
    | { readonly type: 'hello' }
    | { readonly type: 'here'; readonly to: string; readonly rows: readonly SentRow[] }
  )

interface Head {
  readonly from: string
  /** How many counted messages the sender has sent by now, this one included. */
  readonly count: number
  /** When it was sent, in wall time, which all tabs share. */
  readonly sentAt: number
  /** When the data of the sender begins, and when its channel was reset last, in wall time. */
  readonly since: number
  readonly resetAt: number
}

/** A message without what its sender adds. */
export type Content = Message extends infer M ? (M extends Message ? Omit<M, keyof Head> : never) : never

const COUNTED: ReadonlySet<Message['type']> = new Set(['wrote', 'doubted', 'read', 'reset'])

export function isCounted(type: Message['type']): boolean {
  return COUNTED.has(type)
}

/** A message that another version of the library may have sent. */
export function isMessage(data: unknown): data is Message {
  return (
    isObject(data) &&
    ['from', 'type'].every((name) => typeof data[name] === 'string') &&
    Number.isInteger(data['count'])
  )
}

export function nameOf({ key, pk }: Row): RowName {
  return [key, pk]
}

/** The texts of rows, without those in which something is not data. */
export function sentRows(rows: readonly Row[], ahead: number): SentRow[] {
  return rows.map((row) => sentRow(row, ahead)).filter((row) => row !== undefined)
}

function sentRow(row: Row, ahead: number): SentRow | undefined {
  const { fetchedAt, date, expiresAt } = timesOf(row)
  const list = listAt(row)
  try {
    const text = toText(list ? [row.value, writeList(list)] : [row.value], checkData)
    return [row.key, row.pk, shifted(fetchedAt, -ahead), shifted(date, -ahead), shifted(expiresAt, -ahead), text]
  } catch {
    return undefined
  }
}

/** The content of a row. */
export function contentOf([, , , , , text]: SentRow): readonly [value: unknown, list: WrittenList | undefined] {
  return fromText(text) as [unknown, WrittenList | undefined]
}
