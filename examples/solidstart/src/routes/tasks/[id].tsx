import { A, type RouteDefinition, type RouteSectionProps } from '@solidjs/router'
import { createData, createMutation } from 'restitch/solid'
import { createSignal } from 'solid-js'
import { currentStore } from '../../store'
import { Tasks } from '../../tasks'

export const route = {
  preload: ({ params }) =>
    void currentStore()
      .controller.fetchIfStale(Tasks.get, { id: params.id! })
      .catch(() => {}),
} satisfies RouteDefinition

export default function TaskPage(props: RouteSectionProps) {
  const task = createData(Tasks.get, () => ({ id: props.params.id! }))
  const update = createMutation(Tasks.partialUpdate)
  const [title, setTitle] = createSignal('')
  const rename = (event: SubmitEvent) => {
    event.preventDefault()
    update.mutate({ id: props.params.id! }, { title: title() })
  }
  return (
    <>
      <h1>{task()?.title}</h1>
      <form onSubmit={rename}>
        <input value={title()} onInput={({ target }) => setTitle(target.value)} required aria-label="Title" />
        <button>Rename</button>
      </form>
      <A href="/">All tasks</A>
    </>
  )
}
