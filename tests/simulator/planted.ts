/** A fault that is planted into the sources. Each edit replaces a text that occurs exactly once in its file. */
export interface Fault {
  readonly name: string
  readonly edits: readonly { readonly file: string; readonly text: string; readonly by: string }[]
}

/** Faults that the simulator has to find. The sources contain no switch for them: the bundler replaces the text. */
export const FAULTS: readonly Fault[] = [
  // Rule 2: fields.
  {
    name: 'a read that overlaps a write replaces it',
    edits: [
      {
        file: 'rows/relation.ts',
        text: 'incoming.sent >= holder.sent : isWrite(incoming)',
        by: 'incoming.sent >= holder.sent : true',
      },
    ],
  },
  {
    name: 'of two writes the one that responds last wins',
    edits: [
      {
        file: 'rows/relation.ts',
        text: 'isSameKind ? incoming.sent >= holder.sent :',
        by: 'isSameKind ? true :',
      },
    ],
  },
  {
    name: 'one response for all fields of a row',
    edits: [
      {
        file: 'records/receiveRecord.ts',
        text: '    const holder = Object.hasOwn(stored, name) ? stampOf(by, name) : undefined\n',
        by: "    const holder = 'most' in by! ? by.most : by\n",
      },
    ],
  },
  // Rule 3: doubt.
  {
    name: 'writes that cross leave no doubt',
    edits: [
      {
        file: 'records/receiveRecord.ts',
        text: '    isOpen ||= crosses && holder !== undefined && share(stored[name], given[name]) !== stored[name]\n',
        by: '',
      },
    ],
  },
  {
    name: 'readers are not told of a doubt',
    edits: [{ file: 'store/Store.ts', text: '        node.raise(doubt, (result) => this.note(result))\n', by: '' }],
  },
  {
    name: 'a mutation that is lost leaves no doubt',
    edits: [
      {
        file: 'requests/applyResponse.ts',
        text: '  if (endpoint.sideEffect) {\n    const meta = arriveNow(store, call, sent, 0)',
        by: "  if (endpoint.sideEffect === 'no') {\n    const meta = arriveNow(store, call, sent, 0)",
      },
    ],
  },
  // Rule 4: deletes.
  {
    name: 'a read from before a delete brings the record back',
    edits: [
      {
        file: 'records/receiveRecord.ts',
        text: "if (stored === undefined || toWrite !== 'loses') {",
        by: "if (stored === undefined || !isWrite(meta) || toWrite !== 'loses') {",
      },
      {
        file: 'rows/relation.ts',
        text: 'incoming.sent < gone',
        by: 'incoming.sent < -gone',
      },
    ],
  },
  // Rule 5: lists.
  {
    name: 'a response of a list speaks for own records',
    edits: [
      {
        file: 'lists/receiveList.ts',
        text: 'change.intake.meta.sent < (recordOf(item)?.wrote?.at ?? 0)',
        by: 'recordOf(item) === null',
      },
    ],
  },
  {
    name: 'a list that differs from its response is not in doubt',
    edits: [
      {
        file: 'lists/reasonForDoubt.ts',
        text: '  if (differs || !old) {',
        by: '  if (!old) {',
      },
    ],
  },
  // Rule 6: own writes.
  {
    name: 'a changed field moves no record between lists',
    edits: [
      {
        file: 'lists/follow.ts',
        text: 'const holding = row ? (',
        by: 'const holding = row && !how ? [] : row ? (',
      },
    ],
  },
  {
    name: 'a list stays fresh though its argument is no field',
    edits: [
      {
        file: 'lists/judge.ts',
        text: '    return { doubt: now }\n',
        by: '    return {}\n',
      },
    ],
  },
  {
    name: 'a sorted list stays fresh after a change',
    edits: [
      {
        file: 'lists/place.ts',
        text: 'const mayMove = !before || fields.length === 0 || fields.some(',
        by: 'const mayMove = fields.length === -1 && fields.some(',
      },
    ],
  },
  {
    name: 'a record that joins a sorted list leaves it fresh',
    edits: [
      {
        file: 'lists/Question.ts',
        text: 'if (place !== undefined) {',
        by: 'if (place === null) {',
      },
    ],
  },
  {
    name: 'a cut list stays fresh when a record leaves it',
    edits: [
      {
        file: 'lists/judge.ts',
        text: "{ move: 'leave', doubt: one.gap() }",
        by: "{ move: 'leave' }",
      },
    ],
  },
  {
    name: 'a record that was not known leaves lists fresh',
    edits: [
      {
        file: 'lists/judge.ts',
        text: "'join' : undefined, doubt: before }",
        by: "'join' : undefined }",
      },
    ],
  },
  {
    name: 'numbers beside a list do not follow',
    edits: [
      {
        file: 'lists/changeList.ts',
        text: '  if (!counted || by === 0) {\n',
        by: '  if (!counted || by < 9) {\n',
      },
    ],
  },
  // Rule 7: late lists.
  {
    name: 'a list that arrives late for the first time is fresh',
    edits: [
      {
        file: 'lists/reasonForDoubt.ts',
        text: '  if (differs || !old) {',
        by: '  if (!old) {\n    return undefined\n  }\n  if (differs) {',
      },
    ],
  },
  {
    name: 'a list that disagrees with a record seen since stays fresh',
    edits: [
      {
        file: 'lists/RecordInList.ts',
        text: 'return readAt > sent && only !== at',
        by: 'return readAt > sent && readAt < 0',
      },
    ],
  },
  // Rule 8: crossed writes.
  {
    name: 'lists stay fresh after writes that crossed',
    edits: [
      {
        file: 'lists/judge.ts',
        text: "return one.isCrossed && isConcerned ? 'crossed' : undefined",
        by: "return isConcerned && one.isCrossed === undefined ? 'crossed' : undefined",
      },
    ],
  },
  // Rule 9: asking.
  {
    name: 'data in doubt is not fetched',
    edits: [
      {
        file: 'views/SharedView.ts',
        text: 'return this.active > 0 && isDue(this.read(), asOf)',
        by: 'return this.active > 0 && isDue(this.read(), asOf) && this.read().data === undefined',
      },
    ],
  },
  {
    name: 'joining an old read',
    edits: [
      {
        file: 'requests/settle.ts',
        text: '  if (!isError && request.isWrite) {\n    requests.raiseFence()\n  }\n',
        by: '',
      },
    ],
  },
  {
    name: 'a refetch for a record hidden by a pending delete',
    edits: [{ file: 'views/plan.ts', text: '  if (reading.waiting) {\n', by: '  if (reading.waiting && now < 0) {\n' }],
  },
  {
    name: 'a 404 from before the app created the record stays',
    edits: [
      {
        file: 'requests/read.ts',
        text: '?.wrote?.at ?? 0) > meta.sent',
        by: '?.wrote?.at ?? 0) < 0',
      },
    ],
  },
  {
    name: 'what an event puts in doubt is not fetched later',
    edits: [
      {
        file: 'views/Load.ts',
        text: 'expiryStatus === USABLE ? view.dueAt : 0',
        by: 'expiryStatus === USABLE ? NEVER : 0',
      },
    ],
  },
  {
    name: 'a page that is shown does not fetch what it owes',
    edits: [
      {
        file: 'live/setHidden.ts',
        text: 'if (isShown && isLater(view.dueAt)) {',
        by: 'if (!isShown && isLater(view.dueAt)) {',
      },
    ],
  },
  {
    name: 'what was missed while a connection was lost is not fetched',
    edits: [{ file: 'live/LiveManager.ts', text: '    if (isGap) {\n', by: '    if (isGap && !this.isAgain) {\n' }],
  },
  // Pages.
  {
    name: 'getNextPage is not called',
    edits: [
      { file: 'lists/nextPage.ts', text: '    if (!getNextPage) {\n', by: '    if (true) {\n' },
      {
        file: 'lists/refetch.ts',
        text: '!(list.endpoint as Paged).getNextPage',
        by: '!(list.endpoint as { none?: unknown }).none',
      },
    ],
  },
  {
    name: 'a refetch of a list keeps its old pages as they are',
    edits: [{ file: 'requests/receive.ts', text: 'olderPages(requests, request).length > 0', by: 'false' }],
  },
  {
    name: 'a page that follows nothing is taken for the next one',
    edits: [
      {
        file: 'lists/reasonForDoubt.ts',
        text: 'isJudged && isTorn(list.pages)',
        by: 'isJudged && list.pages.length < 0',
      },
    ],
  },
  {
    name: 'a list shows a record twice',
    edits: [
      {
        file: 'lists/pages.ts',
        text: 'unique([...[first, ...others].flat(), ...tail])',
        by: '[...[first, ...others].flat(), ...tail]',
      },
    ],
  },
  // Pending operations.
  {
    name: 'a response that removes two pending operations',
    edits: [
      {
        file: 'store/operations.ts',
        text: '      this.#takeBack(operation)\n',
        by: '      this.#takeBack(operation)\n      if (this.pending[at + 1]) this.#takeBack(this.pending.splice(at + 1, 1)[0]!)\n',
      },
    ],
  },
  {
    name: 'operations do not run again',
    edits: [
      {
        file: 'store/operations.ts',
        text: '      this.#runFrom(pending.filter(({ sent }) => sent < due).length)\n',
        by: '',
      },
    ],
  },
  // Everything else.
  {
    name: 'reset that forgets its number',
    edits: [{ file: 'store/Store.ts', text: '    this.resetAt = ++this.reached\n', by: '' }],
  },
  {
    name: 'a memo that forgets missing rows',
    edits: [
      {
        file: 'reading/denormalize.ts',
        text: '    if (this.deps === NONE) {\n',
        by: '    const view = this.peek(child)\n    if (view === undefined || view === INVALID) {\n      return view\n    }\n    if (this.deps === NONE) {\n',
      },
    ],
  },
  {
    name: 'lists of two paths in one record',
    edits: [
      {
        file: 'lists/ChangedLists.ts',
        text: 'path !== undefined && stored !== undefined && path !== stored',
        by: 'path !== path',
      },
    ],
  },
  {
    name: 'collecting data that a mounted reader shows',
    edits: [{ file: 'managers/sweep.ts', text: '    !held.has(row) && ', by: '    held.size >= 0 && ' }],
  },
  {
    name: 'the abort of one caller aborts the others',
    edits: [
      {
        file: 'requests/Requests.ts',
        text: '      this.dropUnused(request.result)\n',
        by: '      this.drop(request)\n',
      },
    ],
  },
  {
    name: 'the promise of a caller that aborts stays pending',
    edits: [{ file: 'endpoint/signals.ts', text: '      reject(reasonOf(signal))\n', by: '' }],
  },
  {
    name: 'the lists in two records are one',
    edits: [{ file: 'kinds/Collection.ts', text: 'nested && nestKey ?', by: 'nested && nestKey && !parent ?' }],
  },
  {
    name: 'the time of the store steps back with the wall clock',
    edits: [{ file: 'base/clock.ts', text: '    return wall + ahead\n', by: '    return wall\n' }],
  },
]

