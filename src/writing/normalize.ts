import { DEV } from '../base/env.ts'
import { copyPlain, isObject } from '../base/equal.ts'
import { listsOf } from '../lists/tableOf.ts'
import { checkKind, tooDeep } from '../schema/refuse.ts'
import { RecordRow, withFields } from '../records/RecordRow.ts'
import { createWalk } from './visit.ts'
import type { Walk } from './Walk.ts'
import type { StoreIntake } from '../lists/ListRow.ts'

/** Takes a value apart: records go to patches of their rows, and what is left is the result. The store itself is unchanged. */
export function normalize(root: unknown, given: unknown, intake: StoreIntake): Walk {
  const walk = createWalk(intake)
  const { rows, later } = walk
  try {
    checkKind(root, given, intake.key)
    const result: unknown = walk.visit(root, given, given, undefined)
    for (let i = 0; i < later.length; i++) {
      later[i]!()
    }
    for (const row of rows) {
      if (row instanceof RecordRow) {
        receiveRecord(walk, row)
      }
    }
    // Lists look at the numbers beside them.
    walk.result = result
    walk.lists?.receive()
    if (walk.written || walk.lists) {
      followWrites(walk)
    }
    walk.result = isObject(result) && (DEV || intake.fromApp) ? copyPlain(result) : result
    return walk
  } catch (error) {
    walk.discard()
    const isOverflow = error instanceof Error && /call stack|too much recursion/i.test(error.message)
    throw isOverflow ? tooDeep(intake.key) : error
  }
}

/** Brings what came for a record together with its row. A store without an Entity has only restored records, which a schema of the app may name. */
function receiveRecord(walk: Walk, row: RecordRow): void {
  const { meta } = walk.intake
  const patch = row.patch!
  const { fields } = patch
  if (row.table.code) {
    row.table.code.receive(walk, row, patch)
  } else if (fields !== undefined && !walk.isPending) {
    patch.value = withFields(row.value, fields)
    patch.by = meta
  }
}

/** Lists follow what was written. Of restored ones, whose Collection nobody has declared yet, only the server knows what they hold. */
export function followWrites(walk: Walk): void {
  const { tables, meta, dependsOn } = walk.intake
  if (tables.listCode) {
    tables.listCode.follow(walk)
    return
  }
  for (const record of walk.written!) {
    const hasChanged = meta.kind === 'mutation' || (record.patch ?? record).value !== record.value
    tables.holders.get(record.key)?.forEach((table) => dependsOn?.add(table))
    listsOf(tables, record.key).forEach((row) => hasChanged && walk.doubt(row, 'unknown-items'))
  }
}
