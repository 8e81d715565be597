// Code of an app, compiled with the built declarations: see tests/types-5.4/tsconfig.consumer.json.
import {
  Endpoint,
  Entity,
  fieldErrors,
  hookifyResource,
  isRestitchError,
  type Manager,
  NetworkError,
  resource,
  RestEndpoint,
  type RestGenerics,
  START,
} from 'restitch'
import { adaptEndpoint } from 'restitch/adapt'
import { type Auth, createAuth, type Tokens } from 'restitch/auth'
import { withBatch } from 'restitch/batch'
import { ConflictError, etagEndpoint, ifMatch } from 'restitch/etag'
import { GQLEndpoint, GQLNetworkError } from 'restitch/graphql'
import { eventStream, LiveManager } from 'restitch/live'
import { type DiskStorage, memoryStorage, persist } from 'restitch/persist'
import { tabs } from 'restitch/tabs'
import { withProgress } from 'restitch/progress'
import {
  DataProvider,
  useDLE,
  useEndRef,
  useFetch,
  useInfinite,
  useQuery,
  useSuspense,
  useUndoable,
} from 'restitch/react'
import { type Platform, useLive } from 'restitch/react/native'
import * as vue from 'restitch/vue'
import { MockPlugin, renderDataCompose } from 'restitch/vue/test'
import { type ComputedRef, createApp, defineComponent, h, type Ref, ref } from 'vue'

interface User {
  id: number
  name: string
}

const getUser = new RestEndpoint({
  urlPrefix: 'https://api.test',
  path: '/users/:id{/:tab}',
  process: (value: User) => value,
})
const addUser = getUser.extend({ path: '/users', method: 'POST', body: {} as Omit<User, 'id'> })
const getTime = new Endpoint(async (zone: string) => zone.length, { name: 'getTime' })

export async function useEndpoints(signal: AbortSignal): Promise<string> {
  const user: User = await getUser({ id: 5, tab: 'posts' })
  const added: User = await addUser({ name: user.name })
  const length: number = await getTime('UTC')
  await getUser[START]([{ id: 5 }], { signal })
  // @ts-expect-error the path needs an id
  await getUser({})
  // @ts-expect-error the body has no such member
  await addUser({ nmae: 'Ann' })
  return getUser.key({ id: added.id + length })
}

class Person extends Entity {
  id = ''
  name = ''
  static override key = 'Person'
}

// An Entity is the same class, whichever entry it comes from.
const gql = new GQLEndpoint('https://api.test/graphql')
const getPerson = gql.query((_: { id: string }) => '{ person { id name } }', { person: Person })
const People = resource({ urlPrefix: 'https://api.test', path: '/people/:id', schema: Person }).extend(() => ({
  search: getPerson,
}))
const hooks = hookifyResource(People, () => ({ headers: { 'Access-Token': 'a' } }))

export async function useEntries(): Promise<string[]> {
  const { person } = await hooks.useSearch()({ id: '5' })
  // @ts-expect-error the query needs an id
  await getPerson({})
  const { name } = await hooks.useGet()({ id: 5 })
  return [person.name, name]
}

export function describe(error: unknown): string | undefined {
  if (error instanceof GQLNetworkError) {
    return error.errors.map(({ message }) => message).join()
  }
  if (error instanceof NetworkError) {
    return `${error.status} ${error.url}`
  }
  return isRestitchError(error) ? error.code : undefined
}

class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}
const Todos = resource({ path: '/todos/:id', schema: Todo })

export function useHooks(id: string | undefined): string {
  const todo: Todo = useSuspense(Todos.get, { id: 5 })
  const perhaps: Todo | undefined = useSuspense(Todos.get, id ? { id } : null)
  const { data, loading, error } = useDLE(Todos.getList)
  const promise: Promise<Todo> = useFetch(Todos.get, { id: 5 })
  const found: Todo | undefined = useQuery(Todo, { id: '5' })
  const live: Todo = useLive(Todos.get, { id: 5 })
  // @ts-expect-error: a mutation
  useSuspense(Todos.delete, { id: 5 })
  if (loading || error) {
    return ''
  }
  return [todo, perhaps, data[0], found, live].map((one) => one?.title).join() + String(promise)
}

