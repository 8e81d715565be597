import type { Controller } from '../controller/Controller.ts'
import type { State } from '../store/stateShape.ts'

/** The state that a page from the server showed, by the store that hydrates it. */
const pages: WeakMap<Controller, State> = /* @__PURE__ */ new WeakMap()

type Hold = () => Promise<void> | undefined

/** By store of a server: what readers wait for that never fetch. */
const holds: WeakMap<Controller, Hold> = /* @__PURE__ */ new WeakMap()

/** The store hydrates a page that showed this state: readers show it at first, so that the page does not change while it hydrates. */
export function setPage(controller: Controller, state: State): void {
  pages.set(controller, state)
}

export function pageOf(controller: Controller): State | undefined {
  return pages.get(controller)
}

/** Marks the store of a server, which renders once: a reader without data waits for `hold` while more may arrive. */
export function setHold(controller: Controller, hold: Hold): void {
  holds.set(controller, hold)
}

/** The store renders a page on a server. */
export function isOnServer(controller: Controller): boolean {
  return holds.has(controller)
}

/** On a server a reader that never fetches waits for this: more data may arrive. `undefined` when there is nothing to wait for. */
export function waitForMore(controller: Controller): Promise<void> | undefined {
  return holds.get(controller)?.()
}

/** Another Controller of the same store, such as one with mocks, hydrates and renders like the first. */
export function followServer(controller: Controller, first: Controller): void {
  for (const known of [pages, holds] as WeakMap<Controller, any>[]) {
    if (known.has(first)) {
      known.set(controller, known.get(first))
    }
  }
}
