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
    code: 'input === undefined || input === null || schema === null || schema === undefined',
    becomes: '(input === undefined || input === null || schema === null) && schema === undefined',
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
]
