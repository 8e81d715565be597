import { define } from '../base/define.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { stableKey } from '../base/stableKey.ts'
import { validate } from '../base/standardSchema.ts'
import { warnOnce } from '../base/warn.ts'
import type { EndpointConstructor, EndpointInstance, FetchFunction } from './EndpointOptions.ts'
import { currentCall, START, start, type Startable, type StartOptions } from './start.ts'

type Args = readonly unknown[]

/** What the run time knows of an endpoint; what its options add to it is known to the public types. */
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
      if (fetchFunction.name) {
        define(self, 'name', fetchFunction.name)
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
    if (DEV && this.key === EndpointClass.prototype.key) {
      warnOnce(
        'An endpoint has no name, so its keys may be those of another. Name its function, or give it "name".',
        'error',
      )
    }
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
    return `${settle(this).name} ${stableKey(args)}`
  }

  requestKey(...args: Args): string {
    return this.key(...args)
  }

  testKey(key: string): boolean {
    return key.startsWith(`${settle(this).name} `)
  }

  [START](args: Args, options: StartOptions = {}): Promise<unknown> {
    return start(settle(this), args, options, (value) =>
      validate(this.validateResponse, value, 'validate-response', () => this.key(...args)),
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
    return makeFast(lay(self, adopt(options, this, this))) as never
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
