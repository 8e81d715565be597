import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createTodo, deleteTodo, fetchTodo, fetchTodos, updateTodo } from './api'
import type { Todo } from './types'

export const todoKeys = {
  all: ['todos'] as const,
  lists: () => [...todoKeys.all, 'list'] as const,
  list: (done: boolean) => [...todoKeys.lists(), { done }] as const,
  detail: (id: number) => [...todoKeys.all, 'detail', id] as const,
}

export function useTodos(done: boolean) {
  return useQuery({ queryKey: todoKeys.list(done), queryFn: () => fetchTodos(done), staleTime: 5 * 1000 })
}

export function useTodo(id: number | undefined) {
  return useQuery({
    queryKey: todoKeys.detail(id!),
    queryFn: () => fetchTodo(id!),
    enabled: id !== undefined,
  })
}

export function useCreateTodo(onCreated: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: createTodo,
    onSuccess: () => {
      onCreated()
      queryClient.invalidateQueries({ queryKey: todoKeys.lists() })
      queryClient.invalidateQueries({ queryKey: ['stats'] })
    },
  })
}

export function useUpdateTodo() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: updateTodo,
    onMutate: async (changed) => {
      await queryClient.cancelQueries({ queryKey: todoKeys.all })
      const previous = queryClient.getQueriesData<Todo[]>({ queryKey: todoKeys.lists() })
      queryClient.setQueriesData<Todo[]>({ queryKey: todoKeys.lists() }, (todos) =>
        todos?.map((todo) => (todo.id === changed.id ? { ...todo, ...changed } : todo)),
      )
      const detail = queryClient.getQueryData<Todo>(todoKeys.detail(changed.id))
      if (detail) {
        queryClient.setQueryData(todoKeys.detail(changed.id), { ...detail, ...changed })
      }
      return { previous, detail }
    },
    onError: (_error, changed, context) => {
      for (const [key, data] of context?.previous ?? []) {
        queryClient.setQueryData(key, data)
      }
      if (context?.detail) {
        queryClient.setQueryData(todoKeys.detail(changed.id), context.detail)
      }
    },
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: todoKeys.all })
      await queryClient.invalidateQueries({ queryKey: ['stats'] })
    },
  })
}

export function useDeleteTodo() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => deleteTodo(id),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: todoKeys.lists() })
      void queryClient.invalidateQueries({ queryKey: ['stats'] })
    },
  })
}
