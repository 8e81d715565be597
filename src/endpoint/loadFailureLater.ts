import type * as failure from './failure.ts'

/** Browsers load it with the first response that failed, was redirected, or is not JSON. */
export function loadFailure(): Promise<typeof failure> {
  return import('./failure.ts')
}
