import { describe, expect, test } from 'vitest'
import { leftOf, migrate } from './migrate.ts'

const API = `
export interface Todo { id: number; title: string; done: boolean; note?: string }
const json = (response: Response) => response.json()
export const getTodos = (done: boolean): Promise<Todo[]> => fetch(\`https://api.test/todos?done=\${done}\`).then(json)
export const getTodo = (id: number): Promise<Todo> => fetch(\`https://api.test/todos/\${id}\`).then(json)
export const saveTodo = ({ id, ...body }: Todo): Promise<Todo> =>
  fetch(\`https://api.test/todos/\${id}\`, { method: 'PATCH', body: JSON.stringify(body) }).then(json)
export const addTodo = (body: { title: string }): Promise<Todo> => fetch('https://api.test/todos', { method: 'POST', body: JSON.stringify(body) }).then(json)
export async function removeTodo(id: number) {
  await fetch(\`https://api.test/todos/\${id}\`, { method: 'DELETE' })
}
export const getHealth = async () => { const response = await fetch('https://api.test/health'); return (await response.text()).trim() }
`
const IMPORTS = `import { useQuery, useSuspenseQuery, useMutation, useQueryClient, useInfiniteQuery, useIsFetching, keepPreviousData, skipToken } from '@tanstack/react-query'
import { addTodo, getHealth, getTodo, getTodos, removeTodo, saveTodo } from './api'
`
const LIST = `export function List() { const { data } = useQuery({ queryKey: ['todos'], queryFn: () => getTodos(true) }); return data }\n`

/** The body of a component, converted. */
const convertBody = (body: string, more = ''): ReturnType<typeof migrate> & { body: string } => {
  const result = migrate('tanstack-query', {
    'api.ts': API,
    'App.tsx': `${IMPORTS}${more}export function App({ id, page }: any) {\n${body}\n}\n`,
  })
  const text = result.file('App.tsx')
  return { ...result, body: /export function App[^\n]*\n([\s\S]*)\n\}\n$/.exec(text)![1]!.trim() }
}

describe('hooks', () => {
  test.each([
    [
      'const { data, isLoading, error } = useQuery({ queryKey: ["t", id], queryFn: () => getTodo(id) })',
      'const { data, loading: isLoading, error } = useDLE(Todos.get, { id })',
    ],
    [
      'const { data: todos = [] } = useQuery({ queryKey: ["t"], queryFn: () => getTodos(true) })',
      'const { data: todos = [] } = useDLE(Todos.getList, { done: true })',
    ],
    [
      'const query = useQuery({ queryKey: ["t", id], queryFn: () => getTodo(id), enabled: !!id })\nreturn query.isPending || query.isFetching',
      'const query = useDLE(Todos.get, id ? { id } : null)\nreturn (query.loading || (query.data === undefined && query.error === undefined)) || query.fetching',
    ],
    [
      'const { data } = useQuery({ queryKey: ["t", id], queryFn: id ? () => getTodo(id) : skipToken })',
      'const { data } = useDLE(Todos.get, id ? { id } : null)',
    ],
    [
      'const { data, isError } = useQuery({ queryKey: ["t"], queryFn: () => getTodos(page) })\nif (isError) return 1',
      'const { data, error } = useDLE(Todos.getList, { done: page })\nif (error !== undefined) return 1',
    ],
    [
      'const { status } = useQuery({ queryKey: ["t"], queryFn: () => getTodos(page) })\nif (status === "pending") return 1\nif (status === "error") return 2',
      'const { loading, error } = useDLE(Todos.getList, { done: page })\nif (loading) return 1\nif (error !== undefined) return 2',
    ],
    [
      'const { data } = useQuery({ queryKey: ["t"], queryFn: () => getTodos(page), placeholderData: keepPreviousData })',
      'const { data } = useDLE({ endpoint: Todos.getList, keepPrevious: true }, { done: page })',
    ],
    [
      'const { data: todo } = useSuspenseQuery({ queryKey: ["t", id], queryFn: () => getTodo(id) })',
      'const todo = useSuspense(Todos.get, { id })',
    ],
    [
      'const { data } = useQuery({ queryKey: ["t", id], queryFn: ({ queryKey: [, key] }) => getTodo(key) })',
      'const { data } = useDLE(Todos.get, { id })',
    ],
    [
      'const { data } = useQuery(["t", id], () => getTodo(id), { keepPreviousData: true })',
      'const { data } = useDLE({ endpoint: Todos.get, keepPrevious: true }, { id })',
    ],
    [
      'const { data } = useQuery({ queryKey: ["h"], queryFn: getHealth })',
      'const { data } = useDLE(getHealthEndpoint)',
    ],
  ])('%s', (before, after) => {
    expect(convertBody(before).body).toBe(after)
  })
})

