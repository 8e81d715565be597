import { coverFields } from './fields.ts'
import { indexRow } from './indexes.ts'
import type { RecordCode } from './RecordRow.ts'
import { finishRecord, receiveRecord } from './receiveRecord.ts'

/** The code of the rows of records. */
export const recordCode: RecordCode = {
  receive: receiveRecord,
  finish: finishRecord,
  cover: coverFields,
  index: indexRow,
}
