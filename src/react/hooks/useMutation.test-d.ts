import { describe, expectTypeOf, test } from 'vitest'
import { Endpoint } from '../../endpoint/Endpoint.ts'
import type { EndpointInterface, UnknownError } from '../../endpoint/EndpointOptions.ts'
import { resource } from '../../rest/resource.ts'
import { RestEndpoint } from '../../rest/RestEndpoint.ts'
import type { Mutation, MutationOptions } from '../../binding/createMutation.ts'
import { useMutation } from './useMutation.ts'
import { User } from '../../testing/entities.ts'

const Users = resource({ path: '/users/:id', schema: User })
const rename = new RestEndpoint({ path: '/users/:id', method: 'PATCH', schema: User, body: {} as { name: string } })
const signOut = new RestEndpoint({ path: '/session', method: 'DELETE' })
const count = new Endpoint((from: number, to?: number) => Promise.resolve(`${from} ${to}`), { sideEffect: true })

describe('useMutation', () => {
  test('MUT-7 it takes the arguments of the endpoint', () => {
    const { mutate, mutateAsync } = useMutation(rename)
    expectTypeOf(mutate({ id: 5 }, { name: 'Ann' })).toEqualTypeOf<void>()
    expectTypeOf(mutateAsync({ id: 5 }, { name: 'Ann' })).toEqualTypeOf<Promise<User>>()
    expectTypeOf(mutateAsync.with({})({ id: 5 }, { name: 'Ann' })).toEqualTypeOf<Promise<User>>()
    useMutation(count).mutate(1)
    useMutation(count).mutate(1, 2)
    useMutation(signOut).mutate()
    useMutation(Users.getList.push).mutate({ name: 'Ann' })
    const onClick: (event: MouseEvent) => void = useMutation(signOut).mutate
    onClick satisfies unknown
    // @ts-expect-error: no body
    mutate({ id: 5 })
    // @ts-expect-error: a misspelt member
    mutate({ id: 5 }, { nmae: 'Ann' })
    // @ts-expect-error: no path parameter
    mutateAsync({}, { name: 'Ann' })
    // @ts-expect-error: a string
    useMutation(count).mutate('1')
    // @ts-expect-error: no body
    mutate.with({ onSuccess: () => {} })({ id: 5 })
    // @ts-expect-error: null skips reads alone
    mutate(null)
  })

  test('MUT-7 the status tells what is there', () => {
    const mutation = useMutation(rename)
    expectTypeOf(mutation.data).toEqualTypeOf<User | undefined>()
    expectTypeOf(mutation.error).toEqualTypeOf<UnknownError | undefined>()
    expectTypeOf(mutation.loading).toEqualTypeOf<boolean>()
    expectTypeOf(mutation.status).toEqualTypeOf<'idle' | 'pending' | 'success' | 'error'>()
    expectTypeOf(mutation.variables).toEqualTypeOf<Parameters<typeof rename> | undefined>()
    if (mutation.status === 'success') {
      expectTypeOf(mutation.data).toEqualTypeOf<User>()
      expectTypeOf(mutation.variables[1].name).toEqualTypeOf<string>()
    }
    if (mutation.status === 'error') {
      expectTypeOf(mutation.error.status).toEqualTypeOf<number | undefined>()
      expectTypeOf(mutation.data).toEqualTypeOf<undefined>()
    }
    if (mutation.loading) {
      expectTypeOf(mutation.variables[1].name).toEqualTypeOf<string>()
    }
    const { status, error } = mutation
    if (status === 'error') {
      expectTypeOf(error).toEqualTypeOf<UnknownError>()
    }
    const { data, variables } = useMutation(count)
    expectTypeOf(data).toEqualTypeOf<string | undefined>()
    expectTypeOf(variables).toEqualTypeOf<Parameters<typeof count> | undefined>()
  })

  test('MUT-7 callbacks get the outcome and the arguments', () => {
    const { mutate } = useMutation(rename, {
      onSuccess(user, [{ id }, body]) {
        expectTypeOf(user).toEqualTypeOf<User>()
        expectTypeOf(id).toEqualTypeOf<string | number>()
        expectTypeOf(body).toEqualTypeOf<{ name: string }>()
      },
      onError(error, [{ id }]) {
        expectTypeOf(error).toEqualTypeOf<UnknownError>()
        expectTypeOf(id).toEqualTypeOf<string | number>()
      },
      async onSettled(user, error, [, body]) {
        expectTypeOf(user).toEqualTypeOf<User | undefined>()
        expectTypeOf(error).toEqualTypeOf<UnknownError | undefined>()
        expectTypeOf(body.name).toEqualTypeOf<string>()
      },
    })
    mutate.with({ onSuccess: (user) => expectTypeOf(user).toEqualTypeOf<User>() })({ id: 5 }, { name: 'Ann' })
    // An endpoint that takes one argument or two.
    useMutation(Users.getList.push, {
      onSuccess: (user) => expectTypeOf(user).toEqualTypeOf<User>(),
      onSettled: (_user, _error, variables) =>
        expectTypeOf(variables).toEqualTypeOf<Parameters<typeof Users.getList.push>>(),
    })
    // @ts-expect-error: no such callback
    useMutation(rename, { onSucces() {} })
    // @ts-expect-error: no such callback
    mutate.with({ onMutate() {} })
  })

  test('MUT-7 a hook of the app passes its endpoint on', () => {
    const useSaved = <E extends EndpointInterface>(endpoint: E, options?: MutationOptions<E>): Mutation<E> =>
      useMutation(endpoint, options)
    expectTypeOf(useSaved(rename).mutateAsync({ id: 5 }, { name: 'Ann' })).toEqualTypeOf<Promise<User>>()
  })
})
