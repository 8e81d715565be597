import { recall } from '../base/recall.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { isEndpoint } from '../requests/Reading.ts'
import type { OutboxOptions, QueuedEndpoint } from './OutboxOptions.ts'

/** A member that `extend` keeps: an endpoint is known by it, also one that a hook or the app has extended. */
const MARK: unique symbol = Symbol('outbox')

type Marked = EndpointInterface & { [MARK]?: { readonly of: object } }

/** Milliseconds after which an endpoint that could not be loaded is loaded again. */
export const AGAIN = 10_000

/** The endpoints of an outbox, by their ids. */
export class EndpointIds {
  private readonly sources: OutboxOptions['endpoints']
  private readonly known = new Map<string, QueuedEndpoint>()
  private readonly ids = new Map<object, string>()
  private readonly loading = new Map<string, Promise<unknown>>()
  /** When an endpoint could not be loaded, by id. */
  private readonly failedAt = new Map<string, number>()
  private readonly now: () => number

  constructor(sources: OutboxOptions['endpoints'], now: () => number) {
    this.sources = sources
    this.now = now
    for (const [id, source] of Object.entries(sources)) {
      if (isEndpoint(source)) {
        this.learn(id, source)
      }
    }
  }

  /** The id of an endpoint; `undefined` for one that is not queued. One that was extended to send another request is another. */
  idOf(endpoint: EndpointInterface, args: readonly any[]): string | undefined {
    const id = this.ids.get((endpoint as Marked)[MARK]!)
    const own = id === undefined ? undefined : this.known.get(id)
    return own && (own === endpoint || own.key(...args) === endpoint.key(...args)) ? id : undefined
  }

  /** An endpoint that is loaded. */
  get(id: string): QueuedEndpoint | undefined {
    return this.known.get(id)
  }

  /** True where an endpoint is known, or can be loaded now. */
  canSend(id: string): boolean {
    return this.known.has(id) || (id in this.sources && this.now() >= (this.failedAt.get(id) ?? -Infinity) + AGAIN)
  }

  /** Loads an endpoint. Resolves to `undefined` if nobody knows it, or it cannot be loaded now. */
  async load(id: string): Promise<QueuedEndpoint | undefined> {
    const source = this.sources[id]
    if (this.known.has(id) || !source) {
      return this.known.get(id)
    }
    try {
      await recall(this.loading, id, () =>
        (source as () => Promise<QueuedEndpoint>)().then((endpoint) => this.learn(id, endpoint)),
      )
    } catch {
      this.failedAt.set(id, this.now())
    }
    this.loading.delete(id)
    return this.known.get(id)
  }

  /** The ids of endpoints that are not loaded yet. */
  get unloaded(): readonly string[] {
    return Object.keys(this.sources).filter((id) => !this.known.has(id))
  }

  private learn(id: string, endpoint: Marked): void {
    if (endpoint[MARK]?.of !== endpoint) {
      endpoint[MARK] = { of: endpoint }
    }
    this.known.set(id, endpoint)
    this.ids.set(endpoint[MARK], id)
  }
}
