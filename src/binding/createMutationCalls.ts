import type { Controller } from '../controller/Controller.ts'
import type { EndpointInterface, UnknownError } from '../endpoint/EndpointOptions.ts'
import type { KeyTest } from '../requests/actions.ts'
import type { Request } from '../requests/Request.ts'
import { isAborted } from '../requests/ResetError.ts'
import type { Source } from './createPolling.ts'
import { watchRequests } from './watchRequests.ts'

/** A mutation that is in flight, or has failed. */
export interface MutationCall {
  readonly key: string
  readonly endpoint: EndpointInterface
  /** The arguments of the call. */
  readonly variables: readonly any[]
  readonly status: 'pending' | 'error'
  /** Why it has failed. */
  readonly error: UnknownError | undefined
  /** Forgets a failure. */
  dismiss(): void
}

/** The mutations that a component shows. */
export interface MutationCalls extends Source {
  /** The oldest first; the same array while nothing in it is different. */
  readonly get: () => readonly MutationCall[]
}

/** The mutations of all components that are in flight, or have failed while there was a subscriber; those whose key passes. */
export function createMutationCalls(controller: Controller, filter?: KeyTest): MutationCalls {
  let last: readonly MutationCall[] = []
  return {
    subscribe: (notify) => logOf(controller).watch(notify),
    get() {
      const next = logOf(controller).calls.filter(({ key }) => !filter || filter.testKey(key))
      const isSame = next.length === last.length && next.every((call, index) => call === last[index])
      return isSame ? last : (last = next)
    },
  }
}

const logs = /* @__PURE__ */ new WeakMap<Controller['core'], MutationLog>()

function logOf({ core }: Controller): MutationLog {
  const log = logs.get(core) ?? new MutationLog(core)
  logs.set(core, log)
  return log
}

class MutationLog {
  calls: readonly MutationCall[] = []
  readonly #core: Controller['core']
  readonly #pending = new WeakSet<Request>()
  readonly #watchers = new Set<() => void>()

  constructor(core: Controller['core']) {
    this.#core = core
    watchRequests({ core } as Controller, () => this.#addOpen())
    this.#addOpen()
  }

  watch(notify: () => void): () => void {
    this.#watchers.add(notify)
    return () => void this.#watchers.delete(notify)
  }

  #addOpen(): void {
    for (const request of this.#core.requests.open.values()) {
      if (request.endpoint.sideEffect && !this.#pending.has(request)) {
        this.#pending.add(request)
        void this.#follow(request)
      }
    }
  }

  async #follow({ action, key, endpoint, plain }: Request): Promise<void> {
    const { store } = this.#core
    const { resetAt } = store
    const call: MutationCall = { key, endpoint, variables: plain, status: 'pending', error: undefined, dismiss() {} }
    // Sent again, an earlier failure of the same call is settled.
    this.#set([...this.calls.filter((one) => one.status === 'pending' || one.key !== key), call])
    let failure: MutationCall[] = []
    try {
      await action.meta.promise
    } catch (thrown) {
      const error = thrown as UnknownError
      // Another user may have signed in since then.
      if (!isAborted(error) && store.resetAt === resetAt) {
        const failed: MutationCall = {
          ...call,
          status: 'error',
          error,
          dismiss: () => this.#set(this.calls.filter((one) => one !== failed)),
        }
        failure = [failed]
      }
    }
    this.#set(this.calls.flatMap((one) => (one === call ? failure : [one])))
  }

  #set(calls: readonly MutationCall[]): void {
    this.calls = calls
    this.#watchers.forEach((notify) => notify())
  }
}
