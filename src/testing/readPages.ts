import { listState, pagesOf } from '../requests/listPages.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { nextOf } from '../lists/pages.ts'
import type { AllTables } from '../lists/ListRow.ts'

/** How many pages of a list are loaded beside the list itself, and the arguments of the next one and the previous one. */
export function readPages(
  tables: AllTables,
  endpoint: EndpointInterface,
  args: readonly any[],
): { loaded: number; next: readonly any[] | undefined; previous: readonly any[] | undefined } {
  const list = listState(tables, endpoint, args)
  return {
    loaded: pagesOf(tables, endpoint, args).length,
    next: list && nextOf(list),
    previous: list?.pages[0]?.previous,
  }
}
