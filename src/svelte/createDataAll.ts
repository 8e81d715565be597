import { untrack } from 'svelte'
import type { CheckedReads, DataOfAll, DLEAll, DLEOfAll, Read } from '../binding/args.ts'
import { createReaderGroup, groupKey, joinSeen, type ReaderGroup } from '../binding/createReaderGroup.ts'
import { type MaybeGetter, plainReads } from '../binding/getterArgs.ts'
import { waitForMore } from '../binding/onServer.ts'
import { type Reader, type Seen, takeAll } from '../binding/Reader.ts'
import type { Controller } from '../controller/Controller.ts'
import { useController } from './context.ts'
import { createMembers, type Member } from './members.ts'

/**
 * The result of `createDataAll` in Svelte: the state of all reads. Awaited, all data is there.
 *
 * @example
 * const isComplete = (all: DataAll<[]>) => !all.loading && !all.error
 * @see docs/api/createDataAll.md#dataall
 */
export type DataAll<Q extends readonly Read[]> = DLEAll<Q> & PromiseLike<LoadedDataAll<Q>>

/**
 * Data that is there, as `await createDataAll(…)` returns it. While that of other reads loads, `data` keeps its value; reading it throws the
 * error that prevents the new one.
 *
 * @example
 * const count = async (all: DataAll<[]>) => (await all).data.length
 * @see docs/api/createDataAll.md#loadeddataall
 */
export interface LoadedDataAll<Q extends readonly Read[]> {
  readonly data: DataOfAll<Q>
  readonly loading: boolean
  readonly states: DLEOfAll<Q>
}

/**
 * The data of several endpoints, which are fetched at the same time. The number of reads may change.
 *
 * @example
 * const users = createDataAll(() => ids.map((id) => [getUser, { id }] as const))
 * const names = () => users.data?.map(({ name }) => name)
 * @see docs/api/createDataAll.md#svelte
 */
export function createDataAll<const Q extends readonly Read[]>(reads: MaybeGetter<Q & CheckedReads<Q>>): DataAll<Q> {
  const controller = useController()
  const source = createGroupSource(controller, reads)
  const load = (group: Group): void => {
    if (fetchMissing(group).length > 0) {
      void waitForMore(controller)
    }
  }
  const states: Member<Group> = (group, isFirst) => (isFirst ? group.getFirst() : group.get())
  const member =
    (of: (all: Seen) => unknown): Member<Group> =>
    (group, isFirst) =>
      of(group.join(isFirst))
  const loading = member((all) => all.loading)
  const state = createMembers(
    controller,
    source,
    {
      states,
      loading,
      data: member((all) => (all.loading || all.error !== undefined ? undefined : all.data)),
      error: member(({ error }) => error as unknown),
    },
    load,
  )
  let last: unknown
  const data = member((all) => {
    if (all.error !== undefined) {
      throw all.error
    }
    return all.loading ? last : (last = all.data)
  })
  let loaded: object | undefined
  const whenLoaded = async (): Promise<unknown> => {
    last = await waitForAll(source)
    return (loaded ??= createMembers(controller, source, { states, loading, data }, load))
  }
  // oxlint-disable-next-line unicorn/no-thenable -- `await createDataAll(…)` waits for the data
  return Object.defineProperty(state, 'then', {
    value: (...on: Parameters<Promise<unknown>['then']>) => {
      // The reads are tracked where it is awaited.
      source()
      return whenLoaded().then(...on)
    },
  }) as never
}

interface Group extends ReaderGroup<Seen> {
  readonly key: string
  /** The state of all of them, as one: the same object until it changes. */
  readonly join: (isFirst: boolean) => Seen
}

function createGroupSource(controller: Controller, reads: MaybeGetter<readonly (readonly unknown[])[]>): () => Group {
  /** The readers on the screen. */
  const mounted: { current?: readonly Reader<Seen>[] } = {}
  let last: Group | undefined
  return () => {
    const values = plainReads(reads)
    return untrack(() => {
      const key = groupKey(controller, values)
      if (last?.key !== key) {
        const group = createReaderGroup(controller, values, takeAll, mounted)
        let all: Seen | undefined
        const join = (isFirst: boolean): Seen => (all = joinSeen(isFirst ? group.getFirst() : group.get(), all))
        last = { ...group, key, join }
      }
      for (const [index, reader] of last.readers.entries()) {
        // An equal read may have other options.
        reader.use(values[index]![0])
      }
      return last
    })
  }
}

/** Fetches what is missing. The promises tell of failures that are not stored. */
function fetchMissing({ readers }: Group): readonly Promise<unknown>[] {
  const missing = readers.filter((one) => one.get().loading).map((one) => one.wait(true))
  missing.forEach((promise) => void promise.catch(() => {}))
  return missing
}

async function waitForAll(source: () => Group): Promise<unknown> {
  for (;;) {
    const group = untrack(source)
    const { data, loading, error } = group.join(false)
    if (error !== undefined) {
      throw error
    }
    if (!loading) {
      return data
    }
    await Promise.all(fetchMissing(group)).catch((failure: unknown) => {
      // Other reads may succeed.
      if (untrack(source) === group) {
        throw failure
      }
    })
  }
}
