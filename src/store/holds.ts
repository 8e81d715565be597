import type { Slot, Table } from '../normalize/tables.ts'

/** Rows and tables that are needed, with the number of their holders. */
export class Counts {
  readonly #counts = new Map<Slot | Table, number>()

  has(source: Slot | Table): boolean {
    return this.#counts.has(source)
  }

  /** Holds rows and tables until the returned function is called. */
  hold(sources: Iterable<Slot | Table>): () => void {
    let held = sources
    this.#count(held, 1)
    return () => {
      this.#count(held, -1)
      held = []
    }
  }

  #count(sources: Iterable<Slot | Table>, step: 1 | -1): void {
    for (const source of sources) {
      const left = (this.#counts.get(source) ?? 0) + step
      if (left > 0) {
        this.#counts.set(source, left)
      } else {
        this.#counts.delete(source)
      }
    }
  }
}
