// https://nearform.com/open-source/urql/docs/graphcache/offline/. The server speaks no GraphQL: `fetchRest` translates, and passes on what the network does.
import { Client, fetchExchange, gql } from '@urql/core'
import { offlineExchange } from '@urql/exchange-graphcache'
import { makeDefaultStorage } from '@urql/exchange-graphcache/default-storage'
import { makePage, userNow } from './page.mjs'

const TASKS = gql`
  query Tasks {
    tasks {
      __typename
      id
      name
      log
    }
  }
`
const CREATE = gql`
  mutation Create($id: ID!, $name: String!, $log: String!, $mark: String!, $key: String!) {
    createTask(id: $id, name: $name, log: $log, mark: $mark, key: $key) {
      __typename
      id
      name
      log
    }
  }
`
const EDIT = gql`
  mutation Edit($id: ID!, $name: String!, $log: String!, $mark: String!, $key: String!) {
    editTask(id: $id, name: $name, log: $log, mark: $mark, key: $key) {
      __typename
      id
      name
      log
    }
  }
`

async function fetchRest(_url, init) {
  const { query, variables } = JSON.parse(init.body)
  const { id, key, ...fields } = variables ?? {}
  const [method, path, body, member] = query.includes('createTask')
    ? ['POST', '', { id, ...fields }, 'createTask']
    : query.includes('editTask')
      ? ['PATCH', `/${id}`, fields, 'editTask']
      : ['GET', '', undefined, 'tasks']
  const headers = {
    'content-type': 'application/json',
    'x-user': userNow() ?? '',
    ...(key && { 'idempotency-key': key }),
  }
  const response = await fetch(`/api/tasks${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) {
    return response
  }
  const typed = (task) => ({ __typename: 'Task', ...task })
  const value = await response.json()
  const data = { [member]: Array.isArray(value) ? value.map(typed) : typed(value) }
  return new Response(JSON.stringify({ data }), { headers: { 'content-type': 'application/json' } })
}

const inner = makeDefaultStorage({ idbName: 'graphcache-v3', maxAge: 7 })
/** The mutations that wait, as they were saved last. */
let queued = []
const storage = {
  ...inner,
  async readMetadata() {
    return (queued = (await inner.readMetadata()) ?? [])
  },
  writeMetadata: (all) => inner.writeMetadata((queued = all)),
}
const optimistic = ({ id, name, log }) => ({ __typename: 'Task', id, name, log })
const client = new Client({
  url: '/graphql',
  fetch: fetchRest,
  preferGetMethod: false,
  exchanges: [
    offlineExchange({
      storage,
      optimistic: { createTask: optimistic, editTask: optimistic },
      updates: {
        Mutation: {
          createTask: (result, _args, cache) =>
            cache.updateQuery({ query: TASKS }, (data) => {
              const others = (data?.tasks ?? []).filter(({ id }) => id !== result.createTask.id)
              return { ...data, tasks: [...others, result.createTask] }
            }),
        },
      },
    }),
    fetchExchange,
  ],
})
let tasks = []
client.query(TASKS, {}).subscribe(({ data }) => (tasks = data?.tasks ?? tasks))
const open = new Set()
function mutate(document, variables) {
  open.add(variables.mark)
  client
    .mutation(document, variables)
    .toPromise()
    .then(() => open.delete(variables.mark))
}

makePage({
  async load() {
    const { error, data } = await client.query(TASKS, {}, { requestPolicy: 'network-only' }).toPromise()
    if (error || !data) {
      throw error ?? new Error('No data')
    }
  },
  tasks: () => tasks,
  create: ({ id, name, log }, mark, key) => mutate(CREATE, { id, name, log, mark, key }),
  edit: ({ id, name }, log, mark, key) => mutate(EDIT, { id, name, log, mark, key }),
  entries: () => [...new Set([...open, ...queued.map(({ variables }) => variables.mark)])],
  // It sends what waits when the browser says that it is online again.
  hurry: () => void dispatchEvent(new Event('online')),
  forget: () => inner.clear(),
})
