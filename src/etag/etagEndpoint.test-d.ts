import { expectTypeOf, test } from 'vitest'
import { resource } from '../rest/resource.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import type { RestGenerics } from '../rest/RestOptions.ts'
import { User } from '../testing/entities.ts'
import { ConflictError } from './ConflictError.ts'
import { etagEndpoint } from './etagEndpoint.ts'
import { ifMatch } from './ifMatch.ts'

const Users = resource({ path: '/users/:id', schema: User, Endpoint: etagEndpoint() })
const user = new User()

test('endpoints of the class are typed as those of RestEndpoint', () => {
  const Plain = resource({ path: '/users/:id', schema: User })
  expectTypeOf(Users.get).parameters.toEqualTypeOf<Parameters<typeof Plain.get>>()
  // @ts-expect-error it takes a class
  etagEndpoint({ weak: true })
})

test('it takes the class of an app, and keeps its members', () => {
  class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
    static token = ''
    region = 'eu'
    override urlPrefix = 'https://api.test'
  }
  const Etag = etagEndpoint(Api)
  expectTypeOf(Etag.token).toBeString()
  const Checked = resource({ path: '/users/:id', schema: User, Endpoint: Etag })
  expectTypeOf(Checked.get.region).toBeString()
  expectTypeOf(Checked.update).parameters.toEqualTypeOf<Parameters<typeof Users.update>>()
  class More<O extends RestGenerics = any> extends etagEndpoint(Api)<O> {}
  expectTypeOf(new More({ path: '/users/:id', schema: User })).parameters.toEqualTypeOf<Parameters<typeof Users.get>>()
  // @ts-expect-error no class of endpoints
  etagEndpoint(User)
  // @ts-expect-error no class of endpoints
  etagEndpoint(Date)
})

test('ifMatch takes a mutation and a record', () => {
  expectTypeOf(ifMatch(Users.update, user)).toEqualTypeOf(Users.update)
  // @ts-expect-error a read changes nothing
  ifMatch(Users.get, user)
  // @ts-expect-error an id is no record
  ifMatch(Users.update, '5')
  // @ts-expect-error the record is missing
  ifMatch(Users.update)
  // @ts-expect-error a read
  ifMatch(new RestEndpoint({ path: '/users/:id' }), user)
})

test('the fresh record has the type that is named', () => {
  expectTypeOf<ConflictError<User>['current']>().toEqualTypeOf<User | undefined>()
})
