// https://tanstack.com/query/v5/docs/framework/react/guides/optimistic-updates: "via the cache", for every list and the detail.
import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { createElement } from 'react'

export function createApp({ send }) {
  const queryClient = new QueryClient()
  const useOptimistic = (mutationFn, changeList, changeDetail) =>
    useMutation({
      mutationFn,
      async onMutate(variables) {
        await queryClient.cancelQueries({ queryKey: ['todos'] })
        const previous = queryClient.getQueriesData({ queryKey: ['todos'] })
        queryClient.setQueriesData({ queryKey: ['todos', 'list'] }, (list) => list && changeList(list, variables))
        if (changeDetail) {
          queryClient.setQueryData(['todos', 'detail', variables.id], (todo) => todo && changeDetail(todo, variables))
        }
        return { previous }
      },
      onError(_error, _variables, context) {
        for (const [key, data] of context?.previous ?? []) {
          queryClient.setQueryData(key, data)
        }
      },
      onSettled: () => queryClient.invalidateQueries({ queryKey: ['todos'] }),
    }).mutateAsync
  return {
    Provider: ({ children }) => createElement(QueryClientProvider, { client: queryClient }, children),
    useList: (args) =>
      useQuery({ queryKey: ['todos', 'list', args], queryFn: () => send('GET', `/todos?${new URLSearchParams(args)}`) })
        .data,
    useDetail(id) {
      const { data, error } = useQuery({
        queryKey: ['todos', 'detail', id],
        queryFn: () => send('GET', `/todos/${id}`),
        retry: (count, { status }) => status !== 404 && count < 3,
      })
      return error?.status === 404 ? null : data
    },
    useActions() {
      const merge = (todo, { id, ...fields }) => (todo.id === id ? { ...todo, ...fields } : todo)
      const change = useOptimistic(
        ({ id, ...fields }) => send('PATCH', `/todos/${id}`, fields),
        (list, variables) => list.map((todo) => merge(todo, variables)),
        merge,
      )
      const create = useOptimistic(
        (fields) => send('POST', '/todos', fields),
        (list, fields) => [...list, { id: 'new', ...fields }],
      )
      const remove = useOptimistic(
        ({ id }) => send('DELETE', `/todos/${id}`),
        (list, { id }) => list.filter((todo) => todo.id !== id),
      )
      return { change: (id, fields) => change({ id, ...fields }), create, remove: (id) => remove({ id }) }
    },
    stop: () => queryClient.clear(),
  }
}
