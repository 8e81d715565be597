import type { ProfileName } from './profiles.ts'

/** Runs that once broke a promise. */
export const SEEDS: readonly (readonly [ProfileName, number])[] = [
  ['writes', 2],
  ['pages', 4],
  ['polling', 6],
  ['polling', 11],
  ['mixed', 15],
  ['mixed', 16],
  ['writes', 22],
  ['pages', 1003],
  ['partial', 1067],
  ['pages', 1098],
  ['mixed', 19],
  ['clock', 310],
  ['garbage', 3003],
  ['pages', 100293],
  ['pages', 100465],
  ['mixed', 100507],
  ['pages', 100546],
  ['writes', 400473],
  ['mixed', 600228],
  ['pages', 700220],
  ['mixed', 800131],
  ['pages', 6500170],
]
