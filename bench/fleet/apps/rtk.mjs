// https://redux-toolkit.js.org/rtk-query/usage/polling: `pollingInterval`; https://redux-toolkit.js.org/rtk-query/usage/customizing-queries:
// `retry` with `maxRetries`; https://redux-toolkit.js.org/rtk-query/usage/automated-refetching: an event writes what it carries, and invalidates the tag of the list.
import { configureStore } from '@reduxjs/toolkit'
import { createApi, retry, setupListeners } from '@reduxjs/toolkit/query'

export function startClient({ get, connect, pollFrequency }) {
  const baseQuery = (path) =>
    get(path).then(
      (data) => ({ data }),
      ({ status }) => ({ error: { status: status ?? 'FETCH_ERROR' } }),
    )
  const api = createApi({
    baseQuery: retry(baseQuery, { maxRetries: 3 }),
    tagTypes: ['Todo'],
    endpoints: (build) => ({
      getTodos: build.query({ query: (sort) => `/todos?sort=${sort}`, providesTags: [{ type: 'Todo', id: 'LIST' }] }),
      getTodo: build.query({ query: (id) => `/todos/${id}`, providesTags: ['Todo'] }),
      getStatus: build.query({ query: () => '/status' }),
    }),
  })
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (getDefault) => getDefault({ serializableCheck: false, immutableCheck: false }).concat(api.middleware),
  })
  const end = setupListeners(store.dispatch)
  const { getTodos, getTodo, getStatus } = api.endpoints
  const subscriptionOptions = { pollingInterval: pollFrequency, skipPollingIfUnfocused: true }
  const queries = [
    store.dispatch(getTodos.initiate('title')),
    store.dispatch(getTodo.initiate('1')),
    store.dispatch(getStatus.initiate(undefined, { subscriptionOptions })),
  ]
  const disconnect = connect({
    onEvent(todo) {
      store.dispatch(api.util.updateQueryData('getTodo', todo.id, (draft) => void Object.assign(draft, todo)))
      store.dispatch(api.util.invalidateTags([{ type: 'Todo', id: 'LIST' }]))
    },
    onReconnect: () => void store.dispatch(api.util.invalidateTags(['Todo'])),
  })
  return () => {
    disconnect()
    queries.forEach((query) => query.unsubscribe())
    end()
    store.dispatch(api.util.resetApiState())
  }
}
