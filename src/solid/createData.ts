import { type Accessor, createMemo, untrack } from 'solid-js'
import { isServer } from 'solid-js/web'
import { optionsOf, type ReadOptions } from '../binding/args.ts'
import { createDLEReader, type DLE, type DLEMembers, type DLEResult, type Shown } from '../binding/createDLEReader.ts'
import type { GetterArgs, PlainGetterArgs } from '../binding/getterArgs.ts'
import { type Reader, type Seen, takeAll } from '../binding/Reader.ts'
import type { Known } from '../controller/Controller.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { createChecked, createLoading, createReaderOf, createShown, createWait, defineMembers } from './reader.ts'

/**
 * The result of `createData` in Solid: the members of `useDLE`, and a function. Called, it returns the data, lets the nearest `<Suspense>` wait
 * while there is none, and throws the error that prevents it.
 *
 * @example
 * const show = (user: Data<typeof getUser>) => (user.loading ? 'loading' : user.data?.name)
 * @see docs/api/createData.md#data
 */
export type Data<E extends ReadEndpoint, A extends readonly unknown[] = Parameters<E>> = Accessor<Known<E>> & DLE<E, A>

/**
 * The data of an endpoint, fetched while the component is mounted. Each argument may be a signal.
 *
 * @example
 * const user = createData(getUser, () => ({ id: props.id }))
 * const name = () => user()?.name
 * @see docs/api/createData.md#solid
 */
export function createData<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E | ReadOptions<E>,
  ...args: GetterArgs<Parameters<E>, A>
): Data<E, PlainGetterArgs<A>> {
  const { members, read } = createLoaded(endpoint, args)
  return defineMembers(read, members) as never
}

/** The state of an endpoint that is fetched. */
interface Loaded {
  readonly members: { readonly [K in keyof DLEResult]: () => DLEResult[K] }
  /** The data, for `<Suspense>` and `<ErrorBoundary>`. */
  readonly read: Accessor<any>
}

/** @param keeps data that was invalidated stays on the screen until it is fetched again */
export function createLoaded(
  endpoint: ReadEndpoint | ReadOptions<any>,
  args: readonly unknown[],
  keeps?: boolean,
): Loaded {
  const options = createMemo(() => optionsOf<any>(endpoint))
  const reader = createReaderOf(() => options().endpoint, args, takeAll, false, keeps)
  const mounted: Parameters<typeof createDLEReader<Pair>>[1] = {}
  const dle = createChecked(() => {
    const one = reader()
    const made = createDLEReader(one, mounted, pair)
    made.options = options()
    return made
  })
  const pairs = createShown(dle, (one, isFirst) => (isFirst ? one.getFirst() : one.get()))
  const isLoading = (): boolean => pairs()[1].loading
  const wait = createWait(() => (isLoading() ? reader() : undefined), whenLoaded)
  if (!isServer) {
    createLoading(reader, isLoading, (one) => {
      // The promise tells of a failure that is not stored.
      one.wait(true).catch(() => {})
    })
  }
  const member = (name: keyof DLEResult) => (): any => {
    const [members, shown] = pairs()
    if (isServer && shown.loading) {
      wait()
    }
    return untrack(() => members[name](shown) as unknown)
  }
  return { members: membersOf(member), read: createAccessor(() => pairs()[1], wait) }
}

/** An accessor of the data, for `<Suspense>` and `<ErrorBoundary>`. */
export function createAccessor(shown: Accessor<Shown>, wait: () => void): Accessor<any> {
  let last: unknown
  return () => {
    const { data, loading, error } = shown()
    if (error !== undefined) {
      throw error
    }
    if (loading) {
      wait()
      return last
    }
    return (last = data)
  }
}

async function whenLoaded(reader: Reader<Seen>): Promise<void> {
  while (reader.get().loading) {
    await reader.wait(true)
  }
}

function membersOf(member: (name: keyof DLEResult) => () => any): Loaded['members'] {
  return {
    data: member('data'),
    loading: member('loading'),
    error: member('error'),
    placeholder: member('placeholder'),
    fetching: member('fetching'),
    refetchError: member('refetchError'),
    fetchedAt: member('fetchedAt'),
    stale: member('stale'),
    refetch: member('refetch'),
  }
}

/** The members of the result, and what is shown: a new array each time, so that members which follow time or requests are read again. */
type Pair = readonly [members: DLEMembers, shown: Shown]

const pair =
  (members: DLEMembers) =>
  (shown: Shown): Pair => [members, shown]
