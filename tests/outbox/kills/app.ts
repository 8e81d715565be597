// The page that is killed: a list of tasks, of which the programme creates, changes and deletes some. `kills.mjs` bundles it.
import { Collection, createStore, Entity, getDefaultManagers, resource, RestEndpoint } from 'restitch'
import { outbox, type OutboxEntry } from 'restitch/outbox'
import { persist } from 'restitch/persist'
import { tabs } from 'restitch/tabs'

class Task extends Entity {
  id = ''
  /** The mark of the mutation that has created it. */
  name = ''
  /** The marks of all mutations, in their order. */
  log = ''
  static override readonly key = 'Task'
}

// Spoilt versions, which the programme has to find.
const spoilt = location.hash.slice(1)

// A user is signed in when the browser starts.
if (!localStorage.getItem('user')) {
  localStorage.setItem('user', 'ann')
}
const userNow = (): string | undefined => localStorage.getItem('user') ?? undefined

class OwnEndpoint extends RestEndpoint {
  override getHeaders(headers: { [name: string]: string }): HeadersInit {
    return { ...headers, 'x-user': userNow() ?? '' }
  }
}

const Tasks: any = resource({
  urlPrefix: location.origin,
  path: '/api/tasks/:id',
  schema: Task,
  Collection,
  Endpoint: OwnEndpoint,
  optimistic: true,
})
const sending = outbox({
  endpoints: { create: Tasks.getList.push, update: Tasks.partialUpdate, delete: Tasks.delete },
  onError: () => {},
  ...(spoilt === 'keys' && { keyHeader: false }),
  ...(spoilt === 'order' && { order: ({ id }: OutboxEntry) => [id] }),
})
const user = spoilt === 'user' ? () => 'all' : userNow
const persists = spoilt === 'memory' ? [] : [tabs(), persist({ name: 'kills', user })]
const store = createStore({ managers: [sending, ...persists, ...getDefaultManagers()] })
const { controller } = store
store.view(Tasks.getList).subscribe(() => {})

const tasks = (): readonly Task[] => controller.getResponse(Tasks.getList).data ?? []
const find = (name: string): Task | undefined => tasks().find((task) => task.name === name)
const isTwin = (name: string): boolean => tasks().filter((task) => task.name === name).length > 1
const all = (): readonly OutboxEntry[] => [...sending.pending, ...sending.failed, ...sending.conflicts]
const markOf = ({ args }: OutboxEntry): string => args.at(-1).mark as string

/** The marks of changes that are not saved yet. */
const unsaved = new Set<string>()

function send(mark: string, endpoint: any, ...args: any[]): void {
  unsaved.add(mark)
  sending.enqueue(endpoint, ...args).then(
    () => unsaved.delete(mark),
    () => {},
  )
}

async function load(): Promise<void> {
  await store.persisted?.ready
  await controller.fetch(Tasks.getList)
}

// Reads go on, as on any screen: with the first one that is accepted, what a 401 has stopped goes on.
setInterval(() => {
  if (userNow()) {
    load().catch(() => {})
  }
}, 700)

/** A task that was changed. */
interface Changed {
  readonly id: string
  /** A list has brought the task before the response to its create: it was on the screen twice. */
  readonly isTwin: boolean
}

/** The part of a page that the programme calls. */
export interface KillPage {
  user(): string | undefined
  signIn(user: string): Promise<void>
  signOut(): Promise<void>
  /** Resolves when the tasks of the user are there, and everything is stored. */
  ready(): Promise<void>
  screen(): { readonly name: string; readonly log: string }[]
  /** Each makes a change, and resolves to the id of its task, or more of it, if it is shown. */
  create(mark: string): Promise<string | undefined>
  edit(name: string, mark: string): Promise<Changed | string | undefined>
  remove(name: string, mark: string): Promise<Changed | string | undefined>
  entries(): {
    readonly id: string
    readonly state: string
    readonly mark: string
    readonly message: string | undefined
  }[]
  /** The marks of changes that are shown, and not saved yet. */
  unsaved(): string[]
  /** Sends what waits at once. */
  hurry(): void
  /** Sends a change again that failed or is a conflict, with what the server has. */
  retry(id: string): Promise<void>
  /** Resolves to the marks of the changes that are gone, and of those that may have been sent. */
  discard(id: string): Promise<{ readonly gone: string[]; readonly perhaps: string[] }>
}

const page: KillPage = {
  user: userNow,
  async signIn(next) {
    localStorage.setItem('user', next)
    await page.ready()
  },
  async signOut() {
    localStorage.removeItem('user')
    await controller.resetEntireStore()
  },
  async ready() {
    // A request of nobody may be in flight, and be refused.
    const isLoaded = (): Promise<boolean> =>
      load().then(
        () => !store.persisted || store.persisted.status === 'open',
        () => false,
      )
    while (!(await isLoaded())) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  },
  screen: () => tasks().map(({ name, log }) => ({ name, log })),
  async create(mark) {
    send(mark, Tasks.getList.push, { name: mark, log: `${mark} `, mark })
    await Promise.resolve()
    return find(mark)?.id
  },
  async edit(name, mark) {
    const task = find(name)
    // Another tab, or the server, has taken it away a moment ago.
    if (!task) {
      return undefined
    }
    const { id, log } = task
    const changed = { id, isTwin: isTwin(name) }
    // The server appends the mark: a change that is made twice is seen, and one that is lost.
    send(mark, Tasks.partialUpdate, { id }, { log: `${log}${mark} `, mark })
    await Promise.resolve()
    return find(name)?.log.includes(`${mark} `) ? changed : undefined
  },
  async remove(name, mark) {
    const task = find(name)
    if (!task) {
      return undefined
    }
    const changed = { id: task.id, isTwin: isTwin(name) }
    send(mark, Tasks.delete, { id: task.id, mark })
    await Promise.resolve()
    return tasks().every(({ id }) => id !== task.id) ? changed : undefined
  },
  entries: () =>
    all().map((entry) => ({ id: entry.id, state: entry.state, mark: markOf(entry), message: entry.error?.message })),
  unsaved: () => [...unsaved],
  hurry: () => void dispatchEvent(new Event('online')),
  async retry(id) {
    const entry = all().find((one) => one.id === id)
    const theirs = entry?.theirs as Task | undefined
    const mark = entry && markOf(entry)
    await sending.retry(id, theirs && { log: `${theirs.log}${mark} `, mark })
  },
  async discard(id) {
    const before = all()
    await sending.discard(id)
    const left = new Set(all().map((entry) => entry.id))
    const gone = before.filter((entry) => !left.has(entry.id))
    const isSure = (entry: OutboxEntry): boolean => entry.id === id || entry.state !== 'pending'
    return {
      gone: gone.filter(isSure).map(markOf),
      perhaps: gone.filter((entry) => !isSure(entry)).map(markOf),
    }
  },
}
Object.assign(globalThis, { page })
