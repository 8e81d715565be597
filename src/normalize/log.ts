import { isOlder, type Meta } from '../schema/Schema.ts'

/**
 * The contribution of one response or local write to a slot. (Pending operations stand over the slot, see `shown.ts`.)
 *
 * A slot keeps its contributions in order of rank (`meta.order`) for as long as an open request could still be ranked before
 * them; the value of the slot is their fold. A contribution that arrives late is inserted where it belongs, so the order of
 * arrival does not matter. The first ones are joined into one when no open request can come between them any more.
 */
export interface Contribution {
  readonly meta: Meta
}

/** Writes rank by their commit, reads by when they were sent. */
export function ranksByCommit({ sent, order }: Meta): boolean {
  return order > sent
}

/** A read that a write has overtaken, or two writes that were committed in another order than sent. */
export function isCrossing(stored: Meta, incoming: Meta): boolean {
  return (ranksByCommit(stored) || ranksByCommit(incoming)) && isOlder(incoming, stored)
}

/**
 * The writes that a write yields to. Two writes compare by when they were sent, any other pair by rank. So a write that was
 * sent earlier but is committed last loses the fields that the later one is about; the rest ranks by its commit. Of lists
 * it loses items (`undecided` in `lists.ts`).
 *
 * Example: A is sent (1), B is sent (2), B is committed (3), a read is sent (4), A is committed (5). The log is B, read, A
 * without the fields of B.
 */
export function sentLater<E extends Contribution>(log: readonly E[], meta: Meta): E[] {
  return ranksByCommit(meta) ? log.filter((one) => ranksByCommit(one.meta) && one.meta.sent > meta.sent) : []
}

/** Where a contribution belongs in a log. */
export function placeOf(log: readonly Contribution[], { order }: Meta): number {
  let place = log.length
  while (place > 0 && log[place - 1]!.meta.order > order) {
    place--
  }
  return place
}

/** How many contributions, from the first on, no open request can be ranked before any more. */
export function compactableCount(log: readonly Contribution[], horizon: number): number {
  const open = log.findIndex(({ meta }) => meta.order >= horizon)
  return open < 0 ? log.length : open
}
