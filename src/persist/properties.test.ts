// PER-2, PER-3, PER-5, PER-8: whatever has happened in a store, the next one shows the same, or fetches it again.
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import type { Store } from '../client/createStore.ts'
import { Collection } from '../kinds/Collection.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { GC } from '../requests/actionTypes.ts'
import { SavedTodo as Todo, Tabs } from '../testing/Tabs.ts'
import { cases } from '../../tests/effort.ts'
import type { DiskStorage } from '../disk/DiskStorage.ts'

const IDS = ['1', '2', '3']
let opened: Tabs | undefined
afterEach(() => opened?.close())

/** A server that keeps todos, and a tab. */
class World {
  readonly tabs: Tabs = new Tabs()
  todos: { id: string; title: string; done: boolean }[] = []
  readonly remove: any = this.tabs.endpoint('remove', new Invalidate(Todo), { sideEffect: true })
  /** The shapes of a response, by their names. */
  readonly shapes: Readonly<Record<string, any>> = {
    list: this.tabs.getTodos,
    envelope: this.tabs.endpoint('envelope', {
      data: new Collection([Todo], { name: 'envelope', counts: ['meta.total'] }),
      meta: { total: 0 },
    }),
    beside: this.tabs.endpoint('beside', { first: Todo, all: [Todo], next: '' }),
    record: this.tabs.endpoint('record', { todo: Todo }),
    plain: this.tabs.endpoint('plain', undefined),
    text: this.tabs.endpoint('text', undefined),
  }
  store: Store
  private count = 0

  constructor() {
    opened = this.tabs
    const { server } = this.tabs
    server['getTodos'] = () => this.todos
    server['getTodo'] = ({ id }: any) =>
      this.todos.find((one) => one.id === id) ?? Promise.reject(Object.assign(new Error('none'), { status: 404 }))
    server['putTodo'] = ({ id }: any, body: object) => {
      const next = { id, title: '', done: false, ...body }
      this.todos = [...this.todos.filter((one) => one.id !== id), next]
      return next
    }
    server['envelope'] = () => ({ data: this.todos, meta: { total: this.todos.length } })
    server['beside'] = () => ({ first: this.todos[0] ?? null, all: this.todos, next: 'x' })
    server['record'] = () => ({ todo: this.todos.at(-1) ?? null })
    server['plain'] = () => ({ count: this.todos.length, all: this.todos })
    server['text'] = () => `of ${this.todos.length}`
    server['remove'] = ({ id }: any) => {
      this.todos = this.todos.filter((one) => one.id !== id)
      return { id }
    }
    this.store = this.tabs.open()
  }

  /** One step of a user, or of the library. */
  async take([what, id]: readonly [string, string]): Promise<void> {
    const { tabs, store, remove } = this
    const { controller } = store
    const title = `t${++this.count}`
    const steps: Record<string, () => unknown> = {
      list: () => controller.fetch(tabs.getTodos),
      // An error is not written, so a new store may show the record behind it as fresh.
      one: () => this.todos.some((one) => one.id === id) && controller.fetch(tabs.getTodo, { id }),
      shape: () => Promise.all(Object.values(this.shapes).map((endpoint) => controller.fetch(endpoint))),
      put: () => controller.fetch(tabs.putTodo, { id }, { title }),
      remove: () => controller.fetch(remove, { id }),
      expire: () => controller.expireAll(tabs.getTodos),
      elsewhere: () => (this.todos = this.todos.map((one) => (one.id === id ? { ...one, title } : one))),
      collect: () =>
        controller.dispatch({
          type: GC,
          entities: [{ key: 'Todo', pk: id }],
          endpoints: [`getTodo [{"id":"${id}"}]`],
        } as never),
      wait: () => tabs.clock.pass(150),
      later: () => tabs.clock.pass(61_000),
      reload: async () => {
        await tabs.clock.pass(300)
        this.store = tabs.open()
        await tabs.clock.pass(0)
      },
    }
    await Promise.resolve(steps[what]!()).catch(() => {})
  }

