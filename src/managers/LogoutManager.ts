import type { Dispatch, FetchAction, SetResponseAction } from '../controller/actions.ts'
import { FETCH, RESET, SET_RESPONSE } from '../controller/actionTypes.ts'
import type { Middleware } from '../controller/chain.ts'
import type { Controller } from '../controller/Controller.ts'
import type { EndpointInterface, UnknownError } from '../endpoint/EndpointOptions.ts'
import { originOf } from '../endpoint/redirect.ts'
import { report } from '../store/subscriptions.ts'
import { platform } from './ConnectionListener.ts'
import type { Manager } from './Manager.ts'

/** What ends a session, and how. */
export interface LogoutManagerOptions {
  /** Which errors end it, told by the error and what was asked for; by default those with status 401. */
  readonly shouldLogout?: ((error: UnknownError, action: SetResponseAction) => boolean) | undefined
  /** What happens then; by default everything is forgotten. */
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
      const { store } = controller.core.driver
      const page = (platform() as { location?: { href: string } }).location?.href
      const known = new Set((origins ?? (page ? [page] : [])).map(originOf))
      const seen = new WeakSet<EndpointInterface>()
      /** The number of the last logout: what was sent before it belongs to the same burst. */
      let last = 0
      /**
       * The refusals since somebody could have signed in: of the same keys another one says nothing new. Without an action: sent by
       * a reader that a logout left without data, and as good as refused.
       */
      const refused = new Map<string, SetResponseAction | undefined>()
      /** How many logouts are pending: a reset at the same time is part of them. */
      let logouts = 0
      /** True until the readers whose data a logout removed have sent their requests. */
      let isAftermath = false

      /** Whoever gets our credentials may say that they hold no longer. */
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
        // What was sent before a reset speaks of whoever was signed in then. What the app itself says counts always.
        if (sent !== undefined && (!isNew || sent <= last || sent < store.resetAt)) {
          return
        }
        last = store.reached()
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
          if (refusal && !refusal.endpoint.sideEffect && controller.core.views.isRead(refusal.key)) {
            const { fetchedAt, date, expiresAt } = refusal.meta
            next({ ...refusal, meta: { fetchedAt, date, expiresAt } }).catch(report)
          }
        }
      }

      return (next) => (action) => {
        if (action.type === FETCH || action.type === SET_RESPONSE) {
          learn(action)
        }
        // Whoever resets the store on their own account begins another session.
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
