// Runs the table at the top of judge.ts: each of its rows with every case that it describes, and every case with the first row that fits.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Case, judge, type Membership, type Verdict } from './judge.ts'

const UNKNOWN: readonly Membership[] = [
  'unknown-argument',
  'empty-list',
  'other-arguments',
  'new-record',
  'was-in-doubt',
  'read-since',
  'overtaken',
  'crossed',
]
const ALL: readonly Membership[] = ['in', 'out', ...UNKNOWN]

type Question = 'elsewhere' | 'place' | 'gap' | 'counted'
interface Row {
  readonly text: string
  readonly before: readonly Membership[]
  readonly now: readonly Membership[]
  readonly shown: readonly boolean[]
  readonly move: string
  readonly doubt: string
}

const rows = readTable()
interface Options {
  readonly before: Membership
  readonly now: Membership
  readonly isShown: boolean
  readonly isMover?: boolean
  readonly isCrossed?: boolean
  /** All questions return a reason, or none. */
  readonly hasReasons?: boolean
  readonly isUnsettled?: boolean
}

/** A case whose questions return a reason of their own, so that a verdict shows which one was asked. */
const REASONS = { elsewhere: 'sorted', place: 'unnamed', gap: 'more-pages', counted: 'counted' } as const
function caseOf({
  before,
  now,
  isShown,
  isMover = false,
  isCrossed = false,
  hasReasons = true,
  ...rest
}: Options): Case {
  const answer = (question: Question) => () => (hasReasons ? REASONS[question] : undefined)
  return {
    before,
    now,
    isMover,
    isCrossed,
    isShown: () => isShown,
    elsewhere: answer('elsewhere'),
    place: answer('place'),
    gap: answer('gap'),
    counted: answer('counted'),
    unsettled: () => (rest.isUnsettled ? 'arrived-meanwhile' : undefined),
  }
}

const cases = ALL.flatMap((before) =>
  ALL.flatMap((now) =>
    [true, false].flatMap((isShown) => [true, false].map((isMover) => ({ before, now, isShown, isMover }))),
  ),
)
const fits = ({ before, now, isShown }: Options, row: Row): boolean =>
  row.before.includes(before) && row.now.includes(now) && row.shown.includes(isShown)
const firstFor = (one: Options): Row => rows.find((row) => fits(one, row))!

function verdictOf({ move, doubt }: Row, { before, now, isMover }: Options): Verdict {
  const isJoining = move === 'joins' || (move === 'by a mover' && isMover === true)
  const reasons: Record<string, unknown> = { ...REASONS, before, now }
  return {
    move: isJoining ? 'join' : move === 'leaves' ? 'leave' : undefined,
    doubt: reasons[doubt] as Verdict['doubt'],
  }
}

describe('COL-40 COL-42 the table', () => {
  test('has a row for every case, and a case for every row', () => {
    expect(new Set(cases.map(firstFor))).toEqual(new Set(rows))
  })

  test.each(rows.map((row) => [row.text, row] as const))('%s', (_text, row) => {
    for (const one of cases.filter((each) => firstFor(each) === row)) {
      expect([one, judge(caseOf(one))]).toEqual([one, verdictOf(row, one)])
    }
  })
})

test('ORD-8 after writes that crossed a list asks, unless it was out, is out, and does not show the record', () => {
  for (const one of cases) {
    const { doubt } = judge(caseOf({ ...one, isCrossed: true, hasReasons: false }))
    const row = firstFor(one)
    const other = row.doubt === 'before' ? one.before : row.doubt === 'now' ? one.now : 'crossed'
    const isApart = one.before === 'out' && one.now === 'out' && !one.isShown
    expect([one, doubt]).toEqual([one, isApart ? undefined : other])
  }
})

test('ORD-7 a list that changes and is unsettled asks; one that stays does not', () => {
  for (const one of cases) {
    const { move, doubt } = judge(caseOf({ ...one, hasReasons: false, isUnsettled: true }))
    const { doubt: why } = firstFor(one)
    const other = why === 'before' ? one.before : why === 'now' ? one.now : undefined
    expect([one, doubt]).toEqual([one, other ?? (move ? 'arrived-meanwhile' : undefined)])
  }
})

function readTable(): Row[] {
  const source = readFileSync(new URL('judge.ts', import.meta.url), 'utf8')
  const lines = source.split('\n').filter((line) => line.startsWith('// | '))
  return lines.slice(2).map((text) => {
    const [before = '', now = '', shown, move = '', doubt = ''] = text
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    const isShown = shown === 'yes' ? [true] : shown === 'no' ? [false] : [true, false]
    return {
      text: text.slice(3),
      before: membershipsOf(before),
      now: membershipsOf(now),
      shown: isShown,
      move,
      doubt: /`(\w+)`/.exec(doubt)![1]!,
    }
  })
}

function membershipsOf(cell: string): readonly Membership[] {
  return cell.split(', ').flatMap((word) => {
    const known: Record<string, readonly Membership[]> = { any: ALL, unknown: UNKNOWN, 'other unknown': UNKNOWN }
    return known[word] ?? [word as Membership]
  })
}
