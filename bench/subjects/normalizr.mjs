// Two functions without a store: tables are plain objects that a user merges.
import { denormalize, normalize, schema } from 'normalizr'

const User = new schema.Entity('users')
const Todo = new schema.Entity('todos', { author: User })

export function create() {
  let entities = { todos: {}, users: {} }
  let result = []

  function take({ entities: { todos = {}, users = {} } }) {
    entities = { todos: { ...entities.todos, ...todos }, users: { ...entities.users, ...users } }
  }

  return {
    list(rows) {
      const change = normalize(rows, [Todo])
      take(change)
      result = change.result
    },
    read: () => denormalize(result, [Todo], entities),
    one: (value) => take(normalize(value, Todo)),
    readOne: (id) => denormalize(id, Todo, entities),
    set({ id, ...fields }) {
      const { todos, users } = entities
      entities = { todos: { ...todos, [id]: { ...todos[id], ...fields } }, users }
    },
    setUser({ id, ...fields }) {
      const { todos, users } = entities
      entities = { todos, users: { ...users, [id]: { ...users[id], ...fields } } }
    },
    push(value) {
      const change = normalize(value, Todo)
      take(change)
      result = [...result, change.result]
    },
  }
}
