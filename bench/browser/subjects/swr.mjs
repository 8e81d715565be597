// SWR caches responses: a record in many of them is changed in each.
import { createElement } from 'react'
import useSWR, { SWRConfig, useSWRConfig } from 'swr'

const fetcher = () => new Promise(() => {})
const quiet = { revalidate: false }

export function create() {
  const cache = new Map()
  const value = { provider: () => cache, revalidateIfStale: false }
  let mutate
  let count = 0
  function Grab() {
    mutate = useSWRConfig().mutate
    return null
  }
  return {
    Provider: ({ children }) => createElement(SWRConfig, { value }, createElement(Grab), children),
    fill(rows, isList) {
      if (isList) {
        cache.set('/todos', { data: rows })
      } else {
        for (const row of rows) {
          cache.set(`/todos/${row.id}`, { data: row })
        }
      }
      count = isList ? 0 : rows.length
    },
    useCell: (id) => useSWR(`/todos/${id}`, fetcher).data,
    useList: () => useSWR('/todos', fetcher).data,
    set(fields) {
      if (count) {
        mutate(`/todos/${fields.id}`, (row) => ({ ...row, ...fields }), quiet)
      } else {
        mutate('/todos', (rows) => rows.map((row) => (row.id === fields.id ? { ...row, ...fields } : row)), quiet)
      }
    },
    setAuthor(fields) {
      for (let id = 0; id < count; id++) {
        mutate(`/todos/${id}`, (row) => ({ ...row, author: { ...row.author, ...fields } }), quiet)
      }
    },
  }
}
