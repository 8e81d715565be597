// How doubts reach the results that show a row, and how they end.
import { expect, test } from 'vitest'
import { createStore } from '../client/createStore.ts'
import { previousPageEndpoint } from '../lists/paginate.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { STALE } from '../rows/Meta.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { deferredEndpoint, endpoint, mutation } from '../testing/endpoints.ts'
import { TestClock, tick } from '../testing/TestClock.ts'

class Todo extends Entity {
  id = ''
  title = ''
  group = ''
  static override key = 'Todo'
}
const getTodo = endpoint('/todo', Todo)
const getTodos = endpoint('/todos', new Collection([Todo]))
const update = mutation('/update', Todo)
const nine = { id: '9', title: 'a', group: 'y' }

function see(driver: Driver, args: object): string {
  const { data, expiresAt } = driver.read(getTodos, [args])
  return (data as Todo[]).map(({ id }) => id).join(' ') + (expiresAt <= STALE ? ' ?' : '')
}
const isStale = (driver: Driver, target: object, args: object): boolean =>
  driver.read(target, [args]).expiresAt === STALE

test('ORD-3 COL-40 a doubt that is settled does not come along when the record joins a list', () => {
  const driver = createDriver()
  driver.open(getTodos, [{ group: 'x' }]).answer([{ id: '1', title: '', group: 'x' }])
  driver.open(getTodo, [{ id: '9' }]).answer(nine)
  see(driver, { group: 'x' })
  driver.read(getTodo, [{ id: '9' }])
  driver.open(update, [{ id: '9' }, { title: 'b' }]).answer(undefined)
  expect(isStale(driver, getTodo, { id: '9' })).toBe(true)
  driver.open(getTodo, [{ id: '9' }]).answer({ ...nine, title: 'b' })
  driver.open(update, [{ id: '9' }]).answer({ ...nine, group: 'x' })
  expect(see(driver, { group: 'x' })).toBe('1 9')
})

test('ORD-3 ST-5 a restored result whose row is in doubt is stale', () => {
  const server = createDriver()
  server.open(getTodo, [{ id: '9' }]).answer(nine)
  const driver = createDriver()
  driver.open(getTodos, [{}]).answer([nine])
  driver.read(getTodo, [{ id: '9' }])
  driver.open(update, [{ id: '9' }, { title: 'b' }]).answer(undefined)
  driver.restore(server.getState())
  expect(isStale(driver, getTodo, { id: '9' })).toBe(true)
})

test('ORD-7 ORD-9 a list that arrives for the first time, after all writes, puts no older result in doubt', () => {
  class User extends Entity {
    id = ''
    todos: Todo[] = []
    static override key = 'User'
    static override schema = { todos: new Collection([Todo], { nestKey: (parent: any) => ({ userId: parent.id }) }) }
  }
  const driver = createDriver()
  const getUsers = endpoint('/users', [User])
  driver.open(getUsers, [{}]).answer([{ id: '1' }])
  driver.read(getUsers, [{}])
  driver.open(getTodo, [{ id: '9' }]).answer(nine)
  driver.open(update, [{ id: '9' }]).answer({ ...nine, title: 'b' })
  driver.open(endpoint('/user', User), [{ id: '1' }]).answer({ id: '1', todos: [{ ...nine, title: 'b' }] })
  expect(isStale(driver, getUsers, {})).toBe(false)
})

test('ORD-3 a class that does not read a record in doubt is not in doubt', () => {
  class Author extends Entity {
    id = ''
    name = ''
    static override key = 'Author'
  }
  class Post extends Entity {
    id = ''
    title = ''
    static override key = 'Post'
  }
  class Detail extends Post {
    author: Author | undefined = undefined
    static override schema = { author: Author }
  }
  class Summary extends Post {}
  const driver = createDriver()
  const getDetail = endpoint('/detail', Detail)
  const getSummaries = endpoint('/summaries', [Summary])
  driver.open(getDetail, [{ id: '1' }]).answer({ id: '1', title: 't' })
  driver.read(getDetail, [{ id: '1' }])
  driver.open(getSummaries, [{}]).answer([{ id: '1', title: 't' }])
  driver.read(getSummaries, [{}])
  driver.open(endpoint('/author', Author), [{ id: '7' }]).answer({ id: '7', name: 'n' })
  const late = driver.open(getDetail, [{ id: '1' }])
  driver.open(mutation('/author', Author), [{ id: '7' }, { name: 'm' }]).answer(undefined)
  late.answer({ id: '1', title: 't', author: { id: '7', name: 'n' } })
  expect([isStale(driver, getDetail, { id: '1' }), isStale(driver, getSummaries, {})]).toEqual([true, false])
})

