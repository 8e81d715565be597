// The panel in a page, with two stores.
import { createRoot, type Root } from 'react-dom/client'
import {
  Collection,
  createStore,
  Endpoint,
  Entity,
  getDefaultManagers,
  Invalidate,
  resource,
  RestEndpoint,
  type Store,
} from 'restitch'
import { mountDevtools, openDevtools, RestitchDevtools } from 'restitch/devtools'
import { type LiveLink, LiveManager } from 'restitch/live'
import { outbox } from 'restitch/outbox'
import { persist } from 'restitch/persist'
import { query, where } from 'restitch/query'
import { DataProvider, useSuspense, AsyncBoundary } from 'restitch/react'
import { tabs } from 'restitch/tabs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Failed, h, Todo, deferredEndpoint } from '../cases.ts'

class Shop extends Entity {
  id = ''
  name = ''
  owner = ''
  static override key = 'Shop'
  static override schema: { owner: typeof Todo } = { owner: Todo }
}

const getShop = (): any => deferredEndpoint('GET /shop', Shop)
const getTodos = (): any => deferredEndpoint('GET /todos', new Collection([Todo]))
const one = { id: '1', title: 'first' }
let tasks: Store
let shops: Store
let end: (() => void) | undefined
let host: HTMLElement
let root: Root | undefined

beforeEach(async () => {
  await page.viewport(1000, 700)
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  localStorage.clear()
  tasks = createStore({ managers: getDefaultManagers({ devToolsManager: { name: 'Tasks' } }) })
  shops = createStore({ managers: getDefaultManagers({ devToolsManager: { name: 'Shops' } }) })
  host = document.createElement('div')
  document.body.append(host)
})
afterEach(() => {
  root?.unmount()
  root = undefined
  end?.()
  host.remove()
  tasks.stop()
  shops.stop()
  vi.unstubAllGlobals()
})

/** The shadow root of the panel. */
const shadow = (): ShadowRoot => document.querySelector('[data-restitch="devtools"]')!.shadowRoot!
const all = (selector: string): HTMLElement[] => [...shadow().querySelectorAll<HTMLElement>(selector)]
const byText = (selector: string, text: string | RegExp): HTMLElement =>
  all(selector).find(
    (element) =>
      element.checkVisibility() &&
      (typeof text === 'string' ? element.textContent!.trim() === text : text.test(element.textContent!)),
  )!
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000 })
const shown = (): string => shadow().querySelector<HTMLElement>('.panel')!.innerText

async function open(options: Parameters<typeof mountDevtools>[0] = {}): Promise<void> {
  end = mountDevtools({ isOpen: true, ...options })
  await until(() => expect(shadow().querySelector<HTMLElement>('.panel')!.checkVisibility()).toBe(true))
}
/** Chooses a value of the select with a label. */
function choose(label: string, value: string): void {
  const select = shadow().querySelector<HTMLSelectElement>(`select[aria-label="${label}"]`)!
  select.value = value
  select.dispatchEvent(new Event('change'))
}
async function tab(name: string): Promise<void> {
  byText('[role=tab]', new RegExp(`^${name}`)).click()
  await until(() => expect(byText('[role=tab][aria-selected=true]', new RegExp(`^${name}`))).toBeDefined())
}
async function fetch(store: Store, endpoint: any, response: unknown, ...args: any[]): Promise<void> {
  const promise = (store.controller.fetch as any)(endpoint, ...args)
  await endpoint.calls.at(-1).answer(response)
  await promise
}

test('PNL-1 PNL-2 finds both stores, and shows the records, lists and endpoints of the chosen one', async () => {
  await fetch(tasks, getTodos(), [one, { id: '2', title: 'second' }])
  await fetch(shops, getShop(), { id: '7', name: 'Corner shop', owner: { id: '1', title: 'me' } })
  await open()
  await until(() => expect(shown()).toContain('first'))
  const stores = shadow().querySelector<HTMLSelectElement>('.head select')!
  expect([...stores.options].map(({ text }) => text)).toEqual(['Tasks 1', 'Shops 2'])

  byText('.row', /first/).click()
  await until(() => expect(shown()).toMatch(/in Todo list: GET \/todos \[\] contained it/))
  expect(shown()).toMatch(/Written by\s+GET \/todos \[\]: all 2 fields/)
  byText('.link', 'Todo list').click()
  await until(() => expect(byText('[role=tab][aria-selected=true]', /^Lists/)).toBeDefined())
  expect(shown()).toContain('Why its 2 items are in it')

  stores.value = '1'
  stores.dispatchEvent(new Event('change'))
  await tab('Records')
  shadow().querySelector<HTMLSelectElement>('.side select')!.value = 'Shop'
  shadow().querySelector<HTMLSelectElement>('.side select')!.dispatchEvent(new Event('change'))
  byText('.row', /Corner shop/).click()
  await until(() => expect(byText('.link', 'Todo 1')).toBeDefined())
  byText('.link', 'Todo 1').click()
  await until(() => expect(byText('h3', /^Todo 1 “.+”$/)).toBeDefined())

  await tab('Endpoints')
  byText('.row', /GET \/shop/).click()
  await until(() => expect(shown()).toMatch(/fresh It is fresh for another/))
  expect(shown()).toMatch(/Fetched\s+.*The app called fetch\(\)\. Response stored\./)
})

