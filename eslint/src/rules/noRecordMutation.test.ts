import { testRule } from '../../tests/testRule.ts'

testRule('no-record-mutation', {
  above: [
    "import { All, createStore, Entity, Query, resource, RestEndpoint } from 'restitch'",
    "import { useCache, useController, useDLE, useDLEAll, useInfinite, useMutation, useQuery, useSuspense, useSuspenseAll } from 'restitch/react'",
    "import { Todo, Todos, getTodos } from './todos'",
  ].join('; '),
  valid: [
    // Copies are one's own.
    'const A = () => [...useSuspense(Todos.getList)].sort()',
    'const A = () => { const todos = useSuspense(Todos.getList); const own = [...todos]; own.push(1); own[0] = 2; own.sort() }',
    'const A = () => useSuspense(Todos.getList).filter(({ done }) => done).sort()',
    'const A = () => { const own = useSuspense(Todos.getList).map((todo) => ({ ...todo })); own[0].title = "x"; own.reverse() }',
    'const A = () => useSuspense(Todos.getList).slice().reverse()',
    'const A = () => { const todo = { ...useSuspense(Todos.get, { id: 1 }) }; todo.title = "x" }',
    'const A = () => { const own = structuredClone(useSuspense(Todos.get, { id: 1 })); own.title = "x" }',
    'const A = () => { const [...own] = useSuspense(Todos.getList); own.sort() }',
    'const A = () => { const { id, ...own } = useSuspense(Todos.get, { id: 1 }); own.title = "x" }',
    'const A = () => { const due = new Date(useSuspense(Todos.get, { id: 1 }).due); due.setHours(0) }',
    'const A = () => { const todos = useSuspense(Todos.getList); const own = [...todos]; own.push({ title: "" }); own[0].title = "x" }',
    'const A = () => { const names = useSuspense(Todos.getList).map(({ title }) => title); names.sort() }',
    'const A = () => { const byId = useSuspense(Todos.getList).reduce((all, todo) => { all[todo.id] = todo; return all }, {}) }',
    'const A = () => Object.assign({}, useSuspense(Todos.get, { id: 1 }))',
    // A variable that gets another value may hold anything.
    'const A = () => { let todo = useSuspense(Todos.get, { id: 1 }); todo = { title: "" }; todo.title = "x" }',
    // These are no data.
    'const A = () => { const ref = useRef(null); ref.current = useSuspense(Todos.getList) }',
    'const A = () => { const state = useDLE(Todos.getList); log.push(state.loading); setTodos(state.data) }',
    'const A = () => { const update = useMutation(Todos.update); update.reset(); update.label = "x" }',
    'const A = () => { const { data, loading } = useDLE(Todos.getList); loading.sort() }',
    'async function a(api) { const todos = await api.fetch(getTodos); todos.sort() }',
    'const a = new Query(new All(Todo), (todos) => [...todos].sort())',
    'const a = new Query(new All(Todo), (todos, order) => order.sort())',
    'const A = () => { const todos = useSuspense(Todos.getList); { const todos = []; todos.push(1) } }',
    'const A = () => { useSuspense(Todos.getList).forEach((todo, index) => { index += 1; seen[todo.id] = true }) }',
    'function useSuspense2() { return [] } const A = () => useSuspense2().sort()',
    // A hook of another library.
    'import { useQuery as other } from "other"; const A = () => { const { data } = other({}); data.push(1) }',
    'function A(useSuspense) { const todos = useSuspense(Todos.getList); todos.push(1) }',
    'const { fetch } = globalThis; async function a() { const body = await fetch("/x"); body.title = "x" }',
  ],
  invalid: [
    {
      code: 'const A = () => { const todo = useSuspense(Todos.get, { id: 1 }); todo.title = "x" }',
      errors: ['assign'],
    },
    {
      code: 'const A = () => { const todo = useSuspense(Todos.get, { id: 1 }); todo.votes++; delete todo.due; todo.tags[0] += "x" }',
      errors: ['assign', 'assign', 'assign'],
    },
    {
      code: 'const A = () => { const todo = useSuspense(Todos.get, { id: 1 }); (todo as Todo)!.title = "x" }',
      errors: ['assign'],
    },
    {
      code: 'const A = () => { const { author } = useSuspense(Todos.get, { id: 1 }); author.name = "x" }',
      errors: ['assign'],
    },
    {
      code: 'const A = () => { const { author: { team } = {} } = useSuspense(Todos.get, { id: 1 }); team.name = "x" }',
      errors: ['assign'],
    },
    {
      code: 'const A = () => { const todos = useSuspense(Todos.getList); todos.push({}); todos.length = 0; todos[0].title = "x" }',
      errors: ['call', 'assign', 'assign'],
    },
    { code: 'const A = () => { const { data } = useDLE(Todos.getList); (data ?? []).push({}) }', errors: ['call'] },
    {
      code: 'const A = () => { const { data: todos = [] } = useDLE(Todos.getList); todos.unshift({}) }',
      errors: ['call'],
    },
    { code: 'const A = () => { const state = useDLE(Todos.getList); state.data?.pop() }', errors: ['call'] },
    { code: 'const A = () => { const { items } = useInfinite(Todos.getList); items.splice(0, 1) }', errors: ['call'] },
    {
      code: 'const A = () => { const [todo, users] = useSuspenseAll([]); todo.title = "x"; users.reverse() }',
      errors: ['assign', 'call'],
    },
    { code: 'const A = () => { const [{ data }] = useDLEAll([]); data.title = "x" }', errors: ['assign'] },
    {
      code: 'const A = () => { const todo = useQuery(Todo, { id: 1 }); if (todo) todo.done = true }',
      errors: ['assign'],
    },
    {
      code: 'const A = () => { const todos = useCache(Todos.getList) || []; for (const todo of todos) todo.done = true }',
      errors: ['assign'],
    },
    {
      code: 'const A = () => { useSuspense(Todos.getList).forEach((todo) => { todo.done = true }) }',
      errors: ['assign'],
    },
    {
      code: 'const A = () => { const todo = useSuspense(Todos.getList).find(({ id }) => id === 1); todo.done = true }',
      errors: ['assign'],
    },
    {
      code: 'const A = () => { const own = [...useSuspense(Todos.getList)]; own[0].done = true; own.at(0).done = true }',
      errors: ['assign', 'assign'],
    },
    {
      code: 'const A = () => { const open = useSuspense(Todos.getList).filter(Boolean); for (const { author } of open) author.name = "x" }',
      errors: ['assign'],
    },
    {
      code: 'const A = () => { const todo = useSuspense(Todos.get, { id: 1 }); Object.assign(todo, { done: true }) }',
      errors: ['call'],
    },
    {
      code: 'const A = () => { const todo = useSuspense(Todos.get, { id: 1 }); todo.due.setHours(0) }',
      errors: ['call'],
    },
    {
      code: 'const A = () => { const controller = useController(); const a = async () => { const todo = await controller.fetch(Todos.get, { id: 1 }); todo.done = true } }',
      errors: ['assign'],
    },
    { code: 'const { controller } = createStore(); controller.get(Todo, { id: 1 }).done = true', errors: ['assign'] },
    {
      code: 'const store = createStore(); store.controller.set(Todo, { id: 1 }, (todo) => { todo.done = true; return todo })',
      errors: ['assign'],
    },
    {
      code: 'const A = () => { const { set } = useController(); set(Todo, { id: 1 }, (todo) => { todo.done = true; return todo }) }',
      errors: ['assign'],
    },
    {
      code: 'const a = Todos.update.extend({ getOptimisticResponse(snapshot, { id }) { const todo = snapshot.get(Todo, { id }); todo.done = true; return todo } })',
      errors: ['assign'],
    },
    // In Vue, the list is in a ref.
    { code: 'const todos = await useSuspense(Todos.getList); todos.value.push({})', errors: ['call'] },
    // Sorting a list to use it is what a copy does.
    {
      code: 'const A = () => { const todos = useSuspense(Todos.getList); return todos.sort(byTitle).map(show) }',
      errors: ['call'],
      output: 'const A = () => { const todos = useSuspense(Todos.getList); return [...todos].sort(byTitle).map(show) }',
    },
    {
      code: 'const a = new Query(new All(Todo), (todos) => todos.reverse())',
      errors: ['call'],
      output: 'const a = new Query(new All(Todo), (todos) => [...todos].reverse())',
    },
    { code: 'const A = () => { const todos = useSuspense(Todos.getList); todos.sort() }', errors: ['call'] },
    { code: 'const A = () => useCache(Todos.getList)?.sort()', errors: ['call'] },
  ],
})
