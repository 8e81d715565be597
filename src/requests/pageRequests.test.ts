import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { resource } from '../rest/resource.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { TestClock } from '../testing/TestClock.ts'

// After a write, a list with loaded pages fetches only pages whose items may have moved.

class Item extends Entity {
  id = ''
  group = ''
  title = ''
  static override key = 'Item'
}
class Counted extends Collection {
  constructor(schema: any, options: object) {
    super(schema, { ...options, counts: ['total'] } as never)
  }
}
const SIZE = 3

let rows: { id: string; group: string; title: string }[]
let gets: string[]
/** The next mutation is done, and its response is lost. */
let isLost: boolean
/** Responses to reads wait for it. */
let hold: Promise<void> | undefined

const itemsOf = (group: unknown): typeof rows => rows.filter((row) => row.group === group)

/** Serves pages by cursor (`after`), or by number (`page`). */
async function serve(this: any, ...args: any[]): Promise<unknown> {
  const { method } = this
  const body = args.at(-1)
  if (method === 'GET' && args[0]?.id) {
    gets.push(`GET ${args[0].id}`)
    return rows.find(({ id }) => id === args[0].id)
  }
  if (method === 'GET') {
    const { group, after, page = 1 } = args[0]
    const all = itemsOf(group)
    const start = this.byCursor ? (after ? all.findIndex(({ id }) => id === after) + 1 : 0) : (Number(page) - 1) * SIZE
    const items = all.slice(start, start + SIZE)
    gets.push(this.byCursor ? `after ${after ?? ''}` : `page ${page}`)
    const isEnd = start + SIZE >= all.length
    const response = {
      items,
      next: isEnd ? undefined : this.byCursor ? items.at(-1)!.id : Number(page) + 1,
      total: all.length,
    }
    await hold
    return response
  }
  let record: any
  if (method === 'POST') {
    record = { title: '', ...body }
    rows.push(record)
  } else if (method === 'DELETE') {
    record = rows.find(({ id }) => id === args[0].id)
    rows = rows.filter((row) => row !== record)
  } else {
    record = Object.assign(
      rows.find(({ id }) => id === args[0].id)!,
      body,
    )
  }
  if (isLost) {
    isLost = false
    throw Object.assign(new Error('no answer'), { status: 500 })
  }
  return { ...record }
}

function make(byCursor: boolean): any {
  const field = byCursor ? 'after' : 'page'
  const Items: any = resource({
    path: '/items/:id',
    schema: Item,
    paginationField: field,
    Collection: Counted,
  } as never)
  const all = (): any => ({ fetch: serve, byCursor })
  const getList = Items.getList.extend({
    ...all(),
    schema: { items: Items.getList.schema, next: '', total: 0 },
    getNextPage: ({ next }: any) => next,
  } as never)
  return {
    getList,
    get: Items.get.extend(all()),
    create: getList.push.extend({ ...all(), schema: Items.getList.schema.push }),
    partialUpdate: Items.partialUpdate.extend(all()),
    delete: Items.delete.extend(all()),
  }
}

let clock: TestClock
let store: Store
let Items: any
const ends: (() => void)[] = []

async function settle(): Promise<void> {
  for (let i = 0; i < 8; i++) {
    await clock.pass(2_000)
  }
}
const args = { group: 'a' }
const shown = (): string[] =>
  (store.view(Items.getList, args).read().data as { items: Item[] }).items.map(({ id }) => id)
const total = (): number => (store.view(Items.getList, args).read().data as { total: number }).total

/** Mounts the list of group a, with some of its pages. */
async function open(byCursor: boolean, pages: number): Promise<void> {
  Items = make(byCursor)
  store = createStore({ clock })
  ends.push(
    store.subscribe(Items.getList, [args], () => {}),
    () => store.stop(),
  )
  await settle()
  for (let page = 2; page <= pages; page++) {
    const after = shown().at(-1)
    await store.controller.fetch(Items.getList.getPage, { ...args, ...(byCursor ? { after } : { page }) })
  }
  await settle()
  expect(shown()).toHaveLength(pages * SIZE)
  gets = []
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  clock = new TestClock()
  rows = Array.from({ length: 18 }, (_, i) => ({ id: `r${10 + i}`, group: 'a', title: `t${i}` }))
  rows.push({ id: 'other', group: 'b', title: 'o' })
  gets = []
  isLost = false
  hold = undefined
})
afterEach(() => {
  ends.splice(0).forEach((end) => end())
  vi.restoreAllMocks()
})
const isRight = (count: number): void => {
  expect(shown()).toEqual(
    itemsOf('a')
      .slice(0, count)
      .map(({ id }) => id),
  )
  expect(total()).toBe(itemsOf('a').length)
}

test('PAG-18 an event that crosses the load of a page: the number beside the list may be from before it, and only that page is fetched again', async () => {
  await open(true, 2)
  let release!: () => void
  hold = new Promise((done) => (release = done))
  const load = store.controller.fetch(Items.getList.getPage, { ...args, after: shown().at(-1) })
  rows = rows.filter(({ id }) => id !== 'r11')
  await store.controller.set(new Invalidate(Item) as any, { id: 'r11' }, { id: 'r11' })
  release()
  hold = undefined
  await load
  await settle()
  isRight(8)
  expect(gets).toEqual(['after r15', 'after r15'])
})