/**
 * Faults that the sessions with real React (tests/react/sessions.test.ts) have to find, with the rule that they report. `A|B`: either, as
 * the smallest session that shows the fault may break one or the other.
 */
export const REACT_FAULTS: readonly (Fault & { readonly rule: string })[] = [
  {
    name: 'a reader misses a change between its render and its commit',
    rule: 'HK-9',
    edits: [
      {
        file: 'binding/Reader.ts',
        text: '      const end = view.subscribe(notify, passive, this)\n',
        by: '      const end = view.subscribe(() => ((this.#reading = undefined), notify()), passive, this)\n',
      },
      { file: 'binding/Reader.ts', text: 'if (reading !== this.#reading) {', by: 'if (this.#reading === undefined) {' },
    ],
  },
  {
    name: 'a group of readers does not subscribe to a read that is added',
    rule: 'HK-9',
    edits: [
      {
        file: 'binding/createReaderGroup.ts',
        text: '[...known.values()].map(',
        by: '[...known.values()].slice(0, 1).map(',
      },
    ],
  },
  {
    name: 'a reader that mounts twice in Strict Mode keeps its first subscription',
    rule: 'NET-15',
    edits: [
      {
        file: 'binding/Reader.ts',
        text: '        end()\n        this.#notify = undefined\n',
        by: '        this.#notify = undefined\n        soon(() => this.#notify ?? end())\n',
      },
    ],
  },
  {
    name: 'a reader that unmounts removes the others',
    rule: 'HK-9|NET-15',
    edits: [
      {
        file: 'views/SharedView.ts',
        text: '    if (!readers.delete(reader)) {\n      return\n    }\n',
        by: '    if (!readers.delete(reader)) {\n      return\n    }\n    readers.clear()\n',
      },
    ],
  },
  {
    name: 'a reader that unmounts aborts the request of the others',
    rule: 'NET-15',
    edits: [
      {
        file: 'requests/Requests.ts',
        text: 'if (!isWanted && request.callers',
        by: 'if ((isWanted || true) && request.callers',
      },
    ],
  },
  {
    name: 'a reader that suspends counts only when it is mounted',
    rule: 'NET-15',
    edits: [
      {
        file: 'views/SharedView.ts',
        text: 'if (suspends || this.readers.size === 0) {',
        by: 'if (this.readers.size < 0) {',
      },
    ],
  },
  {
    name: 'a mounted reader shows what it read before the change',
    rule: 'HK-9',
    edits: [
      {
        file: 'views/SharedView.ts',
        text: '      this.#reading = undefined\n      this.#host.store.notifier.add(this)\n',
        by: '      this.#host.store.notifier.add(this)\n',
      },
      { file: 'views/SharedView.ts', text: ' && (node.flags & DIRTY) === 0', by: '' },
    ],
  },
  {
    name: 'a reader keeps its first arguments',
    rule: 'HK-9',
    edits: [{ file: 'react/reader.ts', text: '[controller, view]', by: '[controller]' }],
  },
]
