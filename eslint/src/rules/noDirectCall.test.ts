import { testRule } from '../../tests/testRule.ts'

testRule('no-direct-call', {
  above:
    "import { resource, RestEndpoint } from 'restitch'; import { useController, useMutation, useSuspense } from 'restitch/react'; import { Authors, Sessions, Todos, api, getTodo, login } from './api'",
  valid: [
    'function App() { const todos = useSuspense(Todos.getList); return <List of={todos} /> }',
    'function App() { const controller = useController(); return <button onClick={() => void controller.fetch(Todos.delete, { id: 1 })} /> }',
    // Nothing says that this is a resource: it may be a client of one's own.
    'function App() { return <button onClick={() => api.get({ id: 1 })} /> }',
    'function App() { const todo = useSuspense(Todos.get, { id: 1 }); return <button onClick={() => todo.delete()} /> }',
    // Outside components, a call stores nothing on purpose.
    'function App() { useSuspense(Todos.getList) } export const load = () => Todos.getList()',
    'const ping = new RestEndpoint({ path: "/ping" }); function App() { return <button onClick={() => ping()} /> }',
    // A token does not belong into the store.
    'function App() { const me = useSuspense(Sessions.get); return <button onClick={() => Sessions.create({ password })} /> }',
    'function App() { const { error } = useMutation(login); return <button onClick={() => login({ password })} /> }',
    'function App() { useSuspense(Todos.getList); return Todos.getList.key({}) + Todos.getList.url() }',
    'function App() { useSuspense(Todos.get.extend({ signal }), { id: 1 }) }',
    'function useIt(endpoint) { useSuspense(endpoint); return () => endpoint() }',
  ],
  invalid: [
    {
      code: 'function App() { const authors = useSuspense(Authors.getList); return <button onClick={() => Authors.create({ name })} /> }',
      errors: ['call'],
    },
    {
      code: 'function App() { const todos = useSuspense(Todos.getList); return <button onClick={async () => { await Todos.delete({ id: 1 }) }} /> }',
      errors: ['call'],
    },
    {
      code: 'function App() { useSuspense(Todos.getList); return <form action={(form) => Todos.getList.push(form)} /> }',
      errors: ['call'],
    },
    {
      code: 'function useTodo() { const todo = useSuspense(getTodo, { id: 1 }); useEffect(() => { getTodo({ id: 2 }).then(show) }) }',
      errors: ['call'],
    },
    {
      code: 'const Todos2 = resource({ path: "/todos/:id", schema: Todo }); function App() { const todos = use(Todos2.getList()); return <b /> }',
      errors: ['call'],
    },
    {
      code: 'const getAll = new RestEndpoint({ path: "/todos", schema: [Todo] }); const App = () => <button onClick={() => getAll()} />',
      errors: ['call'],
    },
    {
      code: 'function App() { const { mutate } = useMutation(Todos.create); const c = useController(); return <button onClick={() => Todos.create({ title })} /> }',
      errors: ['call'],
      suggestions: [
        'function App() { const { mutate } = useMutation(Todos.create); const c = useController(); return <button onClick={() => c.fetch(Todos.create, { title })} /> }',
      ],
    },
    {
      code: 'function App() { const c = useController(); const todos = useSuspense(Todos.getList); return <button onClick={() => Todos.getList()} /> }',
      errors: ['call'],
      suggestions: [
        'function App() { const c = useController(); const todos = useSuspense(Todos.getList); return <button onClick={() => c.fetch(Todos.getList)} /> }',
      ],
    },
  ],
})
