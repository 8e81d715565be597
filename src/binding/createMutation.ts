import { asError } from '../base/errors.ts'
import { checkEndpoint } from './checkTarget.ts'
import type { Controller, Fetched } from '../controller/Controller.ts'
import type { EndpointInterface, UnknownError } from '../endpoint/EndpointOptions.ts'
import { report } from '../base/report.ts'

/**
 * Functions that run when a call of `useMutation` has ended. `variables` are the arguments of that call.
 *
 * @example
 * const options: MutationOptions<typeof updateUser> = { onSuccess: (user, [{ id }]) => navigate(`/users/${id}`) }
 * @see docs/api/useMutation.md#mutationoptions
 */
export interface MutationOptions<E extends EndpointInterface> {
  /** The server has responded, and the store has the response. */
  onSuccess?: ((data: Fetched<E>, variables: Parameters<E>) => unknown) | undefined
  onError?: ((error: UnknownError, variables: Parameters<E>) => unknown) | undefined
  /** After either of them. */
  onSettled?:
    | ((data: Fetched<E> | undefined, error: UnknownError | undefined, variables: Parameters<E>) => unknown)
    | undefined
}

/** A function that sends a mutation. `with` adds callbacks for a single call. */
export interface Mutate<E extends EndpointInterface, R> {
  (...args: readonly [...Parameters<E>]): R
  /** The same function with callbacks of its own; they run while the component is mounted. */
  with(options: MutationOptions<E>): (...args: readonly [...Parameters<E>]) => R
}

/**
 * The result of `useMutation`: the functions, and the state of the last call.
 *
 * @example
 * const Save = ({ mutation }: { mutation: Mutation<typeof updateUser> }) => <button disabled={mutation.loading}>Save</button>
 * @see docs/api/useMutation.md#mutation
 */
export type Mutation<E extends EndpointInterface> = MutationActions<E> & MutationState<E>

interface MutationActions<E extends EndpointInterface> {
  /** Sends the mutation. It returns nothing and never throws: a failure becomes `error`. */
  readonly mutate: Mutate<E, void>
  /** Sends the mutation; the promise resolves to the data, or rejects. */
  readonly mutateAsync: Mutate<E, Promise<Fetched<E>>>
  /** Forgets the last call: the status is `idle` again. */
  readonly reset: () => void
}

type MutationState<E extends EndpointInterface> =
  | State<'idle', false, undefined, undefined, undefined>
  | State<'pending', true, undefined, undefined, Parameters<E>>
  | State<'success', false, Fetched<E>, undefined, Parameters<E>>
  | State<'error', false, undefined, UnknownError, Parameters<E>>

interface State<S, L, D, F, A> {
  readonly status: S
  readonly loading: L
  readonly data: D
  readonly error: F
  /** The arguments of the last call. */
  readonly variables: A
}

/** The values of the last render. */
export interface MutationSource<E extends EndpointInterface> {
  controller: Controller
  endpoint: E
  options: MutationOptions<E>
}

/** How each member of the result follows from the state of the last call. */
export type MutationMembers = { readonly [K in keyof Mutation<any>]: (state: any) => any }

/**
 * One use of `useMutation`. Its state is a store of its own and not that of a component: React holds back what is set inside an action until
 * that has ended, so `loading` would never be true in one.
 *
 * @param create makes the result
 */
export function createMutation<E extends EndpointInterface, R>(
  latest: MutationSource<E>,
  create: (members: MutationMembers, by?: undefined) => (state: any) => R,
): {
  latest: MutationSource<E>
  subscribe(notify: () => void): () => void
  get(): R
} {
  checkEndpoint(latest.endpoint)
  let state: any = {}
  let notify: (() => void) | undefined
  const set = (next: object): void => {
    state = next
    notify?.()
  }
  const run = async (args: any, own: MutationOptions<E>): Promise<any> => {
    const mine = { status: 'pending', variables: args as unknown }
    set(mine)
    let data: any, error: any
    try {
      data = await latest.controller.fetch(latest.endpoint, ...args)
    } catch (thrown) {
      error = asError(thrown)
    }
    if (state === mine) {
      set({ status: error ? 'error' : 'success', data, error, variables: args })
    }
    // A callback of the call is about the screen it was made from.
    for (const { onSuccess, onError, onSettled } of notify ? [latest.options, own] : [latest.options]) {
      attempt(() => (error ? onError?.(error, args) : onSuccess?.(data, args)))
      attempt(() => onSettled?.(data, error, args))
    }
    if (error) {
      throw error
    }
    return data
  }
  const bindAll = <T>(call: (args: readonly any[], own: MutationOptions<E>) => T): Mutate<E, T> => {
    const bind =
      (own: MutationOptions<E>) =>
      (...args: readonly any[]): T =>
        // `onClick={mutate}` and `@click="mutate"` pass an event, which is no argument of an endpoint.
        call(args[0]?.nativeEvent || args[0]?.preventDefault ? [] : args, own)
    return Object.assign(bind({}), { with: bind })
  }
  const mutate = bindAll<void>((args, own) => void run(args, own).catch(() => {}))
  const mutateAsync = bindAll<Promise<any>>(run)
  const reset = (): void => set({})
  const read = create({
    mutate: () => mutate,
    mutateAsync: () => mutateAsync,
    reset: () => reset,
    data: ({ data }) => data,
    error: ({ error }) => error,
    loading: ({ status }) => status === 'pending',
    status: ({ status }) => status ?? 'idle',
    variables: ({ variables }) => variables,
  })
  return {
    latest,
    subscribe(listener) {
      notify = listener
      return () => {
        notify = undefined
      }
    },
    get: () => read(state),
  }
}

/** An error of a callback is not one of the mutation. */
function attempt(run: () => unknown): void {
  try {
    run()
  } catch (error) {
    report(error)
  }
}
