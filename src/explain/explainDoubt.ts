import type { AnyRow } from '../lists/ListRow.ts'
import type { DoubtFact } from '../advice/Explanation.ts'
import type { Controller } from '../controller/Controller.ts'
import { pagesToFetch } from '../lists/pages.ts'
import { isExpired, isInDoubt, type Row } from '../rows/Row.ts'
import type { Doubt } from '../rows/doubt.ts'
import type { Meta } from '../rows/Meta.ts'
import { doubtText } from './doubtTexts.ts'
import { type History, lastNote } from './history.ts'
import { nameOf } from './rowNames.ts'

const MOST_ROWS = 5

/** Why rows are stale before their time: the last doubt about one of them. `result` is what they were fetched for. */
export function doubtOf(
  controller: Controller,
  history: History,
  rows: readonly Row[],
  result?: Row,
): DoubtFact | undefined {
  // The rows tell more than the result that they are part of.
  const found = [...rows.filter((row) => row !== result), ...(result ? [result] : [])].flatMap(stateOf)
  const [first] = found
  if (first === undefined) {
    return undefined
  }
  const { row, doubt } = found.reduce((last, one) => (one.doubt.at > last.doubt.at ? one : last), first)
  const others = found.filter((one) => one.doubt.at === doubt.at && one.row !== result).map((one) => nameOf(one.row))
  const note = lastNote(history.notes(nameOf(row)), 'stale')
  const { reason = 'expired' } = doubt
  const by = writer(doubt, note?.text)
  const writeOf = (): string | undefined => {
    const write = writeBehind(controller, history, row)
    return write === by ? undefined : write
  }
  const what = others.length > 0 ? others.slice(0, 3).join(', ') : 'the same data'
  const pages = placesOf(row, doubt)
  const text = doubtText(reason, {
    by: by ?? (reason === 'expired' ? 'The app' : 'A write of the app'),
    what,
    writeOf,
  })
  return { reason, by, rows: others.slice(0, MOST_ROWS), pages, at: note?.at, text: text + pagesText(row, pages) }
}

interface Found {
  readonly row: Row
  readonly doubt: Doubt
}

/** The doubt of a row. A row that was expired with a result that contained it has none of its own. */
function stateOf(row: Row): Found[] {
  const { doubt, expired } = row
  const isDoubted = isInDoubt(row)
  if (isExpired(row) && !(isDoubted && doubt.at > expired)) {
    return [{ row, doubt: { at: expired, reason: 'expired', by: undefined } }]
  }
  return isDoubted ? [{ row, doubt }] : []
}

/** The history names calls of the app, too; the doubt itself is certain. */
function writer({ by }: Doubt, label: string | undefined): string | undefined {
  return by === undefined || label?.endsWith(by) ? label : by
}

/** The last write of a record, or of the records of a list. */
function writeBehind({ core }: Controller, history: History, { table, wrote }: AnyRow): string | undefined {
  let last: Meta | undefined = wrote
  for (const key of table.holds) {
    for (const row of core.store.tables.records(key).rows) {
      last = row.wrote && row.wrote.at > (last?.at ?? 0) ? row.wrote : last
    }
  }
  return last && history.origin(last.sent)?.label
}

/** Where the pages stand in the list that are to be fetched again, from 1. */
function placesOf({ list }: AnyRow, { pages }: Doubt): number[] | undefined {
  const wrong = list && pages && pagesToFetch(list, new Set(pages))
  const places = wrong && list.pages.flatMap(({ id }, index) => (wrong.has(id) ? [index + 1] : []))
  return places?.length ? places : undefined
}

function pagesText({ list }: AnyRow, pages: readonly number[] | undefined): string {
  if (pages === undefined || list!.pages.length < 2) {
    return ''
  }
  const names = pages.length > 1 ? `pages ${pages.slice(0, -1).join(', ')} and ${pages.at(-1)}` : `page ${pages[0]}`
  return ` It is about ${names} of ${list!.pages.length}.`
}
