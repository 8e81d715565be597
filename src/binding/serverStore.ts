import type { Entity } from '../kinds/Entity.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'
import { onAbort, reasonOf } from '../endpoint/signals.ts'
import { createStore, type Store, type StoreOptions } from '../client/createStore.ts'
import { FETCH, SET_RESPONSE } from '../requests/actionTypes.ts'
import type { Middleware } from '../controller/Middleware.ts'
import { DevToolsManager } from '../managers/DevToolsManager.ts'
import { ImmortalGCPolicy } from '../managers/GCPolicy.ts'
import type { Manager } from '../managers/Manager.ts'
import { NetworkManager } from '../managers/NetworkManager.ts'
import { keyOwner } from '../schema/entityKey.ts'
import { createRest, type Rest } from './rest.ts'

/** The options of a store for one server render. */
export interface ServerStoreOptions extends Pick<StoreOptions, 'managers' | 'Controller'> {
  /** Milliseconds after which the server aborts pending requests; the browser fetches that data. */
  readonly timeout?: number | undefined
  /** Ends the render: the server aborts pending requests and sends no more. Pass that of the request, which fires when the user leaves. */
  readonly signal?: AbortSignal | undefined
}

/** Makes the store of one request to the server. It forgets nothing, and shows itself to no tool. */
export function createServerStore(
  { managers = [new NetworkManager()], Controller, timeout, signal }: ServerStoreOptions,
  platform: Pick<StoreOptions, 'clock' | 'random'> = {},
): {
  store: Store
  rest: Rest
} {
  if (!managers.some((manager) => manager instanceof NetworkManager)) {
    throw fail(
      'network-manager-missing',
      'managers',
      DEV &&
        'managers must include a NetworkManager: without one a server store fetches nothing, and what suspends would wait for ever. Add new NetworkManager().',
    )
  }
  const used = managers.filter((manager) => !(manager instanceof DevToolsManager))
  const store = createStore({
    managers: DEV ? [new Watch(), ...used] : used,
    gcPolicy: new ImmortalGCPolicy(),
    Controller,
    ...platform,
  })
  const { clock, core } = store.controller
  const rest = createRest(store.controller)
  const end = (reason: (key: string) => unknown): void => {
    for (const request of core.requests.open.values()) {
      core.requests.drop(request, reason(request.action.key))
    }
    // No request is sent after that.
    store.stop()
  }
  if (timeout !== undefined) {
    clock.setTimeout(() => end((key) => tooLate(key, timeout)), timeout)
  }
  if (signal?.aborted) {
    store.stop()
  } else if (signal) {
    onAbort([signal], () => end(() => reasonOf(signal)))
  }
  return { store, rest }
}

function tooLate(key: string, timeout: number): Error {
  return fail(
    'server-timeout',
    key,
    DEV &&
      `"${key}" got no response within the ${timeout} ms that this page has on the server. The browser fetches it.`,
    Error,
    { status: 504 },
  )
}

const SECRET = /token|auth|session/i

/** Tells of what goes wrong only in production: secrets that all users share, and names that minifiers change. */
class Watch implements Manager {
  readonly middleware: Middleware = (controller) => (next) => async (action) => {
    if (action.type === FETCH) {
      warnOfTokens(action.endpoint.constructor)
    }
    await next(action)
    if (action.type !== SET_RESPONSE) {
      return
    }
    for (const { entity: of } of controller.core.store.tables.tables.values()) {
      const entity = of as typeof Entity | undefined
      if (DEV && entity && !keyOwner(entity)) {
        warnOnce(
          `The key of "${entity.key}" is the name of its class, which minifiers change: records in a page of the server may have another in the browser. Write it down: static key = '${entity.key}'.`,
        )
      }
    }
  }
  cleanup(): void {}
}

function warnOfTokens(Class: any): void {
  for (let made = Class; made && made !== Function.prototype; made = Object.getPrototypeOf(made)) {
    const name = Object.getOwnPropertyNames(made).find((one) => SECRET.test(one) && isSet(made[one]))
    if (DEV && name) {
      warnOnce(
        `"${made.name}.${name}" is set while a server renders. A static member is one for all users of this process: use hookifyResource(), or make a class for each request.`,
      )
    }
  }
}

function isSet(value: unknown): boolean {
  return value != null && value !== '' && typeof value !== 'function'
}
