import type { RecordReader } from '../reading/code.ts'
import { recordReader } from '../reading/record.ts'
import { recordWriter } from '../writing/visitRecord.ts'
import type { RecordWriter } from '../writing/Walk.ts'
import { recordCode as rows } from '../records/code.ts'
import type { RecordCode } from '../records/RecordRow.ts'

/** The code that an Entity brings. */
export const recordCode: RecordCode & RecordWriter & RecordReader = { ...rows, ...recordWriter, ...recordReader }
