// https://tanstack.com/query/v5/docs/framework/react/guides/important-defaults: three retries after 1, 2 and 4 seconds, and `refetchInterval`.
// https://tkdodo.eu/blog/using-web-sockets-with-react-query, which the documentation links: an event writes what it carries
// and invalidates the list. A connection that is back invalidates both.
import { QueryClient, QueryObserver } from '@tanstack/query-core'

export function startClient({ get, connect, pollFrequency }) {
  const client = new QueryClient()
  client.mount()
  const watch = (queryKey, path, refetchInterval) =>
    new QueryObserver(client, { queryKey, queryFn: () => get(path), refetchInterval }).subscribe(() => {})
  const ends = [
    watch(['todos', 'list', { sort: 'title' }], '/todos?sort=title'),
    watch(['todos', 'detail', '1'], '/todos/1'),
    watch(['status'], '/status', pollFrequency),
  ]
  const disconnect = connect({
    onEvent(todo) {
      client.setQueryData(['todos', 'detail', todo.id], todo)
      void client.invalidateQueries({ queryKey: ['todos', 'list'] })
    },
    onReconnect: () => void client.invalidateQueries({ queryKey: ['todos'] }),
  })
  return () => {
    disconnect()
    ends.forEach((end) => end())
    client.unmount()
    client.clear()
  }
}
