// How lists follow a write of the app
//
// The lists that may hold a written record are found (`listsFor`), each is judged (`judge.ts`: the table of what a write means for a
// list), moves are applied together, and doubts are noted with their cause.

import { isObject, member } from '../base/equal.ts'
import { recall } from '../base/recall.ts'
import { indexOf } from './indexOf.ts'
import type { ListClass } from '../schema/ListClass.ts'
import type { ListRow, StoreChange } from './ListRow.ts'
import { type RecordRow, SEVERAL } from '../records/RecordRow.ts'
import { filterText } from './arguments.ts'
import { changeList } from './changeList.ts'
import { itemOf } from './items.ts'
import { judge } from './judge.ts'
import { followsWrites } from './collectionOf.ts'
import type { Edit } from './List.ts'
import { Question } from './Question.ts'
import { type Written, writtenRecords } from './written.ts'

/** The items that join a list and leave it with one change. */
interface Moves {
  readonly join: unknown[]
  readonly leave: unknown[]
  /** The records that join. */
  readonly rows: RecordRow[]
  readonly merge: Edit['merge']
}

/** Changes the lists that contain the written records of a response, or should. */
export function followWrites(change: StoreChange): void {
  for (const records of writtenRecords(change)) {
    const moves = new Map<ListRow, Moves>()
    for (const written of records) {
      for (const row of listsFor(change, written)) {
        followRecord(change, written, row, moves)
      }
    }
    moves.forEach((one, row) => changeList(change, row, editsOf(one)))
  }
}

function followRecord(change: StoreChange, written: Written, row: ListRow, moves: Map<ListRow, Moves>): void {
  const one = new Question(change, written, row)
  if (!one.isConcerned()) {
    return
  }
  const { list, entry, isSameCollection } = one
  if (entry === undefined) {
    change.doubt(row, 'unknown-items')
    return
  }
  const { move, doubt } = judge(one)
  if (move) {
    const merge = isSameCollection ? written.how!.merge : (list.collection as ListClass).move.merge
    const all = recall(moves, row, () => ({ join: [], leave: [], rows: [], merge }))
    all[move].push(entry)
    all.rows.push(...(written.row && move === 'join' ? [written.row] : []))
  }
  if (doubt && followsWrites(list)) {
    change.doubt(row, doubt, one.pagesOf(doubt))
  }
}

function editsOf({ join, leave, rows, merge }: Moves): Edit[] {
  const edits: Edit[] = leave.length > 0 ? [{ items: leave.map(itemOf), merge: undefined }] : []
  // In a map they have names.
  const items: unknown = Array.isArray(join[0]) ? Object.fromEntries(join as [string, unknown][]) : join
  return join.length > 0 ? [...edits, { items, merge, rows }] : edits
}

/** The lists that a write may concern. `judge` would leave every other list as it is, and would not put it in doubt. */
function listsFor(change: StoreChange, written: Written): ListRow[] {
  const { tables, dependsOn } = change.intake
  const { row, how } = written
  // Made where no list is there yet: a pending operation runs again when the first one comes.
  const own = how && tables.lists(how.collection.key)
  const holding = row ? (tables.holders.get(row.key) ?? []) : [own!]
  const found: ListRow[] = []
  for (const table of holding) {
    dependsOn?.add(table)
    indexOf(table).find((name) => textsOf(written, name), found)
  }
  return found
}

/** The values of an argument by which lists are found; `undefined` where any value may be. */
function textsOf(
  { row, before, now, issuedOver, isCrossed, isLate, wasInDoubt, how }: Written,
  name: string,
): string[] | undefined {
  const from = row?.changedByRead?.from
  const isOwnFilter = how?.filter !== undefined || how?.collection.ownFilter === true
  if (from === SEVERAL) {
    return undefined
  }
  // The fields before, for lists that have followed no read, and the fields now; below, the arguments of an adder's list.
  const versions = [...(from ?? []), issuedOver, before, now].filter(isObject)
  // A record that nobody knew may have belonged to any list.
  const mayBeAny = isCrossed && before === undefined
  const isAny = isLate || mayBeAny || wasInDoubt || isOwnFilter
  if (isAny || versions.length === 0 || versions.some((one) => member(one, name) === undefined)) {
    return undefined
  }
  const all = [...versions, ...(how?.args.slice(0, 2) ?? [])]
  return all.map((one) => filterText(member(one, name)))
}
