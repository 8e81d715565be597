import type { Slot, Tables } from '../normalize/tables.ts'

/** How many hold a row; those that nobody holds are not in it. */
export interface Counts {
  has(slot: Slot): boolean
  /** Holds rows until what it gives is called. */
  hold(slots: readonly Slot[]): () => void
}

export function createCounts(): Counts {
  const counts = new Map<Slot, number>()
  const count = (slot: Slot, step: 1 | -1): void => {
    const left = (counts.get(slot) ?? 0) + step
    if (left > 0) {
      counts.set(slot, left)
    } else {
      counts.delete(slot)
    }
  }
  return {
    has: (slot) => counts.has(slot),
    hold: (slots) => {
      let held = slots
      for (const slot of held) {
        count(slot, 1)
      }
      return () => {
        for (const slot of held) {
          count(slot, -1)
        }
        held = []
      }
    },
  }
}

/** Lists that hold a row, by its pk. */
export function listsOf({ holders }: Tables, { key, pk }: Slot): Slot[] {
  const isHolding = ({ list, value }: Slot): boolean =>
    list !== undefined &&
    typeof value === 'object' &&
    Object.values(value as object).some((item: any) => item === pk || item?.id === pk)
  return (holders.get(key) ?? []).flatMap(({ rows }) => rows.filter(isHolding))
}
