import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { originOf } from '../endpoint/originOf.ts'
import type { OutboxOptions } from './OutboxOptions.ts'
import { tell } from './tell.ts'

/** So many failures without a response, while reads of the same origin succeed, are no lack of a network. */
const FAILURES = 3

/** Notices that an origin does not allow the header of the key: then every attempt looks as if there was no network. */
export class Preflight {
  /** Failures in a row, by origin, each after a read that has succeeded. */
  private readonly failures = new Map<string, number>()
  /** The origins of which a read has succeeded since the last failure: while a server is down, none does. */
  private readonly readable = new Set<string>()
  private readonly options: OutboxOptions

  constructor(options: OutboxOptions) {
    this.options = options
  }

  /** An attempt has ended. */
  note(key: string, isFailure: boolean): void {
    const origin = originAt(key)
    const before = this.failures.get(origin) ?? 0
    const count = isFailure ? before + Number(this.readable.delete(origin)) : 0
    this.failures.set(origin, Math.min(count, FAILURES + 1))
    if (count === FAILURES && before < FAILURES) {
      const error = fail(
        'outbox-preflight',
        origin,
        DEV &&
          `${FAILURES} mutations of the outbox got no response from "${origin}", while reads of it succeed. Let the server allow the header in Access-Control-Allow-Headers: Idempotency-Key, or set keyHeader: false.`,
      )
      tell(this.options, error)
    }
  }

  /** A read has succeeded. */
  read(key: string): void {
    this.readable.add(originAt(key))
  }
}

function originAt(key: string): string {
  try {
    return originOf(key.slice(key.indexOf(' ') + 1))
  } catch {
    return ''
  }
}