test('PNL-2 data is a tree that opens; its references open in place, or lead to their row', async () => {
  await fetch(tasks, getTodos(), [one, { id: '2', title: 'second', tags: [{ name: 'home' }, 'now'], due: null }])
  await fetch(tasks, deferredEndpoint('GET /page', { shop: Shop, total: 0, notes: [] }), {
    shop: { id: '7', name: 'Corner shop', owner: one },
    total: 3,
    notes: Array.from({ length: 60 }, (_, i) => `note ${i}`),
  })
  await open()
  await tab('Endpoints')
  byText('.row', /GET \/todos/).click()
  await until(() => expect(byText('.tree .link', 'Todo list')).toBeDefined())
  // The explanation comes first.
  expect(shown().indexOf('It is fresh for another')).toBeLessThan(shown().indexOf('Data'))
  const twist = (label: string): HTMLElement => shadow().querySelector<HTMLElement>(`[aria-label="${label}"]`)!
  twist('Open 1').focus()
  await userEvent.keyboard('{Enter}')
  await until(() => expect(shown()).toMatch(/tags\s+2 items\s+due\s+null/))
  expect(shadow().activeElement).toBe(twist('Close 1'))
  twist('Open tags').click()
  twist('Open 0').click()
  // The first item of the list and the first tag have the same name: each is opened by its own path.
  await until(() => expect(shown()).toMatch(/id\s+"1"\s+title\s+"first"/))
  twist('Close 1').click()
  await until(() => expect(shown()).not.toMatch(/tags/))

  byText('.row', /GET \/page/).click()
  await until(() => expect(byText('.tree .link', 'Shop 7')).toBeDefined())
  twist('Open notes').click()
  await until(() => expect(byText('.tree button', 'Show 10 more of 10')).toBeDefined())
  expect(shown()).not.toContain('note 59')
  byText('.tree button', 'Show 10 more of 10').click()
  await until(() => expect(shown()).toContain('note 59'))
  byText('.tree .link', 'Shop 7').click()
  await until(() => expect(byText('h3', 'Shop 7 “Corner shop”')).toBeDefined())
  byText('.tree .link', 'Todo 1').click()
  await until(() => expect(byText('h3', /^Todo 1 “.+”$/)).toBeDefined())
})

test('PNL-2 a record says who wrote which field', async () => {
  await fetch(tasks, getTodos(), [{ ...one, done: false }])
  await tasks.controller.set(Todo, { id: '1' }, { id: '1', title: 'mine' })
  await open()
  await until(() => expect(byText('.row', /mine/)).toBeDefined())
  byText('.row', /mine/).click()
  await until(() =>
    expect(shown()).toMatch(/Written by\s+controller\.set\(Todo\): id, title, .*\s+GET \/todos \[\]: done, /),
  )
  expect(byText('.line', /^title/).innerText).toMatch(/"mine".*controller\.set\(Todo\)/s)
  expect(byText('.line', /^done/).innerText).toMatch(/false.*GET \/todos/s)
})

test('PNL-7 rows are filtered by status and sorted', async () => {
  const texts = (): string[] => all('.row .main').map(({ textContent }) => textContent)
  const press = async (label: RegExp): Promise<void> => {
    await until(() => expect(byText('.chip', label)).toBeDefined())
    byText('.chip', label).click()
  }
  const sort = (order: string): void => {
    const select = all('select').find(
      (one): one is HTMLSelectElement => one.ariaLabel === 'Order' && one.checkVisibility(),
    )!
    select.value = order
    select.dispatchEvent(new Event('change'))
  }
  const b = deferredEndpoint('GET /b', Todo)
  const a = deferredEndpoint('GET /a', Todo)
  const broken = deferredEndpoint('GET /broken', Todo)
  await fetch(tasks, b, one)
  await fetch(tasks, a, { id: '2', title: 'second' })
  const failing = (tasks.controller.fetch as any)(broken)
  await broken.calls[0].fail(Object.assign(new Error('no'), { status: 500 }))
  await expect(failing).rejects.toThrow('no')
  await tasks.controller.expireAll({ testKey: (key) => key.startsWith('GET /b ') })
  void (tasks.controller.fetch as any)(a).catch(() => {})
  await open()
  await tab('Endpoints')
  await until(() =>
    expect(all('.chip').map(({ textContent }) => textContent)).toEqual([
      'all 3',
      'fresh 1',
      'in doubt 1',
      'fetching 1',
      'error 1',
    ]),
  )
  await press(/^error/)
  await until(() => expect(texts()).toEqual(['GET /broken []']))
  await press(/^in doubt/)
  await until(() => expect(texts()).toEqual(['GET /b []']))
  expect(byText('.chip', /^in doubt/).ariaPressed).toBe('true')
  await press(/^all/)
  sort('By name')
  await until(() => expect(texts()).toEqual(['GET /a []', 'GET /b []', 'GET /broken []']))
  sort('Last fetched first')
  await until(() => expect(texts()[0]).toBe('GET /broken []'))
  a.calls.at(-1)!.answer({ id: '2', title: 'second' })

  await tab('Records')
  await (tasks.controller.set as any)(new Invalidate(Todo), { id: '1' }, { id: '1' })
  await press(/^deleted/)
  await until(() => expect(all('.row').map(({ textContent }) => textContent)).toEqual(['1deleted']))
})

