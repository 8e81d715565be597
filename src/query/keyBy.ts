import { asBefore } from '../base/equal.ts'
import type { Reader } from '../reading/denormalize.ts'
import { ByEntry } from './ByEntry.ts'
import { checkKey, type Key } from './compareKeys.ts'
import type { Entry } from './Entry.ts'
import { MOVED, Stage, type Why } from './Stage.ts'
import { type Run, usesArgs } from './functions.ts'
import { step } from './step.ts'
import type { NoRecords, Operator } from './types.ts'

/**
 * The records in a Map, by a key. Of several with one key it has the last.
 *
 * @example
 * const byTitle = query(Todo, keyBy((todo) => todo.title))
 * @see docs/api/LiveQuery.md#keyby
 */
export function keyBy<T, K extends Key, A extends readonly unknown[] = []>(
  key: (record: T, ...args: A) => K,
): Operator<T, NoRecords<'keyBy() returns one Map: nothing can follow it'>, A, ReadonlyMap<K, T>> {
  return step('keyBy', usesArgs(key as Run, 'keyBy'), (parent, args) => new Keyed(parent, args, key as Run), {
    isLast: true,
    isOfPlaces: true,
  })
}

class Keyed extends Stage {
  readonly #keyOf: Run
  readonly #keys = new ByEntry<unknown>()

  constructor(parent: Stage, args: readonly any[], keyOf: Run) {
    super(parent.hub, parent, args, [keyOf])
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
    for (const entry of this.parent!.all()) {
      found.set(this.#keys.get(entry), entry.value(reader))
    }
    const before = old instanceof Map ? [...(old as Map<unknown, unknown>)].flat() : undefined
    const isSame = asBefore(before, [...found].flat()) === before
    return isSame ? old : found
  }

  protected see(reader: Reader, entry: Entry, why: Why, isHere: boolean): void {
    if (!isHere) {
      this.#keys.delete(entry)
    } else if (why !== MOVED) {
      this.#keys.set(entry, this.run(reader, entry, this.#keyOfRecord))
    }
  }

  readonly #keyOfRecord = (value: unknown): unknown => checkKey(this.#keyOf(value, ...this.args))
}
