// Decides what a written record changes in one list
//
// | before                       | now     | shown | the record | the list is in doubt, because of              |
// | ---------------------------- | ------- | ----- | ---------- | --------------------------------------------- |
// | any                          | unknown | any   | stays      | `now`                                         |
// | any                          | in      | yes   | stays      | `elsewhere`: it may stand at another place    |
// | in                           | in      | no    | stays away | `elsewhere`: the server leaves it out         |
// | out                          | in      | no    | joins      | `place`: where it stands is not known         |
// | overtaken                    | in      | no    | joins      | `before`                                      |
// | new-record, unknown-argument | in      | no    | by a mover | `before`                                      |
// | other unknown                | in      | no    | stays away | `before`                                      |
// | out                          | out     | any   | stays      | `counted`: a number beside it may count it    |
// | in, unknown                  | out     | yes   | leaves     | `gap`: another one may take its place         |
// | new-record                   | out     | no    | stays away | `counted`                                     |
// | in, other unknown            | out     | no    | stays away | `gap`: it may have stood on a page not loaded |
//
// The first row that fits counts. An unknown membership is named by its cause, which becomes the doubt. Where a row has no cause, the
// list is in doubt
//
// 1. after writes of the record that crossed, unless it does not show the record, which was and is out: `crossed`;
// 2. when it changes and is `unsettled`: it may have the change already, or has a number that nobody knows.

import type { Reason } from '../rows/doubt.ts'

/** Whether a record belongs to a list, or why nobody knows. */
export type Membership = 'in' | 'out' | Unknown
export type Unknown = Extract<
  Reason,
  | 'unknown-argument'
  | 'empty-list'
  | 'other-arguments'
  | 'new-record'
  | 'was-in-doubt'
  | 'read-since'
  | 'overtaken'
  | 'crossed'
>

/** One list and one written record (`Question.ts`). Questions that cost time are functions, and are called only where the result matters. */
export interface Case {
  readonly before: Membership
  readonly now: Membership
  /** The write is a mover of the Collection of the list. */
  readonly isMover: boolean
  /** The record crossed another write. */
  readonly isCrossed: boolean
  isShown(): boolean
  elsewhere(): Reason | undefined
  place(): Reason | undefined
  gap(): Reason | undefined
  counted(): Reason | undefined
  unsettled(): Reason | undefined
}

/** The effect on the list: whether the record moves, and why the list is in doubt. */
export interface Verdict {
  readonly move?: 'join' | 'leave' | undefined
  readonly doubt?: Reason | undefined
}

export function judge(one: Case): Verdict {
  const { move, doubt } = byMembership(one)
  return { move, doubt: doubt ?? crossed(one) ?? (move && one.unsettled()) }
}

/** The table above. */
function byMembership(one: Case): Verdict {
  const { now } = one
  if (isUnknown(now)) {
    return { doubt: now }
  }
  return now === 'in' ? comesOrStays(one) : goesOrStaysAway(one)
}

function comesOrStays(one: Case): Verdict {
  const { before, isMover } = one
  if (before === 'in' || one.isShown()) {
    return { doubt: one.elsewhere() }
  }
  if (before === 'out') {
    return { move: 'join', doubt: one.place() }
  }
  const isAdded = isMover && ['new-record', 'unknown-argument'].includes(before)
  return { move: isAdded || before === 'overtaken' ? 'join' : undefined, doubt: before }
}

function goesOrStaysAway(one: Case): Verdict {
  const { before } = one
  if (before === 'out') {
    return { doubt: one.counted() }
  }
  if (one.isShown()) {
    return { move: 'leave', doubt: one.gap() }
  }
  return { doubt: before === 'new-record' ? one.counted() : one.gap() }
}

function crossed(one: Case): Reason | undefined {
  const isConcerned = one.before !== 'out' || one.now !== 'out' || one.isShown()
  return one.isCrossed && isConcerned ? 'crossed' : undefined
}

export function isUnknown(membership: Membership): membership is Unknown {
  return membership !== 'in' && membership !== 'out'
}
