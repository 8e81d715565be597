import * as failure from './failure.ts'

/** Servers, workers and React Native have the code for responses that are not JSON, or cannot be used, in one file with the rest. */
export async function loadFailure(): Promise<typeof failure> {
  return failure
}
