import { systemClock, whenIdle } from '../base/clock.ts'

/** Browsers load the sweep once the page is idle: it is not needed for the first screen. */
export async function loadSweep(): Promise<typeof import('./sweep.ts')> {
  await new Promise<void>((resolve) => whenIdle(resolve, () => systemClock.setTimeout(resolve, 0)))
  return import('./sweep.ts')
}
