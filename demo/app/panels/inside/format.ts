import { INVALID } from 'restitch'

/** A duration in as few letters as one can read: `850 ms`, `12 s`, `3 min`. */
export function formatAge(ms: number): string {
  if (ms === Infinity) {
    return 'ever'
  }
  if (ms < 1_000) {
    return `${Math.max(0, Math.round(ms))} ms`
  }
  if (ms < 90_000) {
    return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`
  }
  if (ms < 5_400_000) {
    return `${Math.round(ms / 60_000)} min`
  }
  return `${Math.round(ms / 3_600_000)} h`
}

/** `[Issue]` and `{Issue}` are lists and maps of issues; all others are tables of records. */
export const isListTable = (key: string): boolean => /^[[{]/.test(key)

/** The table of a list's members. */
export const memberTable = (key: string): string => key.slice(1, -1)

/** What a list's row holds: primary keys, or such by name. */
export function membersOf(row: unknown): string[] {
  if (!row || typeof row !== 'object') {
    return []
  }
  return Object.values(row).map((member) => (typeof member === 'object' && member ? String(member.id) : String(member)))
}

/** What people would call a row. */
export function titleOf(row: unknown): string {
  if (row === INVALID) {
    return 'deleted'
  }
  if (!row || typeof row !== 'object') {
    return String(row)
  }
  const { key, title, name, body, filename } = row as Record<string, unknown>
  return [key, title ?? name ?? filename ?? body].filter((part) => typeof part === 'string').join(' ')
}

/** Paths without the origin, which is always the same; of GraphQL the field that is asked for, and its variables. */
export function shortKey(key: string): string {
  const [, kind = 'query', field, variables = ''] = GRAPHQL.exec(key) ?? []
  return field ? `${kind} ${field} ${variables}` : key.replace(/(?<= )https?:\/\/[^/]+/, '')
}

const GRAPHQL = /^(query|mutation)?[^{]*\{\s*(\w+)[^]*?(\{"[^]*\})?$/

export function toText(value: unknown): string {
  if (typeof value === 'symbol') {
    return 'deleted'
  }
  return value === undefined ? 'undefined' : JSON.stringify(value, null, 2)
}
