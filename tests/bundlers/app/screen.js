// The same store through hooks, rendered to HTML: what React Native and the web share.
import { createElement } from 'react'
import { renderToString } from 'react-dom/server.browser'
import { Todos } from './core.js'

export function runScreen(store, { DataProvider, AsyncBoundary, useSuspense, useDLE, useController }) {
  function List() {
    const todos = useSuspense(Todos.getList, { status: 'open' })
    const { data, loading, error } = useDLE(Todos.get, { id: 1 })
    const hasController = useController() === store.controller
    return createElement(
      'ul',
      { title: `${data?.title} ${loading} ${error} ${hasController}` },
      todos.map((todo) => createElement('li', { key: todo.pk() }, todo.label)),
    )
  }
  return renderToString(
    createElement(DataProvider, { store }, createElement(AsyncBoundary, { fallback: 'loading' }, createElement(List))),
  )
}
