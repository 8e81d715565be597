// https://swr.vercel.app/docs/mutation: `optimisticData`, `rollbackOnError`, and a filter of keys for all lists.
import { createElement } from 'react'
import useSWR, { SWRConfig, useSWRConfig } from 'swr'

export function createApp({ send }) {
  const fetcher = ([path]) => send('GET', path)
  const read = (path) => [path]
  return {
    Provider: ({ children }) => createElement(SWRConfig, { value: { provider: () => new Map(), fetcher } }, children),
    useList: (args) => useSWR(read(`/todos?${new URLSearchParams(args)}`)).data,
    useDetail(id) {
      const { data, error } = useSWR(read(`/todos/${id}`), { shouldRetryOnError: ({ status }) => status !== 404 })
      return error?.status === 404 ? null : data
    },
    useActions() {
      const { mutate } = useSWRConfig()
      const isList = (key) => Array.isArray(key) && key[0].startsWith('/todos?')
      const isDetail = (id) => (key) => Array.isArray(key) && key[0] === `/todos/${id}`
      const run = async (request, changes) => {
        const options = { rollbackOnError: true, populateCache: false, revalidate: true }
        const done = changes.map(([filter, change]) =>
          mutate(filter, request, { ...options, optimisticData: (current) => current && change(current) }),
        )
        await Promise.allSettled(done)
        return request
      }
      return {
        change(id, fields) {
          const merge = (todo) => (todo.id === id ? { ...todo, ...fields } : todo)
          return run(send('PATCH', `/todos/${id}`, fields), [
            [isList, (list) => list.map(merge)],
            [isDetail(id), merge],
          ])
        },
        create: (fields) =>
          run(send('POST', '/todos', fields), [[isList, (list) => [...list, { id: 'new', ...fields }]]]),
        remove: (id) =>
          run(send('DELETE', `/todos/${id}`), [
            [isList, (list) => list.filter((todo) => todo.id !== id)],
            [isDetail(id), (todo) => todo],
          ]),
      }
    },
  }
}
