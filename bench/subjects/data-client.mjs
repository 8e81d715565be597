// The nearest library. The state is kept here as its provider keeps it: operations are replayed over it for readers.
import { Controller, createFetch, createReducer, createSet, initialState } from '@data-client/core'
import { Entity, Query, RestEndpoint, schema } from '@data-client/rest'
import { PROCESS } from '../rows.mjs'

class User extends Entity {
  id = 0
  name = ''
  email = ''
  pk() {
    return `${this.id}`
  }
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
  pk() {
    return `${this.id}`
  }
  static key = 'Todo'
  static schema = { author: User }
}

const query = Object.fromEntries(
  Object.entries(PROCESS).map(([kind, process]) => [kind, new Query(new schema.All(Todo), process)]),
)
const nested = new RestEndpoint({ path: '/users/:user/todos/:id' })

export function create({ custom }) {
  const createCollectionFilter = (params) => (key) => key.group === undefined || `${params.group}` === key.group
  const list = new schema.Collection([Todo], custom ? { createCollectionFilter } : undefined)
  const getList = new RestEndpoint({ path: '/todos', schema: list })
  const getOne = new RestEndpoint({ path: '/todos/:id', schema: Todo })
  const getUser = new RestEndpoint({ path: '/users/:id', schema: User })
  const post = new RestEndpoint({ path: '/todos', method: 'POST', schema: list.push })
  const patch = new RestEndpoint({
    ...{ path: '/todos/:id', method: 'PATCH', schema: Todo },
    getOptimisticResponse: (_, { id }, body) => ({ id, ...body }),
  })
  const failure = new Error('refused')
  let state = initialState
  let shown = state
  const controller = new Controller({
    dispatch(action) {
      state = reduce(state, action)
      shown = state.optimistic.reduce(reduce, state)
      return Promise.resolve()
    },
    getState: () => state,
  })
  const reduce = createReducer(controller)
  const get = (endpoint, ...args) => controller.getResponse(endpoint, ...args, shown)

  return {
    custom: true,
    list: (rows) => controller.setResponse(getList, {}, rows),
    read: () => get(getList, {}).data,
    one: (value) => controller.setResponse(getOne, { id: value.id }, value),
    // All at once: one by one it takes minutes.
    fill(rows) {
      controller.setResponse(new RestEndpoint({ path: '/all', schema: [Todo] }), {}, rows)
      const [results, meta] = [{ ...state.results }, { ...state.meta }]
      for (const { id } of rows) {
        const key = getOne.key({ id })
        results[key] = `${id}`
        meta[key] = { date: Date.now(), expiresAt: Date.now() + 60_000 }
      }
      shown = state = { ...state, results, meta }
    },
    readOne: (id) => get(getOne, { id }).data,
    set: (fields) => controller.setResponse(getOne, { id: fields.id }, fields),
    setUser: (fields) => controller.setResponse(getUser, { id: fields.id }, fields),
    push: (value) => controller.setResponse(post, value, value),
    optimistic({ id, ...body }) {
      const action = createFetch(patch, { args: [{ id }, body] })
      controller.dispatch(action)
      const { args, createdAt } = action.meta
      return () => controller.dispatch(createSet(patch, { args, response: failure, fetchedAt: createdAt, error: true }))
    },
    query: (kind) => get(query[kind]).data,
    invalidateAll: (match) => controller.invalidateAll(match),
    expireAll: (match) => controller.expireAll(match),
    status(id) {
      const { data, expiryStatus, expiresAt } = get(getOne, { id })
      return expiryStatus === 1 ? 'invalid' : data && expiresAt > Date.now() ? 'fresh' : 'stale'
    },
    url: (params) => nested.url(params),
    key: (params) => nested.key(params),
  }
}
