import type { FetchAction, KeyTest } from '../requests/actions.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Outside } from './Outside.ts'
import { topTablesOf } from '../schema/topTables.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { argsPk } from '../schema/pk.ts'

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

/** Milliseconds for which messages wait for a mutation, at most. */
const PATIENCE = 3_000

/** The writer of a LiveManager. Messages that may echo a mutation in flight wait for its response. */
export interface PatientWriter extends LiveWriter {
  /** Called with each mutation that is sent. */
  onMutation(mutation: FetchAction): void
  /** Drops the messages that wait. */
  drop(): void
}

export function createWriter(
  controller: Controller,
  outside: Outside,
  versionOf: ((record: any) => Version) | undefined,
  onLost: (error: unknown) => void,
): PatientWriter {
  /** Those in flight, and when they were sent. */
  const mutations = new Map<FetchAction, number>()
  let waiting: (readonly [schema: LiveEntity, record: object, write: () => void])[] = []
  let timer: unknown
  const { clock } = controller
  const drop = (): void => {
    clock.clearTimeout(timer)
    timer = undefined
    waiting = []
  }
  const release = (): void => {
    const messages = waiting
    drop()
    if (messages.length > 0) {
      outside.run('event', () => writeAll(messages))
    }
  }
  const writeAll = (messages: typeof waiting): void => {
    for (const message of messages) {
      try {
        writeWhenQuiet(...message)
      } catch (error) {
        onLost(error)
      }
    }
  }
  const writeWhenQuiet = (schema: LiveEntity, record: object, write: () => void): void => {
    if (mayEcho(schema, record)) {
      waiting.push([schema, record, write])
      timer ??= clock.setTimeout(release, PATIENCE)
    } else {
      write()
    }
  }
  /** A mutation in flight names the record, or it names none and the record may be the one that it creates. */
  const mayEcho = (schema: LiveEntity, record: object): boolean => {
    for (const [{ endpoint, args }, sentAt] of mutations) {
      if (clock.now() - sentAt < PATIENCE && topTablesOf(endpoint.schema).has(schema.key)) {
        const pk = argsPk(schema as any, args)
        if (pk === undefined ? stored(schema, record) === undefined : pk === argsPk(schema as any, [record])) {
          return true
        }
      }
    }
    return false
  }
  const deleted = new Map<string, Version>()
  const deletes = new Map<LiveEntity, Endpoint>()
  const keyOf = (schema: LiveEntity, record: object): string =>
    `${schema.key} ${String(schema.pk(record, undefined, '', []))}`
  const isOlder = (a: Version, b: Version): boolean => a != null && b != null && a < b
  const stored = (schema: LiveEntity, record: object): any => controller.get(schema as any, record)
  const set = (schema: LiveEntity, record: object): void => {
    const version = versionOf?.(record)
    const gone = deleted.get(keyOf(schema, record))
    const known = versionOf && stored(schema, record)
    if (isOlder(version, gone) || (version === gone && gone != null) || isOlder(version, known && versionOf?.(known))) {
      return
    }
    controller.set(schema as any, record as any, record as any).catch(onLost)
  }
  const remove = (schema: LiveEntity, record: object): void => {
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
  }
  return {
    controller,
    onMutation(mutation) {
      mutations.set(mutation, clock.now())
      const end = (): void => {
        mutations.delete(mutation)
        release()
      }
      mutation.meta.promise.then(end, end)
    },
    drop,
    set: (schema, record) => writeWhenQuiet(schema, record, () => set(schema, record)),
    remove: (schema, record) => writeWhenQuiet(schema, record, () => remove(schema, record)),
    expire(keys) {
      controller.expireAll(keys).catch(onLost)
    },
  }
}
