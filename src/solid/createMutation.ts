import {
  createMutation as createState,
  type Mutation,
  type MutationMembers,
  type MutationOptions,
} from '../binding/createMutation.ts'
import { plainOf } from '../binding/getterArgs.ts'
import type { Controller } from '../controller/Controller.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { createShown, defineMembers } from './reader.ts'
import { useController } from './useController.ts'

/**
 * Sends a mutation from a component, with its state: pending, failed, or done.
 *
 * @example
 * const save = createMutation(updateUser)
 * const rename = () => save.mutate({ id: 5 }, { name: 'Ann' })
 * @see docs/api/createMutation.md#solid
 */
export function createMutation<E extends EndpointInterface>(
  endpoint: E,
  options: MutationOptions<E> = {},
): Mutation<E> {
  const controller = useController()
  // A form in a store of Solid is sent as it is now.
  const fetch = (by: EndpointInterface, ...args: readonly any[]): unknown => controller.fetch(by, ...args.map(plainOf))
  const mutation = createState<E, Pair>({ controller: { fetch } as Controller, endpoint, options }, pair)
  const pairs = createShown(
    () => mutation,
    ({ get }) => get(),
  )
  const member = (name: keyof MutationMembers) => (): unknown => {
    const [members, state] = pairs()
    return members[name](state) as unknown
  }
  return defineMembers(
    {},
    {
      mutate: member('mutate'),
      mutateAsync: member('mutateAsync'),
      reset: member('reset'),
      status: member('status'),
      loading: member('loading'),
      data: member('data'),
      error: member('error'),
      variables: member('variables'),
    },
  ) as never
}

type Pair = readonly [members: MutationMembers, state: unknown]

const pair =
  (members: MutationMembers) =>
  (state: unknown): Pair => [members, state]
