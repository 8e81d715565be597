import type { ProfileName } from './profiles.ts'

/** Runs that once violated an invariant. */
export const SEEDS: readonly (readonly [ProfileName, number])[] = [
  ['pages', 3],
  ['countedPages', 4],
  ['cursors', 7],
  ['loadMore', 7],
  ['paths', 51],
  ['pages', 52],
  ['cursors', 53],
  ['countedPages', 53],
  ['pages', 64],
  ['countedPages', 68],
  ['pages', 11],
  ['cursors', 50],
  ['countedPages', 51],
  ['countedPages', 52],
  ['pages', 1016],
  ['loadMore', 1020],
  ['nested', 20021],
  ['paths', 60017],
  ['loadMore', 80030],
  ['mixed', 100186],
  ['countedPages', 300128],
  ['garbage', 300153],
  ['mixed', 600191],
  ['events', 900075],
]
