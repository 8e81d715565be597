import { DEV } from '../base/env.ts'
import { copyPlain, isObject } from '../base/equal.ts'
import { followWrites } from './follow.ts'
import { checkKind, tooDeep } from '../schema/refuse.ts'
import { applyFields, applyHooks } from '../records/receiveRecord.ts'
import { type RecordPatch, RecordRow } from '../records/RecordRow.ts'
import type { Fields } from '../rows/Fields.ts'
import { createWalk } from './visit.ts'
import type { Intake, Walk } from './Walk.ts'

/** Takes a value apart: records go to patches of their rows, and what is left is the result. The store itself is unchanged. */
export function normalize(root: unknown, given: unknown, intake: Intake): Walk {
  const walk = createWalk(intake)
  const { slots, later, lists } = walk
  try {
    checkKind(root, given, intake.key)
    const result: unknown = walk.visit(root, given, given, undefined)
    for (let i = 0; i < later.length; i++) {
      later[i]!()
    }
    for (const slot of slots) {
      if (slot instanceof RecordRow) {
        receiveRecord(walk, slot, slot.patch!)
      }
    }
    // Lists look at the numbers beside them.
    walk.result = result
    for (const receive of lists) {
      receive()
    }
    followWrites(walk)
    walk.result = isObject(result) && (DEV || intake.fromApp) ? copyPlain(result) : result
    return walk
  } catch (error) {
    slots.forEach((slot) => (slot.patch = undefined))
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
