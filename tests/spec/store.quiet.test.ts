// Requests that a screen does not wait for, and those that are not sent without a need.
import { Collection, createStore, Endpoint, Entity, Invalidate } from 'restitch'
import { afterEach, expect, test } from 'vitest'
import { tick } from '../../src/testing/TestClock.ts'

class Task extends Entity {
  id = 0
  title = ''
  status = ''
  static override key = 'Task'
}

const stops: (() => void)[] = []
afterEach(() => stops.splice(0).forEach((stop) => stop()))
function world(list: object[], options?: object) {
  const log: string[] = []
  const schema = {
    data: new Collection([Task], { counts: ['total'], ...options }),
    total: 0,
    next: '' as string | null,
  }
  const rows = [...list] as { id: number; status: string }[]
  const getList = new Endpoint(
    async ({ status }: { status?: string; limit?: number; group?: number }) => {
      log.push(`list ${status ?? ''}`)
      const all = rows.filter((row) => status === undefined || row.status === status)
      return { data: all.slice(0, 2), total: all.length, next: all.length > 2 ? 'more' : null }
    },
    { name: 'getList', schema, paginationField: 'cursor', getNextPage: (page: any) => page.next } as any,
  ) as any
  const store = createStore()
  stops.push(() => store.stop())
  return { store, getList, log, schema, rows }
}

test('ORD-9 a list in an envelope that was never fetched does not wait for a mutation in flight', async () => {
  const { store, getList, log } = world([{ id: 1, title: 'a', status: 'open' }])
  const save = new Endpoint(() => new Promise<object>(() => {}), { name: 'save', schema: Task, sideEffect: true })
  store.controller.fetch(save).catch(() => {})
  store.subscribe(getList, [{}], () => {})
  await tick()
  expect(log).toEqual(['list '])
})

test('ORD-9 ENT-43 a detail whose summary is stored does not wait for a mutation in flight', async () => {
  const { store, log } = world([])
  const getTask = new Endpoint(
    async ({ id }: { id: number }) => {
      log.push(`get ${id}`)
      return { id, title: 'a', status: 'open' }
    },
    { name: 'getTask', schema: Task },
  )
  const save = new Endpoint(() => new Promise<object>(() => {}), { name: 'save', schema: Task, sideEffect: true })
  await store.controller.set(Task, { id: 1 }, { id: 1, title: 'a' })
  store.controller.fetch(save).catch(() => {})
  store.subscribe(getTask, [{ id: 1 }], () => {})
  await tick()
  expect(log).toEqual(['get 1'])
})

test('PAG-4 a create refetches no list that the record does not match', async () => {
  const { store, getList, log, schema } = world([
    ...[1, 2, 3].map((id) => ({ id, title: 'a', status: 'open', group: 1 })),
    ...[4, 5, 6].map((id) => ({ id, title: 'b', status: 'done', group: 1 })),
  ])
  const create = new Endpoint(async (body: any) => ({ ...body, id: 9 }), {
    name: 'create',
    schema: schema.data.push,
    sideEffect: true,
  })
  for (const status of ['open', 'done']) {
    store.subscribe(getList, [{ group: 1, status, limit: 2 }], () => {})
  }
  await tick()
  log.length = 0
  await store.controller.fetch(create, { title: 'new', status: 'open', group: 1 })
  await tick()
  expect(log).toEqual(['list open'])
})

test('ORD-3 a delete that an event has already told of refetches nothing', async () => {
  const { store, getList, log, rows } = world([1, 2].map((id) => ({ id, title: 'a', status: 'open' })))
  const { controller } = store
  const remove: any = new Endpoint(
    async ({ id }: { id: number }) => {
      rows.splice(0, 1)
      await controller.setResponse(remove, { id }, { id })
      return { id }
    },
    { name: 'remove', schema: new Invalidate(Task), sideEffect: true },
  )
  store.subscribe(getList, [{ status: 'open' }], () => {})
  await tick()
  log.length = 0
  await controller.fetch(remove, { id: 1 })
  await tick()
  expect(log).toEqual([])
})

test('ORD-3 an update that a partial event repeats refetches no list that the record never matched', async () => {
  const { store, getList, log, rows } = world([
    ...[1, 2].map((id) => ({ id, title: 'a', status: 'open' })),
    ...[4, 5].map((id) => ({ id, title: 'b', status: 'done' })),
    ...[6, 7].map((id) => ({ id, title: 'b', status: 'late' })),
  ])
  const { controller } = store
  const update: any = new Endpoint(
    async ({ id }: { id: number }, { status }: { status: string }) => {
      rows.find((row) => row.id === id)!.status = status
      await controller.set(Task, { id }, { id, status })
      return { id, status, title: 'a', note: 'new' }
    },
    { name: 'update', schema: Task, sideEffect: true },
  )
  for (const status of ['open', 'done', 'late']) {
    store.subscribe(getList, [{ status }], () => {})
  }
  await tick()
  log.length = 0
  await controller.fetch(update, { id: 1 }, { status: 'done' })
  await tick()
  expect(log).not.toContain('list late')
})
