// Apollo's cache, with the documents and type names it needs: each reader has a fragment.
import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client'
import { ApolloProvider, useFragment, useQuery } from '@apollo/client/react'
import { parse } from 'graphql'
import { createElement } from 'react'

const fields = 'id title body done priority comments createdAt updatedAt dueAt tags author { __typename id name email }'
const list = parse(`query { todos { __typename ${fields} } }`)
const whole = parse(`fragment whole on Todo { __typename ${fields} }`)
const title = parse('fragment title on Todo { id title }')
const author = parse('fragment author on User { id name }')

export function create() {
  const cache = new InMemoryCache()
  const client = new ApolloClient({ cache, link: ApolloLink.empty() })
  const write = (type, fragment, { id, ...rest }) =>
    cache.writeFragment({ id: `${type}:${id}`, fragment, data: { __typename: type, id, ...rest } })
  return {
    Provider: ({ children }) => createElement(ApolloProvider, { client }, children),
    fill(rows) {
      const named = (value) => ({ __typename: 'Todo', ...value, author: { __typename: 'User', ...value.author } })
      cache.writeQuery({ query: list, data: { todos: rows.map(named) } })
    },
    useCell: (id) => useFragment({ fragment: whole, from: `Todo:${id}` }).data,
    useList: () => useQuery(list).data.todos,
    set: (values) => write('Todo', title, values),
    setAuthor: (values) => write('User', author, values),
    stop: () => client.stop(),
  }
}
