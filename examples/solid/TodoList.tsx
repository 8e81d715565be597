/** @jsxImportSource solid-js */
import { isOptimistic } from 'restitch'
import { createData, createMutation } from 'restitch/solid'
import { For, Show } from 'solid-js'
import { Todos } from './todos.ts'

export function TodoList(props: { filter: { done?: boolean } }) {
  const update = createMutation(Todos.partialUpdate)
  const remove = createMutation(Todos.delete)
  // A function, so that the list follows the prop.
  const todos = createData(Todos.getList, () => props.filter)
  return (
    <Show when={todos()}>
      <Show when={update.error}>{(error) => <p role="alert">Not saved: {error().message}</p>}</Show>
      <Show when={remove.error}>{(error) => <p role="alert">Not deleted: {error().message}</p>}</Show>
      <p class="muted">{todos()!.length} shown</p>
      <ul class="card plain">
        <For each={todos()}>
          {(todo) => (
            <li class="row" classList={{ pending: isOptimistic(todo) }}>
              <input
                type="checkbox"
                aria-label={todo.title}
                checked={todo.done}
                onChange={() => update.mutate({ id: todo.id }, { done: !todo.done })}
              />
              <span>{todo.title}</span>
              <button aria-label={`Delete ${todo.title}`} onClick={() => remove.mutate({ id: todo.id })}>
                Delete
              </button>
            </li>
          )}
        </For>
      </ul>
    </Show>
  )
}
