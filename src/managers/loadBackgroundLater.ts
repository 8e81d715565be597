import type * as background from './background.ts'

/** Browsers load it when the store starts, after the page. */
export function loadBackground(use: (code: typeof background) => void, failed: () => void): void {
  import('./background.ts').then(use, failed)
}
