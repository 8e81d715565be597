import { refreshPages } from './refreshPages.ts'

/** Servers, workers and React Native have the code that fetches pages again in one file with the rest. */
export function loadPages(use: (refresh: typeof refreshPages) => unknown, _failed: () => void): void {
  use(refreshPages)
}
