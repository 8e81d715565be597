import { define } from '../base/define.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { recall } from '../base/recall.ts'
import { stableKey } from '../base/stableKey.ts'
import { validate } from '../base/standardSchema.ts'
import { warnOnce } from '../base/warn.ts'
import type { EndpointConstructor, EndpointInstance, FetchFunction } from './EndpointOptions.ts'
import { currentCall, describeCall, START, start, type Startable, type StartOptions } from './start.ts'

type Args = readonly unknown[]

/** The members of an endpoint at run time; the public types add those of its options. */
interface BaseInstance extends Startable {
  name: string
  validateResponse?: unknown
  key(...args: Args): string
  requestKey(...args: Args): string
  testKey(key: string): boolean
  call(self: unknown, ...args: Args): Promise<unknown>
  apply(self: unknown, args?: Args): Promise<unknown>
  bind(self: unknown, ...args: Args): this
  extend(options?: object): this
  [START](args: Args, options?: StartOptions): Promise<unknown>
}

interface BaseConstructor {
  /** `bare`: a class of the library itself is made, so that no class fields follow. */
  new (fetchFunction?: FetchFunction, options?: object, bare?: boolean): BaseInstance
  readonly prototype: BaseInstance
}

/** Options that wait for the class fields of a subclass to be there. */
const PENDING: unique symbol = Symbol()

class EndpointClass implements BaseInstance {
  declare fetch: (...args: Args) => unknown
  declare validateResponse?: unknown

  constructor(fetchFunction?: FetchFunction, options: object = {}, bare = new.target === EndpointClass) {
    const self = createCallable(new.target.prototype)
    if (fetchFunction) {
      define(self, 'fetch', fetchFunction)
      if (!(options as { name?: string }).name) {
        nameAfter(self, fetchFunction)
      }
    }
    lay(self, adopt(options, new.target.prototype, new.target))
    // Class fields are set when this constructor has returned and would win over the options: these are laid over
    // them again at the first use, and soon in any case.
    if (!bare) {
      define(self, PENDING, options, false)
      void Promise.resolve().then(() => settle(self))
    }
    return makeFast(self) as never
  }

  get name(): string {
    return ''
  }
  set name(value: string) {
    define(this, 'name', value)
  }

  /** While `fetch` is being called: the signal of that call, joined from all who may end it. */
  get signal(): AbortSignal | undefined {
    return currentCall(this)?.join()
  }
  set signal(value: AbortSignal | undefined) {
    define(this, 'signal', value)
  }

