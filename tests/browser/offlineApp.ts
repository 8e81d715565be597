// The page of tests/browser/offline.test.ts: a list of todos, and a store that the test reaches as `app`.
import { createStore, Entity, getDefaultManagers, resource } from 'restitch'
import { persist } from 'restitch/persist'
import { tabs } from 'restitch/tabs'

class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}

/** Starts the page; its address says who the user is, and what is wrong with IndexedDB. */
export function run(): void {
  const query = new URLSearchParams(location.search)
  if (query.get('broken') === 'blocked') {
    Object.defineProperty(globalThis, 'indexedDB', {
      value: {
        open() {
          throw new DOMException('blocked', 'SecurityError')
        },
      },
    })
  }
  if (query.get('broken') === 'silent') {
    Object.defineProperty(globalThis, 'indexedDB', { value: { open: () => new EventTarget() } })
  }
  const session = { user: query.get('user') ?? undefined }
  const errors: string[] = []
  const Todos = resource({ path: '/api/todos/:id', schema: Todo })
  const store = createStore({
    managers: [
      tabs(),
      persist({ name: 'test', user: () => session.user, onError: (error) => errors.push(error.message) }),
      ...getDefaultManagers(),
    ],
  })
  const show = (): void => {
    const { data } = store.controller.getResponse(Todos.getList)
    document.body.textContent = data ? data.map(({ title }: Todo) => title).join(' ') : 'loading'
  }
  if (query.has('list')) {
    store.view(Todos.getList).subscribe(show)
    show()
  }
  Object.assign(globalThis, { app: { store, Todos, Todo, session, errors } })
}
