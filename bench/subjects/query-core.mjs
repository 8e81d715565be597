// TanStack Query caches responses: code that changes a record changes every response that contains it.
import { QueryClient } from '@tanstack/query-core'

export function create({ paged }) {
  const client = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity, staleTime: 60_000 } } })
  const keyOf = (group) => ['todos', group === undefined ? {} : { group }]
  const key = keyOf()
  const groups = new Map() // id -> group: the app knows in which list the record is that the user moves
  const change = (update) => client.setQueryData(key, (rows) => rows.map(update))
  const last = (pages, value) => pages.map((rows, at) => (at === pages.length - 1 ? [...rows, value] : rows))
  const set = ({ id, ...fields }) => change((row) => (row.id === id ? { ...row, ...fields } : row))

  return {
    list(rows, group) {
      client.setQueryData(keyOf(group), rows)
      if (group !== undefined) rows.forEach(({ id }) => groups.set(id, group))
    },
    read: (group) => client.getQueryData(keyOf(group)),
    one: (value) => client.setQueryData(['todo', value.id], value),
    readOne: (id) => client.getQueryData(['todo', id]) ?? client.getQueryData(key)?.find((row) => row.id === id),
    set,
    setUser: ({ id, ...fields }) =>
      change((row) => (row.author.id === id ? { ...row, author: { ...row.author, ...fields } } : row)),
    push: (value) => client.setQueryData(key, (rows) => [...rows, value]),
    move(fields) {
      const { id, group } = fields
      const from = keyOf(groups.get(id))
      const record = client.getQueryData(from).find((row) => row.id === id)
      groups.set(id, group)
      client.setQueryData(from, (rows) => rows.filter((row) => row !== record))
      client.setQueryData(keyOf(group), (rows) => [...rows, { ...record, ...fields }])
    },
    // The data of an infinite query.
    ...(paged && {
      list: (rows) => client.setQueryData(key, { pages: [rows], pageParams: [1] }),
      read: () => client.getQueryData(key).pages.flat(),
      push: (value) => client.setQueryData(key, ({ pages, pageParams }) => ({ pages: last(pages, value), pageParams })),
    }),
    paged: true,
    optimistic(fields) {
      const before = client.getQueryData(key).find((row) => row.id === fields.id)
      set(fields)
      return () => set(before)
    },
    create(value) {
      const pending = { ...value }
      client.setQueryData(key, (rows) => [...rows, pending])
      return () => client.setQueryData(key, (rows) => rows.map((row) => (row === pending ? value : row)))
    },
    invalidateAll: () => client.resetQueries({ queryKey: ['todo'] }),
    expireAll: () => client.invalidateQueries({ queryKey: ['todo'], refetchType: 'none' }),
    status(id) {
      const { data, isInvalidated } = client.getQueryState(['todo', id])
      return data === undefined ? 'invalid' : isInvalidated ? 'stale' : 'fresh'
    },
  }
}
