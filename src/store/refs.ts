import type { PendingChange } from '../normalize/shown.ts'
import type { Slot, Table, Tables } from '../normalize/tables.ts'
import { denormalizeItems } from '../schema/Array.ts'
import { denormalizeMembers } from '../schema/Object.ts'
import { listChoice } from '../schema/polymorphic.ts'
import { type IDenormalizeDelegate, INVALID, isEntity, isSchemaClass } from '../schema/Schema.ts'

/** Calls `reach` for every row that a row, a list or a result names; `slot.schema` and the class of its table tell. */
export function createNames({ tables, endpoints }: Tables, reach: (slot: Slot) => void): (slot: Slot) => void {
  const meet = (table: Table | undefined, pk: unknown): void => {
    const slot = table?.slots.get(String(pk))
    if (slot !== undefined) {
      reach(slot)
    }
  }
  // Schemas know what they are made of: they are asked to read, and nothing is made.
  const delegate: IDenormalizeDelegate = {
    args: [],
    all: () => [],
    cell: () => undefined,
    list: ({ key }, pk) => meet(tables.get(key), pk),
    isComplete: () => false,
    unvisit: (schema: any, input: any) => {
      if (input === undefined || input === null || schema === null) {
        return undefined
      }
      if (isEntity(schema)) {
        meet(tables.get(schema.key), input)
      } else if (Array.isArray(schema)) {
        denormalizeItems(listChoice(schema), input, delegate)
      } else if (isSchemaClass(schema)) {
        schema.denormalize(input, delegate)
      } else if (typeof schema === 'object') {
        denormalizeMembers(schema as object, input, delegate)
      }
      return undefined
    },
  }
  const ask = (schema: unknown, value: unknown): void => {
    try {
      delegate.unvisit(schema, value)
    } catch {
      // A schema of the app's own, or a lens, may need what only a reader has.
    }
  }
  return (slot) => {
    const { table, list } = slot
    const rows: Partial<PendingChange>[] = [slot, ...(slot.pending ?? [])]
    for (const row of rows) {
      const value = row.entries ? row.entries.flatMap(({ items }) => Object.values(items as object)) : row.value
      if (value === undefined || value === INVALID) {
        continue
      }
      if (table === endpoints) {
        ask(slot.schema, value)
      } else if (list !== undefined) {
        // Of a union's items the table is not known here; one of few.
        const held = table.holds.map((key) => tables.get(key))
        for (const item of Object.values(value as object)) {
          for (const one of held) {
            const row = one?.slots.get(String((item as { id?: unknown } | null)?.id ?? item))
            // A list does not need the mark of a deleted record: it shows nothing of it.
            if (row !== undefined && row.value !== INVALID) {
              reach(row)
            }
          }
        }
      } else {
        for (const [name, member] of Object.entries(table.entity?.schema ?? {})) {
          ask(member, (value as any)[name])
        }
      }
    }
  }
}
