import type { refreshPages } from './refreshPages.ts'

let loaded: typeof refreshPages | undefined

/** Browsers load it with the first page that is fetched, so that it is there when the pages are fetched again. */
export function loadPages(use: (refresh: typeof refreshPages) => unknown, failed: () => void): void {
  if (loaded) {
    use(loaded)
    return
  }
  // A response that is refused has rejected its request.
  import('./refreshPages.ts').then((code) => use((loaded = code.refreshPages)), failed).catch(() => {})
}