  /** The data that a store shows, and whether it is stale. */
  seen(store: Store): Record<string, unknown> {
    const { tabs } = this
    const now = tabs.clock.now()
    const read = (target: any, ...args: any[]): unknown => {
      const { data, expiresAt } = store.controller.getResponse(target, ...(args as [])) as any
      return data === undefined ? undefined : [JSON.stringify(data), expiresAt < now]
    }
    return { list: read(tabs.getTodos), ...Object.fromEntries(IDS.map((id) => [id, read(tabs.getTodo, { id })])) }
  }
}

const STEPS = ['list', 'one', 'put', 'put', 'remove', 'expire', 'elsewhere', 'collect', 'wait', 'later', 'reload']
const steps = fc.array(fc.tuple(fc.constantFrom(...STEPS), fc.constantFrom(...IDS)), { maxLength: 14 })

test('PER-2 PER-3 PER-5 property: a new store shows what the old one showed, and never as fresher', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const world = new World()
      for (const step of all) {
        await world.take(step)
      }
      await world.tabs.clock.pass(300)
      const before = world.seen(world.store)
      const next = world.tabs.open()
      await world.tabs.clock.pass(0)
      const after = world.seen(next)
      for (const [name, shown] of Object.entries(before)) {
        if (shown) {
          const [data, isStale] = shown as [string, boolean]
          // In doubt it may be, where the old one was not.
          expect(after[name] ?? [data, true], name).toEqual([data, isStale || (after[name] as any)?.[1] === true])
        }
      }
      world.tabs.close()
    }),
    { numRuns: 60 },
  )
})

test('PER-5 property: with readers, a new store ends with what the server has', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const world = new World()
      for (const step of all) {
        await world.take(step)
      }
      await world.tabs.clock.pass(300)
      const isNews = all.some(([what]) => what === 'elsewhere')
      const next = world.tabs.open()
      next.view(world.tabs.getTodos).subscribe(() => {})
      await world.tabs.clock.pass(10_000)
      // A change that nobody has told of is seen when the time of the data is over.
      if (!isNews) {
        const byId = (list: any[]): any[] => list.map(({ id, title }) => `${id} ${title}`).sort()
        expect(byId(world.tabs.read(next, world.tabs.getTodos))).toEqual(byId(world.todos))
      }
      world.tabs.close()
    }),
    { numRuns: 60 },
  )
})

const OFFLINE = ['shape', 'list', 'one', 'put', 'put', 'remove', 'expire', 'elsewhere', 'wait', 'later', 'reload']
const stepsBefore = fc.array(fc.tuple(fc.constantFrom(...OFFLINE), fc.constantFrom(...IDS)), { maxLength: 12 })

test.each([0, 200, 800])(
  'PER-2 PER-4 property: while the server fails, a screen that renders before its store has started shows what it showed; the disk takes %i ms',
  async (delay) => {
    await fc.assert(
      fc.asyncProperty(stepsBefore, async (all) => {
        const world = new World()
        for (const step of [['shape', '1'] as const, ...all]) {
          await world.take(step)
        }
        const { tabs, shapes, store } = world
        await tabs.clock.pass(300)
        const before = Object.entries(shapes).map(([name, endpoint]) => [name, tabs.read(store, endpoint)] as const)
        Object.keys(tabs.server).forEach((name) => {
          tabs.server[name] = () => Promise.reject(new TypeError('Failed to fetch'))
        })
        const storage: DiskStorage = {
          async open(name) {
            await new Promise<void>((done) => void tabs.clock.setTimeout(done, delay))
            return tabs.storage.open(name)
          },
        }
        const next = tabs.open({ storage }, [], { start: false })
        const views = before.map(([name]) => next.view(shapes[name]) as any)
        const shown = views.map((view) => view.promise(true).catch(() => {}))
        next.start()
        await tabs.clock.pass(60_000)
        const first = await Promise.all(shown)
        before.forEach(([name, data], at) => {
          if (data !== undefined) {
            expect(JSON.stringify(views[at].read().data), name).toBe(JSON.stringify(data))
            expect(JSON.stringify(first[at]), name).toBe(JSON.stringify(data))
          }
        })
        world.tabs.close()
      }),
      { numRuns: cases(500) },
    )
  },
)
