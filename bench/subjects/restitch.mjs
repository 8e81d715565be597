// Our own store, through the driver: what a Controller does, without a network.
import { All, Collection, Driver, Entity, Query, RestEndpoint } from '../.cache/restitch.mjs'
import { PROCESS } from '../rows.mjs'

class User extends Entity {
  id = 0
  name = ''
  email = ''
  static key = 'User'
}

class Todo extends Entity {
  id = 0
  title = ''
  body = ''
  done = false
  priority = 0
  comments = 0
  createdAt = ''
  updatedAt = ''
  dueAt = ''
  tags = []
  author = User.fromJS()
  static key = 'Todo'
  static schema = { author: User }
}

const query = Object.fromEntries(
  Object.entries(PROCESS).map(([kind, process]) => [kind, new Query(new All(Todo), process)]),
)
const nested = new RestEndpoint({ path: '/users/:user/todos/:id' })

function belongs(...args) {
  return (key) =>
    key.group === undefined || args.some((given) => given?.group !== undefined && `${given.group}` === key.group)
}

export function create({ custom }) {
  const list = new Collection([Todo], custom ? { createCollectionFilter: belongs } : {})
  const getList = new RestEndpoint({ path: '/todos', schema: list })
  const getOne = new RestEndpoint({ path: '/todos/:id', schema: Todo })
  const post = new RestEndpoint({ path: '/todos', method: 'POST', schema: list.push })
  const patch = new RestEndpoint({
    ...{ path: '/todos/:id', method: 'PATCH', schema: Todo },
    getOptimisticResponse: (_, { id }, body) => ({ id, ...body }),
  })
  const moveTo = new RestEndpoint({ path: '/todos/:id', method: 'PATCH', schema: list.move })
  const failure = new Error('refused')
  const driver = new Driver()
  const args = (group) => [group === undefined ? {} : { group }]

  return {
    custom: true,
    list: (rows, group) => driver.open(getList, args(group)).answer(rows),
    read: (group) => driver.read(getList, args(group)).data,
    one: (value) => driver.open(getOne, [{ id: value.id }]).answer(value),
    readOne: (id) => driver.read(getOne, [{ id }]).data,
    set: (fields) => driver.set(Todo, [{ id: fields.id }], fields),
    setUser: (fields) => driver.set(User, [{ id: fields.id }], fields),
    push: (value) => driver.open(post, [value]).answer(value),
    move: (fields) => driver.open(moveTo, [{ id: fields.id }, fields]).answer(fields),
    optimistic({ id, ...body }) {
      const request = driver.open(patch, [{ id }, body])
      return () => request.fail(failure)
    },
    query: (kind) => driver.read(query[kind], []).data,
    invalidateAll: (match) => driver.invalidateAll(match),
    expireAll: (match) => driver.expireAll(match),
    status(id) {
      const { data, expiryStatus, expiresAt } = driver.read(getOne, [{ id }])
      return expiryStatus === 1 ? 'invalid' : data && expiresAt > Date.now() ? 'fresh' : 'stale'
    },
    url: (params) => nested.url(params),
    key: (params) => nested.key(params),
  }
}
