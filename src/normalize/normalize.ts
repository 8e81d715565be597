import { DEV } from '../base/env.ts'
import { copyPlain, isObject } from '../base/equal.ts'
import type { RecentWrite } from './ListState.ts'
import { discard, type Intake, type StaleLists } from './drafts.ts'
import { followRecords } from './followRecords.ts'
import { countDeleted } from './counts.ts'
import type { ListOutcome } from './pages.ts'
import { contribute, mergeWithHooks } from './records.ts'
import { checkKind, refuse } from './refuse.ts'
import type { Slot } from './tables.ts'
import { createWalk } from './visit.ts'

/** The effect of a response: a result, and drafts in the slots it changes. The store itself is unchanged. */
export interface Change {
  readonly result: unknown
  readonly slots: readonly Slot[]
  /** Lists that may be wrong after it. */
  readonly staleLists?: StaleLists | undefined
  /** Writes that lists still on their way may lack. */
  readonly recentWrites?: readonly RecentWrite[] | undefined
  /** The outcome for the list at the top, if there is one. */
  readonly listOutcome?: ListOutcome | undefined
}

/** Takes a value apart: records go to drafts of their rows, and what is left is the result. */
export function normalize(root: unknown, given: unknown, intake: Intake): Change {
  const walk = createWalk(intake)
  const { drafts, later, lists } = walk
  const { slots, below } = drafts
  try {
    checkKind(root, given, intake.key)
    const result: unknown = walk.visit(root, given, given, undefined)
    for (let i = 0; i < later.length; i++) {
      later[i]!()
    }
    // The draft of each record meets the stored row; lists look at the records afterwards.
    for (const slot of slots) {
      const { incoming, info } = slot.draft!
      if (incoming !== undefined) {
        const hasHooks = info?.hasMergeHooks && isObject(below(slot).value)
        ;(hasHooks ? mergeWithHooks : contribute)(drafts, slot, incoming)
      }
    }
    for (const change of lists) {
      change()
    }
    followRecords(drafts)
    countDeleted(drafts)
    return {
      result: DEV || intake.fromApp ? copyPlain(result) : result,
      slots,
      staleLists: drafts.staleLists,
      recentWrites: drafts.recentWrites,
      listOutcome: walk.listOutcome,
    }
  } catch (error) {
    discard(slots)
    throw isOverflow(error) ? tooDeep(intake.key) : error
  }
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
