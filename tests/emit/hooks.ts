// Hooks that an app exports, without annotations.
import {
  useController,
  useDLE,
  useFetch,
  useFetching,
  useInfinite,
  useLive,
  useMutation,
  useQuery,
  useSuspense,
} from 'restitch/react'
import { everyone, Named, Tasks, Users } from './data.js'

export const useUser = (id: string) => useSuspense(Users.get, { id })
export const useMaybeUser = (id: string | undefined) => useSuspense(Users.get, id ? { id } : null)
export const useMe = () => useLive(Named.me)
export const useTasks = (project: string) => useDLE(Tasks.getList, { project })
export const useMoreTasks = (project: string) => useInfinite(Tasks.getList, { project })
export const usePreload = (id: string) => useFetch(Users.get, { id })
export const useNamesakes = (name: string) => useQuery(everyone, { name })
export const useCreate = () => {
  const controller = useController()
  return (title: string) => controller.fetch(Tasks.getList.push, { project: 'p' }, { title })
}
export const useTasksPage = (project: string) => useDLE({ endpoint: Tasks.getList, keepPrevious: true }, { project })
export const useAddTask = () => useMutation(Tasks.getList.push, { onError: (error) => console.error(error.status) })
export const useIsBusy = () => useFetching(Tasks.getList) > 0
