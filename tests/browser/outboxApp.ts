// The page of tests/browser/outbox.test.ts and manyTabs.test.ts: tasks, an outbox on the disk, and a store that the test reaches as `app`.
import { createStore, Entity, getDefaultManagers, resource, RestEndpoint } from 'restitch'
import { outbox } from 'restitch/outbox'
import { persist } from 'restitch/persist'
import { tabs } from 'restitch/tabs'

class Task extends Entity {
  id = ''
  title = ''
  static override readonly key = 'Task'
}

/** Nothing reaches a muted tab from the others, or the others from it. */
function mutable(): { isMuted: boolean } {
  const state = { isMuted: false }
  const { postMessage, addEventListener } = BroadcastChannel.prototype
  BroadcastChannel.prototype.postMessage = function (message: unknown): void {
    if (!state.isMuted) {
      postMessage.call(this, message)
    }
  }
  BroadcastChannel.prototype.addEventListener = function (type: string, listener: any): void {
    addEventListener.call(this, type, (event: Event) => state.isMuted || listener(event))
  }
  return state
}

/** Starts the page; its address says which tab it is, and which version of the app. */
export function run(): void {
  const search = new URLSearchParams(location.search)
  const tab = search.get('tab') ?? ''
  const version = Number(search.get('version') ?? 1)
  const sound = mutable()
  class OwnEndpoint extends RestEndpoint {
    override getHeaders(headers: { [name: string]: string }): HeadersInit {
      return { ...headers, 'x-tab': tab }
    }
  }
  const Tasks: any = resource({ path: '/api/tasks/:id', schema: Task, Endpoint: OwnEndpoint, optimistic: true })
  const sending = outbox({
    endpoints: { create: Tasks.getList.push, update: Tasks.partialUpdate, remove: Tasks.delete },
  })
  const store = createStore({
    managers: [sending, tabs(), persist({ name: 'test', version }), ...getDefaultManagers()],
  })
  const { controller } = store
  store.view(Tasks.getList).subscribe(() => {})
  Object.assign(globalThis, {
    app: {
      ready: async () => {
        await store.persisted!.ready
        await controller.fetch(Tasks.getList)
      },
      mute: (isMuted: boolean) => void (sound.isMuted = isMuted),
      refresh: () => controller.expireAll(Tasks.getList),
      create: (title: string) => void controller.fetch(Tasks.getList.push, { title }).catch(() => {}),
      remove: (id: string) => void controller.fetch(Tasks.delete, { id }).catch(() => {}),
      ids: () => controller.getResponse(Tasks.getList).data?.map(({ id }: Task) => id) ?? [],
      hurry: () => dispatchEvent(new Event('online')),
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
