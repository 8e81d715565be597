import type { refreshPages } from './refreshPages.ts'

/** Browsers load it with the first page that is fetched, so that it is there when the pages are fetched again. */
export async function loadPages(): Promise<typeof refreshPages> {
  return (await import('./refreshPages.ts')).refreshPages
}
