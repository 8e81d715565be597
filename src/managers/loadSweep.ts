import { limitBy } from './expiry.ts'
import { runSweep } from './sweep.ts'

/** The code of sweeps. */
export interface Sweeping {
  readonly runSweep: typeof runSweep
  readonly limitBy: typeof limitBy
}

/** Servers, workers and React Native have it in one file with the rest. */
export function loadSweep(use: (loaded: Sweeping) => void, _failed: () => void): void {
  use({ runSweep, limitBy })
}