test('PNL-7 a value is copied with its relations, and the state is saved to a file and loaded from it', async () => {
  await fetch(tasks, getShop(), { id: '7', name: 'Corner shop', owner: one })
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${saved.push(blob as Blob)}`)
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementationOnce(() => {})
  await open()
  await tab('Endpoints')
  byText('.row', /GET \/shop/).click()
  await until(() => expect(byText('button', 'Copy as JSON')).toBeDefined())
  byText('button', 'Copy as JSON').click()
  await until(() => expect(byText('[role=status]', 'Copied.')).toBeDefined())
  expect(JSON.parse(copied.mock.calls[0]![0])).toEqual({ id: '7', name: 'Corner shop', owner: one })

  byText('button', 'Save state').click()
  const text = await saved[0]!.text()
  await tasks.controller.set(Shop, { id: '7' }, { id: '7', name: 'changed' })
  const files = new DataTransfer()
  const input = shadow().querySelector<HTMLInputElement>('input[type=file]')!
  const load = (content: string): void => {
    files.items.clear()
    files.items.add(new File([content], 'state.json'))
    input.files = files.files
    input.dispatchEvent(new Event('change'))
  }
  load('no state')
  await until(() => expect(byText('[role=status]', 'This file has no state of a store.')).toBeDefined())
  expect(tasks.controller.get(Shop, { id: '7' })).toMatchObject({ name: 'changed' })
  load(text)
  await until(() => expect(byText('[role=status]', 'The state was loaded.')).toBeDefined())
  expect(tasks.controller.get(Shop, { id: '7' })).toMatchObject({ name: 'Corner shop', owner: one })
  byText('button', 'Reset store').click()
  expect(tasks.controller.get(Shop, { id: '7' })).toBeUndefined()
  vi.restoreAllMocks()
})

test('PNL-10 the database of a store is shown, and wiped', async () => {
  await fetch(tasks, getTodos(), [one])
  await open()
  await tab('Outbox')
  expect(byText('p', /^This store has no database/).checkVisibility()).toBe(true)
  expect(byText('span', /^Database/)).toBeUndefined()
  end!()
  tasks.stop()
  shops.stop()
  const devToolsManager = { name: 'Tasks' }
  tasks = createStore({ managers: [persist({ name: 'devtools' }), ...getDefaultManagers({ devToolsManager })] })
  await tasks.persisted!.ready
  await fetch(tasks, getTodos(), [one])
  await open()
  await tab('Outbox')
  await until(() => expect(tasks.persisted!.rows).toBe(3))
  await tasks.controller.expireAll({ testKey: () => false })
  await until(() => expect(byText('span', /^Database open · 3 rows, 0\.\d kB · written/)).toBeDefined())
  byText('button', 'Wipe').click()
  await until(() => expect(tasks.persisted!.rows).toBe(0))
  await until(() => expect(byText('span', /^Database open · 0 rows/)).toBeDefined())
})

test('PNL-11 the outbox and the channel of tabs are shown; an entry is sent again, or discarded', async () => {
  await open()
  await tab('Outbox')
  expect(byText('[role=status]', /^This store has no outbox/)).toBeDefined()
  expect(byText('p', /^This store has no channel/)).toBeDefined()
  end!()
  tasks.stop()
  shops.stop()
  const devToolsManager = { name: 'Tasks' }
  tasks = createStore({ managers: [tabs({ name: 'panel' }), ...getDefaultManagers({ devToolsManager })] })
  const other = createStore({ managers: [tabs({ name: 'panel' }), ...getDefaultManagers()] })
  await open()
  await tab('Outbox')
  await until(() => expect(byText('p', /^“panel +tabs 1” · 1 other tab heard · 0 changes told/)).toBeDefined())
  end!()
  tasks.stop()
  other.stop()
  let status = 500
  const save = new RestEndpoint({
    path: '/todos/:id',
    method: 'PATCH',
    schema: Todo,
    body: {} as { title: string },
    getOptimisticResponse: (_, { id }, body) => ({ id, ...body }),
    fetchResponse: () => Promise.reject(Object.assign(new Error('Not this title'), { status })),
  })
  const sending = outbox({ endpoints: { 'todo.save': save } })
  tasks = createStore({ managers: [sending, ...getDefaultManagers({ devToolsManager })] })
  tasks.controller.fetch(save, { id: '1' }, { title: 'mine' }).catch(() => {})
  await open()
  await tab('Outbox')
  const entry = (): HTMLElement => byText('article', /todo\.save/)
  await until(() => expect(entry().innerText).toMatch(/Todo 1[^]*sent once, next in[^]*500/))
  expect(byText('[role=status]', '1 unsent change, in memory only')).toBeDefined()
  expect(byText('[role=tab]', 'Outbox 1')).toBeDefined()
  const data = (): HTMLDetailsElement => entry().querySelector('details')!
  await userEvent.click(data().querySelector('summary')!)
  await until(() => expect(data().querySelector('pre')!.textContent).toContain('"title": "mine"'))
  // It stays open while the panel is drawn again.
  await tasks.controller.set(Todo, { id: '2' }, { title: 'another' })
  await until(() => expect(data().open).toBe(true))

  status = 422
  ;[...entry().querySelectorAll('button')].find(({ textContent }) => textContent === 'Retry')!.click()
  await until(() => expect(entry().innerText).toMatch(/failed[^]*sent \d+ times[^]*422/))
  ;[...entry().querySelectorAll('button')].find(({ textContent }) => textContent === 'Discard')!.click()
  await until(() => expect(byText('[role=status]', '0 unsent changes, in memory only')).toBeDefined())
})

test('PNL-12 live queries say which functions looked at which records, and for how long', async () => {
  const titled = query(
    Todo,
    where((todo) => todo.title !== ''),
  )
  const read = (): unknown => tasks.controller.get(titled)
  await fetch(tasks, getTodos(), [one, { id: '2', title: 'second' }])
  await open()
  await tab('Renders')
  expect(byText('span', /^Live queries: /)).toBeUndefined()
  read()
  await tasks.controller.set(Todo, { id: '1' }, { title: 'changed' })
  read()
  const line = 'Live queries: the last change had them look at 1 record, 3 looks in all'
  await until(() => expect(all('.bar .dim').map(({ textContent }) => textContent)).toContain(line))
  const operator = (): string => byText('h4', /^where/)!.parentElement!.innerText
  await until(() =>
    expect(operator()).toMatch(/where\(\(todo\) => todo\.title !== ""\)\s+1 record in \d+\.\d ms\s+Todo 1 “changed”$/),
  )
})

test('PNL-7 endpoints are counted by status in the head, and an explanation is copied or logged', async () => {
  await fetch(tasks, getTodos(), [one])
  await fetch(tasks, deferredEndpoint('GET /other', Todo), one)
  await tasks.controller.expireAll({ testKey: (key) => key.startsWith('GET /other') })
  await open()
  await until(() => expect(all('.glance button').map(({ innerText }) => innerText)).toEqual(['1 fresh', '1 in doubt']))
  byText('.glance button', '1 in doubt').click()
  await until(() => expect(all('.row').filter((row) => row.checkVisibility())).toHaveLength(1))
  byText('.row', /GET \/other/).click()

  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const logged = vi.spyOn(console, 'log').mockImplementation(() => {})
  await until(() => expect(byText('button', 'Copy explanation')).toBeDefined())
  byText('button', 'Copy explanation').click()
  await until(() => expect(byText('[role=status]', 'Copied.')).toBeDefined())
  expect(copied.mock.calls[0]![0]).toMatch(
    /^GET \/other \[\]\nstale .*controller\.expireAll\(\) marked it stale.*\nFetched:\n {2}/,
  )
  byText('button', 'Log to console').click()
  expect(logged).toHaveBeenCalledWith(
    expect.stringContaining('GET /other'),
    expect.objectContaining({ freshness: expect.anything(), data: expect.anything() }),
  )
  vi.restoreAllMocks()
})

test('PNL-3 a change that is undone before it was sent is not an aborted request', async () => {
  const remove = new RestEndpoint({
    path: '/todos/:id',
    method: 'DELETE',
    schema: new Invalidate(Todo),
    getRequestInit: () => Promise.reject(Object.assign(new Error('Undone'), { name: 'AbortError' })),
  } as any)
  await open()
  await tab('Requests')
  await expect((tasks.controller.fetch as any)(remove, { id: '1' })).rejects.toMatchObject({ name: 'AbortError' })
  await until(() => expect(byText('.row', /not sent/)).toBeDefined())
  byText('.row', /not sent/).click()
  await until(() => expect(shown()).toContain('It was never sent: it was undone or aborted before.'))
  expect(shown()).not.toContain('aborted\n')
})

test('PNL-3 a change that the outbox has taken is one queued row and one sent row, which was stored', async () => {
  const rename = new RestEndpoint({
    path: '/todos/:id',
    method: 'PATCH',
    schema: Todo,
    getOptimisticResponse: (_snapshot: unknown, { id }: any, body: any) => ({ id, ...body }),
    fetchResponse: () => Promise.resolve(Response.json({ id: '1', title: 'new' })),
  } as any)
  tasks.stop()
  shops.stop()
  const devToolsManager = { name: 'Tasks' }
  const sending = outbox({ endpoints: { rename } as any })
  const managers = [sending, persist({ name: 'queued' }), ...getDefaultManagers({ devToolsManager })]
  tasks = createStore({ managers })
  await tasks.persisted!.ready
  await open()
  await tab('Requests')
  await (tasks.controller.fetch as any)(rename, { id: '1' }, { title: 'new' })
  await until(() => expect(byText('.row', /200/)).toBeDefined())
  byText('.row', /queued/).click()
  await until(() => expect(shown()).toContain('The outbox has taken it, and sends a request of its own.'))
  byText('.row', /200/).click()
  await until(() => expect(shown()).toContain('Response stored'))
  expect(shown()).not.toContain('pages')
})

test('PNL-3 requests can be aborted, failed and delayed by hand', async () => {
  const ep = getShop()
  await open()
  await tab('Requests')
  const stores = shadow().querySelector<HTMLSelectElement>('.head select')!
  stores.value = '1'
  stores.dispatchEvent(new Event('change'))
  const send = (): Promise<unknown> =>
    (shops.controller.fetch as any)(ep).then(
      () => 'done',
      (error: Error) => error,
    )
  const press = async (label: string): Promise<void> => {
    await until(() => expect(byText('.row', /in flight|delayed/)).toBeDefined())
    byText('.row', /in flight|delayed/).click()
    await until(() => expect(byText('.details button', label)).toBeDefined())
    byText('.details button', label).click()
  }
  const aborted = send()
  await press('Abort')
  expect(await aborted).toMatchObject({ name: 'AbortError' })
  const failed = send()
  await press('Fail')
  expect(await failed).toMatchObject({ status: 500, message: 'Failed by hand in the devtools' })
  const delayed = send()
  await press('Delay')
  await ep.calls.at(-1).answer({ id: '7', name: 'late', owner: { id: '1' } })
  expect(shops.controller.get(Shop, { id: '7' })).toBeUndefined()
  await press('Release')
  expect(await delayed).toBe('done')
  expect(shops.controller.get(Shop, { id: '7' })).toMatchObject({ name: 'late' })
  await until(() =>
    expect(all('.row').map(({ innerText }) => innerText.split('\n')[2])).toEqual(['stored', 'failed', 'aborted']),
  )
  const kind = shadow().querySelector<HTMLSelectElement>('.side select')!
  kind.value = 'failed'
  kind.dispatchEvent(new Event('change'))
  byText('.row', /failed/).click()
  await until(() => expect(shown()).toMatch(/Error\s+Failed by hand in the devtools/))
})

test('PNL-3 a request shows its method, status, duration, size, bodies, and the fields that it changed', async () => {
  const respond = vi.fn<typeof globalThis.fetch>()
  vi.stubGlobal('fetch', respond)
  class Note extends Entity {
    id = ''
    text = ''
    tags: string[] = []
    static override key = 'Note'
  }
  const Notes = resource({ path: '/notes/:id', urlPrefix: 'https://api.test', schema: Note })
  const body = (value: unknown, status = 200): void => {
    const text = JSON.stringify(value)
    const headers = { 'content-type': 'application/json', 'content-length': String(text.length) }
    respond.mockResolvedValueOnce(new Response(text, { status, headers }))
  }
  await page.viewport(1400, 800)
  await open()
  await tab('Requests')
  body([
    { id: '1', text: 'old', tags: ['a'] },
    { id: '2', text: 'same', tags: [] },
  ])
  await tasks.controller.fetch(Notes.getList)
  body({ id: '1', text: 'new', tags: ['a'] })
  await tasks.controller.fetch(Notes.partialUpdate, { id: '1' }, { text: 'new' })
  body([
    { id: '1', text: 'new', tags: ['a'] },
    { id: '2', text: 'same', tags: [] },
  ])
  await tasks.controller.fetch(Notes.getList)
  body({ message: 'no' }, 418)
  await expect(tasks.controller.fetch(Notes.get, { id: '9' })).rejects.toMatchObject({ status: 418 })

  await until(() => expect(all('.row')).toHaveLength(4))
  expect(byText('.row', /PATCH/).innerText).toMatch(/PATCH\s+\/notes\/\s*1\s+200\s+\d+ ms\s+\d\d B\s/)
  byText('.row', /PATCH/).click()
  await until(() => expect(shown()).toMatch(/The app called fetch\(\)\. Response stored .*It changed 1 of \d rows?\./))
  const cells = [...shadow().querySelectorAll('.changes tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  )
  expect(cells).toContainEqual(['text', '"old"', '"new"'])
  expect(shown()).toMatch(/Body that was sent\s+text\s+"new"/)
  expect(shown()).toMatch(/Response\s+id\s+"1"\s+text\s+"new"/)
  expect(shown()).toMatch(/Size\s+\d\d B transferred/)
  byText('.changes .link', 'Note 1').click()
  await until(() => expect(byText('h3', 'Note 1')).toBeDefined())
  await tab('Requests')
  // The refetch brought nothing new.
  byText('.row', /^GET\/notes200/).click()
  await until(() => expect(shown()).toMatch(/None: it contained \d rows, all as before\./))
  byText('.row', /418/).click()
  await until(() => expect(shown()).toMatch(/Status\s+418/))
  expect(byText('.row', /418/).querySelector('.bad')!.textContent).toBe('418')

  // An optimistic update that the response confirms.
  body({ id: '1', text: 'now', tags: ['a'] })
  const update = Notes.partialUpdate.extend({
    getOptimisticResponse: (_snapshot, { id }) => ({ id, text: 'now' }),
  })
  await tasks.controller.fetch(update, { id: '1' }, { text: 'now' })
  await until(() => expect(all('.row')).toHaveLength(5))
  byText('.row', /PATCH/).click()
  await until(() => expect(shown()).toMatch(/It confirmed the changes that were shown before it\./))
  expect(shown()).toMatch(/Shown before its response \(\d rows?\)/)
  expect(byText('.changes tr', /^text/).innerText).toMatch(/"new"\s+"now"/)

  // Where the list is narrow, the path has the room of the size and the age.
  await page.viewport(700, 800)
  expect(byText('.row', /PATCH/).innerText).toMatch(/PATCH\s+\/notes\/\s*1\s+200\s+\d+ ms$/)

  // A request that is done can be sent again, with the same arguments.
  byText('.row', /PATCH/).click()
  body({ id: '1', text: 'once more', tags: ['a'] })
  await until(() => expect(byText('.details button', 'Send again')).toBeDefined())
  byText('.details button', 'Send again').click()
  await until(() => expect(tasks.controller.get(Note, { id: '1' })).toMatchObject({ text: 'once more' }))
  const [url, init] = respond.mock.calls.at(-1)!
  expect([url, init?.method, init?.body]).toEqual(['https://api.test/notes/1', 'PATCH', '{"text":"now"}'])
  await until(() => expect(all('.row')).toHaveLength(6))
})

test('PNL-4 the network can be slow, unreliable or absent, for one store', async () => {
  const ep = getShop()
  await open()
  await tab('Network')
  byText('button', 'Offline').click()
  await until(() => expect(shown()).toContain('no request reaches the server'))
  await expect((tasks.controller.fetch as any)(ep)).rejects.toMatchObject({ code: 'transport' })
  expect(ep.calls).toHaveLength(0)
  await fetch(shops, ep, { id: '7', name: 'a', owner: { id: '1' } })
  // It is pressed, the head says so, and so does the button of a closed panel.
  expect(byText('button', 'Offline').ariaPressed).toBe('true')
  expect(byText('button', 'Off').ariaPressed).toBe('false')
  byText('button', 'Close').click()
  expect(byText('.launcher', /offline/).ariaLabel).toBe('Open the restitch devtools (simulating offline)')
  byText('.launcher', /offline/).click()
  await tab('Records')
  await until(() => expect(byText('.head button', 'simulating offline')).toBeDefined())
  byText('.head button', 'simulating offline').click()
  await until(() => expect(byText('[role=tab][aria-selected=true]', 'Network')).toBeDefined())
  byText('button', 'Off').click()
  await until(() => expect(byText('.head button', /simulating/)).toBeUndefined())
  await fetch(tasks, ep, { id: '7', name: 'a', owner: { id: '1' } })
  expect(tasks.controller.get(Shop, { id: '7' })).toMatchObject({ name: 'a' })
})

test('PNL-8 a record is edited in the store, its other fields keep their writers', async () => {
  await fetch(tasks, getShop(), { id: '7', name: 'Corner shop', owner: one })
  await fetch(tasks, deferredEndpoint('GET /me', Todo), { id: '2', title: 'me' })
  await open()
  choose('Table of records', 'Shop')
  await until(() => expect(byText('.row', /Corner shop/)).toBeDefined())
  byText('.row', /Corner shop/).click()
  await until(() => expect(byText('button', 'Edit')).toBeDefined())
  byText('button', 'Edit').click()
  await until(() => expect(shadow().querySelector('textarea')).not.toBeNull())
  const field = shadow().querySelector('textarea')!
  const write = (text: string): void => {
    field.value = text
    field.dispatchEvent(new Event('input'))
    byText('button', 'Write').click()
  }
  expect(JSON.parse(field.value)).toEqual({ id: '7', name: 'Corner shop', owner: '1' })
  write('{ "id"')
  await until(() => expect(byText('[role=alert]', /JSON/)).toBeDefined())
  write('{ "id": "8" }')
  await until(() => expect(byText('[role=alert]', 'The primary key (id) cannot change.')).toBeDefined())
  write('{ "id": "7", "name": "Big shop", "owner": "2" }')
  await until(() => expect(shadow().querySelector('textarea')).toBeNull())
  expect(tasks.controller.get(Shop, { id: '7' })).toMatchObject({ name: 'Big shop', owner: { title: 'me' } })
  byText('button', 'Edit').click()
  expect(shadow().activeElement).toBe(shadow().querySelector('textarea'))
  await userEvent.keyboard('{Escape}')
  await until(() => expect(byText('button', 'Edit')).toBeDefined())
  expect(shadow().activeElement!.ariaLabel).toBe('Selected record')
  expect(shown()).toContain('Big shop')
})

test('PNL-8 one endpoint is forced to load, or to fail', async () => {
  const ep = getTodos()
  // As a RestEndpoint has it.
  ep.errorPolicy = ({ status }: { status: number }) => (status >= 500 ? 'soft' : undefined)
  root = createRoot(host)
  function TaskList(): any {
    return (useSuspense(ep) as any[]).map(({ title }) => title).join()
  }
  const app = h(AsyncBoundary<Error>, { fallback: 'loading', errorComponent: Failed }, h(TaskList))
  root.render(h(DataProvider, { store: tasks }, app, h(RestitchDevtools, { isOpen: true })))
  await until(() => expect(ep.calls).toHaveLength(1))
  await ep.calls[0].answer([one])
  await until(() => expect(host.innerText).toBe('first'))
  await tab('Endpoints')
  byText('.row', /GET \/todos/).click()
  await until(() => expect(byText('button', 'Force loading')).toBeDefined())
  byText('button', 'Force loading').click()
  await until(() => expect(host.innerText).toBe('loading'))
  await until(() => expect(byText('.row', /^forced loading/)).toBeDefined())
  expect(ep.calls).toHaveLength(1)
  byText('button', 'Force loading').click()
  await until(() => expect(ep.calls.length).toBeGreaterThan(1))
  await ep.calls.at(-1).answer([{ ...one, title: 'back' }])
  await until(() => expect(host.innerText).toBe('back'))
  byText('button', 'Force error').click()
  await until(() => expect(host.innerText).toContain('Forced by the devtools'))
  expect(byText('button', 'Force error').ariaPressed).toBe('true')
  // Other endpoints are not affected.
  await fetch(tasks, getShop(), { id: '7', name: 'a', owner: one })
  byText('button', 'Force error').click()
  await until(() => expect(byText('.row', /^forced/)).toBeUndefined())
})

test('PNL-4 LIV-12 live connections are shown', async () => {
  tasks.stop()
  let link: LiveLink | undefined
  const live = new LiveManager({
    connect: (next) => new Promise(() => (link = next)),
    receive: ({ data }, { set }) => set(Todo, data as object),
  })
  tasks = createStore({ managers: [live, ...getDefaultManagers()] })
  shops.stop()
  await fetch(tasks, getTodos(), [one])
  await open()
  await until(() => expect(byText('.head .tag', 'live: connecting')).toBeDefined())
  link!.open()
  link!.receive('{"id":"1","title":"live"}')
  await until(() => expect(byText('.head .tag', 'live: open')).toBeDefined())
  await tab('Network')
  await until(() => expect(shown()).toMatch(/Live connection\s+open Connected for .*; 1 message, the last one/))
  await tab('Endpoints')
  byText('.row', /GET \/todos/).click()
  await until(() => expect(shown()).toMatch(/Live\s+Connected for/))
})

test('PNL-4 NET-23 a server that fails is shown, with the wait for the next try', async () => {
  tasks.stop()
  shops.stop()
  tasks = createStore({ random: () => 0 })
  const options = { name: 'getDown', key: ({ id }: { id: string }) => `GET https://api.test/down/${id}` }
  const down = new Endpoint(
    async (_: { id: string }): Promise<void> => Promise.reject(Object.assign(new Error('down'), { status: 503 })),
    options,
  )
  for (let id = 1; id <= 8; id++) {
    await tasks.controller.fetch(down, { id: `${id}` }).catch(() => {})
  }
  await open()
  await tab('Network')
  await until(() =>
    expect(shown()).toMatch(/Waiting: api\.test responds with 503 \(8 failures in a row\), next try in 1\d/),
  )
})

