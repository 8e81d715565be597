// The subject of an entry: its records, those that it creates, and the fields that it shows.

import { isObject } from '../base/equal.ts'
import { isStandIn, STAND_IN } from '../base/standIn.ts'
import { INVALID } from '../rows/INVALID.ts'
import { valueBelow } from '../rows/overlay.ts'
import type { Row } from '../rows/Row.ts'
import { argsPk } from '../schema/pk.ts'
import { isEntity } from '../schema/Schema.ts'
import { envelopeOf } from '../schema/envelope.ts'
import { topTablesOf } from '../schema/topTables.ts'
import type { Call } from '../requests/Call.ts'
import type { Operation } from '../store/operations.ts'
import type { AllTables } from '../lists/ListRow.ts'
import { standInsIn } from './aliases.ts'
import type { Entry, ShownRecord } from './Entry.ts'
import { packFields } from './pack.ts'

/** The members of an entry that say what it concerns. */
export type Concerns = Pick<Entry, 'records' | 'creates' | 'shown' | 'base'>

/** The change of a row by an operation. */
function changeOf(row: Row, operation: Operation): { readonly fields?: unknown; readonly value?: unknown } | undefined {
  return row.pending?.find(({ by }) => by === operation)
}

/** The records that the arguments and the optimistic update of an entry name. */
export function concernsOf(
  tables: AllTables,
  id: string,
  { endpoint, plain, args }: Pick<Call, 'endpoint' | 'plain' | 'args'>,
  operation?: Operation,
): Concerns {
  const rows = (operation?.rows ?? []).filter(
    ({ table }) => table !== (tables.endpoints as object) && !table.isOfLists && tables.tables.get(table.key) === table,
  )
  const records = new Set(rows.map(({ key, pk }) => `${key} ${pk}`))
  const isCreate = (envelopeOf(endpoint.schema).schema as { kind?: string } | undefined)?.kind === 'add'
  for (const [key, schema] of isCreate ? [] : topTablesOf(endpoint.schema)) {
    const pk = isEntity(schema) ? argsPk(schema as never, plain) : undefined
    if (pk !== undefined) {
      records.add(`${key} ${pk}`)
    }
  }
  if (isCreate) {
    // A record that is not there yet concerns nobody else.
    records.add(`new ${id}`)
  }
  const creates = rows.flatMap(({ pk }) => (operation && isOf(pk, operation.id) ? [pk] : []))
  const others = [...standInsIn(args)]
  const shown = rows.flatMap((row): ShownRecord[] => {
    const { fields } = changeOf(row, operation!) ?? {}
    return fields === INVALID
      ? [[row.key, row.pk, null]]
      : isObject(fields)
        ? [[row.key, row.pk, packFields(fields)]]
        : []
  })
  const below = rows.map((row) => valueBelow(row, operation!.sent)).find(isObject)
  return { records: [...records, ...creates, ...others], creates, shown, base: below && packFields(below) }
}

/** True for the temporary key of a record that an operation creates. */
function isOf(pk: string, id: string): boolean {
  return isStandIn(pk) && (pk.startsWith(`${STAND_IN}${id}-`) || Math.floor(-Number(pk) / 65_536) === Number(id))
}

/** Where the optimistic result of an operation has temporary ids: the response has real ones there. */
export function standInPlaces(
  tables: AllTables,
  key: string,
  operation: Operation | undefined,
): readonly (readonly [temporary: string, place: readonly string[]])[] {
  const row = operation?.rows.find((row) => row.table === (tables.endpoints as object) && row.pk === key)
  const walk = (result: unknown, place: readonly string[]): ReturnType<typeof standInPlaces> => {
    if (typeof result === 'string') {
      return isOf(result, operation!.id) ? [[result, place]] : []
    }
    return isObject(result) ? Object.entries(result).flatMap(([name, part]) => walk(part, [...place, name])) : []
  }
  return walk(row && changeOf(row, operation!)?.value, [])
}
