// A data layer as an app exports it. Nothing is annotated: the compiler has to name every type in the declarations it writes.
import {
  All,
  Collection,
  Endpoint,
  Entity,
  Invalidate,
  Query,
  resource,
  RestEndpoint,
  type RestGenerics,
  Union,
  Values,
} from 'restitch'
import { GQLEndpoint } from 'restitch/graphql'

export class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}

export class Task extends Entity {
  id = ''
  title = ''
  state: 'open' | 'closed' = 'open'
  author = User.fromJS()
  static override key = 'Task'
  static override schema = { author: User }
}

export class Link extends Entity {
  id = ''
  type = 'link'
  static override key = 'Link'
}

export const Users = resource({ path: '/users/:id', schema: User })
export const Tasks = resource({
  path: '/projects/:project/tasks/:id',
  schema: Task,
  searchParams: {} as { sort?: 'new' | 'old' },
  body: {} as { title: string },
  paginationField: 'page',
  optimistic: true,
})
export const Named = Users.extend('me', { path: '/me' })
export const Batch = Users.extend({ getList: { path: '/people' }, get: { dataExpiryLength: 5 } })
export const Built = Users.extend((base) => ({
  archive: base.get.extend({ path: '/users/:id/archive', method: 'POST', body: undefined }),
  search: base.getList.extend({ path: '/search', searchParams: {} as { q: string } }),
}))
export const Chained = Named.extend('you', { path: '/you' }).extend({ me: { path: '/I' } })

export const Paged = Users.extend({
  getList: {
    schema: { items: new Collection([User]), next: '' as string | undefined },
    getNextPage: ({ next }) => next,
  },
  create: { dataExpiryLength: 5 },
})

export const { get, getList, create, update, partialUpdate, delete: remove } = Users
export const { push, unshift, move } = Tasks.getList
export const page = Tasks.getList.getPage

export const list = new Collection([Task])
export const add = list.push
export const drop = list.remove
export const map = new Collection(new Values(User))
export const assign = map.assign
export const union = new Union({ link: Link }, 'type')
export const invalidate = new Invalidate(User)
export const everyone = new Query(new All(User), (users, { name }: { name: string }) =>
  users.filter((user) => user.name === name),
)

export const search = new RestEndpoint({
  path: '/search',
  searchParams: {} as { q: string },
  schema: { data: { items: new Collection([Task]), total: 0 } },
})
export const searchPage = search.paginated('cursor')
export const assignUser = new RestEndpoint({ path: '/users', schema: map }).assign
export const time = new Endpoint(async (zone: string) => zone.length, { name: 'time' })
export const slowTime = time.extend({ dataExpiryLength: 60_000 })

export class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  version = 3
}
export const Api = resource({ path: '/api/:id', schema: User, Endpoint: ApiEndpoint })

export const gql = new GQLEndpoint('https://api.test/graphql')
export const viewer = gql.query('{ viewer { id name } }', { viewer: User })
