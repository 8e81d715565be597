export type Verdict = 'inferred' | 'unsure' | 'configured' | 'left out'

/** One decision: about what, what it is, why, and how sure. */
export interface Finding {
  readonly verdict: Verdict
  readonly kind:
    | 'entity'
    | 'relation'
    | 'resource'
    | 'endpoint'
    | 'pages'
    | 'envelope'
    | 'auth'
    | 'parameter'
    | 'casing'
    | 'fault'
  readonly subject: string
  readonly decision: string
  readonly why: string
}

/** More rows than these are counted, unless all are wanted. */
const MOST_ROWS = 40
const ORDER: readonly Verdict[] = ['left out', 'unsure', 'configured', 'inferred']

/** Collects what was inferred and why. */
export class Report {
  readonly findings: Finding[] = []
  readonly #known = new Set<string>()

  /** Adds a decision. One that is made in several places is one row. */
  add(verdict: Verdict, kind: Finding['kind'], subject: string, decision: string, why: string): void {
    const key = [verdict, kind, subject, decision, why].join('\n')
    if (!this.#known.has(key)) {
      this.#known.add(key)
      this.findings.push({ verdict, kind, subject, decision, why })
    }
  }

  /** A table, the most important rows first. `all` also shows what is certain. */
  print(all: boolean): string {
    const rows = this.findings
      .filter(({ verdict }) => all || verdict === 'left out' || verdict === 'unsure')
      .sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict) || compare(a.kind, b.kind))
      .map(({ verdict, kind, subject, decision, why }) => [verdict, kind, subject, decision, why])
    const shown = all ? rows : rows.slice(0, MOST_ROWS)
    const more = rows.length > shown.length ? `\n… and ${rows.length - shown.length} more: --report prints all` : ''
    return rows.length === 0 ? '' : printTable([['', 'what', 'subject', 'is', 'because'], ...shown]) + more
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Wider cells are not padded, so that one long cell does not push the others away. */
const WIDEST = 48

export function printTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) =>
    Math.max(...rows.map((row) => row[column]!.length).filter((length) => length <= WIDEST)),
  )
  return rows
    .map((row) =>
      row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!))).join('  '),
    )
    .map((line) => line.trimEnd())
    .join('\n')
}
