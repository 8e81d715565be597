import type { Reader } from '../denormalize/denormalize.ts'
import { checkKey, type Key } from './compareKeys.ts'
import type { Entry } from './Entry.ts'
import { inOrder, type Ordered } from './Ordered.ts'
import { type Batch, both, type Run, Stage } from './Stage.ts'
import { step, usesArgs } from './step.ts'
import type { Operator } from './types.ts'

/**
 * The records in a Map, by a key. Of several with one key it has the last.
 *
 * @example
 * const byTitle = query(Todo, keyBy((todo) => todo.title))
 * @see docs/api/LiveQuery.md#keyby
 */
export function keyBy<T, K extends Key, A extends readonly unknown[] = []>(
  key: (record: T, ...args: A) => K,
): Operator<T, never, A, ReadonlyMap<K, T>> {
  return step('keyBy', usesArgs(key as Run), (parent, args) => new Keyed(inOrder(parent), args, key as Run), true)
}

class Keyed extends Stage {
  readonly #keyOf: Run
  readonly #keys = new Map<Entry, unknown>()

  constructor(parent: Stage, args: readonly any[], keyOf: Run) {
    super(parent.hub, parent, args)
    this.#keyOf = keyOf
  }

  has(): boolean {
    return false
  }

  all(): Iterable<Entry> {
    return []
  }

  get size(): number {
    return this.#keys.size
  }

  override read(reader: Reader, old: unknown): unknown {
    const found = new Map<unknown, unknown>()
    for (const entry of (this.parent as Ordered).sorted.slice(0, Infinity)) {
      found.set(this.#keys.get(entry), entry.value(reader))
    }
    const before = old instanceof Map ? [...(old as Map<unknown, unknown>)] : []
    const isSame = old && before.length === found.size && before.every(([key, value]) => found.get(key) === value)
    return isSame ? old : found
  }

  protected look(reader: Reader, entries: Batch, foreign: ReadonlySet<Entry>): void {
    const { args } = this
    for (const entry of both(entries, foreign)) {
      if (this.parent!.has(entry)) {
        const found = this.run(reader, entry, (value) => [checkKey(this.#keyOf(value, ...args))] as const)
        this.#keys.set(entry, found?.[0])
      } else {
        this.forget(entry)
        this.#keys.delete(entry)
      }
    }
  }
}