  key(...args: Args): string {
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

  requestKey(...args: Args): string {
    return this.key(...args)
  }

  testKey(key: string): boolean {
    const { name } = settle(this)
    return name !== '' && key.startsWith(`${name} `)
  }

  [START](args: Args, options: StartOptions = {}): Promise<unknown> {
    return start(settle(this), args, options, (value) =>
      validate(this.validateResponse, value, 'validate-response', () => describeCall(this, args)),
    )
  }

  call(_this: unknown, ...args: Args): Promise<unknown> {
    return this[START](args)
  }

  apply(_this: unknown, args: Args = []): Promise<unknown> {
    return this[START](args)
  }

  bind(_this: unknown, ...bound: Args): this {
    const { fetch, key, requestKey } = settle(this)
    const prepend = (method: (...args: Args) => unknown) =>
      function (this: unknown, ...later: Args): unknown {
        return method.apply(this, [...bound, ...later])
      }
    return this.extend({
      fetch: prepend(fetch),
      key: prepend(key),
      // The default asks `key`, which knows the bound arguments already.
      requestKey: requestKey === EndpointClass.prototype.requestKey ? requestKey : prepend(requestKey),
    })
  }

  extend(options: object = {}): this {
    const self = lay(createCallable(Object.getPrototypeOf(settle(this)) as object), this)
    lay(self, adopt(options, this, this))
    const { fetch, name, key }: Partial<BaseInstance> = Object.hasOwn(options, 'fetch') ? { ...options } : {}
    // Another function fetches something else. Where the keys follow from the name, it may not keep that of the parent.
    if (fetch && !name && !key && hasNamedKeys(self)) {
      Reflect.deleteProperty(self, 'name')
      nameAfter(self, fetch)
    }
    return makeFast(self) as never
  }
}

/** The class behind {@link Endpoint}, as the other classes of the library extend it. */
export const BaseEndpoint: BaseConstructor = EndpointClass

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

/** True for endpoints whose class does not say itself what they are called, as a RestEndpoint does by its path. */
function hasNamedKeys(endpoint: object): boolean {
  let prototype = Object.getPrototypeOf(endpoint) as object
  while (!Object.hasOwn(prototype, 'name')) {
    prototype = Object.getPrototypeOf(prototype) as object
  }
  return prototype === EndpointClass.prototype
}

/** The text of the first function of each name, and the names of all functions. */
const sources = new Map<string, string>()
const names = new WeakMap<object, string>()

/**
 * Names an endpoint after its function, if that has a name of its own. Functions of one name and different texts, as
 * minifiers make them, get different names. They follow from the text, so that they are the same in every process.
 */
function nameAfter(endpoint: object, fetchFunction: (...args: never) => unknown): void {
  const given = fetchFunction.name
  if (!given || /^(fetch|default|anonymous|bound .*)$/.test(given)) {
    return
  }
  const name = recall(names, fetchFunction, () => {
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
  define(endpoint, 'name', name)
}

function hash(text: string): string {
  let value = 0
  for (let i = 0; i < text.length; i++) {
    value = (Math.imul(value, 31) + text.charCodeAt(i)) | 0
  }
  return (value >>> 0).toString(36)
}

/** From here on the options are in force; every member of the library calls it before it reads another. */
export function settle<T extends object>(endpoint: T & { [PENDING]?: object | undefined }): T {
  const options = endpoint[PENDING]
  if (options) {
    endpoint[PENDING] = undefined
    lay(endpoint, options)
  }
  return endpoint
}

function createCallable(prototype: object): object {
  const self = ((...args: Args): unknown => self[START](args)) as unknown as BaseInstance
  // Its own name would hide that of the endpoint.
  delete (self as { name?: string }).name
  return Object.setPrototypeOf(self, prototype)
}

/**
 * Without its own name a function becomes a slow object for V8, and `key` takes twice as long. Objects that serve as a
 * prototype are made fast again when a member is read through them.
 */
function makeFast(self: object): object {
  return Object.create(self).key && self
}

/**
 * Copies members as they are, getters too. `undefined` for a member that has a default counts as not given, unless it
 * says something of its own: no side effect, no signal.
 */
function lay<T extends object>(target: T, source: object): T {
  for (const name of Reflect.ownKeys(source)) {
    const member = Object.getOwnPropertyDescriptor(source, name)!
    if (
      member.get ||
      member.value !== undefined ||
      name === 'sideEffect' ||
      name === 'signal' ||
      !(name in Object.getPrototypeOf(target))
    ) {
      Object.defineProperty(target, name, { ...member, configurable: true })
    }
  }
  return target
}

/** Gives the options their parent as prototype: that is what `super` in their methods looks at. */
function adopt(options: object, parent: object, owner: { name: string }): object {
  const prototype: unknown = Object.getPrototypeOf(options)
  // Object.prototype, of whatever realm, is the one that has none itself.
  const made = prototype && Object.getPrototypeOf(prototype)
  if (prototype !== parent && (made || !Reflect.setPrototypeOf(options, parent))) {
    throw fail(
      'options-reused',
      owner.name,
      DEV &&
        `The options given to "${owner.name}" serve another endpoint already, are frozen, or have a prototype of their own. Write a new literal: { ...options }.`,
    )
  }
  return options
}
