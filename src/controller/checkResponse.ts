import { DEV } from '../base/env.ts'
import { asError } from '../base/errors.ts'
import { show } from '../base/show.ts'
import { warnOnce } from '../base/warn.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { discard } from '../normalize/drafts.ts'
import type { Change } from '../normalize/normalize.ts'
import { refuse } from '../normalize/refuse.ts'
import { isPage } from '../rest/paginate.ts'
import type { Entity } from '../schema/Entity.ts'
import { argsPk } from '../schema/pk.ts'
import { isEntity } from '../schema/Schema.ts'
import type { Call } from './actions.ts'

/** Endpoints whose response was another record, after the warning. */
const warned = new WeakSet<EndpointInterface>()

/** Checks that the response is the record of the arguments, where they tell. */
export function checkRecord({ endpoint, key, plain: args }: Call, change: Change): void {
  const { schema, strict } = endpoint as { schema?: any; strict?: boolean }
  if (strict === false || !isEntity(schema) || typeof change.result !== 'string') {
    return
  }
  // The only argument of a mutation may be a body, whose id is the client's; and an action may respond with another record.
  if (endpoint.sideEffect && (strict !== true || args.length < 2)) {
    return
  }
  // Without `strict` there is only a warning.
  if (!DEV && strict !== true) {
    return
  }
  const pk = argsPk(schema as unknown as typeof Entity, args)
  if (pk === undefined || pk === change.result) {
    return
  }
  const text = DEV && `The response of "${key}" is the record "${change.result}" of "${schema.key}", not "${pk}".`
  if (strict === true) {
    discard(change.slots)
    throw refuse('answer-other-record', `${change.result} for ${key}`, text)
  }
  if (DEV && !warned.has(endpoint)) {
    warned.add(endpoint)
    warnOnce(`${text} Set strict: false where the argument is another name of it, or strict: true to refuse it.`)
  }
}

/** A page without a list would leave the list as it is, without a hint why more items are missing. */
export function checkPage({ endpoint, key }: Call, value: unknown, { slots, listOutcome }: Change): void {
  if (!isPage(endpoint) || listOutcome !== undefined) {
    return
  }
  discard(slots)
  const text =
    DEV &&
    `The response of the page "${key}" is ${show(value)}. It has no list where the schema has its Collection: return one from process().`
  throw refuse('page-shape', key, text, value)
}

/** The error of a response that is refused. */
export function refusedError({ endpoint, key }: Call, thrown: unknown, response: unknown): unknown {
  const error = asError(thrown) as Error
  const message = DEV ? `Error processing ${key} (${nameOf(endpoint.schema)}): ${error.message}` : error.message
  const more = { status: 400, refused: true, response }
  try {
    return Object.assign(error, { message }, more)
  } catch {
    // Frozen, or of a kind whose message is fixed.
    return Object.assign(new Error(message, { cause: error }), more)
  }
}

/** The name of a schema in messages; an adder such as `push` is named after its list. */
function nameOf(schema: any): string {
  const { collection, kind } = (schema ?? {}) as { collection?: any; kind?: string }
  if (!collection) {
    return String(schema?.key ?? schema?.constructor?.name)
  }
  const member = Object.keys(collection as object).find((name) => collection[name] === schema)
  return `${collection.key}.${member ?? `${kind}With`}`
}
