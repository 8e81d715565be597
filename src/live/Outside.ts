import { report } from '../base/report.ts'
import type { Controller } from '../controller/Controller.ts'
import { pickSpread, type Spread, type SpreadCause } from '../requests/spread.ts'

/** A cause that meets all clients at once, as one of them sees it: it acts at a moment of its own. */
export class Outside {
  readonly #controller: Controller
  readonly #spread: Spread | undefined
  readonly #owner: string
  readonly #moments = new Map<SpreadCause, number>()

  constructor(controller: Controller, spread: Spread | undefined, owner: string) {
    this.#controller = controller
    this.#spread = spread
    this.#owner = owner
  }

  /** Runs what an event brings: readers fetch at that moment what it puts in doubt. Causes that come before it wait for the same one. */
  run(cause: SpreadCause, run: () => void): void {
    const { clock, core } = this.#controller
    const { store } = core
    const now = clock.now()
    const next = this.#moments.get(cause) ?? 0
    const moment = next > now ? next : now + this.wait(cause)
    this.#moments.set(cause, moment)
    const before = store.dueAt
    store.dueAt = moment
    try {
      run()
    } finally {
      store.dueAt = before
    }
  }

  /** Milliseconds to wait, at random. */
  wait(cause: SpreadCause): number {
    const { core, random } = this.#controller
    try {
      return pickSpread(this.#spread ?? core.spread, cause, this.#owner, random)
    } catch (mistake) {
      report(mistake)
      return pickSpread(undefined, cause, this.#owner, random)
    }
  }
}
