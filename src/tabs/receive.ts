// Decides what happens to the rows of another tab.
//
// | the row here                                            | an event: the other tab has written it | a read of the other tab      |
// | ------------------------------------------------------- | -------------------------------------- | ---------------------------- |
// | arrived before the other tab sent its request           | takes it, and lists follow             | takes it                     |
// | was requested after that                                | is in doubt, and keeps its value       | stays                        |
// | arrived in between                                      | takes it, and lists follow             | stays                        |
// | is being changed here, or its table has been since then | takes it, and lists follow             | stays                        |

import { readList, type WrittenList } from '../client/codec.ts'
import type { Controller } from '../controller/Controller.ts'
import { markForeign } from '../disk/foreign.ts'
import { recordCode } from '../kinds/recordCode.ts'
import type { ListRow } from '../lists/ListRow.ts'
import { receiveWritten } from '../writing/receiveWritten.ts'
import type { RecordRow } from '../records/RecordRow.ts'
import type { Meta } from '../rows/Meta.ts'
import type { Row } from '../rows/Row.ts'
import { INVALID } from '../schema/Schema.ts'
import { shifted, withoutNumbers } from '../store/State.ts'
import { contentOf, type RowName, type SentRow } from './messages.ts'
import type { Numbers } from './Numbers.ts'

/** The row of a name; a row that was never looked at is made. */
function rowOf({ core }: Controller, [key, pk]: RowName): Row {
  const { tables } = core.store
  return key === '' ? tables.endpoints.row(pk) : tables.table(key).row(pk)
}

/** The row of a name, where there is one. */
export function findRow({ core }: Controller, [key, pk]: RowName): Row | undefined {
  const { tables } = core.store
  return (key === '' ? tables.endpoints : tables.tables.get(key))?.byPk.get(pk)
}

/** Stores what the app has written in another tab: an event that arrives fast. */
export function takeWritten(controller: Controller, rows: readonly SentRow[]): void {
  const { store } = controller.core
  const number = ++store.reached
  const late: Row[] = []
  let meta: Meta | undefined
  const records: [RecordRow, any][] = []
  for (const sent of rows) {
    const row = rowOf(controller, [sent[0], sent[1]]) as RecordRow
    const times = timesHere(controller, sent)
    if ((row.meta?.fetchedAt ?? 0) > times.fetchedAt) {
      // An hour may have passed since that tab sent its request.
      late.push(row)
    } else {
      meta ??= markForeign({ ...times, sent: number, at: number, kind: 'set' })
      records.push([row, contentOf(sent)[0]])
    }
  }
  if (meta) {
    // Nobody may have used their class here.
    store.tables.recordCode ??= recordCode
    store.commit(receiveWritten(records, { tables: store.tables, args: [], meta, fromApp: true, isWrite: true }))
  }
  if (late.length > 0) {
    store.doubt(late, 'crossed')
  }
}

/** Stores what another tab has fetched, as far as it is newer than everything here. */
export function takeRead(controller: Controller, rows: readonly SentRow[], numbers: Numbers): void {
  const { store } = controller.core
  const at = ++store.reached
  const metas = new Map<number, Meta>()
  for (const sent of rows) {
    const row = rowOf(controller, [sent[0], sent[1]])
    const number = numbers.before(sent[2] + store.clock.ahead())
    if (isOlder(controller, row, number)) {
      const times = timesHere(controller, sent)
      const meta = metas.get(times.fetchedAt) ?? markForeign({ ...times, sent: number, at, kind: 'read' })
      metas.set(times.fetchedAt, meta)
      const [value, list] = contentOf(sent)
      store.put(row, {
        value,
        meta,
        by: meta,
        ...(list && value !== INVALID && { list: listHere(row, list, value, meta) }),
      })
      row.node?.aged()
    }
  }
}

/** True where all that is known of a row was here before that number, and nothing is being changed. */
function isOlder({ core }: Controller, row: Row, number: number): boolean {
  const { tables } = core.store
  const isQuiet = [row.key, ...row.table.holds].every((key) => (tables.tables.get(key)?.fence ?? 0) <= number)
  const hasArrived = [...row.metas, row.meta].every((meta) => (meta?.at ?? 0) <= number)
  return (
    isQuiet && hasArrived && row.gone <= number && row.marked.at <= number && !row.pending && !core.requests.isWriting()
  )
}

function listHere(row: Row, written: WrittenList, value: unknown, { sent, at }: Meta): ListRow['list'] {
  const known = (row as ListRow).list
  const list = withoutNumbers(readList(written, value))
  const pages = list.pages.map((page) => ({ ...page, sent, at }))
  return { ...list, pages, ...(known?.collection && { collection: known.collection }) }
}

function timesHere(
  { core }: Controller,
  [, , fetchedAt, date, expiresAt]: SentRow,
): Pick<Meta, 'fetchedAt' | 'date' | 'expiresAt'> {
  const ahead = core.store.clock.ahead()
  return { fetchedAt: shifted(fetchedAt, ahead), date: shifted(date, ahead), expiresAt: shifted(expiresAt, ahead) }
}
