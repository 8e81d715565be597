import type { Controller } from '../controller/Controller.ts'
import type { Request } from '../requests/Request.ts'
import { observe } from '../explain/observe.ts'

/** The outcome that one endpoint is forced to have. */
export type Forced = 'loading' | 'error'

/** The faults that the panel simulates for requests. */
export interface Simulation {
  /** Milliseconds that each request waits before it is sent. */
  latency: number
  /** The share of requests that fail, from 0 to 1. */
  failures: number
  offline: boolean
  /** Resolves when the devtools no longer show an earlier state. Until then nothing is sent. */
  present: Promise<void> | undefined
  /** True while the response of a request is held back. */
  isHeld(requestId: string): boolean
  /** Holds the response of a request back, or releases it. */
  hold(requestId: string, isHeld: boolean): void
  /** The outcome that all requests of a key have, until it is taken back. */
  forced(key: string): Forced | undefined
  /** Lets all requests of a key wait or fail; `undefined` takes it back. */
  force(key: string, forced: Forced | undefined): void
  /** Names the simulated faults in a few words; empty without any. */
  summary(): string
  /** Makes a request fail now, as if the server had returned an error status. */
  fail(request: Request): void
}

const simulations = new WeakMap<Controller, Simulation>()

/** The simulation of a store. It changes nothing until it is turned on. */
export function simulationOf(controller: Controller): Simulation {
  const known = simulations.get(controller)
  if (known) {
    return known
  }
  const { clock, core } = controller
  const held = new Map<string, { promise: Promise<void>; release: () => void }>()
  const forces = new Map<string, { forced: Forced; promise: Promise<void>; release: () => void }>()
  const wait = (milliseconds: number): Promise<void> => new Promise((done) => void clock.setTimeout(done, milliseconds))
  const simulation: Simulation = {
    latency: 0,
    failures: 0,
    offline: false,
    present: undefined,
    isHeld: (id) => held.has(id),
    hold(id, isHeld) {
      if (isHeld && !held.has(id)) {
        let release!: () => void
        const promise = new Promise<void>((done) => {
          release = done
        })
        held.set(id, { promise, release })
      } else if (!isHeld) {
        held.get(id)?.release()
        held.delete(id)
      }
    },
    forced: (key) => forces.get(key)?.forced,
    force(key, forced) {
      forces.get(key)?.release()
      forces.delete(key)
      if (forced) {
        let release!: () => void
        const promise = new Promise<void>((done) => {
          release = done
        })
        forces.set(key, { forced, promise, release })
      }
    },
    summary() {
      const { latency, failures, offline } = simulation
      const parts = [
        offline && 'offline',
        latency > 0 && `${latency} ms latency`,
        failures > 0 && `${Math.round(failures * 100)} % failures`,
        forces.size > 0 && `${forces.size} forced`,
        held.size > 0 && `${held.size} delayed`,
      ]
      return parts.filter(Boolean).join(', ')
    },
    fail({ action: { endpoint, args, meta } }) {
      const { fetchedAt, requestId } = meta
      const response = failure(500, 'Failed by hand in the devtools')
      controller.resolve(endpoint, { args, response, error: true, fetchedAt, requestId }).catch(() => {})
    },
  }
  observe(controller).gate = async (request, run) => {
    if (simulation.present) {
      if (request.endpoint.sideEffect) {
        throw failure(400, 'Not sent: the devtools show an earlier state. Go back to now first.')
      }
      await simulation.present
      if (!core.requests.open.get(request.id)) {
        throw failure(0, 'Aborted')
      }
    }
    const { latency, failures, offline } = simulation
    const force = forces.get(request.key)
    if (force?.forced === 'loading') {
      await force.promise
    } else if (force) {
      throw forcedError()
    }
    if (latency > 0) {
      await wait(latency)
      // It may have been aborted while it waited.
      if (!core.requests.open.get(request.id)) {
        throw failure(0, 'Aborted')
      }
    }
    if (offline) {
      throw Object.assign(new TypeError('Failed to fetch (offline in the devtools)'), { code: 'transport' })
    }
    if (failures > 0 && controller.random() < failures) {
      throw failure(503, 'Service unavailable (simulated in the devtools)')
    }
    try {
      return await run()
    } finally {
      await held.get(request.id)?.promise
      held.delete(request.id)
    }
  }
  simulations.set(controller, simulation)
  return simulation
}

/** The error of an endpoint that is forced to fail: one that replaces its data, so that the fallback shows. */
export function forcedError(): Error {
  return failure(400, 'Forced by the devtools')
}

function failure(status: number, message: string): Error {
  return Object.assign(new Error(message), { status })
}
