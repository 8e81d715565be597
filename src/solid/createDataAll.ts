import { type Accessor, untrack } from 'solid-js'
import { isServer } from 'solid-js/web'
import type { CheckedReads, DataOfAll, DLEAll, Read } from '../binding/args.ts'
import { createReaderGroup, groupKey, joinSeen, type ReaderGroup } from '../binding/createReaderGroup.ts'
import { type MaybeGetter, plainReads } from '../binding/getterArgs.ts'
import { type Reader, type Seen, takeAll } from '../binding/Reader.ts'
import { createAccessor } from './createData.ts'
import { createChecked, createLoading, createShown, createWait, defineMembers } from './reader.ts'
import { useController } from './useController.ts'

/**
 * The result of `createDataAll` in Solid: the state of all reads, and a function. Called, it returns all data, lets the nearest `<Suspense>` wait
 * while some is missing, and throws the error that prevents it.
 *
 * @example
 * const isComplete = (all: DataAll<[]>) => !all.loading && !all.error
 * @see docs/api/createDataAll.md#dataall
 */
export type DataAll<Q extends readonly Read[]> = Accessor<DataOfAll<Q> | undefined> & DLEAll<Q>

/**
 * The data of several endpoints, which are fetched at the same time. The number of reads may change.
 *
 * @example
 * const users = createDataAll(() => ids.map((id) => [getUser, { id }] as const))
 * const names = () => users()?.map(({ name }) => name)
 * @see docs/api/createDataAll.md#solid
 */
export function createDataAll<const Q extends readonly Read[]>(reads: MaybeGetter<Q & CheckedReads<Q>>): DataAll<Q> {
  const controller = useController()
  /** The readers on the screen. */
  const mounted: { current?: readonly Reader<Seen>[] } = {}
  const group = createChecked<KeyedGroup>((last) => {
    const values = plainReads(reads)
    return untrack(() => {
      const key = groupKey(controller, values)
      const made = last?.key === key ? last : { ...createReaderGroup(controller, values, takeAll, mounted), key }
      for (const [index, reader] of made.readers.entries()) {
        // An equal read may have other options.
        reader.use(values[index]![0])
      }
      return made
    })
  })
  const states = createShown(group, (one, isFirst) => (isFirst ? one.getFirst() : one.get()))
  const all = createChecked<Seen>((last) => joinSeen(states(), last))
  // On a server a memo runs once.
  const shown = isServer ? () => joinSeen(states()) : all
  const wait = createWait(() => (shown().loading ? group() : undefined), whenLoaded)
  if (!isServer) {
    createLoading(
      group,
      () => states().some(({ loading }) => loading),
      // The promises tell of failures that are not stored.
      (one) => void Promise.allSettled(fetchMissing(one)),
    )
  }
  const state = (): Seen => {
    const now = shown()
    if (isServer && now.loading) {
      wait()
    }
    return now
  }
  return defineMembers(createAccessor(shown, wait), {
    states: () => state() && states(),
    data: () => {
      const { data, loading, error } = state()
      return loading || error !== undefined ? undefined : (data as unknown)
    },
    loading: () => state().loading,
    error: () => state().error as unknown,
  }) as never
}

interface KeyedGroup extends ReaderGroup<Seen> {
  readonly key: string
}

function fetchMissing({ readers }: KeyedGroup): readonly Promise<unknown>[] {
  return readers.filter((one) => one.get().loading).map((one) => one.wait(true))
}

async function whenLoaded(group: KeyedGroup): Promise<void> {
  for (let all = fetchMissing(group); all.length > 0; all = fetchMissing(group)) {
    await Promise.all(all)
  }
}
