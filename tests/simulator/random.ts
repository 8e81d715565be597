/** Random numbers that a seed decides. */
export interface Random {
  /** From 0 up to 1. */
  next(): number
  /** A whole number from 0 up to `n`, not `n` itself. */
  below(n: number): number
  /** True with this probability. */
  chance(share: number): boolean
  pick<T>(items: readonly T[]): T
  /** One of the names, with a probability in proportion to its weight. */
  weigh<K extends string>(weights: Readonly<Partial<Record<K, number>>>): K
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number): number => Math.floor(next() * n)
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (items) => items[below(items.length)]!,
    weigh(weights) {
      const entries = Object.entries(weights) as [any, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        if ((left -= weight) < 0) {
          return name
        }
      }
      return entries[0]![0]
    },
  }
}

/** A number that depends only on its arguments. */
export function hash(...parts: readonly (string | number)[]): number {
  let sum = 0x811c9dc5
  for (const char of parts.join('\n')) {
    sum = Math.imul(sum ^ char.codePointAt(0)!, 0x01000193)
  }
  return sum >>> 0
}
