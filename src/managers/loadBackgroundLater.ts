import type * as background from './background.ts'

let loaded: typeof background | undefined

/** Browsers load it when the store starts, after the page. */
export function loadBackground(use: (code: typeof background) => void, failed: () => void): void {
  // At once, where it can: what follows a failure, such as a sign-out, counts on it.
  if (loaded) {
    use(loaded)
  } else {
    import('./background.ts').then((code) => use((loaded = code)), failed)
  }
}
