import type { Sweeping } from './loadSweep.ts'

/** Browsers load it when the first sweep begins, minutes after the page. */
export function loadSweep(use: (loaded: Sweeping) => void, failed: () => void): void {
  import('./sweep.ts').then(use, failed)
}
