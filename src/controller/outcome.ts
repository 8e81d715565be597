import { unlink } from '../denormalize/memo.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { Slot } from '../normalize/tables.ts'
import { Invalidate } from '../schema/Invalidate.ts'
import { createRows, type ResultMeta, type Store } from '../store/Store.ts'
import { applyResponse, rankNow } from './answers.ts'
import { isEmptyWrite } from './sparseResponse.ts'
import { instanceOfGone } from './gone.ts'
import { createReads, pathOf, type Reads } from './read.ts'

/** The values that the callers of `fetch` receive. */
export interface Outcomes {
  /** The value of a response that was stored: as readers see it. */
  outcomeOf(endpoint: EndpointInterface, key: string, args: readonly any[], value: unknown, result: unknown): unknown
  /** The value of a response of which nothing is stored. */
  alone(endpoint: EndpointInterface, args: readonly any[], value: unknown, result?: unknown): unknown
}

export function createOutcomes(store: Store, { reader, read }: Reads): Outcomes {
  const { endpoints } = store.tables

  const outcomeOf: Outcomes['outcomeOf'] = (endpoint, key, args, value, result) => {
    const { schema, sideEffect } = endpoint
    const stored = endpoints.slot(key)
    const meta: ResultMeta | undefined = stored.meta
    if (!sideEffect && !meta?.invalidated) {
      return read(endpoint, args, reader.resultNode(stored, schema, args, pathOf(endpoint))).data
    }
    if (schema === undefined || schema === null || schema instanceof Invalidate || result === undefined) {
      return alone(endpoint, args, value, result)
    }
    // Mutations share a key, and an invalidated result is nobody's: each caller receives what its own response names.
    const slot = new Slot(endpoints, key)
    slot.value = result
    const node = reader.resultNode(slot, schema, args, pathOf(endpoint))
    try {
      // A record that was deleted in the meantime is still what the response to a write says.
      return reader.read(node) ?? (sideEffect ? alone(endpoint, args, value) : undefined)
    } finally {
      unlink(node)
    }
  }

  const alone: Outcomes['alone'] = (given, args, value, result) => {
    const { schema } = given
    if (schema === undefined || schema === null) {
      return value
    }
    if (isEmptyWrite(given, value)) {
      return undefined
    }
    if (schema instanceof Invalidate) {
      return instanceOfGone(schema, value, args[0], result)
    }
    const own = createRows(store.clock)
    const endpoint: any = Object.assign(() => Promise.resolve(), { key: () => '', schema })
    applyResponse(own, endpoint, '', args, value, rankNow(own))
    return createReads(own).read(endpoint, args).data
  }
  return { outcomeOf, alone }
}
