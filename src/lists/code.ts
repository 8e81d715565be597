import { changeLists, invalidateList, writeList } from './ChangedLists.ts'
import { followWrites } from './follow.ts'
import { applyEdits, keepEqual } from './items.ts'
import type { ListCode } from './ListRow.ts'
import { findList, nextFetch, pagesInDoubt } from './refetch.ts'
import { indexOf } from './indexOf.ts'
import { deletesOf, loseDeletes, settleDeletes } from './lostDeletes.ts'
import { doubtLists } from './lostWrite.ts'

/** The code that a Collection brings. */
export const listCode: ListCode = {
  indexOf,
  write: writeList,
  invalidate: invalidateList,
  changeLists,
  follow: followWrites,
  doubt: doubtLists,
  deletesOf,
  loseDeletes,
  settleDeletes,
  applyEdits,
  keepEqual,
  find: findList,
  pagesInDoubt,
  nextFetch,
}
