import { A, type RouteDefinition, useSearchParams } from '@solidjs/router'
import { isOptimistic } from 'restitch'
import { createData, createMutation } from 'restitch/solid'
import { createSignal, For, Show } from 'solid-js'
import { currentStore } from '../store'
import { Tasks } from '../tasks'

const filterOf = (search: object) => ('open' in search ? { done: false } : undefined)

/** It warms the store, also when the pointer is above a link. A failure shows in the page. */
export const route = {
  preload: ({ location }) =>
    void currentStore()
      .controller.fetchIfStale(Tasks.getList, filterOf(location.query))
      .catch(() => {}),
} satisfies RouteDefinition

export default function TaskList() {
  const [search] = useSearchParams()
  const tasks = createData(Tasks.getList, () => filterOf(search))
  const create = createMutation(Tasks.getList.push)
  const update = createMutation(Tasks.partialUpdate)
  const [title, setTitle] = createSignal('')
  const add = (event: SubmitEvent) => {
    event.preventDefault()
    create.mutate({ title: title(), done: false })
    setTitle('')
  }
  return (
    <>
      <h1>Tasks</h1>
      <nav>
        <A href="/">All</A> <A href="/?open">Open</A>
      </nav>
      <ul>
        <For each={tasks()}>
          {(task) => (
            <li>
              <input
                type="checkbox"
                aria-label={task.title}
                checked={task.done}
                disabled={isOptimistic(task)}
                onChange={() => update.mutate({ id: task.id }, { done: !task.done })}
              />
              <A href={`/tasks/${task.id}`}>{task.title}</A>
            </li>
          )}
        </For>
      </ul>
      <form onSubmit={add}>
        <input value={title()} onInput={({ target }) => setTitle(target.value)} required aria-label="New task" />
        <button>Add</button>
        <Show when={create.error}>{(error) => <p role="alert">{error().message}</p>}</Show>
      </form>
    </>
  )
}
