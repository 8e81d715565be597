// The page that is killed: it writes at random, and says when a change is on its screen. `kills.mjs` bundles it.
import { Collection, createStore, Entity, getDefaultManagers, resource } from 'restitch'
import { outbox } from 'restitch/outbox'
import { persist } from 'restitch/persist'

class Task extends Entity {
  id = ''
  log = ''
  static override readonly key = 'Task'
}
const Tasks = resource({
  urlPrefix: location.origin,
  path: '/api/tasks/:id',
  schema: Task,
  Collection,
  optimistic: true,
})
// Spoilt versions, which the programme has to find.
const spoilt = location.hash.slice(1)
const sending = outbox({
  endpoints: { update: Tasks.partialUpdate },
  ...(spoilt === 'keys' && { keyHeader: false }),
})
const persists = spoilt === 'memory' ? [] : [persist({ name: 'kills' })]
const store = createStore({ managers: [sending, ...persists, ...getDefaultManagers()] })
const { controller } = store

/** The marks of a record on the screen. */
function shown(id: string): string {
  return controller.get(Task, { id })?.log ?? ''
}

interface Page {
  /** Adds a mark to a record, and resolves when it is shown. */
  write(id: string, mark: string): Promise<boolean>
  /** How many changes wait. */
  unsent(): { pending: number; failed: number; conflicts: number }
  shown(ids: readonly string[]): Record<string, string>
  load(): Promise<void>
}

const page: Page = {
  async write(id, mark) {
    // The server appends it: a change that is made twice is seen, and one that is lost.
    controller.fetch(Tasks.partialUpdate, { id }, { log: `${shown(id)}${mark} `, mark } as never).catch(() => {})
    await Promise.resolve()
    return shown(id).includes(mark)
  },
  unsent: () => ({
    pending: sending.pending.length,
    failed: sending.failed.length,
    conflicts: sending.conflicts.length,
  }),
  shown: (ids) => Object.fromEntries(ids.map((id) => [id, shown(id)])),
  async load() {
    await store.persisted?.ready
    await controller.fetch(Tasks.getList)
  },
}
Object.assign(globalThis, { page })
