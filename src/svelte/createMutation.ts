import { flushSync } from 'svelte'
import {
  createMutation as createState,
  type Mutation,
  type MutationMembers,
  type MutationOptions,
} from '../binding/createMutation.ts'
import { plainOf } from '../binding/getterArgs.ts'
import type { Controller } from '../controller/Controller.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { useController } from './context.ts'
import { createMembers, type Member } from './members.ts'

/**
 * Sends a mutation from a component, with its state: pending, failed, or done.
 *
 * @example
 * const save = createMutation(updateUser)
 * const rename = () => save.mutate({ id: 5 }, { name: 'Ann' })
 * @see docs/api/createMutation.md#svelte
 */
export function createMutation<E extends EndpointInterface>(
  endpoint: E,
  options: MutationOptions<E> = {},
): Mutation<E> {
  const controller = useController()
  // A form whose fields are state is sent as it is now.
  const fetch = (by: EndpointInterface, ...args: readonly any[]): unknown => controller.fetch(by, ...args.map(plainOf))
  const given = { controller: { fetch } as Controller, endpoint, options: withFlush(options) }
  const mutation = createState<E, Pair>(given, pair)
  const member =
    (name: keyof MutationMembers): Member<typeof mutation> =>
    ({ get }) => {
      const [members, state] = get()
      return members[name](state) as unknown
    }
  const names: readonly (keyof MutationMembers)[] = [
    'mutate',
    'mutateAsync',
    'reset',
    'status',
    'loading',
    'data',
    'error',
    'variables',
  ]
  return createMembers(
    controller,
    () => mutation,
    Object.fromEntries(names.map((name) => [name, member(name)])),
  ) as never
}

/** A view of what was deleted that `onSuccess` closes is gone before the deletion reaches it: it would fetch again. */
function withFlush<E extends EndpointInterface>(options: MutationOptions<E>): MutationOptions<E> {
  const { onSuccess } = options
  if (!onSuccess) {
    return options
  }
  return {
    ...options,
    onSuccess(...args) {
      onSuccess(...args)
      flushSync()
    },
  }
}

type Pair = readonly [members: MutationMembers, state: unknown]

const pair =
  (members: MutationMembers) =>
  (state: unknown): Pair => [members, state]
