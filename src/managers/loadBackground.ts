import * as background from './background.ts'

/** Servers, workers and React Native have the code in one file with the rest. */
export function loadBackground(use: (code: typeof background) => void, _failed: () => void): void {
  use(background)
}
