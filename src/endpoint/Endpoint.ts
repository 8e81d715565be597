import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { recall } from '../base/recall.ts'
import { stableKey } from '../base/stableKey.ts'
import { validate } from '../base/standardSchema.ts'
import { warnOnce } from '../base/warn.ts'
import { BaseEndpoint, makeFast, settle } from './BaseEndpoint.ts'
import type { EndpointConstructor, EndpointInstance, FetchFunction } from './EndpointOptions.ts'
import { describeCall, START, start, type StartOptions } from './start.ts'

type Args = readonly unknown[]

class EndpointClass extends BaseEndpoint {
  constructor(fetchFunction?: FetchFunction, options: { readonly name?: string } = {}) {
    super(
      options,
      new.target === EndpointClass,
      fetchFunction && { fetch: fetchFunction, name: options.name ? undefined : nameOf(fetchFunction) },
    )
  }

  /** Every endpoint of the library counts as one, although the other classes do not have the code of this one. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Function.prototype[Symbol.hasInstance].call(this === EndpointClass ? BaseEndpoint : this, value)
  }

  override key(...args: Args): string {
    const { name, fetch } = settle(this)
    if (!name) {
      const source = String(fetch).slice(0, 80)
      throw fail(
        'endpoint-no-name',
        source,
        DEV &&
          `An endpoint has no name, so that its results have no key. Give it a name: new Endpoint(fetchUser, { name: 'fetchUser' }). Its function is ${source}.`,
      )
    }
    return `${name} ${stableKey(args)}`
  }

  override testKey(key: string): boolean {
    const { name } = settle(this)
    return name !== '' && key.startsWith(`${name} `)
  }

  override [START](args: Args, options: StartOptions = {}): Promise<unknown> {
    return start(settle(this), args, options, (value) =>
      validate(this.validateResponse, value, 'validate-response', () => describeCall(this, args)),
    )
  }

  override extend(options: object = {}): this {
    const self = super.extend(options)
    const { fetch, name, key }: Partial<EndpointClass> = Object.hasOwn(options, 'fetch') ? { ...options } : {}
    // Another function fetches something else. Where the keys follow from the name, it may not keep that of the parent.
    if (fetch && !name && !key && hasNamedKeys(self)) {
      Reflect.deleteProperty(self, 'name')
      Object.assign(self, { name: nameOf(fetch) ?? '' })
    }
    return makeFast(self)
  }
}

/**
 * Something that can be fetched: a function that also knows how to name its result and what that result is made of.
 * While the function is being called, `this.signal` fires when the call is aborted or takes too long.
 *
 * @example
 * const getTime = new Endpoint(async (zone: string) => (await fetch(`/time/${zone}`)).json(), { name: 'getTime' })
 * await getTime('UTC')
 * @see docs/api/Endpoint.md
 */
export const Endpoint: EndpointConstructor = EndpointClass as never
export interface Endpoint<F extends FetchFunction = FetchFunction, S = any, M = any> extends EndpointInstance<
  F,
  S,
  M
> {}

/** False for an endpoint of a subclass that says itself what its endpoints are called. */
function hasNamedKeys(endpoint: object): boolean {
  let prototype = Object.getPrototypeOf(endpoint) as object
  while (!Object.hasOwn(prototype, 'name')) {
    prototype = Object.getPrototypeOf(prototype) as object
  }
  return prototype === BaseEndpoint.prototype
}

/** The text of the first function of each name, and the names of all functions. */
const sources = /* @__PURE__ */ new Map<string, string>()
const names = /* @__PURE__ */ new WeakMap<object, string>()

/**
 * The name of an endpoint after its function, if that has a name of its own. Functions of one name and different texts, as
 * minifiers make them, get different names. They follow from the text, so that they are the same in every process.
 */
function nameOf(fetchFunction: (...args: never) => unknown): string | undefined {
  const given = fetchFunction.name
  if (!given || /^(fetch|default|anonymous|bound .*)$/.test(given)) {
    return undefined
  }
  return recall(names, fetchFunction, () => {
    const source = String(fetchFunction)
    let free = given
    while ((sources.get(free) ?? source) !== source) {
      free = `${given}~${hash(free + source)}`
    }
    if (DEV && sources.has(given)) {
      warnOnce(
        `Two functions are called "${given}"${free === given ? ' and have the same text, so that their endpoints share keys' : ''}. Give each endpoint a name: new Endpoint(${given}, { name: '…' }). A function that is made again at every render belongs outside of the component.`,
      )
    }
    sources.set(free, source)
    return free
  })
}

function hash(text: string): string {
  let value = 0
  for (let i = 0; i < text.length; i++) {
    value = (Math.imul(value, 31) + text.charCodeAt(i)) | 0
  }
  return (value >>> 0).toString(36)
}
