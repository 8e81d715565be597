import { untrack } from 'svelte'
import { type DataOf, optionsOf, type ReadOptions } from '../binding/args.ts'
import {
  createDLEReader,
  type DLE,
  type DLEMembers,
  type DLEReader,
  type DLEResult,
  type RefetchState,
  type Shown,
} from '../binding/createDLEReader.ts'
import type { GetterArgs, PlainGetterArgs } from '../binding/getterArgs.ts'
import { waitForMore } from '../binding/onServer.ts'
import { takeAll } from '../binding/Reader.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { useController } from './context.ts'
import { createMembers, type Member } from './members.ts'
import { createReaderSource } from './reader.ts'

/**
 * The result of `createData` in Svelte: the members of `useDLE`. Awaited, it is the data that is there.
 *
 * @example
 * const show = (user: Data<typeof getUser>) => (user.loading ? 'loading' : user.data?.name)
 * @see docs/api/createData.md#data
 */
export type Data<E extends ReadEndpoint, A extends readonly unknown[] = Parameters<E>> = DLE<E, A> &
  PromiseLike<LoadedData<DataOf<E, A>>>

/**
 * Data that is there, as `await createData(…)` returns it. While that of other arguments loads, `data` keeps its value; reading it throws the
 * error that prevents the new one.
 *
 * @example
 * const name = async (user: Data<typeof getUser>) => (await user).data.name
 * @see docs/api/createData.md#loadeddata
 */
export interface LoadedData<T> extends RefetchState {
  readonly data: T
  readonly loading: boolean
  /** The data is that of the previous arguments, or of the `placeholder` option. */
  readonly placeholder: boolean
}

/**
 * The data of an endpoint, fetched while a component or an effect reads it. Each argument may be a function that reads state.
 *
 * @example
 * const user = createData(getUser, () => ({ id: props.id }))
 * const name = () => user.data?.name
 * @see docs/api/createData.md#svelte
 */
export function createData<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E | ReadOptions<E>,
  ...args: GetterArgs<Parameters<E>, A>
): Data<E, PlainGetterArgs<A>> {
  return createLoaded(endpoint, args) as never
}

type Pair = readonly [members: DLEMembers, shown: Shown]
type DLESource = DLEReader<Pair>

/** Other parts of the result, and how it differs. */
interface More {
  /** Data that was invalidated stays on the screen until it is fetched again. */
  readonly keeps?: boolean
  /** Followed together with the data. */
  readonly wrap?: (source: () => DLESource) => () => DLESource
  /** Members beside those of the data. */
  readonly add?: (members: { readonly [K in keyof DLEResult]: Member<DLESource> }) => Record<string, Member<DLESource>>
}

export function createLoaded(
  endpoint: ReadEndpoint | ReadOptions<any>,
  args: readonly unknown[],
  { keeps = false, wrap = (one) => one, add }: More = {},
): PromiseLike<unknown> {
  const controller = useController()
  const source = wrap(createDLESource(endpoint, args, keeps))
  const members = { ...MEMBERS, ...add?.(MEMBERS) }
  const state = createMembers(controller, source, members, load)
  // The same members, but the data is there.
  let last: unknown
  const data: Member<DLESource> = (one, isFirst) => {
    const [, { data, loading, error }] = pairOf(one, isFirst)
    if (error !== undefined) {
      throw error
    }
    return loading ? last : (last = data)
  }
  const { error: _, ...others } = members
  const createLoadedState = (): object =>
    createMembers(controller, source, { ...others, ...add?.({ ...MEMBERS, data }), data }, load)
  let loadedState: object | undefined
  const whenLoaded = async (): Promise<unknown> => {
    for (;;) {
      const { reader } = untrack(source)
      const { loading, error } = reader.get()
      if (error !== undefined) {
        throw error
      }
      if (!loading) {
        return (loadedState ??= createLoadedState())
      }
      await reader.wait().catch((failure: unknown) => {
        // With other arguments it may succeed.
        if (untrack(source).reader === reader) {
          throw failure
        }
      })
    }
  }
  // oxlint-disable-next-line unicorn/no-thenable -- `await createData(…)` waits for the data
  return Object.defineProperty(state, 'then', {
    value: (...on: Parameters<Promise<unknown>['then']>) => {
      // The arguments are tracked where it is awaited.
      source()
      return whenLoaded().then(...on)
    },
  }) as PromiseLike<unknown>
}

function createDLESource(
  endpoint: ReadEndpoint | ReadOptions<any>,
  args: readonly unknown[],
  keeps: boolean,
): () => DLESource {
  const readerOf = createReaderSource(() => optionsOf<any>(endpoint).endpoint, args, takeAll, false, keeps)
  const mounted: { current?: DLESource } = {}
  let dle: DLESource | undefined
  return () => {
    const reader = readerOf()
    if (dle?.reader !== reader) {
      dle = createDLEReader(reader, mounted, pair)
    }
    dle.options = optionsOf<any>(endpoint)
    return dle
  }
}

/** Fetches what is missing. The promise tells of a failure that is not stored. */
function load({ reader }: DLESource): void {
  if (reader.get().loading) {
    reader.wait(true).catch(() => {})
    // A server renders once more when the data is there.
    void waitForMore(reader.controller)
  }
}

function pairOf(source: DLESource, isFirst: boolean): Pair {
  return isFirst ? source.getFirst() : source.get()
}

const member =
  (name: keyof DLEResult): Member<DLESource> =>
  (source, isFirst) => {
    const [members, shown] = pairOf(source, isFirst)
    return members[name](shown)
  }

const MEMBERS = /* @__PURE__ */ membersOf([
  'data',
  'loading',
  'error',
  'placeholder',
  'fetching',
  'refetchError',
  'fetchedAt',
  'stale',
  'refetch',
])

function membersOf(names: readonly (keyof DLEResult)[]): { readonly [K in keyof DLEResult]: Member<DLESource> } {
  return Object.fromEntries(names.map((name) => [name, member(name)])) as never
}

/** The members of the result, and what is shown: a new array each time, so that members which follow time or requests are read again. */
const pair =
  (members: DLEMembers) =>
  (shown: Shown): Pair => [members, shown]
