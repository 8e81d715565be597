// An app with all that works without a network, and the pages that have it open.
import { createStore, getDefaultManagers, type Manager, type Store } from 'restitch'
import { outbox, type Outbox, type OutboxOptions } from 'restitch/outbox'
import { persist, type PersistOptions } from 'restitch/persist'
import { tabs } from 'restitch/tabs'
import type { DiskStorage, DiskWrite } from '../../src/disk/DiskStorage.ts'
import { memoryStorage } from '../../src/disk/memoryStorage.ts'
import { TestClock } from '../../src/testing/TestClock.ts'
import { Task, Tasks, TodoApi } from '../../src/testing/TodoApi.ts'

/** The options in which pages of the app differ. */
export interface PageOptions extends Partial<OutboxOptions> {
  readonly persists?: PersistOptions
  readonly managers?: readonly Manager[]
  readonly storage?: DiskStorage
}

export class Page {
  readonly store: Store
  readonly sending: Outbox
  private readonly life: { isKilled: boolean }

  constructor(store: Store, sending: Outbox, life: { isKilled: boolean }) {
    this.store = store
    this.sending = sending
    this.life = life
  }

  /** Calls an endpoint. Nobody has to wait. */
  fetch(endpoint: any, ...args: any[]): Promise<any> {
    const promise = this.store.controller.fetch(endpoint, ...args)
    promise.catch(() => {})
    return promise
  }

  /** The title of a task on the screen. */
  title(id: string): string | undefined {
    return (this.store.controller.get(Task, { id }) as any)?.title
  }

  /** The titles of the list on the screen. */
  titles(): string[] | undefined {
    return this.store.controller.getResponse(Tasks.getList).data?.map(({ title }: Task) => title)
  }

  /** How many entries wait, have failed, and are conflicts. */
  get counts(): number[] {
    const { pending, failed, conflicts } = this.sending
    return [pending.length, failed.length, conflicts.length]
  }

  /** Its process ends: nothing more is written or sent, and it learns of nothing. */
  kill(): void {
    this.life.isKilled = true
  }
}

/** Two tasks on a server, a storage, and pages that share it. */
export class OfflineApp {
  readonly api: TodoApi = new TodoApi()
  readonly clock: TestClock = new TestClock(1_700_000_000_000)
  storage: DiskStorage = memoryStorage()
  user: string | undefined = 'ann'
  /** The codes of the errors that were reported to pages. */
  readonly codes: unknown[] = []
  /** The writes of each transaction. */
  readonly transactions: (readonly DiskWrite[])[] = []
  /** Called within each transaction. */
  onTransaction: (writes: readonly DiskWrite[]) => void = () => {}
  private readonly pages: Page[] = []

  constructor() {
    this.api.tasks.set('1', { id: '1', title: 'one', done: false })
    this.api.tasks.set('2', { id: '2', title: 'two', done: false })
  }

  open({ persists, managers = [], storage = this.storage, ...options }: PageOptions = {}): Page {
    const endpoints = {
      'task.create': Tasks.getList.push,
      'task.update': Tasks.partialUpdate,
      'task.delete': Tasks.delete,
    }
    const onError = (error: any): void => void this.codes.push(error.code)
    const sending = outbox({ endpoints, onError, ...options })
    const life = { isKilled: false }
    const kept = persist({
      name: 'app',
      user: () => this.user,
      storage: this.mortal(storage, life),
      onError,
      ...persists,
    })
    let last = (this.pages.length + 1) * 0.0137
    const random = (): number => (last = (last * 9_301 + 0.49297) % 1)
    const store = createStore({
      managers: [sending, tabs(), kept, ...managers, ...getDefaultManagers()],
      clock: this.clock,
      random,
    })
    const page = new Page(store, sending, life)
    this.pages.push(page)
    return page
  }

  /** Lets time pass, and everything that waits for no timer come to an end: messages between tabs are tasks of their own. */
  async rest(milliseconds = 0): Promise<void> {
    for (let left = milliseconds, i = 0; i < 6 || left > 0; i++) {
      const step = i < 3 ? 0 : Math.min(left, 250)
      left -= step
      await this.clock.pass(step)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Opens a page, and waits until it has read its database. */
  async visit(options?: PageOptions): Promise<Page> {
    const page = this.open(options)
    await this.rest()
    return page
  }

  /** Everything that a database has. */
  async disk(name: string = 'app ann'): Promise<Map<string, unknown>> {
    const all = new Map<string, unknown>()
    const database = await this.storage.open(name)
    await database.transact(['row/', 'entry/', 'alias/'], (found) => {
      found.forEach((value, key) => all.set(key, value))
      return []
    })
    return all
  }

  close(): void {
    this.pages.forEach(({ store }) => store.stop())
  }

  /** A storage that never responds to a page that was killed. */
  private mortal(storage: DiskStorage, life: { isKilled: boolean }): DiskStorage {
    const never = new Promise<never>(() => {})
    return {
      ...storage,
      open: async (name) => {
        const database = await storage.open(name)
        return {
          ...database,
          transact: async (keys, decide, durability) => {
            if (life.isKilled) {
              return never
            }
            await database.transact(
              keys,
              (found) => {
                const writes = [...decide(found)]
                this.transactions.push(writes)
                this.onTransaction(writes)
                return writes
              },
              durability,
            )
            return life.isKilled ? never : undefined
          },
        }
      },
    }
  }
}