describe('mutations', () => {
  test.each([
    [
      'const add = useMutation({ mutationFn: addTodo })\nadd.mutate({ title: "x" })',
      "const add = useMutation(Todos.create)\nadd.mutate({ title: 'x' })",
    ],
    [
      'const save = useMutation({ mutationFn: saveTodo })\nsave.mutate({ id, done: true })',
      'const save = useMutation(Todos.partialUpdate)\nsave.mutate({ id }, { done: true })',
    ],
    [
      'const { mutateAsync: save, isPending } = useMutation({ mutationFn: saveTodo })\nsave(page)',
      'const { mutateAsync: save, loading: isPending } = useMutation(Todos.partialUpdate)\nsave({ id: page.id }, (({ id: _id, ...rest }) => rest)(page))',
    ],
    [
      'const remove = useMutation({ mutationFn: removeTodo })\nreturn <Row onRemove={remove.mutate} />',
      'const remove = useMutation(Todos.delete)\nreturn <Row onRemove={(variables) => remove.mutate({ id: variables })} />',
    ],
    [
      'const add = useMutation({ mutationFn: addTodo })\nadd.mutate(page, { onSuccess: close })',
      'const add = useMutation(Todos.create)\nadd.mutate.with({ onSuccess: close })(page)',
    ],
    [
      'const client = useQueryClient()\n  const add = useMutation({\n    mutationFn: addTodo,\n    onSuccess: () => {\n      close()\n      client.invalidateQueries({ queryKey: ["todos"] })\n    },\n  })',
      'const add = useMutation(Todos.create, {\n    onSuccess: () => {\n      close()\n    },\n  })',
    ],
    ['const add = useMutation(addTodo)', 'const add = useMutation(Todos.create)'],
    [
      'const add = useMutation(addTodo, { onSuccess: close })\nadd.mutate({ title: "x" })',
      "const add = useMutation(Todos.create, { onSuccess: close })\nadd.mutate({ title: 'x' })",
    ],
    [
      'const client = useQueryClient()\n  const add = useMutation({ mutationFn: addTodo, onSettled: () => client.invalidateQueries() })',
      'const add = useMutation(Todos.create)',
    ],
  ])('%s', (before, after) => {
    expect(convertBody(before, LIST).body).toBe(after)
  })

  test('an optimistic update is an option of the resource', () => {
    const { file, body } = convertBody(
      `const client = useQueryClient()
  const save = useMutation({
    mutationFn: saveTodo,
    onMutate: async (todo) => {
      await client.cancelQueries({ queryKey: ['todos'] })
      const before = client.getQueryData(['todos'])
      client.setQueryData(['todos'], (old: any) => old.map((one: any) => (one.id === todo.id ? todo : one)))
      return { before }
    },
    onError: (error, _todo, context) => {
      client.setQueryData(['todos'], context?.before)
      toast(error.message)
    },
  })`,
      LIST,
    )
    expect(body).toBe(
      'const save = useMutation(Todos.partialUpdate, {\n    onError: (error) => {\n      toast(error.message)\n    },\n  })',
    )
    expect(file('resources.ts')).toContain('optimistic: true')
  })
})

const MORE_API = `${API}
export const closeTodos = (ids: number[]): Promise<Todo[]> =>
  fetch('https://api.test/todos/close', { method: 'POST', body: JSON.stringify({ ids }) }).then(json)
export const pinTodo = (id: number): Promise<Todo> => fetch(\`https://api.test/todos/\${id}/pin\`, { method: 'POST' }).then(json)
`
const convertMore = (text: string): ReturnType<typeof migrate> =>
  migrate('tanstack-query', {
    'api.ts': MORE_API,
    'App.tsx': `${IMPORTS}import { closeTodos, pinTodo } from './api'\n${text}`,
  })

