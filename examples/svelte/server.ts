import { Reply, serveRoutes } from './shared/api.ts'
import type { Api } from './shared/config.ts'

interface Todo {
  id: string
  title: string
  done: boolean
}

const TODOS: [title: string, done: boolean][] = [
  ['Water the plants', false],
  ['Call Ann', true],
  ['Book a table', false],
]

/** A REST API for todos. `?done=true` and `?done=false` filter the list. */
export function createApi(): Api {
  const todos: Todo[] = TODOS.map(([title, done], index) => ({ id: String(index + 1), title, done }))
  let lastId = todos.length

  return {
    middleware: serveRoutes({
      'GET /api/todos': ({ query }) => {
        const done = query.get('done')
        return todos.filter((todo) => done === null || String(todo.done) === done)
      },
      'POST /api/todos': ({ body }) => {
        const todo = { done: false, ...body, id: String(++lastId) }
        todos.push(todo)
        return new Reply(201, todo)
      },
      'PATCH /api/todos/:id': ({ params, body }) => Object.assign(find(params.id), body),
      'DELETE /api/todos/:id': ({ params }) => {
        todos.splice(todos.indexOf(find(params.id)), 1)
        return new Reply(204)
      },
    }),
  }

  function find(id: string | undefined): Todo {
    const todo = todos.find((other) => other.id === id)
    if (!todo) {
      throw new Reply(404, { message: 'There is no such todo' })
    }
    return todo
  }
}
