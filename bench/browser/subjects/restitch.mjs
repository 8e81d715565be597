// Our own hooks as an app has them: default managers, one endpoint for each record. Responses are stored directly, without a network.
import { createElement } from 'react'
import { Collection, createStore, Entity, RestEndpoint } from 'restitch'
import { DataProvider, useSuspense } from 'restitch/react'

class User extends Entity {
  id = 0
  name = ''
  email = ''
  static key = 'User'
}

export class Todo extends Entity {
  id = 0
  title = ''
  body = ''
  done = false
  priority = 0
  comments = 0
  createdAt = ''
  updatedAt = ''
  dueAt = ''
  tags = []
  author = User.fromJS()
  static key = 'Todo'
  static schema = { author: User }
}

const getOne = new RestEndpoint({ path: '/todos/:id', schema: Todo, dataExpiryLength: 3_600_000 })
const getList = new RestEndpoint({ path: '/todos', schema: new Collection([Todo]), dataExpiryLength: 3_600_000 })

export function create() {
  const store = createStore()
  const { controller } = store
  return {
    Provider: ({ children }) => createElement(DataProvider, { store }, children),
    fill(rows, isList) {
      if (isList) {
        controller.setResponse(getList, {}, rows)
      } else {
        for (const row of rows) {
          controller.setResponse(getOne, { id: row.id }, row)
        }
      }
    },
    useCell: (id) => useSuspense(getOne, { id }),
    useList: () => useSuspense(getList, {}),
    set: (fields) => controller.set(Todo, { id: fields.id }, fields),
    setAuthor: (fields) => controller.set(User, { id: fields.id }, fields),
    stop: store.stop,
  }
}
