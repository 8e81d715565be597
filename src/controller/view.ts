import type { Reader } from '../denormalize/denormalize.ts'
import type { Node, Told as Watched } from '../denormalize/memo.ts'
import type { Slot } from '../normalize/tables.ts'
import type { ResultMeta, Store } from '../store/Store.ts'
import { type Listening, report } from '../store/subscriptions.ts'
import { ageOf, waitingFor } from './read.ts'

/** What a listener is told: the value changed, or how fresh it is. */
export type Told = 'value' | 'freshness'

/** A mounted reader of a node, with all its listeners. */
export interface View extends Watched, Listening {
  readonly entries: Set<{ readonly call: (told: Told) => void }>
}

export function createView(node: Node, reader: Reader, store: Store): View {
  let value: unknown
  let error: unknown
  let freshness: string | undefined
  /** It was marked stale, invalidated, or met an error. */
  let old = false
  /** Looks again, and says what is different. A later end of freshness is no news. */
  const judge = (): Told | undefined => {
    const [lastValue, lastError, lastFreshness, wasAged] = [value, error, freshness, old]
    const meta: ResultMeta | undefined = node.kind === 'result' ? (node.source as Slot).meta : undefined
    try {
      value = reader.read(node)
    } catch (thrown) {
      value = thrown
    }
    // An error that readers do not see is no news either.
    error = meta?.errorPolicy === 'soft' && value !== undefined ? undefined : meta?.error
    freshness = `${meta?.invalidated === true} ${value === undefined ? waitingFor(store, node)?.waiting.join(' ') : ''}`
    old = false
    if (value !== lastValue) return 'value'
    const isStale = freshness !== lastFreshness || error !== lastError || (wasAged && ageOf(store, node) <= 1)
    return isStale ? 'freshness' : undefined
  }
  const view: View = {
    entries: new Set(),
    changed: () => store.subscriptions.add(view),
    aged: () => {
      old = true
      store.subscriptions.add(view)
    },
    tell: () => {
      const told = judge()
      if (told === undefined) return
      // A listener may end others; those that begin now have seen the new value.
      const entries = [...view.entries]
      for (const entry of entries) {
        if (!view.entries.has(entry)) continue
        try {
          entry.call(told)
        } catch (thrown) {
          report(thrown)
        }
      }
    },
  }
  judge()
  return view
}
