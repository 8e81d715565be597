import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { GC } from './actionTypes.ts'
import type { Core } from './Core.ts'
import { isSkip, type Reading, type Target } from './read.ts'
import type { Result } from './Result.ts'
import { SharedView, type ViewObserver } from './View.ts'

/** Milliseconds for which data is kept for a reader that waited for it and is not mounted yet. */
export const SUSPENDED_READER_KEPT = 30_000

/** The part of a view that bindings use. */
export type BoundView = Pick<SharedView, 'key' | 'read' | 'since' | 'subscribe' | 'promise' | 'failure'> &
  Partial<Pick<SharedView, 'wait'>>

/** The views of a store. */
export class Views {
  readonly core: Core
  observer: ViewObserver | undefined
  /** Those with readers on the screen. */
  readonly mounted: Set<SharedView> = new Set()
  /** Called when data arrives that a reader suspended for. */
  readonly arrivals: Set<() => void> = new Set()
  /** Requests without callers and readers are aborted. */
  abortsUnused = true
  /** How long data is kept for a reader that waited for it; `Infinity` on a server, where no reader is ever mounted. */
  patience: number = SUSPENDED_READER_KEPT
  private readonly released = new Map<Result, EndpointInterface>()

  constructor(core: Core) {
    this.core = core
  }

  /** Returns the same view for equal arguments. */
  view(target: Target, args: readonly any[]): BoundView {
    const { reads } = this.core
    if (isSkip(args)) {
      const read = (): Reading => reads.read(target, args)
      const promise = async (): Promise<any> => read().data
      return { key: '', read, since: 0, subscribe: () => () => {}, promise, failure: () => undefined }
    }
    const node = reads.node(target, args)
    const view = (node.extra!.view ??= new SharedView(this, target, node, args)) as SharedView
    view.target = target
    return view
  }

  /** A reader or caller no longer needs a key: soon its requests are dropped if nobody else does. */
  release(result: Result, endpoint: EndpointInterface): void {
    const { released, core } = this
    // A page that unmounts releases everything at once, and one timer serves all.
    if (released.size === 0) {
      core.store.clock.setTimeout(() => {
        const all = [...released]
        released.clear()
        for (const [one, by] of all) {
          if (!one.isRead) {
            one.asked = 0
            if (this.abortsUnused) {
              core.requests.dropUnused(one)
            }
            this.onStored(one, by)
          }
        }
      }, 0)
    }
    released.set(result, endpoint)
  }

  /** A response was stored, and readers are notified. Values that are not kept are removed, unless a reader shows them. */
  onStored(result: Result, { dataExpiryLength, schema }: EndpointInterface): void {
    if (dataExpiryLength === 0 && !schema && !result.isRead) {
      void this.core.controller?.dispatch({ type: GC, entities: [], endpoints: [result.pk] })
    }
  }

  /** Refetches stale data of mounted readers whose endpoints pass the test. */
  refetchStale(test: (endpoint: EndpointInterface) => boolean): void {
    for (const view of this.mounted) {
      if (view.active > 0 && test(view.target as EndpointInterface)) {
        view.result.asked = 0
        view.check(this.core.store.clock.now())
      }
    }
  }

  /** Readers that mount from now on fetch what failed with this error, and whatever failed for readers that are gone. */
  forgive(error: unknown): void {
    const { core } = this
    for (const view of core.results.flatMap(({ views }) => views)) {
      if (view.failed?.error === error || !view.isRead) {
        view.failed = view.wait = undefined
      }
    }
    void core.controller?.expireAll({
      testKey: (key) => {
        const { meta, isRead } = core.result(key)
        return meta?.error !== undefined && (meta.error === error || !isRead)
      },
    })
  }
}
