import { expectTypeOf, test } from 'vitest'
import { resource } from '../rest/resource.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import type { RestGenerics } from '../rest/RestOptions.ts'
import { User } from '../testing/entities.ts'
import { adaptEndpoint } from './adaptEndpoint.ts'

const Users = resource({ path: '/users/:id', schema: User, Endpoint: adaptEndpoint({ casing: 'snake' }) })

test('endpoints of the class are typed as those of RestEndpoint', () => {
  const Plain = resource({ path: '/users/:id', schema: User })
  expectTypeOf(Users.get).parameters.toEqualTypeOf<Parameters<typeof Plain.get>>()
  expectTypeOf(Users.update).parameters.toEqualTypeOf<Parameters<typeof Plain.update>>()
})

test('it takes the class of an app, and keeps its members', () => {
  class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
    region = 'eu'
    override urlPrefix = 'https://api.test'
  }
  const Adapted = resource({ path: '/users/:id', schema: User, Endpoint: adaptEndpoint({ envelope: 'data' }, Api) })
  expectTypeOf(Adapted.get.region).toBeString()
  expectTypeOf(Adapted.get).parameters.toEqualTypeOf<Parameters<typeof Users.get>>()
})

test('only known options', () => {
  // @ts-expect-error misspelt
  adaptEndpoint({ case: 'snake' })
  // @ts-expect-error another style
  adaptEndpoint({ casing: 'kebab' })
  adaptEndpoint({
    listHeaders: { total: 'X-Total-Count' },
    bodyEnvelope: 'root',
    arrays: 'repeat',
    constants: { meta: '*' },
  })
  // @ts-expect-error a header has a name
  adaptEndpoint({ listHeaders: { total: true } })
  // @ts-expect-error another envelope of bodies
  adaptEndpoint({ bodyEnvelope: 'jsonapi' })
  // @ts-expect-error another style
  adaptEndpoint({ arrays: 'indices' })
  // @ts-expect-error no text
  adaptEndpoint({ constants: { meta: ['*'] } })
  // @ts-expect-error another envelope
  adaptEndpoint({ envelope: 'payload' })
  // @ts-expect-error no class of endpoints
  adaptEndpoint({ casing: 'snake' }, User)
})
