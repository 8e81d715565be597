// Mutations whose response says nothing of the record: it is empty (204), or has only the key. The body that was sent, over the stored
// record, stands for it until it is fetched again.

import { unknownWrite } from '../writing/lostWrite.ts'
import { normalize } from '../writing/normalize.ts'
import type { Row } from '../rows/Row.ts'
import type { StoreChange, StoreIntake } from '../lists/ListRow.ts'
import { sent } from '../endpoint/sent.ts'
import { envelopeOf } from '../schema/envelope.ts'
import { argsPk } from '../schema/pk.ts'
import { topTablesOf } from '../schema/topTables.ts'
import type { Store } from '../store/Store.ts'
import type { Call } from './Call.ts'
import { optimisticResponse } from './pending.ts'

/** The change of such a mutation: its record and the lists that can hold it are in doubt. */
export function completeMutation(store: Store, call: Call, value: unknown, intake: StoreIntake): StoreChange {
  const { schema } = call.endpoint
  const isEmpty = value === undefined || value === null
  const completed = completeResponse(store, call, value)
  let change: StoreChange | undefined
  // An action without a body has shown what it does.
  if (isEmpty && !completed?.isTold) {
    const madeFrom = new Map<Row, object>()
    try {
      const shown = optimisticResponse(store, call, intake.meta, madeFrom, new Set())
      change = shown === undefined ? undefined : normalize(schema, shown, { ...intake, fromApp: true, madeFrom })
    } catch {
      // It shows nothing, or its record has no key yet.
    }
  }
  if (completed) {
    change ??= normalize(schema, completed.value, { ...intake, fromApp: true, madeFrom: completed.madeFrom })
    // A remover names what it changes, and nothing else.
    if (envelopeOf(schema).schema?.kind === 'remove') {
      return change
    }
  }
  change ??= isEmpty ? unknownWrite(intake, schema, 'no-record') : normalize(schema, value, intake)
  const walk = change
  // The response says enough about the records nested in it.
  const written = topTablesOf(schema)
  const isWritten = ({ table: { key, holds } }: Row): boolean => [key, ...holds].some((one) => written.has(one))
  walk.rows.filter(isWritten).forEach((row) => walk.doubt(row, 'no-record'))
  return walk
}

/**
 * The response over the body over the record, and the record it was made from; `undefined` where nobody knows which record it is.
 * `isTold`: the body says what has changed.
 */
function completeResponse(
  { tables }: Store,
  { endpoint, args }: Call,
  value: unknown,
): { value: unknown; isTold: boolean; madeFrom: ReadonlyMap<Row, object> } | undefined {
  const { schema, path } = envelopeOf(endpoint.schema)
  const { collection, kind } = schema
  const Class: any = collection ? collection.cacheWith.choice.schema : schema
  // A Union does not say which class it is.
  if (typeof Class !== 'function' || collection?.isMap) {
    return undefined
  }
  const { defaults } = Class
  // A function among the defaults is a method, and comes from nowhere.
  const isField = ([name]: [string, unknown]): boolean =>
    Object.hasOwn(defaults as object, name) && typeof defaults[name] !== 'function'
  const pick = (of: unknown): object =>
    typeof of === 'object' && of && !Array.isArray(of)
      ? Object.fromEntries(Object.entries(sent(of)).filter(isField))
      : {}
  const record: any = path.reduce((inner: any, name) => inner?.[name], value) ?? {}
  const fields = pick('body' in endpoint && endpoint.body === undefined ? undefined : args.at(-1))
  const isAdded = kind === 'add'
  const isNamed = isAdded || kind === 'remove'
  const pk = argsPk(Class, [record]) ?? argsPk(Class, isNamed ? [fields] : args) ?? argsPk(Class, isAdded ? [] : args)
  const row = pk === undefined ? undefined : tables.tables.get(Class.key as string)?.byPk.get(pk)
  // Not a deleted one.
  const known = typeof row?.value === 'object' && row.value ? row.value : undefined
  if (pk === undefined || (!known && !isAdded)) {
    return undefined
  }
  const params = isAdded && args.length > 1 ? pick(args[0]) : {}
  const completed: object = { ...known, ...params, ...fields, ...record }
  return {
    value: path.reduceRight((inner, name) => ({ [name]: inner }), completed),
    isTold: Object.values(fields).some((field) => String(field) !== pk),
    // Only what differs from the stored record counts as written.
    madeFrom: new Map(known ? [[row!, known]] : []),
  }
}
