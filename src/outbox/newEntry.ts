// The entry of a mutation that is called now.

import type { Controller } from '../controller/Controller.ts'
import { SEEN_VERSION, type SeenVersion } from '../endpoint/start.ts'
import type { Request } from '../requests/Request.ts'
import { concernsOf } from './concerns.ts'
import type { Entry } from './Entry.ts'
import { newKey } from './newId.ts'
import { concernsOneOf } from './order.ts'
import type { OutboxOptions } from './OutboxOptions.ts'
import { pack, packFields } from './pack.ts'
import type { ShownEntries } from './ShownEntries.ts'
import { viewOf } from './viewOf.ts'

/** The parts that an entry is made with. */
export interface EntryParts {
  readonly controller: Controller
  readonly options: OutboxOptions
  readonly shown: ShownEntries
  /** Wall time. */
  readonly now: number
  /** The version of the app. */
  readonly version: number
  /** The entries that were made before. */
  readonly others: readonly Entry[]
}

/**
 * The entry of a mutation, which is shown from now on. Throws where its arguments cannot be stored.
 *
 * @param endpoint the id of its endpoint
 * @param within milliseconds after which it is due
 */
export function newEntry(parts: EntryParts, endpoint: string, id: string, request: Request, within: number): Entry {
  const { controller, options, shown, now, version, others } = parts
  const { core, random } = controller
  const args = request.args.map((arg, i) => pack(arg, request.key, `arguments[${i}]`))
  const own = { id, key: newKey(random), args, shown: [] }
  const seen = (request.endpoint as any)[SEEN_VERSION]?.(request.args, controller) as SeenVersion | undefined
  core.requests.close(request)
  const operation = shown.add(own, undefined, request.action.meta.sent, request)
  const concerns = concernsOf(core.store.tables, id, request, operation)
  // An earlier change of the record hides the version that the user has seen: this one follows it.
  const before = others.findLast(
    ({ records, ifMatch }) => ifMatch && records.length > 0 && concernsOneOf({ records }, concerns.records),
  )
  const made: Entry = {
    ...own,
    ...concerns,
    endpoint,
    createdAt: now,
    dueAt: now + within,
    version,
    order: Infinity,
    attempts: 0,
    state: 'pending',
    ifMatch: seen?.etag ?? before?.ifMatch,
    // The user changed the version that was on the screen, not one that came while they typed.
    ...(seen?.base && { base: packFields(seen.base) }),
  }
  return { ...made, records: options.order?.(viewOf(made)) ?? made.records }
}
