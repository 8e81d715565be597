// Uses the declarations that were written, not the sources.
import {
  Built,
  Chained,
  everyone,
  get,
  Named,
  page,
  push,
  type Task,
  Tasks,
  type User,
  Users,
  viewer,
} from './out/data.js'
import {
  useAddTask,
  useCreate,
  useIsBusy,
  useMaybeUser,
  useMoreTasks,
  useTasks,
  useTasksPage,
  useUser,
} from './out/hooks.js'
import { useSuspense } from 'restitch/react'

export function useAll(): void {
  const user: User = useUser('5')
  const maybe: User | undefined = useMaybeUser(undefined)
  const me: User = useSuspense(Named.me)
  const you: User = useSuspense(Chained.you)
  const tasks: readonly Task[] | undefined = useTasks('p').data
  const { items }: { items: readonly Task[] } = useMoreTasks('p')
  const { data, placeholder }: { data: readonly Task[] | undefined; placeholder: boolean } = useTasksPage('p')
  const { mutate, mutateAsync, variables } = useAddTask()
  mutate({ project: 'p' }, { title: 'x' })
  const added: Promise<Task> = mutateAsync({ project: 'p' }, { title: 'x' })
  const isBusy: boolean = useIsBusy()
  void [data, placeholder, added, variables, isBusy]
  const found: User[] = useSuspense(Built.search, { q: 'x' })
  const { viewer: shown }: { viewer: User } = useSuspense(viewer)
  void [user, maybe, me, you, tasks, items, found, shown, everyone, useCreate]
  void [
    get({ id: 5 }),
    page({ project: 'p', page: 2 }),
    push({ project: 'p' }, { title: '' }),
    Built.archive({ id: 5 }),
  ]
  // @ts-expect-error no id
  void Users.get({})
  // @ts-expect-error a misspelt member
  void Tasks.getList({ project: 'p', srot: 'new' })
  // @ts-expect-error a misspelt field
  void push({ project: 'p' }, { titel: '' })
}