test('PNL-5 the timeline shows what an action touched and whom it notified, and folds repeats', async () => {
  const ep = getTodos()
  root = createRoot(host)
  function TaskList(): any {
    return (useSuspense(ep) as any[]).map(({ title }) => title).join()
  }
  const app = h(AsyncBoundary<Error>, { fallback: 'loading', errorComponent: Failed }, h(TaskList))
  root.render(h(DataProvider, { store: tasks }, app, h(RestitchDevtools, { isOpen: true })))
  await until(() => expect(ep.calls).toHaveLength(1))
  await ep.calls[0].answer([one])
  await until(() => expect(host.innerText).toBe('first'))
  for (const title of ['a', 'b', 'c']) {
    await tasks.controller.set(Todo, { id: '1' }, { id: '1', title })
  }
  await until(() => expect(host.innerText).toBe('c'))
  await tab('Timeline')
  await until(() => expect(byText('.row', /Write.*Todo.*× 3/)).toBeDefined())
  byText('.row', /Write.*Todo.*× 3/).click()
  await until(() => expect(shown()).toMatch(/Changed 1 row\s.*title\s+"b"\s+"c"/s))
  expect(shown()).toMatch(/Notified 1 reader\s+TaskList, which reads GET \/todos/)
  // A newer write is folded over it: it stays selected, and shows what it showed.
  await tasks.controller.set(Todo, { id: '1' }, { id: '1', title: 'd' })
  await until(() => expect(byText('.row[aria-selected=true]', /Write.*Todo.*× 4/)).toBeDefined())
  expect(shown()).toMatch(/title\s+"b"\s+"c"/)
  await tasks.controller.set(Todo, { id: '1' }, { id: '1', title: 'd' })
  await until(() => expect(byText('.row', /× 5.*nothing new/)).toBeDefined())
  byText('.row', /× 5/).click()
  await until(() =>
    expect(shown()).toMatch(/Received 1 row, nothing changed.*Notified 0 readers\s+Nothing on the screen changed\./s),
  )
  await tab('Renders')
  await until(() => expect(byText('.row', /TaskList.*4 × notified/)).toBeDefined())
  expect(String((tasks.controller.explain as any)(ep))).toContain('TaskList')
  byText('button', 'Clear').click()
  await until(() => expect(shown()).toContain('Nothing has been notified yet.'))
})

