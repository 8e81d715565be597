/** @jsxImportSource solid-js */
import { AsyncBoundary } from 'restitch/solid'
import { createSignal, For, startTransition } from 'solid-js'
import { AddTodo } from './AddTodo.tsx'
import { TodoList } from './TodoList.tsx'

const FILTERS = { All: {}, Open: { done: false }, Done: { done: true } } as const
const NAMES = Object.keys(FILTERS) as (keyof typeof FILTERS)[]

export function App() {
  const [shown, setShown] = createSignal<keyof typeof FILTERS>('All')
  const [listed, setListed] = createSignal<keyof typeof FILTERS>('All')
  const show = (name: keyof typeof FILTERS) => {
    setShown(name)
    // The old list stays until the new one arrives.
    void startTransition(() => setListed(name))
  }
  return (
    <main>
      <h1>Todos</h1>
      <AddTodo />
      <div class="row">
        <For each={NAMES}>
          {(name) => (
            <button aria-pressed={shown() === name} onClick={() => show(name)}>
              {name}
            </button>
          )}
        </For>
      </div>
      <AsyncBoundary
        resetKeys={[listed()]}
        fallback={<p class="muted">Loading…</p>}
        error={(error, reset) => (
          <p role="alert">
            {error.message} <button onClick={reset}>Try again</button>
          </p>
        )}
      >
        <TodoList filter={FILTERS[listed()]} />
      </AsyncBoundary>
    </main>
  )
}
