/** The response of an attempt. */
export interface Attempted {
  /** The method of the request. */
  readonly method: string
  /** `undefined`: no response. */
  readonly status?: number | undefined
  /** The body is what the endpoint expects, or empty. A captive portal sends its own page, with any status. */
  readonly isReadable: boolean
  /** An earlier attempt has no known outcome. */
  readonly wasUnknown: boolean
}

/**
 * | verdict    | meaning                                                                      |
 * | ---------- | ---------------------------------------------------------------------------- |
 * | `done`     | the server has made the change                                               |
 * | `unknown`  | nobody can know: it is sent again                                            |
 * | `refused`  | the server has not made the change, and will not                             |
 * | `crossed`  | the record was changed elsewhere, or by an attempt whose response was lost   |
 * | `unsigned` | nobody is signed in: it waits                                                |
 */
export type Verdict = 'done' | 'unknown' | 'refused' | 'crossed' | 'unsigned'

/** Refusals that say nothing of the change: too early, too much, too late. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429])

/** Judges an attempt by its response alone. */
export function judge({ method, status, isReadable, wasUnknown }: Attempted): Verdict {
  if (status === undefined || !isReadable || status < 200 || status >= 500 || PASSING.has(status)) {
    return 'unknown'
  }
  if (status < 300) {
    return 'done'
  }
  // A redirect that was not followed leads to a page of its own.
  if (status < 400) {
    return 'unknown'
  }
  if (status === 401) {
    return 'unsigned'
  }
  if (status === 409 || status === 412) {
    return 'crossed'
  }
  const isGone = status === 404 || status === 410
  return isGone && wasUnknown && method.toUpperCase() === 'DELETE' ? 'done' : 'refused'
}

/** Milliseconds before the next attempt: they grow, and differ from client to client. */
export function delayOf(attempts: number, random: () => number): number {
  return Math.min(1_000 * 2 ** Math.max(0, attempts - 1), 300_000) * (0.5 + random() / 2)
}
