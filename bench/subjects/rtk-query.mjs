// RTK Query caches responses; records inside them are changed by hand.
// It is left out of invalidate-all: without mounted readers it takes seconds for 1,000 endpoints.
import { configureStore } from '@reduxjs/toolkit'
import { createApi, fakeBaseQuery } from '@reduxjs/toolkit/query'

export function create() {
  const api = createApi({
    baseQuery: fakeBaseQuery(),
    keepUnusedDataFor: 3600,
    endpoints: ({ query }) => ({
      getList: query({ queryFn: () => ({ data: [] }) }),
      getOne: query({ queryFn: () => ({ data: null }) }),
    }),
  })
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (defaults) => defaults().concat(api.middleware),
  })
  const { updateQueryData, upsertQueryEntries } = api.util
  const entry = ({ id, ...value }) => ({ endpointName: 'getOne', arg: id, value: { id, ...value } })
  const selectList = api.endpoints.getList.select(undefined)
  const selectors = new Map()
  const readList = () => selectList(store.getState()).data
  function readOne(id) {
    if (!selectors.has(id)) selectors.set(id, api.endpoints.getOne.select(id))
    return selectors.get(id)(store.getState()).data ?? readList()?.find((row) => row.id === id)
  }
  const change = (recipe) => store.dispatch(updateQueryData('getList', undefined, recipe))
  const set = (fields) =>
    change((rows) => {
      Object.assign(
        rows.find((row) => row.id === fields.id),
        fields,
      )
    })

  return {
    list: (value) => void store.dispatch(upsertQueryEntries([{ endpointName: 'getList', arg: undefined, value }])),
    read: readList,
    one: (value) => void store.dispatch(upsertQueryEntries([entry(value)])),
    fill: (rows) => void store.dispatch(upsertQueryEntries(rows.map(entry))),
    readOne,
    set,
    setUser: (fields) =>
      change((rows) => {
        for (const row of rows) if (row.author.id === fields.id) Object.assign(row.author, fields)
      }),
    push: (value) => change((rows) => void rows.push(value)),
    optimistic(fields) {
      const { undo } = set(fields)
      return undo
    },
  }
}
