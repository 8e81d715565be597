/** A fault that is planted into the sources: each edit replaces a text that stands exactly once in its file. */
export interface Fault {
  readonly name: string
  readonly edits: readonly { readonly file: string; readonly text: string; readonly by: string }[]
}

/** What the simulator has to find. No switch in the sources leads there: the text is replaced when they are bundled. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'ordering by arrival',
    edits: [
      {
        file: 'schema/Entity.ts',
        text: '    return a.order < b.order\n',
        by: '    return false\n',
      },
    ],
  },
  {
    name: 'writes ordered by when they were sent',
    edits: [
      {
        file: 'controller/applyResponse.ts',
        text: 'order: sideEffect ? store.nextNumber() : sent',
        by: 'order: sent',
      },
    ],
  },
  {
    name: 'one order per row',
    edits: [
      {
        file: 'normalize/merge.ts',
        text: '    mergeByOrder(draft, existing, rowMeta, row.except, incoming, meta, horizon)',
        by: '    if (!isOlder(meta, rowMeta)) mergeByOrder(draft, existing, rowMeta, undefined, incoming, meta, horizon)',
      },
    ],
  },
  {
    name: 'a confirmed row kept with its old order',
    edits: [
      {
        file: 'normalize/merge.ts',
        text: '    draft.value = overlay(existing, incoming)\n    draft.meta = remember(meta, rowMeta, horizon)\n',
        by: '    draft.value = overlay(existing, incoming)\n    draft.meta = draft.value === existing ? rowMeta : remember(meta, rowMeta, horizon)\n',
      },
    ],
  },
  {
    name: 'no tombstone',
    edits: [
      { file: 'normalize/merge.ts', text: '    const late = isOlder(meta, rowMeta)\n', by: '    const late = false\n' },
    ],
  },
  {
    name: 'push without set semantics',
    edits: [
      {
        file: 'normalize/listItems.ts',
        text: '!present.has(key) && !front.has(key) && !back.has(key)',
        by: 'key !== undefined',
      },
    ],
  },
  {
    name: 'an answer removing two layers',
    edits: [
      {
        file: 'store/overlay.ts',
        text: '      lift(operation)\n',
        by: '      lift(operation)\n      if (pending[at]) lift(pending.splice(at, 1)[0]!)\n',
      },
    ],
  },
  {
    name: 'joining an old read',
    edits: [{ file: 'controller/requests.ts', text: 'if (latest.size === 0) {', by: 'if (latest.size >= 0) {' }],
  },
  {
    name: 'reset that forgets its number',
    edits: [{ file: 'store/Store.ts', text: '      store.resetAt = order.nextNumber(store.lastReset)\n', by: '' }],
  },
  {
    name: 'a memo that forgets missing rows',
    edits: [
      {
        file: 'denormalize/denormalize.ts',
        text: '    this.noted[this.end++] = child\n    return this.peek(child)\n',
        by: '    const view = this.peek(child)\n    if (view !== undefined && view !== INVALID) this.noted[this.end++] = child\n    return view\n',
      },
    ],
  },
  {
    name: 'merge reversed',
    edits: [
      {
        file: 'normalize/merge.ts',
        text: '    draft.value = overlay(existing, incoming)\n',
        by: '    draft.value = overlay(incoming, existing)\n',
      },
    ],
  },
  {
    name: 'lists of two paths in one record',
    edits: [
      {
        file: 'normalize/normalize.ts',
        text: 'path !== undefined && stored !== undefined && path !== stored',
        by: 'path !== path',
      },
    ],
  },
  {
    name: 'a refetch for a record hidden by a pending delete',
    edits: [
      {
        file: 'controller/loader.ts',
        text: 'const delay = reading.waiting ? A_DAY : backoff',
        by: 'const delay = backoff',
      },
    ],
  },
  {
    name: 'collecting what a mounted reader shows',
    edits: [{ file: 'controller/sweep.ts', text: '      !isRead(slot, unread) &&\n', by: '' }],
  },
  {
    name: 'collecting what an open request may still cross',
    edits: [{ file: 'controller/sweep.ts', text: '      meta.order < store.horizon() &&\n', by: '' }],
  },
  {
    name: 'a list left alone whose argument no record knows',
    edits: [{ file: 'normalize/fit.ts', text: '      fit = UNSURE\n', by: '      fit = fit\n' }],
  },
  {
    name: 'a sorted list left alone by a change',
    edits: [{ file: 'normalize/followRecords.ts', text: '(isOrdered ? DOUBT : 0)', by: '0' }],
  },
  {
    name: 'a mark that an older response takes off',
    edits: [
      {
        file: 'normalize/replaceMembers.ts',
        text: '  const doubted = (state?.doubtedAt ?? 0) > meta.sent || missed.includes(undefined)\n',
        by: '  const doubted = false\n',
      },
    ],
  },
  {
    name: 'a changed field that moves no record',
    edits: [
      {
        file: 'normalize/followRecords.ts',
        text: '  for (const edit of edits) {\n',
        by: '  for (const edit of [] as Edit[]) {\n',
      },
    ],
  },
]
