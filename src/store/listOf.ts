import { isObject } from '../base/equal.ts'
import type { List } from '../lists/List.ts'
import { FIRST } from '../lists/pages.ts'

/** The state of a list of which only the content is known, from the names of its table and row. */
export function listOf(table: string, pk: string, items: unknown): List | undefined {
  const isMap = table.startsWith('{')
  if ((!isMap && !table.startsWith('[')) || !isObject(items)) {
    return undefined
  }
  const start = pk.indexOf('{')
  const name = start > 0 ? pk.slice(0, start - 1) : undefined
  try {
    const keyArgs = JSON.parse(pk.slice(start)) as Record<string, any>
    return { keyArgs, name, path: undefined, isMap, pages: [{ id: FIRST, items, sent: 0, firstSent: 0 }], tail: [] }
  } catch {
    // A key that is not JSON is no key of a list.
    return undefined
  }
}
