import { refreshPages } from './refreshPages.ts'

/** Servers, workers and React Native have the code that fetches pages again in one file with the rest. */
export async function loadPages(): Promise<typeof refreshPages> {
  return refreshPages
}
