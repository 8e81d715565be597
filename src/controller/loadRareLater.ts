import type * as rare from './rareResponses.ts'

/** Browsers load it with the first mutation whose response says nothing of its record, and with the first page that is fetched. */
export function loadRare(): Promise<typeof rare> {
  return import('./rareResponses.ts')
}
