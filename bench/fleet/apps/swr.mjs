// https://swr.vercel.app/docs/revalidation: `refreshInterval`; https://swr.vercel.app/docs/error-handling: errors are retried by default;
// https://swr.vercel.app/docs/mutation: an event writes what it carries, and revalidates the list.
import { createElement, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import useSWR, { SWRConfig, useSWRConfig } from 'swr'

export function startClient({ get, connect, pollFrequency }) {
  function Screen() {
    useSWR('/todos?sort=title')
    useSWR('/todos/1')
    useSWR('/status', { refreshInterval: pollFrequency })
    const { mutate } = useSWRConfig()
    useEffect(() => {
      return connect({
        onEvent(todo) {
          void mutate(`/todos/${todo.id}`, todo, { revalidate: false })
          void mutate((key) => key.startsWith('/todos?'))
        },
        onReconnect: () => void mutate((key) => key.startsWith('/todos')),
      })
    }, [mutate])
    return null
  }
  const root = createRoot(document.createElement('div'))
  const value = { provider: () => new Map(), fetcher: get }
  root.render(createElement(SWRConfig, { value }, createElement(Screen)))
  return () => root.unmount()
}
