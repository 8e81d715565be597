import type { StoreIntake } from '../lists/ListRow.ts'
import { applyFields } from '../records/receiveRecord.ts'
import type { RecordRow } from '../records/RecordRow.ts'
import type { Fields } from '../rows/Fields.ts'
import type { INVALID } from '../schema/Schema.ts'
import { followWrites } from './normalize.ts'
import { createWalk } from './visit.ts'
import type { Walk } from './Walk.ts'

/** The change that records make which another store has written, and normalised: lists follow them. */
export function receiveWritten(
  records: Iterable<readonly [row: RecordRow, fields: Fields | typeof INVALID]>,
  intake: StoreIntake,
): Walk {
  const walk = createWalk(intake)
  try {
    for (const [row, fields] of records) {
      const patch = walk.patch(row)
      patch.fields = fields
      applyFields(row, patch, intake.meta)
      walk.noteWritten(row)
    }
    if (walk.written) {
      followWrites(walk)
    }
    return walk
  } catch (error) {
    walk.discard()
    throw error
  }
}
