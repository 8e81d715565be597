import { computed, effect, type Signal, untracked } from '@angular/core'
import type { CheckedReads, DataOfAll, DLEAll, DLEOfAll, Read } from '../binding/args.ts'
import { createReaderGroup, groupKey, joinSeen, type ReaderGroup } from '../binding/createReaderGroup.ts'
import { type MaybeGetter, plainReads } from '../binding/getterArgs.ts'
import { type Reader, type Seen, takeAll } from '../binding/Reader.ts'
import type { UnknownError } from '../endpoint/EndpointOptions.ts'
import { injectContext } from './context.ts'
import { createShown, keeping } from './reader.ts'

/**
 * The result of `injectDataAll`: what all reads show as one, and each of them.
 *
 * @example
 * const isComplete = (all: DataAll<[]>) => !all.loading() && !all.error()
 * @see docs/api/injectDataAll.md#dataall
 */
export interface DataAll<Q extends readonly Read[]> {
  readonly data: Signal<DataOfAll<Q> | undefined>
  /** Some data is missing. */
  readonly loading: Signal<boolean>
  /** Why some data is missing. */
  readonly error: Signal<UnknownError | undefined>
  /** All of it, for the compiler: once nothing is loading and nothing failed, the data is there. */
  readonly state: Signal<DLEAll<Q>>
  /** Each read alone. */
  readonly states: Signal<DLEOfAll<Q>>
}

/**
 * The data of several endpoints as signals, fetched at the same time. The number of reads may change.
 *
 * @example
 * const users = injectDataAll(() => ids.map((id) => [getUser, { id }] as const))
 * const names = () => users.data()?.map(({ name }) => name)
 * @see docs/api/injectDataAll.md
 */
export function injectDataAll<const Q extends readonly Read[]>(reads: MaybeGetter<Q & CheckedReads<Q>>): DataAll<Q> {
  const { controller, outside, hold } = injectContext()
  /** The readers on the screen. */
  const mounted: { current?: readonly Reader<Seen>[] } = {}
  const group = keeping<KeyedGroup>((last) => {
    const values = plainReads(reads)
    return untracked(() => {
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
  const all = keeping<Seen>((last) => joinSeen(states(), last))
  effect(() => {
    states()
    const one = group()
    // The promises tell of failures that are not stored.
    untracked(() => outside(() => fetchMissing(one).forEach(hold)))
  })
  const data = computed<unknown>(() => (all().loading || all().error !== undefined ? undefined : all().data))
  const loading = computed(() => all().loading)
  const error = computed<unknown>(() => all().error)
  const state = computed(() => ({ data: data(), loading: loading(), error: error(), states: states() }))
  return { data, loading, error, state, states } as never
}

interface KeyedGroup extends ReaderGroup<Seen> {
  readonly key: string
}

function fetchMissing({ readers }: KeyedGroup): readonly Promise<unknown>[] {
  return readers.filter((one) => one.get().loading).map((one) => one.wait(true))
}
