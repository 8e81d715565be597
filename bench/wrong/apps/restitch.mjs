// docs/learn: one option, and nothing else.
import { createElement } from 'react'
import { Entity, resource } from 'restitch'
import { DataProvider, useController, useDLE } from 'restitch/react'

class Todo extends Entity {
  id = ''
  title = ''
  group = ''
  static key = 'Todo'
}

export function createApp({ fetch, origin }) {
  const Todos = resource({
    urlPrefix: origin,
    path: '/todos/:id',
    schema: Todo,
    optimistic: true,
    fetchResponse: fetch,
  })
  return {
    Provider: ({ children }) => createElement(DataProvider, { devButton: null }, children),
    useList(args) {
      const { data, loading, error } = useDLE(Todos.getList, args)
      return loading || error ? undefined : data
    },
    useDetail(id) {
      const { data, loading, error } = useDLE(Todos.get, { id })
      return loading ? undefined : error ? null : data
    },
    useActions() {
      const controller = useController()
      return {
        change: (id, fields) => controller.fetch(Todos.partialUpdate, { id }, fields),
        create: (fields) => controller.fetch(Todos.create, fields),
        remove: (id) => controller.fetch(Todos.delete, { id }),
      }
    },
  }
}
