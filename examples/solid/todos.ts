import { Entity, resource } from 'restitch'

export class Todo extends Entity {
  id = ''
  title = ''
  done = false
  static override key = 'Todo'
}

export const Todos = resource({
  path: '/api/todos/:id',
  schema: Todo,
  body: {} as Partial<Pick<Todo, 'title' | 'done'>>,
  searchParams: {} as { done?: boolean | undefined } | undefined,
  // The screen shows a change before the response arrives, and rolls it back if the request fails.
  optimistic: true,
})
