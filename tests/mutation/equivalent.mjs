/**
 * Changes that no test can notice, each with the reason: `code` in `file`, replaced by `becomes`, does the same. `line` says which code is
 * meant where there is more of it.
 */
export const EQUIVALENT = [
  {
    file: 'src/path/compile.ts',
    code: '!escapes && Number.isSafeInteger(value)',
    becomes: 'false',
    reason: 'A shortcut: the encoding that follows returns the same for an integer.',
  },
  {
    file: 'src/path/compile.ts',
    code: '{\n      return String(value)\n    }',
    becomes: '{}',
    reason: 'The same shortcut.',
  },
  {
    file: 'src/rest/RestEndpoint.ts',
    code: 'args.length > 1',
    becomes: 'args.length >= 1',
    reason: 'A shortcut: of one argument `slice(1)` leaves nothing.',
  },
  {
    file: 'src/client/serialize.ts',
    code: '{\n    return value\n  }',
    becomes: '{}',
    reason: 'A shortcut: a copy with the same names is the same JSON.',
  },
  {
    file: '',
    code: 'DEV',
    becomes: 'true',
    reason: 'Tests run the development build, where it is true.',
  },
  {
    file: 'src/normalize/Node.ts',
    code: 'start < deps.length',
    becomes: 'start <= deps.length',
    reason: 'Past the end both lists have nothing, and the loops that follow end before it.',
  },
  {
    file: 'src/client/serialize.ts',
    code: "typeof value !== 'object'",
    becomes: 'false',
    reason: 'A shortcut: what is no object has no member that is a mark.',
  },
  {
    file: 'src/store/Store.ts',
    code: 'joins',
    becomes: 'true',
    reason: 'A shortcut: a list of all records that is read again has the same items.',
  },
  {
    file: 'src/controller/collect.ts',
    code: 'node.flags & DIRTY',
    becomes: 'true',
    reason:
      'Only the node of an absent row is clean there. It depends on nothing, so there is nothing to unlink, and it is built when the row arrives.',
  },
  {
    file: 'src/controller/pending.ts',
    code: 'slot !== undefined',
    becomes: 'true',
    reason: 'Records are looked up by their slots, so an entry without one is never found.',
  },
  {
    file: 'src/controller/actions.ts',
    code: 'endpoint.requestKey !== endpoint.key',
    becomes: 'true',
    reason: 'A shortcut: the same function returns the same key.',
  },
  {
    file: 'src/normalize/receiveList.ts',
    code: 'sent < invalidatedAt',
    becomes: 'sent <= invalidatedAt',
    reason: 'A request and an invalidation have different numbers.',
  },
  {
    file: 'src/normalize/follow.ts',
    code: 'unfollowed.at > meta.sent',
    becomes: 'unfollowed.at >= meta.sent',
    reason: 'A request and the arrival of another response have different numbers.',
  },
  {
    file: 'src/normalize/Walk.ts',
    code: '[]',
    becomes: '["Stryker was here"]',
    line: 'readonly trail: (string | undefined)[] = []',
    reason: 'A visit sets the entry of its level before a message reads it.',
  },
  {
    file: 'src/store/operations.ts',
    code: 'one.by.sent > by.sent',
    becomes: 'one.by.sent >= by.sent',
    reason: 'Operations have different numbers, and its own change is not among the others.',
  },
  {
    file: 'src/store/Store.ts',
    code: 'patch.value === slot.value',
    becomes: 'true',
    reason: 'A shortcut: the readers of a record that changes are notified anyway.',
  },
  {
    file: 'src/store/Store.ts',
    code: 'list?.counted !== undefined',
    becomes: 'true',
    reason: 'A shortcut: where no list has a number beside it, fewer lists are looked at.',
  },
  {
    file: 'src/store/Store.ts',
    code: 'true',
    becomes: 'false',
    line: 'this.beforeReplace(slot, true)',
    reason: 'Nobody sees what an operation changes of a list that is removed.',
  },
  {
    file: 'src/denormalize/denormalize.ts',
    code: 'this.#depth > DEEPEST',
    becomes: 'true',
    reason: 'A shortcut: records whose fields are set on the stack, or later, are the same.',
  },
  {
    file: 'src/denormalize/denormalize.ts',
    code: 'order || isMap',
    becomes: 'true',
    reason: 'A shortcut: `readItems` reads what has changed of the same list.',
  },
  {
    file: 'src/denormalize/readList.ts',
    code: 'attribute === undefined && isEntity(schema) && Array.isArray(items)',
    becomes: 'false',
    reason: 'A shortcut: a list of records is read like any other, only faster.',
  },
  {
    file: 'src/denormalize/readList.ts',
    code: "!isOfRecords || !items.every((item) => typeof item === 'string')",
    becomes: 'true',
    reason: 'The same shortcut.',
  },
  {
    file: 'src/denormalize/readList.ts',
    code: "typeof item === 'string'",
    becomes: 'false',
    reason: 'The same shortcut.',
  },
  {
    file: 'src/denormalize/record.ts',
    code: '{\n    try {\n      return Object.assign(instance, seen)\n    } catch {\n      // A getter of the class has the name of a field.\n    }\n  }',
    becomes: '{}',
    reason: 'A shortcut: `assignFields` does the same for any record.',
  },
  {
    file: 'src/denormalize/record.ts',
    code: 'required.length === 0',
    becomes: 'false',
    reason: 'A shortcut: of no names there is nothing to collect.',
  },
  {
    file: 'src/denormalize/denormalize.ts',
    code: "kind === 'entity' && this.#depth > DEEPEST",
    becomes: "kind === 'entity' || this.#depth > DEEPEST",
    reason: 'The same shortcut: where all records wait, nothing gets deep.',
  },
  {
    file: 'src/controller/Core.ts',
    code: 'sent < store.resetAt',
    becomes: 'sent <= store.resetAt',
    reason: 'A request and a reset have different numbers.',
  },
]
