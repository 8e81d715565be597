import { isObject } from '../base/equal.ts'
import type { DiskFound } from '../disk/DiskStorage.ts'
import type { SavedRow } from './rowText.ts'

/** Facts about all rows of a version on the disk. */
export interface About {
  /** The tab that has written last. */
  readonly writer?: string | undefined
  /** When the app has last written to a table, and in which tab. */
  readonly fences: Readonly<Record<string, readonly [at: number, tab: string]>>
}

/** The key of it. */
export function aboutName(prefix: string): string {
  return `${prefix.slice(0, -1)}.about`
}

/** The key of the writes of the page that ended last: it could read nothing. */
export function lastName(prefix: string): string {
  return `${prefix.slice(0, -1)}.last`
}

export function readAbout(found: DiskFound, prefix: string): About {
  const about = found.get(aboutName(prefix))
  const { writer } = (isObject(about) ? about : {}) as Partial<About>
  const fences: Record<string, readonly [number, string]> = {}
  for (const [key, fence] of [...fencesOf(about), ...fencesOf(found.get(lastName(prefix)))]) {
    fences[key] = fence[0] > (fences[key]?.[0] ?? 0) ? fence : fences[key]!
  }
  return { writer: typeof writer === 'string' ? writer : undefined, fences }
}

function fencesOf(about: unknown): [string, readonly [number, string]][] {
  const fences: unknown = isObject(about) ? about['fences'] : undefined
  const isFence = ([, fence]: [string, unknown]): boolean => Array.isArray(fence) && typeof fence[0] === 'number'
  return Object.entries(isObject(fences) ? fences : {}).filter(isFence) as [string, readonly [number, string]][]
}

/** True for a list that may lack a write: it was written before, or fetched before another tab wrote. */
export function isBehind(
  { writtenAt, fetchedAt, writer }: SavedRow,
  holds: readonly string[],
  { fences }: About,
): boolean {
  return holds.some((key) => {
    const fence = Object.hasOwn(fences, key) ? fences[key]! : undefined
    return fence !== undefined && (writtenAt < fence[0] || (writer !== fence[1] && fetchedAt < fence[0]))
  })
}