test('an array of unknown length stays as it is written, and records that come back are no list', () => {
  const { file } = convertMore(`export function App({ chosen }: { chosen: readonly number[] }) {
  const close = useMutation({ mutationFn: closeTodos })
  return () => close.mutate([...chosen])
}
`)
  expect(file('App.tsx')).toContain('close.mutate({ ids: [...chosen] })')
  expect(file('resources.ts')).toContain('schema: [Todo]')
})

test('what the app says about the type of an argument stays', () => {
  const { file } = convertMore(`export function App({ id, event }: any) {
  const save = useMutation({ mutationFn: saveTodo })
  return () => save.mutate({ id, done: event.target.value as boolean, title: (event.target as { name: string }).name })
}
`)
  expect(file('App.tsx')).toContain(
    'save.mutate({ id }, { done: event.target.value as boolean, title: (event.target as { name: string }).name })',
  )
})

test('the response of any mutation is in the store already, and no client without a use is left', () => {
  const { file, notes } = convertMore(`export function useTodo(id: number) {
  return useQuery({ queryKey: ['todos', id], queryFn: () => getTodo(id) }).data
}
export function usePin() {
  const client = useQueryClient()
  return useMutation({ mutationFn: pinTodo, onSuccess: (todo) => { client.setQueryData(['todos', todo.id], todo) } })
}
export function useClear() {
  const client = useQueryClient()
  return () => {
    client.clear()
  }
}
`)
  const text = file('App.tsx')
  // `clear` stays beside the reset of the store.
  expect(leftOf({ notes })).toEqual(['useQueryClient'])
  expect(text).toContain('useDLE(Todos.get, { id }).data')
  expect(text).toContain('export function usePin() {\n  return useMutation(pinTodoEndpoint)\n}')
  expect(text).toContain('void controller.resetEntireStore(), client.clear()')
  const again = migrate('tanstack-query', {
    'api.ts': file('api.ts'),
    'App.tsx': text,
    'resources.ts': file('resources.ts'),
  })
  expect(again.changed).toEqual([])
})

describe('what goes is in the report', () => {
  const notesOf = (body: string, more = ''): string[] =>
    convertBody(body, more)
      .notes.filter(({ kind }) => kind === 'note')
      .map(({ what, text }) => `${what}: ${text}`)

  test('options without a counterpart', () => {
    expect(
      notesOf(
        'const { data } = useQuery({ queryKey: ["t"], queryFn: () => getTodos(true), gcTime: 5, meta: { a: 1 }, retry: false, refetchIntervalInBackground: true })\n  const add = useMutation({ mutationFn: addTodo, mutationKey: ["add"], retry: 3 })',
      ),
    ).toEqual([
      expect.stringContaining('useQuery: left out gcTime, meta, refetchIntervalInBackground: see'),
      expect.stringContaining('useMutation: left out mutationKey, retry: see'),
    ])
  })

  test('calls that the store makes pointless', () => {
    const notes = notesOf(
      'const client = useQueryClient()\n  const save = useMutation({ mutationFn: saveTodo, onMutate: () => { client.setQueryData(["todos"], []) }, onSettled: () => client.invalidateQueries({ queryKey: ["todos"] }) })',
      LIST,
    )
    expect(notes).toEqual([
      'invalidateQueries: deleted: the store keeps what it reaches right',
      'onMutate: deleted, with its rollback: Todos.partialUpdate is optimistic',
    ])
  })

  test('options of the client', () => {
    const text = `import { QueryClient, QueryClientProvider } from '@tanstack/react-query'\nimport { List } from './List'\nconst client = new QueryClient({ defaultOptions: { queries: { staleTime: 5000 } } })\nexport const App = () => <QueryClientProvider client={client}><List /></QueryClientProvider>\n`
    const { notes, file } = migrate('tanstack-query', {
      'api.ts': API,
      'App.tsx': text,
      'List.tsx': `${IMPORTS}${LIST}`,
    })
    expect(file('App.tsx')).toContain('<DataProvider><List /></DataProvider>')
    expect(notes.filter(({ kind }) => kind === 'decide')).toEqual([
      {
        kind: 'decide',
        file: '/app/App.tsx',
        line: 3,
        what: 'QueryClient',
        text: expect.stringContaining('defaultOptions: the store has options of its own') as string,
      },
    ])
  })
})