test('PNL-9 an earlier state is shown by the panel and the page, without requests, until you go back to now', async () => {
  const getList = deferredEndpoint('GET /todos', new Collection([Todo]))
  const getOther = deferredEndpoint('GET /other', Todo)
  const rename = deferredEndpoint('PATCH /todos/1', Todo, {
    sideEffect: true,
    getOptimisticResponse: (_: unknown, fields: object) => fields,
  })
  const { fetch: send, expireAll } = tasks.controller as any
  const List = (): any => (useSuspense as any)(getList).map(({ id, title }: any) => h('p', { key: id }, title))
  const Other = (): any => h('b', null, (useSuspense as any)(getOther).title)
  await open({ controller: tasks.controller })
  root = createRoot(host)
  root.render(
    h(
      DataProvider,
      { store: tasks } as any,
      h(AsyncBoundary, { fallback: 'list…' }, h(List)),
      h(AsyncBoundary, { fallback: 'other…' }, h(Other)),
    ),
  )
  await until(() => expect(getList.calls).toHaveLength(1))
  await getList.calls[0].answer([one, { id: '2', title: 'second' }])
  await until(() => expect(host.innerText).toContain('second'))
  await getOther.calls[0].answer({ id: '3', title: 'third' })
  await until(() => expect(host.innerText).toContain('third'))
  const renamed = send(rename, { id: '1', title: 'new' })
  await until(() => expect(host.innerText).toContain('new'))
  await rename.calls[0].answer({ id: '1', title: 'newest' })
  await renamed
  await until(() => expect(host.innerText).toContain('newest'))

  // Before the other record came: its component waits as it did then.
  await tab('Timeline')
  byText('.row', /Response.*GET \/todos/).click()
  await until(() => expect(byText('button', 'Show the store after this')).toBeDefined())
  byText('button', 'Show the store after this').click()
  await until(() => expect(host.innerText).toMatch(/first\s+second\s+other…/))
  expect(byText('.journey', /After response GET \/todos/)).toBeDefined()
  await tab('Records')
  await until(() => expect(byText('.row', /first/)).toBeDefined())
  expect(byText('.row', /third/)).toBeUndefined()
  byText('.row', /first/).click()
  await until(() => expect(byText('h4', 'Data at that moment')).toBeDefined())
  expect(byText('button', 'Edit')).toBeUndefined()
  await tab('Endpoints')
  expect(byText('.row', /GET \/other/)).toBeUndefined()
  expect(byText('button', 'Reset store')).toBeUndefined()

  // The present goes on unseen, and nothing is sent.
  await (tasks.controller as any).set(Todo, { id: '2' }, { id: '2', title: 'set meanwhile' })
  await expireAll({ testKey: () => true })
  const waiting = send(getOther)
  await expect(send(rename, { id: '1', title: 'no' })).rejects.toThrow('the devtools show an earlier state')
  await new Promise((done) => setTimeout(done, 50))
  expect([getList, getOther, rename].map(({ calls }) => calls.length)).toEqual([1, 1, 1])
  expect(host.innerText).toMatch(/first\s+second\s+other…/)

  // A pending operation is part of what was shown.
  await tab('Records')
  expect(byText('.row[aria-selected=true]', /first/)).toBeDefined()
  const later = (): void => byText('.journey button', 'Later ›').click()
  later()
  await until(() => expect(host.innerText).toMatch(/first\s+second\s+third/))
  later()
  await until(() => expect(host.innerText).toMatch(/new\s+second\s+third/))
  expect(byText('.row[aria-selected=true]', /new/)).toBeDefined()
  byText('.journey button', 'Back to now').click()
  await until(() => expect(host.innerText).toMatch(/newest\s+set meanwhile/))
  expect(byText('.journey', /After/)).toBeUndefined()
  // Stale data, and the fetch of the app, are requested now.
  await until(() => expect([getList, getOther].map(({ calls }) => calls.length)).toEqual([2, 2]))
  await getList.calls[1].answer([one])
  await getOther.calls[1].answer({ id: '3', title: 'fourth' })
  await waiting
  await until(() => expect(host.innerText).toMatch(/first\s+fourth/))

  // A closed panel shows no earlier state.
  await tab('Timeline')
  byText('.row', /Response.*GET \/todos/).click()
  await until(() => expect(byText('button', 'Show the store after this')).toBeDefined())
  byText('button', 'Close').click()
  expect(host.innerText).toMatch(/first\s+fourth/)
})

