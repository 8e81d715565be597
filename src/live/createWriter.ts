import type { KeyTest } from '../controller/actions.ts'
import type { Controller } from '../controller/Controller.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { Invalidate } from '../schema/Invalidate.ts'

/** Writes what a message says. */
export interface LiveWriter {
  /** Stores a record, or a part of one. It joins the lists that it belongs to. */
  set(schema: LiveEntity, record: object): void
  /** Deletes a record: it leaves all lists. */
  remove(schema: LiveEntity, record: object): void
  /** Marks the results of an endpoint as stale: mounted readers refetch. */
  expire(keys: KeyTest): void
  readonly controller: Controller
}

/** An Entity class. */
export interface LiveEntity {
  readonly key: string
  readonly prototype: object
  pk(value: any, parent?: any, key?: any, args?: any): unknown
}

/** A version that can be compared: a number, or a text such as a date in ISO format. */
export type Version = string | number | null | undefined

/** How many deleted records are remembered, so that an older message does not bring one back. */
const MOST_DELETED = 1_000

export function createWriter(
  controller: Controller,
  versionOf: ((record: any) => Version) | undefined,
  onLost: (error: unknown) => void,
): LiveWriter {
  const deleted = new Map<string, Version>()
  const deletes = new Map<LiveEntity, Endpoint>()
  const keyOf = (schema: LiveEntity, record: object): string =>
    `${schema.key} ${String(schema.pk(record, undefined, '', []))}`
  const isOlder = (a: Version, b: Version): boolean => a != null && b != null && a < b
  const stored = (schema: LiveEntity, record: object): any => controller.get(schema as any, record)
  return {
    controller,
    set(schema, record) {
      const version = versionOf?.(record)
      const gone = deleted.get(keyOf(schema, record))
      const known = versionOf && stored(schema, record)
      if (
        isOlder(version, gone) ||
        (version === gone && gone != null) ||
        isOlder(version, known && versionOf?.(known))
      ) {
        return
      }
      controller.set(schema as any, record as any, record as any).catch(onLost)
    },
    remove(schema, record) {
      const version = versionOf?.(record)
      const known = versionOf && stored(schema, record)
      if (isOlder(version, known && versionOf?.(known))) {
        return
      }
      if (version != null) {
        deleted.set(keyOf(schema, record), version)
      }
      for (const first of deleted.size > MOST_DELETED ? deleted.keys() : []) {
        deleted.delete(first)
        break
      }
      let endpoint = deletes.get(schema)
      if (!endpoint) {
        const options = {
          name: `live delete of ${schema.key}`,
          schema: new Invalidate(schema as any),
          sideEffect: true as const,
        }
        deletes.set(schema, (endpoint = new Endpoint(async (_record: object) => _record, options) as never))
      }
      controller.setResponse(endpoint as any, record as any, record as any).catch(onLost)
    },
    expire(keys) {
      controller.expireAll(keys).catch(onLost)
    },
  }
}
