// The page of tests/browser/outbox.test.ts: tasks, an outbox on the disk, and a store that the test reaches as `app`.
import { createStore, Entity, getDefaultManagers, resource, RestEndpoint } from 'restitch'
import { outbox } from 'restitch/outbox'
import { persist } from 'restitch/persist'
import { tabs } from 'restitch/tabs'

class Task extends Entity {
  id = ''
  title = ''
  static override readonly key = 'Task'
}

/** Starts the page; its address says which tab it is. */
export function run(): void {
  const tab = new URLSearchParams(location.search).get('tab') ?? ''
  class OwnEndpoint extends RestEndpoint {
    override getHeaders(headers: { [name: string]: string }): HeadersInit {
      return { ...headers, 'x-tab': tab }
    }
  }
  const Tasks: any = resource({ path: '/api/tasks/:id', schema: Task, Endpoint: OwnEndpoint, optimistic: true })
  const sending = outbox({ endpoints: { update: Tasks.partialUpdate } })
  const store = createStore({ managers: [sending, tabs(), persist({ name: 'test' }), ...getDefaultManagers()] })
  const { controller } = store
  store.view(Tasks.getList).subscribe(() => {})
  Object.assign(globalThis, {
    app: {
      ready: async () => {
        await store.persisted!.ready
        await controller.fetch(Tasks.getList)
      },
      write: (id: string, title: string) =>
        void controller.fetch(Tasks.partialUpdate, { id }, { title }).catch(() => {}),
      titles: () =>
        controller
          .getResponse(Tasks.getList)
          .data?.map(({ title }: Task) => title)
          .join(' '),
      waiting: () => sending.pending.length,
    },
  })
}