describe('what stays', () => {
  test.each([
    ['const { data, ...rest } = useQuery({ queryKey: ["t"], queryFn: () => getTodos(true) })', 'taken with "..."'],
    [
      'const query = useQuery({ queryKey: ["t"], queryFn: () => getTodos(true) })\nreturn <Child query={query} />',
      'passed on as a whole',
    ],
    ['const { failureCount } = useQuery({ queryKey: ["t"], queryFn: () => getTodos(true) })', '"failureCount"'],
    ['const { data } = useQuery({ queryKey: ["t"], queryFn: () => getTodos(true), initialData: [] })', '"initialData"'],
    [
      'const { data } = useQuery({ queryKey: ["t"], queryFn: () => getTodos(true), select: (todos) => todos.length })',
      'computes something',
    ],
    [
      'const { data } = useQuery({ queryKey: ["t"], queryFn: async () => [...await getTodos(true), ...await getTodos(false)] })',
      'body of a response',
    ],
    ['const add = useMutation({ mutationFn: addTodo, onMutate: () => { toast("saving") } })', 'onMutate does more'],
    ['const add = useMutation({ mutationFn: addTodo, scope: { id: "a" } })', '"scope"'],
    ['return useIsFetching()', 'useIsFetching'],
    ['const { data } = useQuery({ queryKey: ["t"], queryFn: () => getTodos(true), throwOnError: true })', 'throws'],
    ['const { data } = useQuery({ queryKey: ["t"], queryFn: () => getTodos(true), ...page })', 'what callers pass'],
  ])('%s', (body, reason) => {
    const result = convertBody(body)
    expect(result.body).toBe(body)
    expect(leftOf(result)).toEqual([expect.stringContaining(reason)])
    expect(result.changed).toEqual([])
  })

  test('a query whose key other code writes stays, with a comment at that code', () => {
    const body =
      'const client = useQueryClient()\n  const { data } = useQuery({ queryKey: ["todos", id], queryFn: () => getTodo(id) })\n  return () => client.setQueryData(["todos", id], data)'
    const result = convertBody(body)
    expect(result.body).toContain('useQuery({')
    expect(result.body).toContain('// restitch-migrate: setQueryData')
    expect(leftOf(result)[0]).toContain('setQueryData')
    const again = migrate('tanstack-query', { 'api.ts': API, 'App.tsx': result.file('App.tsx') })
    expect(again.changed).toEqual([])
  })

  test('a prefetch stays with the query that it warms', () => {
    const body =
      'const client = useQueryClient()\n  const { data } = useQuery({ queryKey: ["todos", id], queryFn: () => getTodo(id), initialData: page })\n  return () => client.prefetchQuery({ queryKey: ["todos", 5], queryFn: () => getTodo(5) })'
    const result = convertBody(body)
    expect(result.changed).toEqual([])
    expect(leftOf(result)[1]).toContain('warms a query that stays on the old library (/app/App.tsx:')
  })

  test('a loader outside of components stays, and the report names it', () => {
    const loader =
      'export const loader = (client: QueryClient) => () => client.fetchQuery({ queryKey: ["todos"], queryFn: () => getTodos(true) })'
    const result = migrate('tanstack-query', {
      'api.ts': API,
      'loader.ts': `import { QueryClient } from '@tanstack/react-query'\nimport { getTodos } from './api'\n${loader}\n`,
    })
    expect(result.changed).toEqual([])
    expect(leftOf(result)).toEqual(['there is no component around it'])
  })

  test('a module that still imports the library is named, if no other line of the report does', () => {
    const text = `import * as Query from '@tanstack/react-query'\nexport const useTodos = () => Query.useQuery({ queryKey: ['t'], queryFn: fetch })\n`
    const { notes, changed } = migrate('tanstack-query', { 'App.tsx': text })
    expect(changed).toEqual([])
    expect(notes).toEqual([{ kind: 'left', file: '/app/App.tsx', line: 1, what: 'import', text: '* as Query' }])
  })

  test('a provider gets no other one beside it while nothing is converted', () => {
    const text = `import { QueryClient, QueryClientProvider, useIsFetching } from '@tanstack/react-query'\nconst client = new QueryClient()\nconst Busy = () => useIsFetching()\nexport const App = () => <QueryClientProvider client={client}><Busy /></QueryClientProvider>\n`
    expect(migrate('tanstack-query', { 'App.tsx': text }).changed).toEqual([])
  })

  test('hooks of both libraries stand side by side', () => {
    const { body, file } = convertBody(
      'const add = useMutation({ mutationFn: addTodo })\n  const other = useMutation({ mutationFn: addTodo, scope: { id: "a" } })',
      LIST,
    )
    expect(body).toBe(
      'const add = useRestitchMutation(Todos.create)\n  const other = useMutation({ mutationFn: addTodo, scope: { id: "a" } })',
    )
    expect(file('App.tsx')).toContain('useMutation as useRestitchMutation')
  })

  test('a file that does not parse is reported', () => {
    const result = migrate('tanstack-query', { 'api.ts': API, 'bad.ts': 'const = 5', 'App.tsx': `${IMPORTS}${LIST}` })
    expect(leftOf(result)).toEqual([expect.stringContaining('does not parse')])
    expect(result.file('bad.ts')).toBe('const = 5')
    expect(result.file('App.tsx')).toContain('useDLE(Todos.getList, { done: true })')
  })
})

