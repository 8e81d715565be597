import { isObject } from '../base/equal.ts'
import type { SavedRow } from './rowText.ts'

/** What is known of all rows of a version on the disk. */
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

export function readAbout(found: unknown): About {
  const { writer, fences } = (isObject(found) ? found : {}) as Partial<About>
  const isFence = ([, fence]: [string, unknown]): boolean => Array.isArray(fence) && typeof fence[0] === 'number'
  return {
    writer: typeof writer === 'string' ? writer : undefined,
    fences: Object.fromEntries(Object.entries(isObject(fences) ? fences : {}).filter(isFence)),
  }
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
