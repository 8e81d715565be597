import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchStats } from './api'
import { useCreateTodo, useTodos, useUpdateTodo } from './hooks'
import { TodoDetail } from './TodoDetail'

const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })

function Todos({ done, onOpen }: { done: boolean; onOpen: (id: number) => void }) {
  const { data: todos = [], isPending, isError, error } = useTodos(done)
  const { mutate: update } = useUpdateTodo()
  if (isPending) return <p>Loading…</p>
  if (isError) return <p role="alert">{error.message}</p>
  return (
    <ul aria-label={done ? 'Done' : 'Open'}>
      {todos.map((todo) => (
        <li key={todo.id}>
          <input
            type="checkbox"
            aria-label={`Toggle ${todo.title}`}
            checked={todo.done}
            onChange={() => update({ id: todo.id, done: !todo.done })}
          />
          <button onClick={() => onOpen(todo.id)}>{todo.title}</button>
        </li>
      ))}
    </ul>
  )
}

function AddTodo() {
  const [title, setTitle] = useState('')
  const create = useCreateTodo(() => setTitle(''))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate({ title, done: false })
      }}
    >
      <input aria-label="New todo" value={title} onChange={(event) => setTitle(event.target.value)} />
      <button disabled={create.isPending}>Add</button>
    </form>
  )
}

function Stats() {
  const stats = useQuery({ queryKey: ['stats'], queryFn: fetchStats })
  return <p>{stats.isSuccess ? `${stats.data.open} open, ${stats.data.done} done` : '…'}</p>
}

export function App() {
  const [selected, setSelected] = useState<number>()
  return (
    <QueryClientProvider client={queryClient}>
      <AddTodo />
      <Todos done={false} onOpen={setSelected} />
      <Todos done={true} onOpen={setSelected} />
      <Stats />
      <TodoDetail id={selected} onClose={() => setSelected(undefined)} />
    </QueryClientProvider>
  )
}
