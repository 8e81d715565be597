// Ids that no store, tab or reload repeats.

/** Below it are the ids of requests, which count from 1. */
const LEAST = 2 ** 24
/** Temporary ids of records whose id is a number are made of it, and are exact below this. */
const MOST = 2 ** 36

/** The digits of an entry's id. */
export function newId(random: () => number): string {
  return String(LEAST + Math.floor(random() * (MOST - LEAST)))
}

/** A key of 104 random bits. */
export function newKey(random: () => number): string {
  const part = (): string =>
    Math.floor(random() * 2 ** 52)
      .toString(36)
      .padStart(10, '0')
  return `${part()}-${part()}`
}
