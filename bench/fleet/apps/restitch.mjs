// docs/guide/streams.md and docs/guide/polling.md: a LiveManager that writes records, and an endpoint with `pollFrequency`.
import { createStore, Entity, getDefaultManagers, resource, RestEndpoint } from 'restitch'
import { eventStream, LiveManager } from 'restitch/live'

class Todo extends Entity {
  id = ''
  title = ''
  static key = 'Todo'
}

export function startClient({ origin, fetchEvents, pollFrequency, random, spread }) {
  const Todos = resource({ urlPrefix: origin, path: '/todos/:id', schema: Todo })
  const getStatus = new RestEndpoint({ urlPrefix: origin, path: '/status', schema: undefined, pollFrequency })
  const live = new LiveManager({
    connect: eventStream(`${origin}/events`, { fetch: fetchEvents }),
    receive: ({ data }, { set }) => set(Todo, data),
    covers: [Todos.get, Todos.getList],
    spread,
  })
  const managers = [live, ...getDefaultManagers({ networkManager: { retry: 3 } })]
  const store = createStore({ managers, random, spread })
  const { controller } = store
  const ends = [
    store.subscribe(Todos.getList, [{ sort: 'title' }], () => {}),
    store.subscribe(Todos.get, [{ id: '1' }], () => {}),
    store.subscribe(getStatus, [], () => {}),
  ]
  void controller.subscribe(getStatus)
  return () => {
    void controller.unsubscribe(getStatus)
    ends.forEach((end) => end())
    store.stop()
  }
}