test('entities have the fields of the types', () => {
  const { file } = migrate('tanstack-query', { 'api.ts': API, 'App.tsx': `${IMPORTS}${LIST}` })
  expect(file('resources.ts')).toMatchInlineSnapshot(`
    "import { Entity, resource } from 'restitch'

    export class Todo extends Entity {
      id = 0
      title = ''
      done = false
      note: string | undefined = undefined
      static override key = 'Todo'
      static override required = ['id', 'title', 'done']
    }

    export const Todos = resource({
      urlPrefix: 'https://api.test',
      path: '/todos/:id',
      schema: Todo,
    })
    "
  `)
})

test('a second run changes nothing', () => {
  const first = migrate('tanstack-query', { 'api.ts': API, 'App.tsx': `${IMPORTS}${LIST}` })
  const files = {
    'api.ts': first.file('api.ts'),
    'App.tsx': first.file('App.tsx'),
    'resources.ts': first.file('resources.ts'),
  }
  expect(migrate('tanstack-query', files).changed).toEqual([])
})

test('a later run uses the endpoints of the first', () => {
  const first = migrate('tanstack-query', { 'api.ts': API, 'App.tsx': `${IMPORTS}${LIST}` })
  const more = `${IMPORTS}export function Detail({ id }: any) { return useQuery({ queryKey: ['todos', id], queryFn: () => getTodo(id) }).data }\n`
  const second = migrate('tanstack-query', {
    'api.ts': API,
    'App.tsx': first.file('App.tsx'),
    'resources.ts': first.file('resources.ts'),
    'Detail.tsx': more,
  })
  expect(second.changed).toEqual(['Detail.tsx'])
  expect(second.file('Detail.tsx')).toContain("import { Todos } from './resources'")
  expect(second.file('Detail.tsx')).toContain('useDLE(Todos.get, { id }).data')
})

test('a map names endpoints that are there', () => {
  const { file, changed } = migrate(
    'tanstack-query',
    { 'api.ts': API, 'App.tsx': `${IMPORTS}${LIST}` },
    { map: { 'GET /todos': { endpoint: 'TaskApi.list', from: '/app/api/tasks.ts' } } },
  )
  expect(changed).toEqual(['App.tsx'])
  expect(file('App.tsx')).toContain("import { TaskApi } from './api/tasks'")
  expect(file('App.tsx')).toContain('useDLE(TaskApi.list, { done: true })')
})
