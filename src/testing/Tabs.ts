// Stores that share a storage: tabs of one browser, or a page before and after a reload.
import { createStore, type Store, type StoreOptions } from '../client/createStore.ts'
import { getDefaultManagers } from '../client/getDefaultManagers.ts'
import type { DiskStorage } from '../disk/DiskStorage.ts'
import { memoryStorage } from '../disk/memoryStorage.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import type { Manager } from '../managers/Manager.ts'
import { persist } from '../persist/persist.ts'
import type { PersistOptions } from '../persist/PersistOptions.ts'
import { TestClock } from './TestClock.ts'

export class SavedTodo extends Entity {
  id = ''
  title: any = ''
  done = false
  static override key = 'Todo'
}

/** A server, a storage, and the stores that use them. */
export class Tabs {
  clock: TestClock = new TestClock(1_700_000_000_000)
  storage: DiskStorage = memoryStorage()
  /** The responses of the server, by the name of the endpoint; a function may throw, or never return. */
  readonly server: Record<string, unknown> = {
    getTodos: [
      { id: '1', title: 'a' },
      { id: '2', title: 'b' },
    ],
    getTodo: { id: '1', title: 'a', done: true },
  }
  /** The names of the requests that were sent. */
  readonly sent: string[] = []
  readonly errors: any[] = []
  readonly getTodos: any = this.endpoint('getTodos', new Collection([SavedTodo]))
  readonly getTodo: any = this.endpoint('getTodo', SavedTodo)
  readonly putTodo: any = this.endpoint('putTodo', SavedTodo, { sideEffect: true })
  readonly addTodo: any = this.endpoint('addTodo', (this.getTodos as { schema: Collection }).schema.push, {
    sideEffect: true,
  })
  private readonly stores = new Set<Store>()

  endpoint(name: string, schema: any, options: object = {}): any {
    const fetch = async (...args: any[]): Promise<unknown> => {
      this.sent.push(name)
      const value = this.server[name]
      const body: unknown = await (typeof value === 'function' ? value(...args) : value)
      return JSON.parse(JSON.stringify(body)) as unknown
    }
    const key = (...args: unknown[]): string => `${name} ${JSON.stringify(args)}`
    return new Endpoint(fetch, { name, schema, key, ...options } as never)
  }

  open(options: PersistOptions = {}, managers: readonly Manager[] = [], more: StoreOptions = {}): Store {
    const kept = persist({ storage: this.storage, onError: (error) => this.errors.push(error), ...options })
    const store = createStore({
      clock: this.clock,
      random: () => this.stores.size / 100 + 0.123,
      managers: [...managers, kept, ...getDefaultManagers()],
      ...more,
    })
    this.stores.add(store)
    return store
  }

  /** A storage that a page stops using at any moment, because it was killed. */
  mortal(): { readonly storage: DiskStorage; kill(): void } {
    let isDead = false
    return {
      storage: {
        open: async (name) => {
          const database = await this.storage.open(name)
          return {
            ...database,
            transact: (...args) => (isDead ? new Promise(() => {}) : database.transact(...args)),
          }
        },
      },
      kill: () => (isDead = true),
    }
  }

  close(): void {
    this.stores.forEach((store) => store.stop())
  }

  /** The data that readers see. */
  read(store: Store, target: any, ...args: any[]): any {
    return store.controller.getResponse(target, ...args).data as unknown
  }

  /** The values of a database, in a range of keys. */
  async disk(name = 'restitch', range = 'row/'): Promise<Map<string, any>> {
    let all = new Map<string, unknown>()
    const database = await this.storage.open(name)
    await database.transact([range], (found) => {
      all = new Map(found)
      return []
    })
    return all
  }

  /** Writes to a database, as another program does. */
  async put(name: string, ...writes: [string, unknown][]): Promise<void> {
    const database = await this.storage.open(name)
    await database.transact([], () => writes)
  }
}
