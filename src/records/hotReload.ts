// Hot reload: a class that is declared again takes the place of the one with its name. Development only.

import { DEV } from '../base/env.ts'
import { pageOf } from '../base/errors.ts'
import { recall } from '../base/recall.ts'
import { warnOnce } from '../base/warn.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { mayShare, taken } from '../schema/entityKey.ts'

/** A class in a store. */
interface Registered {
  readonly Entity: RecordClass
  readonly table: { readonly key: string; entity: unknown }
}

/** The replaced classes of each table, with the number that the store had reached. */
const replaced = /* @__PURE__ */ new WeakMap<object, Map<unknown, number>>()

/** The class whose place another one takes. */
export function findOld<T extends Registered>(Class: RecordClass, table: object, known: Iterable<T>): T | undefined {
  // Metro drops no unused export, so functions that only development calls are empty in production.
  if (DEV) {
    for (const old of known) {
      if (old.table === table && old.Entity.name === Class.name && !mayShare(Class, old.Entity)) {
        return old
      }
    }
  }
  return undefined
}

/**
 * Replaces a class. Its records are made again with the new one.
 *
 * @param nodes of all rows of its table
 * @param onReplace notifies readers, and returns the number that the store has reached
 */
export function replaceClass<T extends Registered>(
  old: T,
  next: T,
  nodes: Iterable<{ schema: unknown; touch(): void }>,
  onReplace: () => number,
): void {
  if (DEV) {
    const { Entity: Old, table } = old
    warnOnce(
      `Entity "${table.key}" was declared again; the new class replaces the old one, and its records stay. [entity-redefined] ${pageOf('entity-redefined')}`,
    )
    for (const node of nodes) {
      node.schema = node.schema === Old ? next.Entity : node.schema
      node.touch()
    }
    if (table.entity === Old) {
      table.entity = next.Entity
    }
    Object.assign(old, next)
    recall(replaced, table, () => new Map<unknown, number>()).set(Old, onReplace())
  }
}

/** Throws for a replaced class that a request sent later comes with: then both are in use. */
export function checkReplaced({ table, Entity: Current }: Registered, Class: RecordClass, sent: number): void {
  if (DEV && sent > (replaced.get(table)?.get(Class) ?? Infinity)) {
    throw taken(Class, Current)
  }
}
