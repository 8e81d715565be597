// Runs the table at the top of plan.ts: each of its rows with every situation that it describes, and every situation with the first row that fits.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Reading, UNUSABLE, USABLE, USABLE_IF_FRESH } from '../requests/Reading.ts'
import { INVALIDATED, STALE } from '../rows/Meta.ts'
import { type Cause, causesOf, type Due, dueAt, type Next, plan } from './plan.ts'

const NOW = 1_000_000

/** The columns of the table, with the words that stand in it. */
const COLUMNS = {
  just: ['responded', 'begun'],
  wanted: ['yes', 'no'],
  store: ['runs', 'stopped'],
  due: ['now', 'later', 'never'],
  tries: ['left', 'none'],
  has: ['usable data', 'unusable data', 'data and an error', 'an error', 'nothing'],
} as const
type Column = keyof typeof COLUMNS
type Situation = Record<Column, string>

const READINGS: Record<(typeof COLUMNS.has)[number], Pick<Reading, 'data' | 'error' | 'expiryStatus'>> = {
  'usable data': { data: {}, error: undefined, expiryStatus: USABLE },
  'unusable data': { data: {}, error: undefined, expiryStatus: UNUSABLE },
  'data and an error': { data: {}, error: new Error('no'), expiryStatus: USABLE },
  'an error': { data: undefined, error: new Error('no'), expiryStatus: USABLE_IF_FRESH },
  nothing: { data: undefined, error: undefined, expiryStatus: UNUSABLE },
}
const DUES: Record<(typeof COLUMNS.due)[number], readonly Due[]> = {
  now: [
    { cause: 'doubt', at: NOW + 5_000 },
    { cause: 'expired', at: NOW },
  ],
  later: [
    { cause: 'doubt', at: NOW + 5_000 },
    { cause: 'expired', at: NOW + 1 },
  ],
  never: [],
}
/** In the column of what the view has, `usable data` may come with an error, and so may an error with data. */
const fitsCell = (cell: string, word: string): boolean =>
  cell === 'any' || cell === word || (word === 'data and an error' && ['usable data', 'an error'].includes(cell))

const rows = readTable()
const situations = (Object.keys(COLUMNS) as Column[]).reduce<Situation[]>(
  (all, column) => all.flatMap((one) => COLUMNS[column].map((word) => ({ ...one, [column]: word }))),
  [{} as Situation],
)
const firstFor = (one: Situation): Row | undefined =>
  rows.find(({ cells }) => (Object.keys(COLUMNS) as Column[]).every((column) => fitsCell(cells[column], one[column])))

function planFor({ just, wanted, store, due, tries, has }: Situation): Next {
  return plan(
    {
      reading: READINGS[has as keyof typeof READINGS],
      hasResponded: just === 'responded',
      isWanted: wanted === 'yes',
      isStopped: store === 'stopped',
      dues: DUES[due as keyof typeof DUES],
      hasTries: () => tries === 'left',
    },
    NOW,
  )
}

describe('NET-15 EXP-7 the table', () => {
  test('has a row for every situation, and a situation for every row', () => {
    expect(new Set(situations.map(firstFor))).toEqual(new Set(rows))
  })

  test.each(rows.map((row) => [row.text, row] as const))('%s', (_text, row) => {
    for (const one of situations.filter((each) => firstFor(each) === row)) {
      expect([one, planFor(one)]).toEqual([one, row.next])
    }
  })
})

test('EXP-7 a view is due at the earliest moment of its causes', () => {
  expect([dueAt(DUES.now), dueAt(DUES.later), dueAt([])]).toEqual([NOW, NOW + 1, Infinity])
})

const fresh: Reading = { data: {}, error: undefined, expiryStatus: USABLE, expiresAt: NOW + 1 }
test.each<[string, Partial<Reading>, readonly Cause[]]>([
  ['fresh data', {}, []],
  ['data that has expired', { expiresAt: NOW - 1 }, ['expired']],
  ['data in doubt', { expiresAt: STALE }, ['doubt']],
  ['a part of data, for readers that never fetch', { expiresAt: STALE, isPartial: true }, ['expired']],
  ['a part that has expired', { expiresAt: STALE, isPartial: true, expiryStatus: UNUSABLE }, ['missing']],
  ['invalid data', { expiresAt: INVALIDATED, expiryStatus: UNUSABLE }, ['missing']],
  ['no data', { data: undefined, expiresAt: STALE, expiryStatus: USABLE_IF_FRESH }, ['missing']],
  ['an error that stands', { data: undefined, error: new Error('no') }, []],
  ['data that a pending operation hides', { data: undefined, expiresAt: STALE, waiting: true }, ['hidden']],
])('EXP-7 %s', (_name, reading, causes) => {
  expect(causesOf({ ...fresh, ...reading }, NOW)).toEqual(causes)
})

interface Row {
  readonly text: string
  readonly cells: Situation
  readonly next: Next
}

function readTable(): Row[] {
  const source = readFileSync(new URL('plan.ts', import.meta.url), 'utf8')
  const lines = source.split('\n').filter((line) => line.startsWith('// | '))
  return lines.slice(2).map((text) => {
    const [just, wanted, store, due, tries, has, next] = text
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()) as [string, string, string, string, string, string, Next]
    return { text: text.slice(3), cells: { just, wanted, store, due, tries, has }, next }
  })
}
