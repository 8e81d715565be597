// TanStack Query caches responses: a record in many of them is changed in each.
import { notifyManager, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { createElement } from 'react'

export function create() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 3_600_000 } } })
  const queryFn = () => new Promise(() => {})
  let count = 0
  const change = (key, fields) => client.setQueryData(key, (row) => ({ ...row, ...fields }))
  return {
    Provider: ({ children }) => createElement(QueryClientProvider, { client }, children),
    fill(rows, isList) {
      if (isList) {
        client.setQueryData(['todos'], rows)
      } else {
        for (const row of rows) {
          client.setQueryData(['todo', row.id], row)
        }
      }
      count = isList ? 0 : rows.length
    },
    useCell: (id) => useQuery({ queryKey: ['todo', id], queryFn }).data,
    useList: () => useQuery({ queryKey: ['todos'], queryFn }).data,
    set(fields) {
      if (count) {
        change(['todo', fields.id], fields)
      } else {
        client.setQueryData(['todos'], (rows) =>
          rows.map((row) => (row.id === fields.id ? { ...row, ...fields } : row)),
        )
      }
    },
    setAuthor: (fields) =>
      notifyManager.batch(() => {
        for (let id = 0; id < count; id++) {
          client.setQueryData(['todo', id], (row) => ({ ...row, author: { ...row.author, ...fields } }))
        }
      }),
    stop: () => client.clear(),
  }
}
