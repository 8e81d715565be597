import { recall } from '../base/recall.ts'
import type { Entry } from './Entry.ts'
import type { OutboxEntry } from './OutboxOptions.ts'
import { unpack } from './pack.ts'

const views = /* @__PURE__ */ new WeakMap<Entry, OutboxEntry>()

/** An entry as the app sees it. */
export function viewOf(entry: Entry): OutboxEntry {
  return recall(views, entry, () => {
    const { id, endpoint, state, createdAt, attempts, dueAt, version, records, error, theirs, base } = entry
    const args = unpack(entry.args) as readonly any[]
    const isSending = entry.claim !== undefined
    const mine: unknown = state === 'conflict' ? args.at(-1) : undefined
    return {
      id,
      endpoint,
      args,
      state,
      createdAt,
      attempts,
      dueAt,
      isSending,
      version,
      records,
      error,
      mine,
      theirs,
      base,
    }
  })
}
