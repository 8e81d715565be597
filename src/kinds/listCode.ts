import type { ListReader } from '../reading/code.ts'
import { listReader } from '../reading/readList.ts'
import { listCode as lists } from '../lists/code.ts'
import type { ListCode } from '../lists/ListRow.ts'

/** The code that a Collection brings. */
export const listCode: ListCode & ListReader = { ...lists, ...listReader }
