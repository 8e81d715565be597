// Decides what a view does next
//
// | just      | wanted | store   | due   | tries | the view has   | next  |
// | --------- | ------ | ------- | ----- | ----- | -------------- | ----- |
// | responded | any    | any     | any   | any   | usable data    | show  |
// | any       | no     | any     | any   | any   | any            | fail  |
// | any       | yes    | stopped | any   | any   | any            | fail  |
// | any       | yes    | runs    | later | any   | any            | wait  |
// | any       | yes    | runs    | now   | left  | any            | fetch |
// | any       | yes    | runs    | any   | any   | an error       | fail  |
// | any       | yes    | runs    | now   | none  | nothing        | fail  |
// | any       | yes    | runs    | any   | any   | any            | show  |
//
// The first row that fits counts. Each cause to fetch has a moment of its own, from which on the view may fetch because of it; a view is
// due at the earliest of them. Data that has just arrived is shown even if it is in doubt by now: the next check of the view sees to that.

import { isDue, type Reading, UNUSABLE } from '../requests/Reading.ts'
import { STALE } from '../rows/Meta.ts'

/** Moments that are no time: a reader or the user wants the data now; or nothing has put it in doubt. */
export const WANTED = -1
export const NEVER: number = Infinity

/** Data in doubt waits for this moment. */
export function isLater(dueAt: number): boolean {
  return dueAt > 0 && dueAt < NEVER
}

export type Next = 'show' | 'wait' | 'fetch' | 'fail'

/** Why data is fetched. `hidden`: it is missing, and a pending operation creates or deletes one of its rows. */
export type Cause = 'hidden' | 'missing' | 'expired' | 'doubt'

/** A cause, and from when on a view may fetch because of it. */
export interface Due {
  readonly cause: Cause
  readonly at: number
}

export interface Situation {
  readonly reading: Pick<Reading, 'data' | 'error' | 'expiryStatus'>
  /** The fetch of the view has just received a response. */
  readonly hasResponded: boolean
  /** There is a reader who has not left by a signal. */
  readonly isWanted: boolean
  readonly isStopped: boolean
  readonly dues: readonly Due[]
  /** The view may send a request, or join one: not after several responses that were of no use. */
  hasTries(): boolean
}

export function plan({ reading, dues, ...one }: Situation, now: number): Next {
  const { data, error, expiryStatus } = reading
  if (one.hasResponded && data !== undefined && expiryStatus !== UNUSABLE) {
    return 'show'
  }
  if (!one.isWanted || one.isStopped) {
    return 'fail'
  }
  if (dues.length > 0) {
    if (dueAt(dues) > now) {
      return 'wait'
    }
    if (one.hasTries()) {
      return 'fetch'
    }
    if (data === undefined) {
      return 'fail'
    }
  }
  return error === undefined ? 'show' : 'fail'
}

/** When a view is due: at the earliest moment of its causes. */
export function dueAt(dues: readonly Due[]): number {
  return Math.min(...dues.map(({ at }) => at))
}

/** The causes to fetch what was read. */
export function causesOf(reading: Reading, now: number): readonly Cause[] {
  if (reading.waiting) {
    return ['hidden']
  }
  if (!isDue(reading, now)) {
    return []
  }
  const { data, expiryStatus, expiresAt, isPartial } = reading
  if (data !== undefined && !isPartial && expiresAt === STALE) {
    return ['doubt']
  }
  return [data === undefined || expiryStatus === UNUSABLE ? 'missing' : 'expired']
}