const TodoTitle = defineComponent(
  async (props: { id: string }) => {
    const { mutate, error } = vue.useMutation(Todos.partialUpdate)
    const { data, loading }: vue.DLERefs<typeof Todos.getList> = vue.useDLE(Todos.getList)
    const todo: ComputedRef<Todo> = await vue.useSuspense(Todos.get, () => ({ id: props.id }))
    const perhaps: Ref<Todo | undefined> = vue.useCache(Todos.get, ref({ id: props.id }))
    // @ts-expect-error misspelt, in a getter
    vue.useCache(Todos.get, () => ({ idd: props.id }))
    // @ts-expect-error: a mutation
    void vue.useSuspense(Todos.delete, { id: 5 })
    const rename = (): void => mutate({ id: todo.value.id }, { title: '' })
    return () => (loading.value ? '' : [data.value?.length, perhaps.value?.title, error.value?.message, rename.name])
  },
  { props: ['id'] },
)
const fixtures = [{ endpoint: Todos.getList, args: [] as const, response: [] }]
export const app: ReturnType<typeof createApp> = createApp(() =>
  h(vue.AsyncBoundary, { key: 'todo' }, { default: () => h(TodoTitle, { id: '5' }) }),
)
  .use(vue.createRestitch())
  .use(MockPlugin, { fixtures })
export const rendered: Promise<ComputedRef<Todo>> = renderDataCompose(() =>
  vue.useSuspense(Todos.get, { id: 5 }),
).result
export const provided: typeof DataProvider = DataProvider
export const platform: Platform = {}

interface Pair extends Tokens {
  readonly refreshToken: string
}
export const auth: Auth<Pair> = createAuth<Pair>({
  origins: ['https://api.test'],
  refresh: async ({ refreshToken }) => ({ accessToken: 'a', refreshToken }),
})

class Task extends Entity {
  id = ''
  dueAt = ''
  static override key = 'Task'
}

class Api<O extends RestGenerics = any> extends adaptEndpoint({ casing: 'snake', envelope: 'data' }, auth.Endpoint)<O> {
  override urlPrefix = 'https://api.test'
}

export async function useApi(form: FormData): Promise<readonly string[]> {
  const Tasks = resource({ path: '/tasks/:id', schema: Task, Endpoint: Api })
  const { dueAt } = await withBatch(Tasks.get, { param: 'ids', max: 50 })({ id: '1' })
  // @ts-expect-error misspelt
  withBatch(Tasks.get, { params: 'ids' })
  const upload = new Api({ path: '/tasks/:id/files', method: 'POST', body: {} as FormData })
  await withProgress(upload, ({ percent = 0 }) => percent.toFixed())({ id: '1' }, form)
  const live = new LiveManager({
    connect: eventStream('https://api.test/events', { fetch: auth.fetch }),
    receive: ({ data }, { set }) => set(Task, data),
    covers: [Tasks.getList],
  })
  // @ts-expect-error the path needs an id
  await withProgress(upload, () => {})(form)
  return [dueAt, live.status, ...(fieldErrors(undefined)['dueAt'] ?? [])]
}

export function useChanges(): number {
  const Tasks = resource({ path: '/tasks/:id', schema: Task, optimistic: true, paginationField: 'page' })
  const { mutate, pending } = useUndoable(Tasks.delete, { onError: (error, [{ id }]) => `${error.message} ${id}` })
  useEndRef(useInfinite(Tasks.getList))
  // @ts-expect-error the path needs an id
  mutate({})
  return pending.length + mutate({ id: '1' }).sendsAt
}

export async function save(task: Task): Promise<string> {
  const Tasks = resource({ path: '/tasks/:id', schema: Task, Endpoint: etagEndpoint(auth.Endpoint) })
  // @ts-expect-error a read changes nothing
  ifMatch(Tasks.get, task)
  try {
    return (await ifMatch(Tasks.update, task)({ id: '1' }, { dueAt: '' })).dueAt
  } catch (error) {
    return error instanceof ConflictError ? (error as ConflictError<Task>).current!.dueAt : ''
  }
}

export const disk: DiskStorage = memoryStorage()
export const kept: Manager = persist({ storage: disk, user: async () => 'ann', exclude: [Task] })
export const connected: Manager = tabs({ name: 'shop', user: () => 5 })