test('ORD-3 ORD-9 a result that shows the same, and has a hidden row in doubt, is fetched again', async () => {
  const clock = new TestClock()
  const store = createStore({ clock })
  const { controller } = store
  const top = deferredEndpoint('top', [Todo])
  const get = deferredEndpoint('get', Todo)
  const put = deferredEndpoint('put', Todo, { sideEffect: true })
  const del = deferredEndpoint('del', new Invalidate(Todo), { sideEffect: true })
  store.subscribe(top, [{}], () => {})
  await tick()
  await top.calls[0].answer([{ id: '1', title: 'a', group: '' }])
  const got = controller.fetch(get, { id: '9' })
  await get.calls[0].answer(nine)
  await got
  for (const [target, args] of [
    [top, {}],
    [put, { id: '9' }],
    [del, { id: '9' }],
  ] as const) {
    controller.fetch(target, args).catch(() => {})
    await tick()
  }
  await put.calls[0].answer({ ...nine, title: 'b' })
  await del.calls[0].answer({ id: '9' })
  await top.calls[1].answer([{ id: '1', title: 'a', group: '' }, nine])
  for (let i = 0; i < 20; i++) {
    await clock.pass(1000)
  }
  expect(top.calls.length).toBe(3)
  store.stop()
})

test('ORD-5 PAG-3 an earlier page that crossed an event leaves its list in doubt', () => {
  class Item extends Entity {
    id = ''
    static override key = 'Item'
  }
  const driver = createDriver()
  const timeline: any = new RestEndpoint({
    path: '/timeline',
    schema: { items: new Collection([Item]) },
    paginationField: 'page',
    getNextPage: ({ older }: any) => older,
    getPreviousPage: ({ newer }: any) => newer,
  } as never)
  const list = { items: [{ id: 'd' }, { id: 'e' }], newer: 'n1' }
  driver.open(timeline, [{}]).answer(list)
  const page = driver.open(previousPageEndpoint(timeline, [{}]), [{ page: 'n1' }])
  driver.set(Item, [{ id: 'c' }], { id: 'c' })
  driver.open(timeline, [{}]).answer(list)
  page.answer({ items: [{ id: 'b' }, { id: 'c' }] })
  expect(isStale(driver, timeline, {})).toBe(true)
})

test('CTL-2 GC-10 nothing stays of values that only their callers get', async () => {
  const store = createStore({ clock: new TestClock() })
  const search = deferredEndpoint('search', undefined, { dataExpiryLength: 0 })
  for (let i = 0; i < 20; i++) {
    const found = store.controller.fetch(search, { q: i })
    await tick()
    await search.calls[i].answer({ n: i })
    await found
  }
  await tick()
  expect((store.controller as any).core.store.tables.endpoints.byPk.size).toBeLessThan(5)
  store.stop()
})

test.each([
  ['whole', undefined],
  ['with further pages', () => 2],
])(
  'ORD-9 ST-18 EXT-11 a counted list %s that is fetched once during a stream is not fetched again and again',
  async (_title, getNextPage) => {
    const clock = new TestClock()
    const store = createStore({ clock })
    const list = deferredEndpoint(
      'list',
      { items: new Collection([Todo], { counts: ['total'] }), total: 0 },
      { paginationField: 'page', dataExpiryLength: 1e9, ...(getNextPage && { getNextPage }) },
    )
    const event = (title: string): Promise<void> => store.controller.set(Todo, { id: '9' }, { ...nine, title })
    const response = { total: 5, items: [{ id: '1', title: 'a', group: 'x' }] }
    await event('')
    await store.controller.setResponse(list, { group: 'x' }, response)
    const end = store.subscribe(list, [{ group: 'x' }], () => {})
    void store.controller.fetch(list, { group: 'x' })
    for (let i = 0, answered = 0; i < 400; i++) {
      await clock.pass(50)
      await event(String(i))
      if (i % 2 === 1 && answered < list.calls.length) {
        await list.calls[answered++]!.answer(response)
      }
    }
    expect(list.calls.length).toBe(1)
    end()
    store.stop()
  },
)

test('ORD-9 refetches after own writes, one after another, do not come at growing intervals', async () => {
  const clock = new TestClock()
  const store = createStore({ clock })
  const sorted = deferredEndpoint('sorted', new Collection([Todo]), { dataExpiryLength: 1e9 })
  const put = deferredEndpoint('put', Todo, { sideEffect: true })
  await store.controller.setResponse(sorted, { sort: 'title' }, [nine])
  const end = store.subscribe(sorted, [{ sort: 'title' }], () => {})
  for (let i = 1; i <= 8; i++) {
    const title = `t${i}`
    const written = store.controller.fetch(put, { id: '9' })
    await put.calls[i - 1]!.answer({ ...nine, title })
    await written
    await clock.pass(0)
    expect(sorted.calls).toHaveLength(i)
    await sorted.calls[i - 1]!.answer([{ ...nine, title }])
    await clock.pass(1_500)
  }
  end()
  store.stop()
})
