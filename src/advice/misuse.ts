import { DEV } from '../base/env.ts'
import { fail, refusal } from '../base/errors.ts'
import { show } from '../base/show.ts'
import { warnOnce } from '../base/warn.ts'

/** The error of listeners that write to the store whenever it notifies them. */
export function notifyLoop(rounds: number): Error {
  const text = `Listeners of the store kept writing to it for ${rounds} rounds. One of them writes whenever it is notified.`
  return fail('notify-loop', `${rounds} rounds`, DEV && text)
}

/** The error of `controller.explain` in a build without it. */
export function explainMissing(): Error {
  return fail(
    'explain-missing',
    'explain',
    DEV &&
      'controller.explain() is not part of this build. Import { explain } from "restitch/explain" and call explain(controller, endpoint, ...args).',
  )
}

/** The error of a converter that throws. `record` is the key and the primary key of its record; `undefined` in a response. */
export function convertFailed(
  record: string | undefined,
  field: string | undefined,
  raw: unknown,
  cause: unknown,
): Error {
  const where = DEV && (record ? `of "${field}" threw for ${record}` : 'threw in the response')
  return refusal(
    'convert-failed',
    record ? `${record} at ${field}` : 'response',
    DEV && `The converter ${where}: ${String(cause)}. The stored value is ${show(raw)}.`,
    { cause },
  )
}

/** Warns of a record that its index cannot find. */
export function warnUnindexed(key: string, fields: Iterable<string>): void {
  if (DEV) {
    const names = [...fields].join(', ')
    warnOnce(`A record of "${key}" lacks a field of its indexes (${names}), so it is not found by it.`)
  }
}
