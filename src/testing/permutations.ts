/** All orders of a list, for events that may happen in any order. */
export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) {
    return [[...items]]
  }
  const out: T[][] = []
  for (const [i, item] of items.entries()) {
    for (const rest of permutations(items.filter((_, j) => j !== i))) {
      out.push([item, ...rest])
    }
  }
  return out
}