test('PNL-6 it is used by keyboard, remembers its place, and keeps its styles to itself', async () => {
  await fetch(tasks, getTodos(), [one, { id: '2', title: 'second' }])
  end = mountDevtools()
  await until(() => expect(byText('.launcher', 'restitch')).toBeDefined())
  byText('.launcher', 'restitch').focus()
  await userEvent.keyboard('{Enter}')
  await until(() => expect(shadow().activeElement?.textContent).toMatch(/^Records/))
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  expect(shadow().activeElement?.textContent).toMatch(/^Endpoints/)
  await userEvent.keyboard('{Home}')
  expect(shadow().activeElement?.textContent).toMatch(/^Records/)
  shadow().querySelector<HTMLElement>('[role=listbox]')!.focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(byText('.row[aria-selected=true]', /second/)).toBeDefined()
  choose('Theme', 'dark')
  choose('Place of the devtools', 'right')
  expect(shadow().querySelector('.root.dark .panel.right')).not.toBeNull()
  await userEvent.keyboard('{Escape}')
  expect(shadow().activeElement?.textContent).toBe('restitch')
  end()
  expect(document.querySelector('[data-restitch="devtools"]')).toBeNull()
  end = mountDevtools({ isOpen: true })
  await until(() => expect(byText('.launcher', 'restitch')).toBeDefined())
  byText('.launcher', 'restitch').click()
  expect(shadow().querySelector('.root.dark .panel.right')).not.toBeNull()
})

