import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'

/**
 * A cause that reaches all clients at the same moment: an event that puts data in doubt, messages that were missed, a connection that was lost, a
 * server that responds with 429 or 503.
 *
 * @example
 * const spread = (cause: SpreadCause) => (cause === 'connection' ? 30_000 : 5_000)
 * @see docs/api/createStore.md#spreadcause
 */
export type SpreadCause = 'event' | 'gap' | 'connection' | 'failure'

/**
 * Milliseconds within which a client acts on such a cause, at random.
 *
 * @example
 * const store = createStore({ spread: 10_000 })
 * @see docs/api/createStore.md#spread
 */
export type Spread = number | ((cause: SpreadCause) => number)

const DEFAULT = 2_000
const LONGEST = 3_600_000

/** Throws for a value that cannot be meant. `owner` is what has the option. */
export function checkSpread(spread: Spread | undefined, owner: string): void {
  if (
    spread !== undefined &&
    typeof spread !== 'function' &&
    !(typeof spread === 'number' && spread >= 0 && spread <= LONGEST)
  ) {
    throw fail(
      'spread',
      `spread of ${owner}`,
      DEV &&
        `The option "spread" of ${owner} is ${String(spread)}. Give it milliseconds from 0 to ${LONGEST} (an hour), or a function that returns them.`,
      TypeError,
    )
  }
}

/** Milliseconds to wait, at random. */
export function pickSpread(spread: Spread = DEFAULT, cause: SpreadCause, owner: string, random: () => number): number {
  const within = typeof spread === 'function' ? spread(cause) : spread
  checkSpread(within, owner)
  return within * random()
}
