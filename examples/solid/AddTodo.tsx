/** @jsxImportSource solid-js */
import { createMutation } from 'restitch/solid'
import { createSignal, Show } from 'solid-js'
import { Todos } from './todos.ts'

export function AddTodo() {
  const [title, setTitle] = createSignal('')
  const add = createMutation(Todos.getList.push)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    add.mutate({ title: title(), done: false })
    setTitle('')
  }
  return (
    <form class="row" onSubmit={submit}>
      <input
        value={title()}
        onInput={({ target }) => setTitle(target.value)}
        required
        aria-label="Title"
        placeholder="What is there to do?"
      />
      <button class="primary">Add</button>
      <Show when={add.error}>{(error) => <span role="alert">Not added: {error().message}</span>}</Show>
    </form>
  )
}
