// urql's Graphcache, driven through its exchange: it receives operations, and responses as from a network.
import { createRequest, makeOperation } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { filter, makeSubject, merge, share, subscribe } from 'wonka'

const fields =
  '__typename id title body done priority comments createdAt updatedAt dueAt tags author { __typename id name email }'
const list = `query { todos { ${fields} } }`
const one = `query ($id: Int) { todo(id: $id) { ${fields} } }`
const push = `mutation { push { ${fields} } }`
const mutations = new Map()

export function create() {
  const operations = makeSubject()
  const network = makeSubject()
  let last
  const exchange = cacheExchange({
    optimistic: { setTodo: (_, __, { variables }) => ({ __typename: 'Todo', ...variables.value }) },
    updates: {
      Mutation: {
        push(result, _, cache) {
          cache.link('Query', 'todos', [...cache.resolve('Query', 'todos'), cache.keyOfEntity(result.push)])
        },
      },
    },
  })
  const io = exchange({
    // Data that is not in the cache waits for `network`.
    forward: (forwarded) => merge([filter(() => false)(forwarded), network.source]),
    client: { reexecuteOperation: () => {} },
    dispatchDebug: () => {},
  })
  subscribe((result) => (last = result))(io(share(operations.source)))

  const named = (value) => ({ __typename: 'Todo', ...value, author: { __typename: 'User', ...value.author } })
  const open = (kind, query, variables, requestPolicy) => {
    const operation = makeOperation(kind, createRequest(query, variables), { requestPolicy })
    operations.next(operation)
    return operation
  }
  const answer = (operation, data) => network.next({ operation, data, stale: false, hasNext: false })
  const ask = (query, variables) => {
    last = undefined
    open('query', query, variables, 'cache-only')
    return last?.data
  }
  let number = 0
  /** A mutation that names exactly the fields it writes. */
  function mutate(type, value) {
    const names = Object.keys(value).join(' ')
    const key = `${type} ${names}`
    if (!mutations.has(key))
      mutations.set(key, `mutation ($number: Int, $value: Any) { set${type}(number: $number) { __typename ${names} } }`)
    return mutations.get(key)
  }
  const set = (type, value) =>
    answer(open('mutation', mutate(type, value), { number: ++number, value }, 'network-only'), {
      __typename: 'Mutation',
      [`set${type}`]: { __typename: type, ...value },
    })

  return {
    list: (rows) => answer(open('query', list, {}, 'network-only'), { todos: rows.map(named) }),
    read: () => ask(list, {})?.todos,
    one: (value) => answer(open('query', one, { id: value.id }, 'network-only'), { todo: named(value) }),
    readOne: (id) => ask(one, { id })?.todo ?? ask(list, {})?.todos.find((row) => row.id === id),
    set: (value) => set('Todo', value),
    setUser: (value) => set('User', value),
    push: (value) => answer(open('mutation', push, {}, 'network-only'), { __typename: 'Mutation', push: named(value) }),
    optimistic(value) {
      const operation = open('mutation', mutate('Todo', value), { number: ++number, value }, 'cache-first')
      return () =>
        network.next({ operation, data: undefined, error: new Error('refused'), stale: false, hasNext: false })
    },
  }
}
