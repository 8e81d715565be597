import type { AnyRow } from '../lists/ListRow.ts'
import type { Clock, StoreClock } from '../base/clock.ts'
import { deferred } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { recall } from '../base/recall.ts'
import { Controller } from '../controller/Controller.ts'
import { type Reading, type Target, UNUSABLE } from '../requests/Reading.ts'
import type { SharedView } from '../views/SharedView.ts'
import type { HistoryEvent } from '../explain/history.ts'
import type { Moment } from '../explain/moments.ts'
import { observe } from '../explain/observe.ts'
import { dumpOf } from '../store/State.ts'
import { simulationOf } from './simulate.ts'

/** Shows a store as it was at an earlier moment. It changes nothing in the store. */
export interface Travel {
  /** The moment that is shown; `undefined` is now. */
  readonly moment: Moment | undefined
  /** A store with the rows of that moment, whose clock stands still. Nothing is fetched for it. */
  readonly past: Controller | undefined
  /** The last moment that was recorded up to an event. */
  momentAt(event: HistoryEvent): Moment | undefined
  /** The moment before the one that is shown, or after it. */
  neighbour(step: -1 | 1): Moment | undefined
  /** Shows a moment, or now. */
  to(moment: Moment | undefined): void
}

/** @param changed called when another moment is shown */
export function createTravel(controller: Controller, changed: () => void): Travel {
  const { core } = controller
  const history = observe(controller)
  const simulation = simulationOf(controller)
  let moment: Moment | undefined
  let past: Controller | undefined
  let hold: ReturnType<typeof deferred<void>> | undefined

  const showPast = (): void => {
    const shown = past!
    const readings = new WeakMap<SharedView, Reading>()
    history.past = (view, by) => recall(readings, view, () => readPast(shown, by, view.args))
    // Requests belong to the present, and wait for it.
    hold ??= deferred<void>()
    simulation.present = hold.promise
  }
  const showNow = (): void => {
    history.past = undefined
    simulation.present = undefined
    hold?.resolve()
    hold = undefined
  }
  return {
    get moment() {
      return moment
    },
    get past() {
      return past
    },
    momentAt: ({ id }) => history.moments.findLast(({ event }) => event.id <= id),
    neighbour(step) {
      const { moments } = history
      const at = moment ? moments.indexOf(moment) : moments.length
      return at < 0 ? undefined : moments[at + step]
    },
    to(next) {
      if (next === moment) {
        return
      }
      moment = next
      past = next && storeOf(controller, next)
      ;(next ? showPast : showNow)()
      core.change(() => core.mounted.forEach((view) => view.changed()))
      // Those that are not mounted yet wait for data, too.
      core.results.flatMap(({ readers }) => readers).forEach((readers) => readers.wake())
      changed()
    },
  }
}

/** Reads an earlier store for a reader, who sees data and errors whatever their age. */
function readPast({ core }: Controller, target: Target, args: readonly any[]): Reading {
  const reading = core.reads.read(target, args)
  const isThere = reading.error !== undefined || (reading.data !== undefined && !reading.isPartial)
  return isThere && reading.expiryStatus > UNUSABLE ? { ...reading, expiresAt: Infinity } : reading
}

/** A store with the rows of a moment. */
function storeOf({ core }: Controller, { state }: Moment): Controller {
  const { now, clock } = dumpOf(state)
  const still: Clock & StoreClock = {
    now: () => now,
    ahead: () => clock?.ahead() ?? 0,
    setTimeout: () => undefined,
    clearTimeout: () => {},
  }
  const past = new Controller({ clock: still })
  past.core.restore(state)
  // A state holds no classes and schemas, by which references are found.
  const { tables, endpoints } = past.core.store.tables
  const present = core.store.tables
  for (const table of tables.values()) {
    table.entity = present.tables.get(table.key)?.entity
  }
  for (const [key, row] of endpoints.byPk) {
    const now: AnyRow | undefined = present.endpoints.byPk.get(key)
    Object.assign(row, { schema: now?.schema })
  }
  return past
}

/** Says that the page shows the same moment. In production builds it stays in the present. */
export const PAGE_NOTE: string = DEV
  ? 'The page shows it, too. Nothing is fetched or sent.'
  : 'The page shows the present. Nothing is fetched or sent.'
