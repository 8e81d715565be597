// https://tanstack.com/query/latest/docs/framework/react/guides/mutations: "Persisting offline mutations", "Mutation scopes",
// https://tanstack.com/query/latest/docs/framework/react/plugins/persistQueryClient, and createAsyncStoragePersister beside it, with IndexedDB: the browser
// writes localStorage to the disk some seconds later. Retries have no end, where the documentation shows three. It saves once a second, which is its default.
import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister'
import { MutationObserver, QueryClient } from '@tanstack/query-core'
import { persistQueryClient } from '@tanstack/query-persist-client-core'
import { del, get, set } from 'idb-keyval'
import { makePage, request } from './page.mjs'

const queryKey = ['tasks']
const mutationKey = ['tasks']
const client = new QueryClient({ defaultOptions: { queries: { gcTime: 86_400_000 } } })
client.mount()

client.setMutationDefaults(mutationKey, {
  mutationFn: ({ kind, id, body, key }) =>
    kind === 'create' ? request('POST', '', body, key) : request('PATCH', `/${id}`, body, key),
  retry: true,
  onMutate: async ({ kind, id, body }) => {
    await client.cancelQueries({ queryKey })
    const before = client.getQueryData(queryKey)
    client.setQueryData(queryKey, (tasks = []) =>
      kind === 'create' ? [...tasks, body] : tasks.map((task) => (task.id === id ? { ...task, ...body } : task)),
    )
    return { before }
  },
  onError: (_error, _variables, context) => client.setQueryData(queryKey, context?.before),
  onSettled: () => (client.isMutating({ mutationKey }) === 1 ? client.invalidateQueries({ queryKey }) : undefined),
})

const storage = { getItem: get, setItem: set, removeItem: del }
const persister = createAsyncStoragePersister({ storage })
const [, restored] = persistQueryClient({ queryClient: client, persister })
async function resume() {
  await restored
  client
    .resumePausedMutations()
    .then(() => client.invalidateQueries())
    .catch(() => {})
}
const resumed = resume()
const mutate = (variables) =>
  void new MutationObserver(client, { mutationKey, scope: { id: 'tasks' } }).mutate(variables).catch(() => {})
const waiting = () =>
  client
    .getMutationCache()
    .getAll()
    .filter(({ state }) => state.status === 'pending')

makePage({
  async load() {
    await resumed
    // Optimistic updates are not overwritten.
    if (waiting().length === 0 || client.getQueryData(queryKey) === undefined) {
      await client.query({ queryKey, queryFn: () => request('GET', '') })
    }
  },
  tasks: () => client.getQueryData(queryKey) ?? [],
  create: (task, mark, key) => mutate({ kind: 'create', id: task.id, body: { ...task, mark }, key }),
  edit: ({ id }, log, mark, key) => mutate({ kind: 'edit', id, body: { log, mark }, key }),
  entries: () => waiting().map(({ state }) => state.variables.body.mark),
  hurry: () => void client.resumePausedMutations(),
  async forget() {
    client.clear()
    await persister.removeClient()
  },
})
