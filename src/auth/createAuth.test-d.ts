import { expectTypeOf, test } from 'vitest'
import { resource } from '../rest/resource.ts'
import type { RestGenerics } from '../rest/RestOptions.ts'
import { User } from '../testing/entities.ts'
import { createAuth } from './createAuth.ts'
import type { Tokens } from './Tokens.ts'

interface Pair extends Tokens {
  readonly refreshToken: string
}
const auth = createAuth<Pair>({
  origins: ['https://api.test'],
  refresh: ({ refreshToken }) => ({ accessToken: 'a', refreshToken }),
})

test('endpoints of the class are typed as those of RestEndpoint', () => {
  const getUser = new auth.Endpoint({ path: '/users/:id', schema: User })
  expectTypeOf(getUser).parameter(0).toExtend<{ id: string | number }>()
  const Users = resource({ path: '/users/:id', schema: User, Endpoint: auth.Endpoint })
  const Plain = resource({ path: '/users/:id', schema: User })
  expectTypeOf(Users.get).parameters.toEqualTypeOf<Parameters<typeof Plain.get>>()
  class Api<O extends RestGenerics = any> extends auth.Endpoint<O> {
    override urlPrefix = 'https://api.test'
  }
  const getList = new Api({ path: '/users', schema: [User] })
  expectTypeOf(getList.path).toEqualTypeOf<'/users'>()
  // @ts-expect-error a parameter is missing
  void getUser({})
})

test('tokens have the type of the app', () => {
  expectTypeOf(auth.getTokens).returns.resolves.toEqualTypeOf<Pair | undefined>()
  // @ts-expect-error the refresh token is missing
  void auth.signIn({ accessToken: 'a' })
  // @ts-expect-error origins say who may see the token
  createAuth({ refresh: () => ({ accessToken: 'a' }) })
})
