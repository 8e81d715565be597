// Apollo's InMemoryCache, with the documents and type names it needs.
import { InMemoryCache } from '@apollo/client/cache'
import { parse } from 'graphql'

const fields = 'id title body done priority comments createdAt updatedAt dueAt tags author { __typename id name email }'
const list = parse(`query { todos { __typename ${fields} } }`)
const one = parse(`query ($id: Int) { todo(id: $id) { __typename ${fields} } }`)
const whole = parse(`fragment whole on Todo { __typename ${fields} }`)
const fragments = new Map()

export function create() {
  const cache = new InMemoryCache()
  const named = (value) => ({ __typename: 'Todo', ...value, author: { __typename: 'User', ...value.author } })
  const read = () => cache.readQuery({ query: list }, true)?.todos
  // The document names exactly the fields that are written; there are few kinds of them.
  function set(type, value, store = cache) {
    const names = Object.keys(value).join(' ')
    const key = `${type} ${names}`
    if (!fragments.has(key)) fragments.set(key, parse(`fragment f on ${type} { ${names} }`))
    const data = { __typename: type, ...value }
    store.writeFragment({ id: `${type}:${value.id}`, fragment: fragments.get(key), data })
  }
  let pending = 0

  return {
    list: (rows) => cache.writeQuery({ query: list, data: { todos: rows.map(named) } }),
    read,
    one: (value) => cache.writeQuery({ query: one, variables: { id: value.id }, data: { todo: named(value) } }),
    // All at once: one by one it takes a minute.
    fill(rows) {
      const state = {}
      const root = { __typename: 'Query' }
      for (const { author, ...value } of rows) {
        root[`todo(${JSON.stringify({ id: value.id })})`] = { __ref: `Todo:${value.id}` }
        state[`Todo:${value.id}`] = { __typename: 'Todo', ...value, author: { __ref: `User:${author.id}` } }
        state[`User:${author.id}`] = { __typename: 'User', ...author }
      }
      cache.restore({ ...state, ROOT_QUERY: root })
    },
    readOne: (id) => cache.readFragment({ id: `Todo:${id}`, fragment: whole }, true),
    set: (value) => set('Todo', value),
    setUser: (value) => set('User', value),
    push(value) {
      const data = named(value)
      const reference = cache.writeFragment({ id: `Todo:${value.id}`, fragment: whole, data })
      cache.modify({ fields: { todos: (rows) => [...rows, reference] } })
    },
    optimistic(value) {
      const id = `${++pending}`
      cache.recordOptimisticTransaction((layer) => set('Todo', value, layer), id)
      return () => cache.removeOptimistic(id)
    },
  }
}
