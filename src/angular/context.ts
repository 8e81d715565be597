import {
  DestroyRef,
  inject,
  InjectionToken,
  NgZone,
  PendingTasks,
  type Signal,
  signal,
  afterNextRender,
} from '@angular/core'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { isOnServer, pageOf } from '../binding/onServer.ts'
import type { Store } from '../client/createStore.ts'
import type { Controller } from '../controller/Controller.ts'

/** The parts that every reader of an app needs. */
export interface Context {
  readonly controller: Controller
  /** The page is rendered on a server, or hydrated: readers show what it showed. */
  readonly isFirst: Signal<boolean>
  /** Calls a function whose timers and requests do not count as activity of Zone.js: an app that polls would never become stable. */
  readonly outside: <T>(run: () => T) => T
  /** The app becomes stable once the promise has settled. A server waits for that. */
  readonly hold: (promise: Promise<unknown>) => void
  /** A server waits no longer: the page stays as it is. */
  readonly isOver: () => boolean
}

/** When a server waits no longer for the data of a page. */
export interface ServerEnd {
  readonly isOver: () => boolean
  readonly promise: Promise<void>
}

/** The store of an app, and of routes with a store of their own. */
export const CONTEXT: InjectionToken<Context> = /* @__PURE__ */ new InjectionToken<Context>('restitch')

/** The error code of Angular for `inject()` in a handler or after an await. */
const NO_INJECTION_CONTEXT = -203

/** The context of the app, where a component, directive, service or guard is created. */
export function injectContext(): Context {
  let context: Context | null = null
  let cause: unknown
  try {
    context = inject(CONTEXT, { optional: true })
  } catch (error) {
    if ((error as { code?: unknown }).code !== NO_INJECTION_CONTEXT) {
      throw error
    }
    cause = error
  }
  if (context) {
    return context
  }
  throw fail(
    'provider-missing',
    'provideRestitch',
    DEV &&
      (cause === undefined
        ? 'A component found no store. Add provideRestitch() to the providers of bootstrapApplication(), or to those of a route.'
        : 'A component found no store. Call inject… functions in a field or constructor of a component, directive or service, not in a handler or after an await; elsewhere, use runInInjectionContext().'),
    Error,
    cause === undefined ? {} : { cause },
  )
}

/** Makes the context of readers from the store of an app, which stops with that unless it was made elsewhere. */
export function createContext({ controller, stop }: Store, isGiven: boolean, over?: ServerEnd): Context {
  const zone = inject(NgZone)
  const tasks = inject(PendingTasks)
  const isFirst = signal(isOnServer(controller))
  if (pageOf(controller)) {
    isFirst.set(true)
    afterNextRender(() => isFirst.set(false))
  }
  if (!isGiven) {
    // Components end first.
    inject(DestroyRef).onDestroy(() => controller.clock.setTimeout(stop, 0))
  }
  return {
    controller,
    isFirst,
    outside: (run) => zone.runOutsideAngular(run),
    hold(promise) {
      const end = tasks.add()
      const settled = over ? Promise.race([promise, over.promise]) : promise
      settled.then(end, end)
    },
    isOver: () => over?.isOver() === true,
  }
}
