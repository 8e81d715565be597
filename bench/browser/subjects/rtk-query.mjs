// RTK Query caches responses. Many are replaced by one action: one for each would take minutes.
import { configureStore } from '@reduxjs/toolkit'
import { createApi, fakeBaseQuery } from '@reduxjs/toolkit/query/react'
import { createElement } from 'react'
import { Provider } from 'react-redux'

export function create() {
  const api = createApi({
    baseQuery: fakeBaseQuery(),
    endpoints: ({ query }) => ({
      getList: query({ queryFn: () => new Promise(() => {}) }),
      getOne: query({ queryFn: () => new Promise(() => {}) }),
    }),
  })
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (defaults) => defaults().concat(api.middleware),
  })
  const { updateQueryData, upsertQueryEntries } = api.util
  const entry = (value) => ({ endpointName: 'getOne', arg: value.id, value })
  let count = 0
  return {
    Provider: ({ children }) => createElement(Provider, { store }, children),
    fill(rows, isList) {
      const entries = isList ? [{ endpointName: 'getList', arg: undefined, value: rows }] : rows.map(entry)
      store.dispatch(upsertQueryEntries(entries))
      count = isList ? 0 : rows.length
    },
    useCell: (id) => api.useGetOneQuery(id).data,
    useList: () => api.useGetListQuery().data,
    set(fields) {
      if (count) {
        store.dispatch(updateQueryData('getOne', fields.id, (row) => void Object.assign(row, fields)))
      } else {
        store.dispatch(
          updateQueryData('getList', undefined, (rows) => {
            Object.assign(
              rows.find((row) => row.id === fields.id),
              fields,
            )
          }),
        )
      }
    },
    setAuthor(fields) {
      const { queries } = store.getState()[api.reducerPath]
      const rows = Object.values(queries).map(({ data }) => ({ ...data, author: { ...data.author, ...fields } }))
      store.dispatch(upsertQueryEntries(rows.map(entry)))
    },
    stop: () => store.dispatch(api.util.resetApiState()),
  }
}
