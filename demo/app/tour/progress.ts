import type { Report } from './WriteWatcher.ts'

/** How far the tour is. */
export interface Progress {
  readonly report?: Report | undefined
  readonly classicReport?: Report | undefined
  readonly isLast?: boolean
}

const NAME = 'tour'
const OVER = 'over'

/** True if the tour was on before a reload of this tab. */
export function isTourBegun(): boolean {
  return sessionStorage.getItem(NAME) !== null
}

export function readTour(): Progress {
  return JSON.parse(sessionStorage.getItem(NAME) ?? '{}') as Progress
}

export function keepTour(progress: Progress): void {
  sessionStorage.setItem(NAME, JSON.stringify(progress))
}

/** True if the tour was skipped or finished in this browser. */
export function isTourOver(): boolean {
  return localStorage.getItem(NAME) === OVER
}

/** It does not start on its own again. The next tour starts with its first step. */
export function endTour(): void {
  sessionStorage.removeItem(NAME)
  localStorage.setItem(NAME, OVER)
}
