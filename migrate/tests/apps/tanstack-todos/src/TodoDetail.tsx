import { useState } from 'react'
import { useDeleteTodo, useTodo, useUpdateTodo } from './hooks'
import type { Todo } from './types'

function EditTitle({ todo }: { todo: Todo }) {
  const [title, setTitle] = useState(todo.title)
  const update = useUpdateTodo()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        update.mutate({ id: todo.id, title })
      }}
    >
      <input aria-label="Title" value={title} onChange={(event) => setTitle(event.target.value)} />
      <button disabled={update.isPending}>Save</button>
      {update.isError && <p role="alert">{update.error.message}</p>}
    </form>
  )
}

export function TodoDetail({ id, onClose }: { id: number | undefined; onClose: () => void }) {
  const { data: todo, isLoading, error } = useTodo(id)
  const remove = useDeleteTodo()
  if (isLoading) return <p>Loading todo…</p>
  if (error) return <p role="alert">{error.message}</p>
  if (!todo) return <p>Nothing selected</p>
  return (
    <article aria-label="Detail">
      <h2>{todo.title}</h2>
      <p>
        {todo.done ? 'done' : 'open'} · {todo.priority} · {todo.owner.name} · {todo.tags.join(', ')}
      </p>
      <p>{todo.notes ?? 'no notes'}</p>
      <EditTitle todo={todo} />
      <button
        onClick={() => {
          remove.mutate(todo.id, { onSuccess: onClose })
        }}
      >
        Delete
      </button>
    </article>
  )
}