test('PNL-6 it is resized by keyboard and pointer, and the page makes room for it', async () => {
  await page.viewport(1000, 700)
  document.body.style.paddingBottom = '10px'
  await open()
  const panel = shadow().querySelector<HTMLElement>('.panel')!
  const edge = shadow().querySelector<HTMLElement>('[role=separator]')!
  const room = (side: string): string => document.documentElement.style.getPropertyValue(`--restitch-devtools-${side}`)
  expect([panel.offsetHeight, document.body.style.paddingBottom]).toEqual([400, '410px'])
  expect([room('bottom'), room('right')]).toEqual(['400px', ''])
  edge.focus()
  await userEvent.keyboard('{ArrowUp}')
  expect([panel.offsetHeight, edge.getAttribute('aria-valuenow'), document.body.style.paddingBottom]).toEqual([
    424,
    '424',
    '434px',
  ])
  const move = (type: string, clientY: number): boolean =>
    (type === 'pointerdown' ? edge : window).dispatchEvent(
      new PointerEvent(type, { clientX: 500, clientY, bubbles: true, composed: true, cancelable: true }),
    )
  move('pointerdown', 276)
  move('pointermove', 376)
  move('pointerup', 376)
  move('pointermove', 0)
  expect([panel.offsetHeight, document.body.style.paddingBottom]).toEqual([324, '334px'])
  choose('Place of the devtools', 'right')
  expect([panel.offsetHeight, panel.offsetWidth, document.body.style.paddingRight]).toEqual([700, 560, '560px'])
  expect(document.body.style.paddingBottom).toBe('10px')
  edge.focus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  expect(panel.offsetWidth).toBe(512)
  choose('Place of the devtools', 'float')
  expect(document.body.style.paddingRight).toBe('')
  expect([room('bottom'), room('right')]).toEqual(['', ''])
  expect(edge.checkVisibility()).toBe(false)
  choose('Place of the devtools', 'bottom')
  await userEvent.keyboard('{Escape}')
  expect(document.body.style.paddingBottom).toBe('10px')
  document.body.style.paddingBottom = ''
})

