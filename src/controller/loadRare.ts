import * as rare from './rareResponses.ts'

/** Servers, workers and React Native have the code for rare responses in one file with the rest. */
export async function loadRare(): Promise<typeof rare> {
  return rare
}
