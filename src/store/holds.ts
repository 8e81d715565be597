import type { Slot, Table } from '../normalize/tables.ts'

/** Rows and tables that are needed, with the number of their holders. */
export interface Counts {
  has(source: Slot | Table): boolean
  /** Holds rows and tables until the returned function is called. */
  hold(sources: Iterable<Slot | Table>): () => void
}

export function createCounts(): Counts {
  const counts = new Map<Slot | Table, number>()
  const count = (sources: Iterable<Slot | Table>, step: 1 | -1): void => {
    for (const source of sources) {
      const left = (counts.get(source) ?? 0) + step
      if (left > 0) {
        counts.set(source, left)
      } else {
        counts.delete(source)
      }
    }
  }
  return {
    has: (source) => counts.has(source),
    hold: (sources) => {
      let held = sources
      count(held, 1)
      return () => {
        count(held, -1)
        held = []
      }
    },
  }
}
