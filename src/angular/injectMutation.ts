import { ApplicationRef, computed, inject, type Signal } from '@angular/core'
import { createMutation, type Mutation, type MutationMembers, type MutationOptions } from '../binding/createMutation.ts'
import type { Controller, Fetched } from '../controller/Controller.ts'
import type { EndpointInterface, UnknownError } from '../endpoint/EndpointOptions.ts'
import { type Context, injectContext } from './context.ts'
import { createShown } from './reader.ts'

/**
 * The result of `injectMutation`: the functions, and the state of the last call as signals.
 *
 * @example
 * const label = (save: MutationSignals<typeof updateUser>) => (save.loading() ? 'Saving…' : 'Save')
 * @see docs/api/injectMutation.md#mutationsignals
 */
export interface MutationSignals<E extends EndpointInterface> {
  /** Sends the mutation. It returns nothing and never throws: a failure becomes `error`. */
  readonly mutate: Mutation<E>['mutate']
  /** Sends the mutation; the promise resolves to the data, or rejects. */
  readonly mutateAsync: Mutation<E>['mutateAsync']
  /** Forgets the last call: the status is `idle` again. */
  readonly reset: () => void
  readonly status: Signal<'idle' | 'pending' | 'success' | 'error'>
  readonly loading: Signal<boolean>
  readonly data: Signal<Fetched<E> | undefined>
  readonly error: Signal<UnknownError | undefined>
  /** The arguments of the last call. */
  readonly variables: Signal<Parameters<E> | undefined>
}

/**
 * Sends a mutation from a component, with its state as signals: pending, failed, or done.
 *
 * @example
 * const save = injectMutation(updateUser)
 * const rename = () => save.mutate({ id: 5 }, { name: 'Ann' })
 * @see docs/api/injectMutation.md
 */
export function injectMutation<E extends EndpointInterface>(
  endpoint: E,
  options: MutationOptions<E> = {},
): MutationSignals<E> {
  const context = injectContext()
  const given = { controller: holding(context), endpoint, options: injectTick(options) }
  const mutation = createMutation<E, Pair>(given, pair)
  const pairs = createShown(
    () => mutation,
    ({ get }) => get(),
  )
  const [members, idle] = mutation.get()
  const member = (name: keyof MutationMembers): Signal<any> => computed(() => members[name](pairs()[1]) as unknown)
  return {
    mutate: members.mutate(idle),
    mutateAsync: members.mutateAsync(idle),
    reset: members.reset(idle),
    status: member('status'),
    loading: member('loading'),
    data: member('data'),
    error: member('error'),
    variables: member('variables'),
  }
}

/** A controller whose calls keep the app from becoming stable, so that a test may wait for them. */
function holding({ controller, hold }: Context): Controller {
  const fetch = (by: EndpointInterface, ...args: readonly any[]): Promise<unknown> => {
    const promise: Promise<unknown> = controller.fetch(by, ...args)
    hold(promise)
    return promise
  }
  return { fetch } as Controller
}

/** A view of what was deleted that `onSuccess` closes is gone before the deletion reaches it: it would fetch again. */
function injectTick<E extends EndpointInterface>(options: MutationOptions<E>): MutationOptions<E> {
  const { onSuccess } = options
  const app = inject(ApplicationRef)
  if (!onSuccess) {
    return options
  }
  return {
    ...options,
    onSuccess(...args) {
      onSuccess(...args)
      if (!app.destroyed) {
        app.tick()
      }
    },
  }
}

type Pair = readonly [members: MutationMembers, state: unknown]

const pair =
  (members: MutationMembers) =>
  (state: unknown): Pair => [members, state]
