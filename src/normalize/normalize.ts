import { DEV } from '../base/env.ts'
import { copyPlain, isObject } from '../base/equal.ts'
import { doubtAll, followWrites } from './follow.ts'
import { checkKind, refuse } from '../advice/refuse.ts'
import type { ListOutcome } from './receiveList.ts'
import type { ListSchema, Meta } from '../schema/Schema.ts'
import { applyFields, applyHooks } from './stamps.ts'
import type { Fields } from './tables.ts'
import { createWalk } from './visit.ts'
import { discard, type Intake, Walk } from './Walk.ts'

/** The effect of a response: a result, and patches of the rows it changes. The store itself is unchanged. */
export interface Change extends Pick<Walk, 'slots' | 'doubted' | 'wroteTo'> {
  readonly result: unknown
  readonly meta: Meta
  /** The outcome for the list at the top, if there is one. */
  readonly listOutcome?: ListOutcome | undefined
}

/** Takes a value apart: records go to patches of their rows, and what is left is the result. */
export function normalize(root: unknown, given: unknown, intake: Intake): Change {
  const walk = createWalk(intake)
  const { slots, later, lists } = walk
  try {
    checkKind(root, given, intake.key)
    const result: unknown = walk.visit(root, given, given, undefined)
    for (let i = 0; i < later.length; i++) {
      later[i]!()
    }
    slots.forEach((slot) => slot.patch!.fields !== undefined && meetRow(walk, slot))
    for (const receive of lists) {
      receive()
    }
    followWrites(walk)
    return changeOf(walk, DEV || intake.fromApp ? copyPlain(result) : result)
  } catch (error) {
    discard(slots)
    throw isOverflow(error) ? tooDeep(intake.key) : error
  }
}

/** The patch of a record meets the stored row. */
function meetRow(walk: Walk, slot: Walk['slots'][number]): void {
  const { isPending, intake } = walk
  const patch = slot.patch!
  const existing = patch.info?.hasMergeHooks ? walk.below(slot) : undefined
  if (isObject(existing) && typeof patch.fields === 'object') {
    applyHooks(slot, patch, intake.meta, existing)
    patch.fields = isPending ? (patch.value as Fields) : patch.fields
  } else if (!isPending) {
    applyFields(slot, patch, intake.meta)
  }
}

/** The change of a mutation that may have written anything. */
export function unknownWrite(
  intake: Intake,
  ...of: [written: ReadonlyMap<string, object>, own: ListSchema | undefined]
): Change {
  const walk = new Walk(intake)
  doubtAll(walk, ...of)
  return changeOf(walk, undefined)
}

function changeOf({ intake, slots, doubted, wroteTo, listOutcome }: Walk, result: unknown): Change {
  return { result, meta: intake.meta, slots, doubted, wroteTo, listOutcome }
}

function isOverflow(error: unknown): boolean {
  return error instanceof Error && /call stack|too much recursion/i.test(error.message)
}

function tooDeep(key = 'a value'): Error {
  return refuse(
    'input-too-deep',
    key,
    DEV && `The response of "${key}" is nested deeper than its schema can be followed.`,
  )
}
