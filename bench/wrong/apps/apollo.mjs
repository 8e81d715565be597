// https://www.apollographql.com/docs/react/data/mutations and performance/optimistic-ui: `optimisticResponse`, `refetchQueries`, `cache.evict`.
// The API speaks REST, so a link translates. Lists use "cache-and-network", so that one that was not on the screen is fetched again.
import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client'
import { ApolloProvider, useMutation, useQuery } from '@apollo/client/react'
import { createElement } from 'react'

const FIELDS = 'id title group'
const TODOS = gql`query Todos($group: String, $sort: String) { todos(group: $group, sort: $sort) { ${FIELDS} } }`
const TODO = gql`query Todo($id: ID!) { todo(id: $id) { ${FIELDS} } }`
const CHANGE = gql`mutation Change($id: ID!, $title: String, $group: String) { change(id: $id, title: $title, group: $group) { ${FIELDS} } }`
const CREATE = gql`mutation Create($title: String, $group: String) { create(title: $title, group: $group) { ${FIELDS} } }`
const REMOVE = gql`
  mutation Remove($id: ID!) {
    remove(id: $id)
  }
`

export function createApp({ send }) {
  const typed = (todo) => todo && { __typename: 'Todo', id: todo.id, title: todo.title, group: todo.group }
  const resolvers = {
    Todos: async (args) => ({ todos: (await send('GET', `/todos?${new URLSearchParams(args)}`)).map(typed) }),
    Todo: ({ id }) =>
      send('GET', `/todos/${id}`).then(
        (todo) => ({ todo: typed(todo) }),
        (error) => {
          if (error.status === 404) {
            return { todo: null }
          }
          throw error
        },
      ),
    Change: async ({ id, ...fields }) => ({ change: typed(await send('PATCH', `/todos/${id}`, fields)) }),
    Create: async (fields) => ({ create: typed(await send('POST', '/todos', fields)) }),
    Remove: async ({ id }) => {
      await send('DELETE', `/todos/${id}`)
      return { remove: id }
    },
  }
  const link = new ApolloLink(
    ({ operationName, variables }) =>
      new Observable((observer) => {
        const run = async () => {
          observer.next({ data: await resolvers[operationName](variables) })
          observer.complete()
        }
        run().catch((error) => observer.error(error))
      }),
  )
  const client = new ApolloClient({ link, cache: new InMemoryCache() })
  return {
    Provider: ({ children }) => createElement(ApolloProvider, { client }, children),
    useList: (variables) => useQuery(TODOS, { variables, fetchPolicy: 'cache-and-network' }).data?.todos,
    useDetail: (id) => useQuery(TODO, { variables: { id }, fetchPolicy: 'cache-and-network' }).data?.todo,
    useActions() {
      const refetchQueries = ['Todos']
      const [change] = useMutation(CHANGE, { refetchQueries })
      const [create] = useMutation(CREATE, { refetchQueries })
      const [remove] = useMutation(REMOVE)
      const readTodo = (id) =>
        client.cache.readFragment({ id: `Todo:${id}`, fragment: gql`fragment Old on Todo { ${FIELDS} }` })
      return {
        change(id, fields) {
          const old = readTodo(id)
          const optimisticResponse = old && { change: { ...old, ...fields } }
          return change({ variables: { id, ...fields }, ...(old && { optimisticResponse }) })
        },
        create: (fields) => create({ variables: fields }),
        remove: (id) =>
          remove({
            variables: { id },
            optimisticResponse: { remove: id },
            update: (cache) => cache.evict({ id: cache.identify({ __typename: 'Todo', id }) }),
          }),
      }
    },
    stop: () => client.stop(),
  }
}
