import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'

/** The error of listeners that write to the store whenever it notifies them. */
export function notifyLoop(rounds: number): Error {
  const text = `Listeners of the store kept writing to it for ${rounds} rounds. One of them writes whenever it is notified.`
  return fail('notify-loop', `${rounds} rounds`, DEV && text)
}

/** The error of `controller.explain` in a build without it. */
export function explainMissing(): Error {
  return fail(
    'explain-missing',
    'explain',
    DEV &&
      'controller.explain() is not part of this build. Import { explain } from "restitch/explain" and call explain(controller, endpoint, ...args).',
  )
}

const rendered = /* @__PURE__ */ new WeakSet<object>()

/** Warns about a store that a server uses for more than one render. */
export function warnOfSharedStore(store: object, use: string): void {
  if (DEV && typeof window === 'undefined') {
    if (rendered.has(store)) {
      const text = `A store is rendered on a server again. If it was created in a module, users see each other's data. Create a store for each request: ${use}.`
      warnOnce(fail('store-shared', 'store', text).message, 'error')
    }
    rendered.add(store)
  }
}
