import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { originOf } from '../endpoint/originOf.ts'
import type { OutboxOptions } from './OutboxOptions.ts'
import { tell } from './tell.ts'

/** So many failures without a response, while reads of the same origin succeed, are no lack of a network. */
const FAILURES = 3

/** Notices that an origin does not allow the header of the key: then every attempt looks as if there was no network. */
export class Preflight {
  private readonly failures = new Map<string, number>()
  private readonly reported = new Set<string>()
  private readonly options: OutboxOptions

  constructor(options: OutboxOptions) {
    this.options = options
  }

  /** An attempt has ended. */
  note(key: string, isFailure: boolean): void {
    const origin = originAt(key)
    this.failures.set(origin, isFailure ? (this.failures.get(origin) ?? 0) + 1 : 0)
  }

  /** A read has succeeded. */
  read(key: string): void {
    if (this.failures.size === 0) {
      return
    }
    const origin = originAt(key)
    if ((this.failures.get(origin) ?? 0) >= FAILURES && !this.reported.has(origin)) {
      this.reported.add(origin)
      const error = fail(
        'outbox-preflight',
        origin,
        DEV &&
          `${FAILURES} mutations of the outbox got no response from "${origin}", while reads of it succeed. Let the server allow the header in Access-Control-Allow-Headers: Idempotency-Key, or set keyHeader: false.`,
      )
      tell(this.options, error)
    }
  }
}

function originAt(key: string): string {
  try {
    return originOf(key.slice(key.indexOf(' ') + 1))
  } catch {
    return ''
  }
}
