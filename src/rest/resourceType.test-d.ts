import { expectTypeOf, test } from 'vitest'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { resource, type Resource, type ResourceGenerics } from './resource.ts'
import type { RestEndpoint } from './RestEndpoint.ts'

class Article extends Entity {
  id = ''
  title = ''
  static override key = 'Article'
}

// A resource of an app whose lists come in an envelope, as its own type.
interface ApiResource<O extends ResourceGenerics> extends Omit<Resource<O>, 'getList'> {
  getList: RestEndpoint<{
    path: '/articles'
    schema: { data: Collection<O['schema'][]>; total: number }
    searchParams: { page?: number } | undefined
  }>
}

declare const Articles: ApiResource<{ path: '/articles/:id'; schema: typeof Article }>

test('TY-14 a resource type with another getList keeps it through extend', async () => {
  expectTypeOf((await Articles.getList()).total).toEqualTypeOf<number>()

  const byName = Articles.extend('archive', { path: '/articles/:id/archive', method: 'POST', body: undefined })
  expectTypeOf((await byName.getList({ page: 1 })).total).toEqualTypeOf<number>()
  expectTypeOf(byName.archive).parameters.toEqualTypeOf<[params: { id: string | number }]>()
  expectTypeOf(byName.update).toEqualTypeOf<(typeof Articles)['update']>()

  const byFunction = Articles.extend((base) => ({
    first: base.getList.extend({ path: '/articles/first' }),
    one: base.get.extend({ dataExpiryLength: 5 }),
  }))
  expectTypeOf((await byFunction.first()).total).toEqualTypeOf<number>()
  expectTypeOf((await byFunction.getList()).total).toEqualTypeOf<number>()
  expectTypeOf(byFunction.one).parameters.toEqualTypeOf<[params: { id: string | number }]>()

  const batch = Articles.extend({ getList: { dataExpiryLength: 5 }, get: { path: '/art/:slug' } })
  expectTypeOf((await batch.getList()).total).toEqualTypeOf<number>()
  expectTypeOf(batch.get).parameters.toEqualTypeOf<[params: { slug: string | number }]>()

  const again = byName.extend('restore', { path: '/articles/:id/restore', method: 'POST', body: undefined })
  expectTypeOf((await again.getList()).total).toEqualTypeOf<number>()
  expectTypeOf(again.archive).toEqualTypeOf<(typeof byName)['archive']>()
})

test('TY-14 a factory may return such a type', () => {
  function apiResource<O extends ResourceGenerics>(options: O): ApiResource<O> {
    return resource(options as never).extend({
      getList: { schema: { data: new Collection([options.schema as typeof Article]), total: 0 } },
    } as never) as never
  }
  const Made = apiResource({ path: '/articles/:id', schema: Article })
  expectTypeOf(Made.get({ id: 1 })).resolves.toHaveProperty('title')
  expectTypeOf(Made.extend('more', { path: '/more' }).getList).toEqualTypeOf<(typeof Made)['getList']>()
  const endpoint: RestEndpoint = Made.get
  expectTypeOf(endpoint).not.toBeAny()
})
