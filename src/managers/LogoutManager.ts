import type { Dispatch, FetchAction, SetResponseAction } from '../requests/actions.ts'
import { FETCH, RESET, SET_RESPONSE } from '../requests/actionTypes.ts'
import type { Middleware } from '../controller/Middleware.ts'
import type { Controller } from '../controller/Controller.ts'
import type { EndpointInterface, UnknownError } from '../endpoint/EndpointOptions.ts'
import { originOf } from '../endpoint/originOf.ts'
import { report } from '../base/report.ts'
import type { Manager } from './Manager.ts'

/** Options of a LogoutManager: which errors sign out, and how. */
export interface LogoutManagerOptions {
  /** Decides by the error and the action whether to sign out; by default for status 401. */
  readonly shouldLogout?: ((error: UnknownError, action: SetResponseAction) => boolean) | undefined
  /** Signs out; by default it resets the store. */
  readonly handleLogout?: ((controller: Controller) => unknown) | undefined
  /** Servers whose word counts; by default that of the page, and those that are sent credentials. */
  readonly origins?: readonly string[] | undefined
}

/**
 * Forgets everything when a server says that the user is signed out.
 *
 * @example
 * createStore({ managers: [new LogoutManager(), ...getDefaultManagers()] })
 * @see docs/api/LogoutManager.md
 */
export class LogoutManager implements Manager {
  declare readonly middleware: Middleware

  constructor({
    shouldLogout = ({ status }) => status === 401,
    handleLogout = (controller) => controller.resetEntireStore(),
    origins,
  }: LogoutManagerOptions = {}) {
    this.middleware = (controller) => {
      const { store } = controller.core
      const page = (globalThis as { location?: { href: string } }).location?.href
      const known = new Set((origins ?? (page ? [page] : [])).map(originOf))
      const seen = new WeakSet<EndpointInterface>()
      /** The number of the last logout: what was sent before it belongs to the same burst. */
      let last = 0
      /**
       * The refused reads since the last possible sign-in: a further refusal of the same key has no effect. Without an action: sent by
       * a reader that a logout left without data, and treated as refused.
       */
      const refused = new Map<string, SetResponseAction | undefined>()
      /** How many logouts are pending: a reset at the same time is part of them. */
      let logouts = 0
      /** True until the readers whose data a logout removed have sent their requests. */
      let isAftermath = false

      /** An origin that receives our credentials may report that they are no longer valid. */
      const learn = ({ endpoint, key }: FetchAction | SetResponseAction): void => {
        if (origins || seen.has(endpoint)) {
          return
        }
        seen.add(endpoint)
        if (sendsCredentials(endpoint)) {
          known.add(tryOrigin(addressOf(endpoint as {}, key)) ?? '')
        }
      }
      const counts = ({ url, response }: { url?: string; response?: any }): boolean => {
        const asked = tryOrigin(url)
        const answered = tryOrigin(response?.url)
        return asked === undefined || (known.has(asked) && (answered ?? asked) === asked)
      }
      const judge = async (action: SetResponseAction): Promise<void> => {
        const { endpoint, key, meta } = action
        if (!action.error) {
          if (endpoint.sideEffect) {
            refused.clear()
          }
          refused.delete(key)
          return
        }
        const error: any = action.response ?? {}
        if (!counts(error) || !shouldLogout(error, action)) {
          return
        }
        const isNew = !refused.has(key)
        const { sent } = meta
        refused.set(key, action)
        // A request sent before a reset concerns the previous user. An error set by the app itself always counts.
        if (sent !== undefined && (!isNew || sent <= last || sent < store.resetAt)) {
          return
        }
        last = store.reached
        logouts++
        isAftermath = true
        try {
          await handleLogout(controller)
        } finally {
          logouts--
          controller.clock.setTimeout(() => {
            isAftermath = logouts > 0
          }, 0)
        }
      }
      /** A reader would fetch what the reset removed, and be refused once more. */
      const restore = (next: Dispatch): void => {
        for (const refusal of refused.values()) {
          if (refusal && !refusal.endpoint.sideEffect && controller.core.result(refusal.key).isRead) {
            const { date, expiresAt } = refusal.meta
            // A response from before the reset would not be stored any more.
            next({ ...refusal, meta: { fetchedAt: store.lastReset, date, expiresAt } }).catch(report)
          }
        }
      }

      return (next) => (action) => {
        if (action.type === FETCH || action.type === SET_RESPONSE) {
          learn(action)
        }
        // A reset by the app itself starts another session.
        if (action.type === RESET && logouts === 0) {
          refused.clear()
        }
        if (action.type === FETCH && action.meta.auto && isAftermath && refused.size > 0 && !refused.has(action.key)) {
          refused.set(action.key, undefined)
        }
        const done = next(action)
        if (action.type === RESET) {
          restore(next)
        }
        if (action.type === SET_RESPONSE) {
          judge(action).catch(report)
        }
        return done
      }
    }
  }

  cleanup(): void {}
}

/** The key of an HTTP request ends with its address. */
function addressOf({ url }: { readonly url?: unknown }, key: string): string {
  return typeof url === 'string' ? url : key.slice(key.indexOf(' ') + 1)
}

function tryOrigin(url: string | undefined): string | undefined {
  try {
    return url ? originOf(url) : undefined
  } catch {
    return undefined
  }
}

function sendsCredentials(endpoint: EndpointInterface): boolean {
  const { credentials, headers } = (endpoint as { requestInit?: RequestInit }).requestInit ?? {}
  return (
    Boolean((credentials && credentials !== 'omit') || headers) ||
    isOverridden(endpoint, 'getHeaders') ||
    isOverridden(endpoint, 'getRequestInit')
  )
}

/** The first class that has a method is the library's own. */
function isOverridden(endpoint: any, name: string): boolean {
  let first: unknown
  for (let at = endpoint; at; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, name)) {
      first = at[name]
    }
  }
  return endpoint[name] !== first
}
