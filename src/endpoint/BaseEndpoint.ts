import { define } from '../base/define.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { currentCall, START, start, type Startable, type StartOptions } from './start.ts'

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
  /**
   * @param bare a class of the library itself is made, so that no class fields follow
   * @param base members that the options go over
   */
  new (options?: object, bare?: boolean, base?: object): BaseInstance
  readonly prototype: BaseInstance
}

/** Options that wait for the class fields of a subclass to be there. */
const PENDING: unique symbol = Symbol()

abstract class BaseEndpointClass implements BaseInstance {
  abstract fetch(...args: Args): unknown
  abstract key(...args: Args): string
  abstract testKey(key: string): boolean

  constructor(options: object = {}, bare?: boolean, base: object = {}) {
    const self = lay(createCallable(new.target.prototype), base)
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

  requestKey(...args: Args): string {
    return this.key(...args)
  }

  [START](args: Args, options: StartOptions = {}): Promise<unknown> {
    return start(settle(this), args, options)
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
      requestKey: requestKey === BaseEndpointClass.prototype.requestKey ? requestKey : prepend(requestKey),
    })
  }

  extend(options: object = {}): this {
    const self = lay(createCallable(Object.getPrototypeOf(settle(this)) as object), this)
    lay(self, adopt(options, this, this))
    return makeFast(self) as never
  }
}

/**
 * The part that all endpoints share: a callable whose options go over the members of its class.
 * `Endpoint`, `RestEndpoint` and `GQLEndpoint` extend it; each has keys of its own.
 */
export const BaseEndpoint: BaseConstructor = BaseEndpointClass as never

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
export function makeFast<T extends object>(self: T): T {
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
  if (DEV) {
    const prototype: unknown = Object.getPrototypeOf(options)
    // Object.prototype, of whatever realm, is the one that has none itself.
    const made = prototype && Object.getPrototypeOf(prototype)
    if (prototype !== parent && (made || !Object.isExtensible(options))) {
      throw fail(
        'options-reused',
        owner.name,
        `The options given to "${owner.name}" serve another endpoint already, are frozen, or have a prototype of their own. Write a new literal: { ...options }.`,
      )
    }
  }
  return Object.setPrototypeOf(options, parent)
}