test('PNL-6 the theme follows the page', async () => {
  await open()
  const isDark = (): boolean => shadow().querySelector('.root')!.classList.contains('dark')
  expect(isDark()).toBe(false)
  document.body.style.background = '#101014'
  await until(() => expect(isDark()).toBe(true))
  document.body.style.background = ''
  document.documentElement.style.colorScheme = 'dark'
  await until(() => expect(isDark()).toBe(true))
  choose('Theme', 'light')
  expect(isDark()).toBe(false)
  choose('Theme', 'auto')
  document.documentElement.style.colorScheme = ''
  await until(() => expect(isDark()).toBe(false))
})

test('PNL-6 it moves to a window of its own and back, and the focus returns to what opened it', async () => {
  await fetch(tasks, getTodos(), [one])
  const opener = document.createElement('button')
  host.append(opener)
  end = mountDevtools()
  await until(() => expect(byText('.launcher', 'restitch')).toBeDefined())
  opener.focus()
  openDevtools()
  await until(() => expect(shown()).toContain('first'))
  const frame = document.createElement('iframe')
  host.append(frame)
  const view = frame.contentWindow!
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  const root = shadow()
  const say = (): string => root.querySelector('[role=status]')!.textContent!
  choose('Place of the devtools', 'window')
  await until(() => expect(say()).toBe('The browser blocked the window.'))
  expect(root.querySelector<HTMLSelectElement>('[aria-label="Place of the devtools"]')!.value).toBe('bottom')
  open.mockReturnValue(view)
  choose('Place of the devtools', 'window')
  expect(document.querySelector('[data-restitch="devtools"]')).toBeNull()
  expect(view.document.querySelector('[data-restitch="devtools"]')!.shadowRoot).toBe(root)
  expect(document.body.style.paddingBottom).toBe('')
  // It goes on there.
  await tasks.controller.set(Todo, { id: '1' }, { id: '1', title: 'again' })
  await until(() => expect(root.querySelector('.row')!.textContent).toContain('again'))
  view.dispatchEvent(new Event('pagehide'))
  expect(shadow()).toBe(root)
  expect(shadow().querySelector<HTMLElement>('.panel')!.checkVisibility()).toBe(false)
  expect(document.activeElement).toBe(opener)
  vi.restoreAllMocks()
})

test('PNL-1 it opens with the record, list or endpoint of a target, in whichever store that is', async () => {
  const todos = getTodos()
  await fetch(tasks, todos, [one, { id: '2', title: 'second' }])
  await fetch(shops, getShop(), { id: '7', name: 'Corner shop', owner: { id: '9', title: 'me' } })
  await open()
  openDevtools(Todo, { id: '2' })
  await until(() => expect(shown()).toMatch(/Written by\s+GET \/todos/))
  expect(byText('.row[aria-selected=true]', /second/)).toBeDefined()
  openDevtools(todos.schema)
  await until(() => expect(byText('h3', 'Todo list')).toBeDefined())
  openDevtools(todos)
  await until(() => expect(byText('h3', /GET \/todos/)).toBeDefined())
  openDevtools(Shop, { id: '7' })
  await until(() => expect(byText('.row[aria-selected=true]', /Corner shop/)).toBeDefined())
  // Nothing is stored for it.
  openDevtools(Shop, { id: '8' })
  expect(byText('.row[aria-selected=true]', /Corner shop/)).toBeDefined()
})

test('PNL-6 on a phone it shows the list or the details', async () => {
  await page.viewport(390, 800)
  await fetch(tasks, getTodos(), [one])
  await open()
  await until(() => expect(byText('.row', /first/)).toBeDefined())
  const panel = shadow().querySelector<HTMLElement>('.panel')!
  expect([panel.offsetWidth, panel.scrollWidth]).toEqual([390, 390])
  shadow().querySelector<HTMLElement>('[role=listbox]')!.focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(byText('.row', /first/)).toBeDefined()
  await userEvent.keyboard('{Enter}')
  await until(() => expect(byText('h3', /^Todo 1 “.+”$/)).toBeDefined())
  expect(byText('.row', /first/)).toBeUndefined()
  byText('button', /Back to the list/).click()
  expect(byText('.row', /first/)).toBeDefined()
  expect(shadow().activeElement!.role).toBe('listbox')
  await page.viewport(1000, 700)
})

test('PNL-6 a stored setting that is broken does no harm', async () => {
  localStorage.setItem('restitch.devtools', '{"tab":7,"dock":"nowhere"')
  await open()
  expect(byText('[role=tab][aria-selected=true]', /^Records/)).toBeDefined()
})
