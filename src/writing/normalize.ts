import { DEV } from '../base/env.ts'
import { copyPlain, isObject } from '../base/equal.ts'
import { listsOf } from '../lists/tableOf.ts'
import { checkKind, tooDeep } from '../schema/refuse.ts'
import { applyFields, applyHooks } from '../records/receiveRecord.ts'
import { type RecordPatch, RecordRow } from '../records/RecordRow.ts'
import type { Fields } from '../rows/Fields.ts'
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
        receiveRecord(walk, row, row.patch!)
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

/** Brings what came for a record together with its row. */
function receiveRecord(walk: Walk, row: RecordRow, patch: RecordPatch): void {
  const { meta } = walk.intake
  const existing = patch.info?.hasMergeHooks ? walk.below(row) : undefined
  if (isObject(existing) && isObject(patch.fields)) {
    applyHooks(row, patch, meta, existing)
    patch.fields = walk.isPending ? (patch.value as Fields) : patch.fields
  } else if (patch.fields !== undefined && !walk.isPending) {
    applyFields(row, patch, meta)
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
