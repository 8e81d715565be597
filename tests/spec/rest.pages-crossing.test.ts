// A page of a list that arrives after a write of one of its records.
import { createStore, Entity, resource } from 'restitch'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { TestClock } from '../../src/testing/TestClock.ts'

class Item extends Entity {
  id = ''
  title = ''
  group = 'a'
  static override key = 'Item'
}

let rows: { id: string; title: string; group: string }[]
let lines: string[]
/** Requests whose responses are computed at once and wait until they are released. */
let holds: (line: string) => boolean
let held: (() => void)[]
let store: ReturnType<typeof createStore>
let clock: TestClock

beforeEach(() => {
  rows = ['1', '2', '3', '4', '5'].map((id) => ({ id, title: 'old', group: 'a' }))
  lines = []
  held = []
  holds = () => false
  clock = new TestClock()
  store = createStore({ clock })
  vi.stubGlobal('fetch', serve)
})
afterEach(() => {
  store.stop()
  vi.unstubAllGlobals()
})

async function serve(input: any, init: RequestInit): Promise<Response> {
  const { pathname, search, searchParams } = new URL(String(input))
  const line = `${init.method ?? 'GET'} ${pathname}${search}`
  lines.push(line)
  const id = pathname.split('/')[2]
  const at = rows.findIndex((row) => row.id === id)
  let response: Response
  if (init.method === 'PATCH') {
    rows[at] = { ...rows[at]!, ...JSON.parse(String(init.body)) }
    response = Response.json(rows[at])
  } else if (init.method === 'DELETE') {
    rows.splice(at, 1)
    response = new Response(null, { status: 204 })
  } else {
    const [group, q] = [searchParams.get('group'), searchParams.get('q')]
    const all = rows.filter((row) => (!group || row.group === group) && (!q || row.title !== 'none'))
    const start = (Number(searchParams.get('page') ?? 1) - 1) * 2
    response = Response.json(all.slice(start, start + 2))
  }
  if (holds(line)) {
    await new Promise<void>((done) => held.push(done))
  }
  return response
}

const open = () => {
  const Items: any = resource({
    urlPrefix: 'http://a',
    path: '/items/:id',
    searchParams: {} as { group?: string; q?: string } | undefined,
    schema: Item,
    paginationField: 'page',
  } as any)
  const rest = async (ms = 0): Promise<void> => {
    await clock.pass(ms)
    for (let i = 0; i < 8; i++) {
      await new Promise((done) => setImmediate(done))
      await clock.pass()
    }
  }
  const { fetch } = store.controller
  return { Items, rest, fetch }
}
const isPage = (line: string): boolean => line.includes('page=2')
const idsOf = (value: any): string[] => value.map(({ id }: Item) => id)

describe.each<[string, object]>([
  ['a plain list', {}],
  ['a filtered list', { group: 'a' }],
  ['a list that only the server can judge', { q: 'x' }],
])('ORD-5 CTL-2 %s', (_, params) => {
  test('a page that crosses a PATCH of its record has it', async () => {
    const { Items, rest, fetch } = open()
    await fetch(Items.getList, params)
    holds = isPage
    const page = fetch(Items.getList.getPage, { ...params, page: 2 })
    await rest()
    await fetch(Items.partialUpdate, { id: '3' }, { title: 'new' })
    held[0]!()
    const value: any = await page
    expect(idsOf(value)).toEqual(['1', '2', '3', '4'])
    expect(value[2].title).toBe('new')
    expect(idsOf(store.controller.getResponse(Items.getList, params).data)).toEqual(['1', '2', '3', '4'])
  })

  test('a page that crosses the DELETE of its record does not', async () => {
    const { Items, rest, fetch } = open()
    await fetch(Items.getList, params)
    holds = isPage
    const page = fetch(Items.getList.getPage, { ...params, page: 2 })
    await rest()
    await fetch(Items.delete, { id: '3' })
    held[0]!()
    expect(idsOf(await page)).toEqual(['1', '2', '4'])
  })

  test('on the screen, the list is what the server has in the end', async () => {
    const { Items, rest, fetch } = open()
    const view = store.view(Items.getList, params as never)
    view.subscribe(() => {})
    await rest()
    holds = isPage
    const page = fetch(Items.getList.getPage, { ...params, page: 2 })
    await rest()
    await fetch(Items.partialUpdate, { id: '3' }, { title: 'new' })
    held[0]!()
    holds = () => false
    expect(idsOf(await page)).toEqual(['1', '2', '3', '4'])
    await rest(1_000)
    expect(idsOf(view.read().data)).toEqual(['1', '2', '3', '4'])
    expect(view.read().expiresAt).toBeGreaterThan(clock.now())
  })
})

test('ORD-5 a record that the PATCH moves away is not in the page of its former list', async () => {
  const { Items, rest, fetch } = open()
  await fetch(Items.getList, { group: 'a' })
  holds = isPage
  const page = fetch(Items.getList.getPage, { group: 'a', page: 2 })
  await rest()
  await fetch(Items.partialUpdate, { id: '3' }, { group: 'b' })
  held[0]!()
  expect(idsOf(await page)).toEqual(['1', '2', '4'])
})

test('ORD-5 a page that is fetched again keeps what left the list since', async () => {
  const { Items, rest, fetch } = open()
  await fetch(Items.getList, { group: 'a' })
  await fetch(Items.getList.getPage, { group: 'a', page: 2 })
  holds = isPage
  const page = fetch(Items.getList.getPage, { group: 'a', page: 2 })
  await rest()
  await fetch(Items.getList.remove, { group: 'a' }, { id: '3', group: 'a' })
  held[0]!()
  expect(idsOf(await page)).not.toContain('3')
})
