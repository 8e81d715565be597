import { computed, type ComputedRef, type MaybeRef, unref } from 'vue'
import { createMutation, type Mutation, type MutationMembers, type MutationOptions } from '../binding/createMutation.ts'
import type { Controller, Fetched } from '../controller/Controller.ts'
import type { EndpointInterface, UnknownError } from '../endpoint/EndpointOptions.ts'
import { copy } from './args.ts'
import { useShown } from './reader.ts'
import { useController } from './useController.ts'

/**
 * The result of `useMutation` in Vue: the functions, and the state of the last call as refs.
 *
 * @example
 * const isSaved = ({ status }: MutationRefs<typeof updateUser>) => status.value === 'success'
 * @see docs/api/useMutation.md#mutationrefs
 */
export interface MutationRefs<E extends EndpointInterface> extends Pick<
  Mutation<E>,
  'mutate' | 'mutateAsync' | 'reset'
> {
  readonly status: ComputedRef<'idle' | 'pending' | 'success' | 'error'>
  readonly loading: ComputedRef<boolean>
  readonly data: ComputedRef<Fetched<E> | undefined>
  readonly error: ComputedRef<UnknownError | undefined>
  /** The arguments of the last call. */
  readonly variables: ComputedRef<Parameters<E> | undefined>
}

/**
 * Sends a mutation from a component, with its state: pending, failed, or done.
 *
 * @example
 * const { mutate, loading, error } = useMutation(updateUser)
 * const save = () => mutate({ id: 5 }, { name: 'Ann' })
 * @see docs/api/useMutation.md#vue
 */
export function useMutation<E extends EndpointInterface>(
  endpoint: MaybeRef<E>,
  options: MutationOptions<E> = {},
): MutationRefs<E> {
  const controller = useController()
  // A reactive form is sent as it is now.
  const fetch = (by: EndpointInterface, ...args: readonly any[]): unknown => controller.fetch(by, ...args.map(copy))
  const latest = {
    controller: { fetch } as Controller,
    get endpoint() {
      return unref(endpoint)
    },
    options,
  }
  const mutation = createMutation<E, Pair>(latest, pair)
  const pairs = useShown({ value: mutation }, ({ get }) => get())
  const member = (name: keyof MutationMembers): ComputedRef<any> =>
    computed(() => {
      const [members, state] = pairs.value
      return members[name](state) as unknown
    })
  return {
    mutate: member('mutate').value,
    mutateAsync: member('mutateAsync').value,
    reset: member('reset').value,
    status: member('status'),
    loading: member('loading'),
    data: member('data'),
    error: member('error'),
    variables: member('variables'),
  }
}

type Pair = readonly [members: MutationMembers, state: unknown]

const pair =
  (members: MutationMembers) =>
  (state: unknown): Pair => [members, state]
