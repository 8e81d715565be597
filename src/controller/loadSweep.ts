import * as sweep from './sweep.ts'

/** Servers, workers and React Native have the sweep in one file with the rest. */
export function loadSweep(): typeof sweep | Promise<typeof sweep> {
  return sweep
}
