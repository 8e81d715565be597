/** A fault that is planted into the sources. Each edit replaces a text that occurs exactly once in its file. */
export interface Fault {
  readonly name: string
  readonly edits: readonly { readonly file: string; readonly text: string; readonly by: string }[]
}

/** Faults that the simulator has to find. The sources contain no switch for them: the bundler replaces the text. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'ordering by arrival',
    edits: [
      {
        file: 'schema/Schema.ts',
        text: ': a.order < b.order\n',
        by: ': false\n',
      },
      { file: 'normalize/log.ts', text: 'log[place - 1]!.meta.order > order', by: 'order < 0' },
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
        file: 'normalize/records.ts',
        text: '  const fields = remainingFields(given, later)\n',
        by: '  if (!isLast) return\n  const fields = remainingFields(given, later)\n',
      },
    ],
  },
  {
    name: 'a confirmed row kept with its old order',
    edits: [
      {
        file: 'normalize/records.ts',
        text: '  draft.meta = meta\n  if (existing',
        by: '  draft.meta = draft.value === existing ? stored! : meta\n  if (existing',
      },
    ],
  },
  {
    name: 'no tombstone',
    edits: [
      {
        file: 'normalize/records.ts',
        text: '  if (log !== undefined || (stored',
        by: '  if ((log !== undefined && existing !== INVALID) || (existing !== INVALID && stored',
      },
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
    name: 'a response that removes two pending operations',
    edits: [
      {
        file: 'store/operations.ts',
        text: '      takeBack(operation)\n',
        by: '      takeBack(operation)\n      if (pending[at]) takeBack(pending.splice(at, 1)[0]!)\n',
      },
    ],
  },
  {
    name: 'joining an old read',
    edits: [{ file: 'controller/requests.ts', text: 'slots.map(({ key }) => key)', by: '[] as string[]' }],
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
        file: 'normalize/records.ts',
        text: '    return overlay(value, fields)\n',
        by: '    return overlay(fields, value)\n',
      },
    ],
  },
  {
    name: 'lists of two paths in one record',
    edits: [
      {
        file: 'normalize/delegate.ts',
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
        text: 'const delay = reading.waiting ? A_DAY : attempts',
        by: 'const delay = attempts',
      },
    ],
  },
  {
    name: 'collecting data that a mounted reader shows',
    edits: [{ file: 'controller/sweep.ts', text: '      !isRead(slot, unread) &&\n', by: '' }],
  },
  {
    name: 'collecting data that an open request may still cross',
    edits: [{ file: 'controller/sweep.ts', text: '      meta.order < store.horizon() &&\n', by: '' }],
  },
  {
    name: 'a list stays fresh though its argument is no field',
    edits: [{ file: 'normalize/fit.ts', text: '      fit = UNSURE\n', by: '      fit = fit\n' }],
  },
  {
    name: 'a sorted list stays fresh after a change',
    edits: [{ file: 'normalize/effectOf.ts', text: 'was === UNSURE || hasPosition(list)', by: 'was === UNSURE' }],
  },
  {
    name: 'an older response makes a stale list fresh',
    edits: [
      {
        file: 'normalize/missedWrites.ts',
        text: '      isStale ||= mayLack && found.isUnsure\n',
        by: '      isStale = false\n',
      },
    ],
  },
  {
    name: 'getNextPage is not called',
    edits: [
      { file: 'rest/paginate.ts', text: '    if (!getNextPage) {\n', by: '    if (true) {\n' },
      {
        file: 'controller/listPages.ts',
        text: '(endpoint as { getNextPage?: unknown }).getNextPage !== undefined',
        by: 'endpoint === undefined',
      },
    ],
  },
  {
    name: 'a refetched page goes to the end',
    edits: [
      {
        file: 'normalize/replacePage.ts',
        text: 'return pages.map((one) => (one === known ? page : one))',
        by: 'return [...pages.filter((one) => one !== known), page]',
      },
    ],
  },
  {
    name: 'pages in the order of their responses',
    edits: [
      {
        file: 'normalize/replacePage.ts',
        text: 'firstSent > page.firstSent',
        by: 'firstSent < 0',
      },
    ],
  },
  {
    name: 'a refetched page counts as requested for the first time',
    edits: [
      {
        file: 'normalize/replacePage.ts',
        text: 'firstSent: known?.firstSent ?? response.firstSent',
        by: 'firstSent: response.firstSent',
      },
    ],
  },
  {
    name: 'a descending cursor is taken for a page number',
    edits: [
      {
        file: 'rest/paginate.ts',
        text: '{ args: undefined, guess, isEnd: isEmpty, previous }',
        by: '{ args: guess, guess, isEnd: isEmpty, previous }',
      },
    ],
  },
  {
    name: 'pages that follow the list are in the order of their requests',
    edits: [{ file: 'normalize/pageOrder.ts', text: 'new Set(chain)', by: 'new Set<ListPage>(all)' }],
  },
  {
    name: 'the abort of one caller aborts the others',
    edits: [{ file: 'controller/requests.ts', text: '        dropUnused(last.key)\n', by: '        drop(last)\n' }],
  },
  {
    name: 'the promise of a caller that aborts stays pending',
    edits: [{ file: 'endpoint/signals.ts', text: '      reject(reasonOf(signal))\n', by: '' }],
  },
  {
    name: 'a request without callers continues',
    edits: [{ file: 'controller/requests.ts', text: '      last.callers--\n', by: '' }],
  },
  {
    name: 'a changed field moves no record between lists',
    edits: [
      {
        file: 'normalize/followRecords.ts',
        text: '    for (const table of tablesOf(tables, edit)) {\n',
        by: '    for (const table of [] as Table[]) {\n',
      },
    ],
  },
  {
    name: 'a record that is fetched while a mutation of it fails is fresh',
    edits: [{ file: 'normalize/records.ts', text: ' && write.mayChange?.(slot)', by: ' && false' }],
  },
  {
    name: 'readers are not notified of a mutation that may have been done',
    edits: [
      {
        file: 'controller/applyResponse.ts',
        text: 'date: rank.fetchedAt, expiresAt: rank.fetchedAt }',
        by: 'date: rank.fetchedAt, expiresAt: STALE }',
      },
    ],
  },
  {
    name: 'the lists in two records are one',
    edits: [{ file: 'schema/Collection.ts', text: 'nested && nestKey ?', by: 'nested && nestKey && !parent ?' }],
  },
  {
    name: 'the time of the store steps back with the wall clock',
    edits: [
      {
        file: 'base/clock.ts',
        text: '    return (time = ran === undefined ? last : Math.round(last))\n',
        by: '    return (time = wall)\n',
      },
    ],
  },
  {
    name: 'of two writes of one record the one that responds last wins',
    edits: [
      {
        file: 'normalize/log.ts',
        text: 'ranksByCommit(meta) ? log.filter((one) => ranksByCommit(one.meta) && one.meta.sent > meta.sent) : []',
        by: 'log.filter(() => meta.order < 0)',
      },
      {
        file: 'normalize/lists.ts',
        text: 'log.filter(({ meta }) => meta.sent > first)',
        by: 'log.filter(() => first < -1)',
      },
      {
        file: 'schema/Schema.ts',
        text: 'a.order > a.sent && b.order > b.sent ? a.sent < b.sent : a.order < b.order',
        by: 'a.order < b.order',
      },
    ],
  },
]

/** Faults that the sessions with real React (tests/react/sessions.test.ts) have to find, with the rule that they report. */
export const REACT_FAULTS: readonly (Fault & { readonly rule: string })[] = [
  {
    name: 'a reader misses a change between its render and its commit',
    rule: 'HK-9',
    edits: [
      {
        file: 'react/reader.ts',
        text: '      const end = view.subscribe(notify, passive, this)\n',
        by: '      const end = view.subscribe(() => ((this.reading = undefined), notify()), passive, this)\n',
      },
      { file: 'react/reader.ts', text: 'if (reading === this.reading) {', by: 'if (this.reading !== undefined) {' },
    ],
  },
  {
    name: 'a group of readers does not subscribe to a read that is added',
    rule: 'HK-9',
    edits: [
      { file: 'react/readerGroup.ts', text: 'subscription.show(group), [group]', by: 'subscription.show(group), []' },
    ],
  },
  {
    name: 'a reader that mounts twice in Strict Mode keeps its first subscription',
    rule: 'NET-15',
    edits: [
      {
        file: 'react/reader.ts',
        text: '        end()\n        this.notified = undefined\n',
        by: '        this.notified = undefined\n        soon(() => this.notified ?? end())\n',
      },
    ],
  },
  {
    name: 'a reader that unmounts removes the others',
    rule: 'HK-9',
    edits: [
      {
        file: 'controller/SharedView.ts',
        text: '!listeners.delete(listener) || listeners.size > 0',
        by: '!listeners.delete(listener)',
      },
    ],
  },
  {
    name: 'a reader that unmounts aborts the request of the others',
    rule: 'NET-15',
    edits: [
      {
        file: 'controller/views.ts',
        text: '      if (--view.subscribers === 0) {\n',
        by: '      view.subscribers = 0\n      {\n',
      },
    ],
  },
  {
    name: 'a reader that suspends counts only when it is mounted',
    rule: 'NET-15',
    edits: [
      {
        file: 'controller/views.ts',
        text: 'waits.begin(key, !suspends && isSubscribed(key, hasLiveSubscriber) ? undefined : target, suspends)',
        by: 'waits.begin(key)',
      },
    ],
  },
  {
    name: 'a mounted reader shows what it read before the change',
    rule: 'HK-9',
    edits: [
      { file: 'controller/SharedView.ts', text: 'this.reading = undefined\n      this.source', by: 'this.source' },
    ],
  },
  {
    name: 'a reader keeps its first arguments',
    rule: 'HK-9',
    edits: [{ file: 'react/reader.ts', text: '[controller, isSkip(args) ? target : view]', by: '[controller]' }],
  },
]