describe('a record that leaves a list with loaded pages', () => {
  test.each(['partialUpdate', 'delete'])('PAG-14 cursors name items, so %s moves nothing: no request', async (how) => {
    await open(true, 4)
    await store.controller.fetch(Items[how], { id: 'r14' }, ...(how === 'delete' ? [] : [{ group: 'b' }]))
    await settle()
    expect(gets).toEqual([])
    isRight(11)
  })

  test('PAG-14 the last record of a page leaves, and the next page still follows', async () => {
    await open(true, 4)
    await store.controller.fetch(Items.partialUpdate, { id: shown().at(-1) }, { group: 'b' })
    await settle()
    expect(gets).toEqual([])
    isRight(11)
  })

  test.each(['partialUpdate', 'delete'])('PAG-14 numbered pages behind it move up: %s fetches those', async (how) => {
    await open(false, 4)
    await store.controller.fetch(Items[how], { id: 'r16' }, ...(how === 'delete' ? [] : [{ group: 'b' }]))
    await settle()
    expect(gets).toEqual(['page 3', 'page 4'])
    isRight(12)
  })

  test('PAG-14 three that leave in a row ask once for the numbered pages behind the first', async () => {
    await open(false, 4)
    const leave = (id: string): Promise<unknown> => store.controller.fetch(Items.partialUpdate, { id }, { group: 'b' })
    await Promise.all([leave('r16'), leave('r14'), leave('r20')])
    await settle()
    expect(gets).toEqual(['page 2', 'page 3', 'page 4'])
    isRight(12)
  })

  test('PAG-14 the whole list is loaded: nothing can take its place', async () => {
    await open(false, 6)
    await store.controller.fetch(Items.partialUpdate, { id: 'r16' }, { group: 'b' })
    await settle()
    expect(gets).toEqual([])
    isRight(17)
  })
})

describe('a new record', () => {
  const fresh = { id: 'new', group: 'a', title: 'n' }

  test.each([true, false])('PAG-15 of a stream joins the end as a create does: no request (cursor: %s)', async (by) => {
    await open(by, 6)
    rows.push({ ...fresh })
    await store.controller.set(Item, { id: 'new' }, fresh)
    await settle()
    expect(gets).toEqual([])
    isRight(19)
  })

  test('PAG-15 with further pages it stands behind those that are loaded', async () => {
    await open(true, 4)
    rows.push({ ...fresh })
    await store.controller.set(Item, { id: 'new' }, fresh)
    await settle()
    // It may be new to this client only, so that the number beside the list is fetched again.
    expect(gets).toEqual(['after '])
    expect(shown().at(-1)).toBe('new')
    expect(total()).toBe(19)
  })

  test('PAG-15 with some of its fields only, the list asks', async () => {
    await open(true, 2)
    await store.controller.set(Item, { id: 'new' }, { id: 'new', group: 'a' })
    await settle()
    expect(gets).not.toEqual([])
  })

  test('PAG-15 that the app adds to a Collection causes no request', async () => {
    await open(true, 4)
    rows.push({ ...fresh })
    await store.controller.set(Items.getList.schema.items.push, args, fresh)
    await settle()
    expect(gets).toEqual([])
    expect(shown().at(-1)).toBe('new')
  })
})

describe('a mutation whose outcome is unknown', () => {
  const lose = async (run: () => Promise<unknown>): Promise<void> => {
    isLost = true
    await expect(run()).rejects.toMatchObject({ status: 500 })
    await settle()
  }

  test.each([true, false])('PAG-16 a create fetches the last page (cursor: %s)', async (byCursor) => {
    await open(byCursor, 6)
    rows.pop()
    rows = rows.filter(({ id }) => id !== 'r27')
    await store.controller.fetch(Items.getList, args)
    gets = []
    await lose(() => store.controller.fetch(Items.create, args, { id: 'r27', group: 'a', title: 'x' }))
    expect(gets).toHaveLength(1)
    isRight(18)
  })

  test.each([true, false])('PAG-16 an edit fetches the page of its record (cursor: %s)', async (byCursor) => {
    await open(byCursor, 6)
    await lose(() => store.controller.fetch(Items.partialUpdate, { id: 'r22' }, { title: 'edited' }))
    expect(gets).toEqual(byCursor ? ['after r21'] : ['page 5', 'page 6'])
    isRight(18)
    const items: Item[] = store.view(Items.getList, args).read().data.items
    expect(items.find(({ id }) => id === 'r22')).toMatchObject({ title: 'edited' })
  })

  test('PAG-16 an edit of a record of the first page fetches that', async () => {
    await open(true, 6)
    await lose(() => store.controller.fetch(Items.partialUpdate, { id: 'r11' }, { title: 'edited' }))
    expect(gets).toEqual(['after '])
    isRight(18)
  })

  test('PAG-16 a delete that was done', async () => {
    await open(true, 6)
    await lose(() => store.controller.fetch(Items.delete, { id: 'r22' }))
    expect(gets).toEqual(['after r21'])
    isRight(17)
  })
})
