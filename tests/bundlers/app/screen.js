// The same store through hooks, rendered to HTML: what React Native and the web share.
import { createElement } from 'react'
import { renderToString } from 'react-dom/server.browser'
import { byAuthor, getPosts, Todos } from './core.js'

export function runScreen(store, hooks) {
  const { AsyncBoundary, DataProvider, useController, useDLE, useInfinite, useQuery, useSuspense } = hooks
  function List() {
    const todos = useSuspense(Todos.getList, { status: 'open' })
    const { data, loading, error } = useDLE(Todos.get, { id: 1 })
    const { items, hasNextPage } = useInfinite(getPosts)
    const ofBea = useQuery(byAuthor, { name: 'Bea' })
    const hasController = useController() === store.controller
    return createElement(
      'ul',
      { title: `${data?.title} ${loading} ${error} ${hasController} ${items.length} ${hasNextPage} ${ofBea}` },
      todos.map((todo) => createElement('li', { key: todo.pk() }, todo.label)),
    )
  }
  return renderToString(
    createElement(DataProvider, { store }, createElement(AsyncBoundary, { fallback: 'loading' }, createElement(List))),
  )
}
