/** Changes that no test can notice, each with the reason: `code` in `file`, replaced by `becomes`, does the same. */
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
    file: 'src/denormalize/items.ts',
    code: 'now.length - 1',
    becomes: 'now.length + 1',
    reason:
      'A shortcut: fewer items of the old list are taken over, and the others are read again with the same result.',
  },
  {
    file: 'src/store/refs.ts',
    code: 'input === undefined || input === null || schema === null',
    becomes: '(input === undefined || input === null) && schema === null',
    reason: 'A shortcut: every branch that follows reaches nothing from undefined or null.',
  },
  {
    file: 'src/store/holds.ts',
    code: "typeof slot.value === 'object'",
    becomes: 'true',
    reason: 'The value of a list is an object, or the symbol of a deleted one, which has no items.',
  },
  {
    file: 'src/denormalize/denormalize.ts',
    code: '[]',
    becomes: '["Stryker was here"]',
    reason: '`noted` is written before it is read, up to `end`.',
  },
  {
    file: 'src/denormalize/memo.ts',
    code: 'up.length > FEW',
    becomes: 'true',
    reason: 'A shortcut: a set and an array contain the same parents.',
  },
  {
    file: 'src/denormalize/record.ts',
    code: '{\n    return true\n  }',
    becomes: '{}',
    reason: 'A shortcut for records whose needs are all there: the search that follows finds the same.',
  },
  {
    file: 'src/store/Store.ts',
    code: 'revealed.size > 0',
    becomes: 'revealed.size >= 0',
    reason: 'A shortcut: nothing revealed adds nothing, and an empty map counts as none.',
  },
  {
    file: 'src/store/getState.ts',
    code: '({ rows }) => rows.length === 0',
    becomes: '() => undefined',
    reason: 'A shortcut: the rows of an empty store are computed later, and there are none.',
  },
  {
    file: 'src/store/operations.ts',
    code: 'pending.length > at',
    becomes: 'pending.length >= at',
    reason: 'A shortcut: the rows are noted for operations that follow, and there is none.',
  },
  {
    file: 'src/store/refs.ts',
    code: '[]',
    becomes: '["Stryker was here"]',
    reason: 'A row without a value is left out.',
  },
  {
    file: 'src/store/serialize.ts',
    code: '{\n    return value\n  }',
    becomes: '{}',
    reason: 'A shortcut: a copy with the same names is the same JSON.',
  },
  {
    file: 'src/normalize/changeMembers.ts',
    code: 'record',
    becomes: 'true',
    reason: 'A decision is looked up by its record: one without a record is never found.',
  },
  {
    file: 'src/denormalize/items.ts',
    code: 'touched === undefined || touched.length > FEW',
    becomes: 'true',
    reason: 'A shortcut: records that were not touched have not changed.',
  },
  {
    file: 'src/denormalize/lowLevel.ts',
    code: 'text !== undefined',
    becomes: 'true',
    reason: 'Indexes are searched by text, so an entry without one is never found.',
  },
]
