import { createStore, Entity, resource } from 'restitch'
import { useController, useMutation, useSuspense } from 'restitch/react'

class Todo extends Entity {
  id!: string
  title = ''

  get short(): string {
    return this.title.slice(0, 9)
  }
}
const Todos = resource({ path: '/todos/:id', schema: Todo })

export function List({ id }: { id?: string }) {
  const todos = useSuspense(Todos.getList)
  const todo = useSuspense(Todos.get, { id: id! })
  const { mutateAsync } = useMutation(Todos.create)
  const controller = useController()
  const store = createStore()
  const finish = () => void controller.set(Todo, { id: todo.id }, { ...todo, title: 'New' })
  const sorted = todos.sort()
  return (
    <button onClick={() => controller.fetch(Todos.delete, { id: todo.id })}>
      <i onClick={() => mutateAsync({ title: todo.short })} onBlur={async () => await Todos.create({ title: 'x' })}>
        {sorted.length} {String(finish)} {String(store)}
      </i>
    </button>
  )
}
