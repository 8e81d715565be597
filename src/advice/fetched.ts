import { DEV } from '../base/env.ts'
import { asError, fail } from '../base/errors.ts'
import { show } from '../base/show.ts'
import { warnOnce } from '../base/warn.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { argsPk } from '../schema/pk.ts'
import { isEntity } from '../schema/Schema.ts'
import { refuse } from '../schema/refuse.ts'

/** Warns of a field that neither a list nor the record's own response contains: it costs a request for each record. */
export function warnMissing(key: string, field: string): void {
  if (DEV) {
    warnOnce(
      `"${key}" declares "${field}", but no response contained it, not even the one that was fetched for it. If the server does not always send it, list the fields that readers rely on: static required = ['id', …].`,
    )
  }
}

/** The error of an endpoint whose responses cannot be shown. */
export function notUsable({ schema }: EndpointInterface, key: string): Error {
  return fail(
    'not-usable',
    key,
    DEV &&
      (schema
        ? `"${key}" was fetched 3 times, and each time a record that its schema needs was missing. Look at what the server sends, and at what deletes that record.`
        : `The response of "${key}" is undefined. A read has to return a value: return null where there is none.`),
    Error,
    { status: 400, refused: true },
  )
}

/** Warns of a mutation that resolves to `undefined` because its response is empty, if its type does not say so. */
export function warnEmpty(endpoint: EndpointInterface): void {
  if (DEV && isTypedBySchema(endpoint)) {
    warnOnce(
      `The response of "${endpoint.name}" is empty, and its record is not in the store: the call resolves to undefined, although its type is that of ${schemaName(endpoint.schema)}. If the server sends no record, say so: process: () => null.`,
    )
  }
}

/** True where nothing but the schema says what the response is. */
function isTypedBySchema(endpoint: any): boolean {
  const { prototype }: any = RestEndpoint
  const isInherited = (name: string): boolean => endpoint[name] === prototype[name]
  return ['process', 'parseResponse', 'validateResponse'].every(isInherited)
}

/** The error of a response that is refused. */
export function refusedError(schema: unknown, key: string, thrown: unknown, response: unknown): unknown {
  const error = asError(thrown) as Error
  const message = DEV ? `Error processing ${key} (${schemaName(schema)}): ${error.message}` : error.message
  const more = { status: 400, refused: true, response }
  try {
    return Object.assign(error, { message }, more)
  } catch {
    // Frozen, or of a kind whose message is fixed.
    return Object.assign(new Error(message, { cause: error }), more)
  }
}

/** The error of a page without a list: it would leave the list as it is, without a hint why more items are missing. */
export function noPage(key: string, value: unknown): Error {
  const text =
    DEV &&
    `The response of the page "${key}" is ${show(value)}. It has no list where the schema has its Collection: return one from process().`
  return refuse('page-shape', key, text, value)
}

/** Endpoints whose response was another record, after the warning. */
const warned = new WeakSet<EndpointInterface>()

/** In development: the error of a response that is another record than the arguments name, where that is refused; else it warns. */
export function otherRecord(
  endpoint: EndpointInterface,
  key: string,
  args: readonly any[],
  found: unknown,
): Error | undefined {
  // Metro drops no unused export, so a function that only development calls is empty in production.
  if (DEV) {
    const { schema, strict, sideEffect } = endpoint as { schema?: any; strict?: boolean; sideEffect?: boolean }
    // The only argument of a mutation may be a body, whose id is the client's; and an action may respond with another record.
    const isMeant = strict === false || (sideEffect && (!strict || args.length < 2))
    const pk = !isMeant && isEntity(schema) ? argsPk(schema as unknown as RecordClass, args) : undefined
    if (pk === undefined || pk === found || typeof found !== 'string') {
      return undefined
    }
    const text = `The response of "${key}" is the record "${found}" of "${schema.key}", not "${pk}".`
    if (strict) {
      return refuse('answer-other-record', `${found} for ${key}`, text)
    }
    if (!warned.has(endpoint)) {
      warned.add(endpoint)
      warnOnce(`${text} Set strict: false where the argument is another name of it, or strict: true to refuse it.`)
    }
  }
  return undefined
}

/** Refuses negative lengths of an endpoint or a manager. */
export function checkExpiry(
  of: Pick<EndpointInterface, 'dataExpiryLength' | 'errorExpiryLength'> & {
    readonly path?: string
    readonly name?: string
  },
): void {
  for (const name of ['dataExpiryLength', 'errorExpiryLength'] as const) {
    if (of[name]! < 0) {
      const owner = of.path ?? of.name ?? 'NetworkManager'
      throw fail(
        'expiry-negative',
        `${name} of ${owner}`,
        DEV && `"${name}" of "${owner}" is ${of[name]}. Give 0 or more milliseconds.`,
      )
    }
  }
}

/** The name of a schema in messages; an adder such as `push` is named after its list. */
function schemaName(schema: any): string {
  const { collection, kind } = (schema ?? {}) as { collection?: any; kind?: string }
  if (!collection) {
    try {
      return String(schema?.key ?? schema?.constructor?.name)
    } catch {
      // A class without a name has no key.
      return 'Entity'
    }
  }
  const member = Object.keys(collection as object).find((name) => collection[name] === schema)
  return `${collection.key}.${member ?? `${kind}With`}`
}

/** Warns of `expires` with a member that does not exist yet. */
export function checkExpires(expires: readonly unknown[], path: string | undefined): void {
  if (DEV && expires.includes(undefined)) {
    warnOnce(
      `"expires" of "${path}" contains undefined, which expires nothing. Files that import one another may have no value yet: write a getter, extend({ get expires() { return [getStats] } }).`,
    )
  }
}

/** The error of an action that is sent before the managers are there. */
export function tooEarly(): never {
  throw fail(
    'dispatch-early',
    'dispatch',
    DEV &&
      'Dispatching while constructing your middleware is not allowed. Other managers would not see it. Wait for init(), or bind the controller to a store.',
  )
}
