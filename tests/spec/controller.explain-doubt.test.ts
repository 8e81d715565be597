// `explain` on data that is stale before its time: a schedule for each reason, and the write behind it.
import { readFileSync } from 'node:fs'
import {
  actionTypes,
  Collection,
  createStore,
  type DoubtFact,
  Entity,
  Invalidate,
  RestEndpoint,
  type Store,
  Values,
} from 'restitch'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestClock, tick } from '../../src/testing/TestClock.ts'

class Todo extends Entity {
  id = ''
  title = ''
  group = ''
  static override key = 'Todo'
}
const one = { id: '1', title: 'one', group: 'x' }
const two = { id: '2', title: 'two', group: 'x' }
const nine = { id: '9', title: 'nine', group: 'y' }
const id = { id: '9' }

/** Requests that wait for the response of the test. */
let calls: ((response: Response) => void)[]
let clock: TestClock
let store: Store

class Api extends RestEndpoint {
  override fetchResponse(): Promise<Response> {
    return new Promise((resolve) => calls.push(resolve))
  }
}
const api = (path: string, schema: unknown, more: object = {}): any => new Api({ path, schema, ...more } as never)
const todos = new Collection([Todo])
const getTodo = api('/todo/:id', Todo)
const getTodos = api('/todo', todos, { searchParams: {} })
const patch = api('/todo/:id', Todo, { method: 'PATCH' })
const remove = api('/todo/:id', new Invalidate(Todo), { method: 'DELETE' })
const counted = { items: new Collection([Todo], { counts: ['total'] }), total: 0 }
const getCounted = api('/counted', counted, { searchParams: {} })
const getPaged = api('/paged', new Collection([Todo]), { searchParams: {}, paginationField: 'page' })
const getMap = api('/map', new Collection(new Values(Todo)), { searchParams: {} })
const getScoped = api('/scoped', new Collection([Todo], { argsKey: ({ group }: any) => ({ group }) }), {
  searchParams: {},
})
const getMine = api('/mine', new Collection([Todo]))
const patchAll = api('/todo/:id', Todo, { method: 'PATCH', expires: [getTodos] })

beforeEach(() => {
  calls = []
  clock = new TestClock()
  store = createStore({ clock })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  store.stop()
  vi.restoreAllMocks()
})

type Answer = (value?: unknown, status?: number) => Promise<void>

/** Sends a request; the function that it returns responds to it. */
async function open(endpoint: any, ...args: any[]): Promise<Answer> {
  const promise = (store.controller.fetch as any)(endpoint, ...args) as Promise<unknown>
  promise.catch(() => {})
  await tick()
  return async (value, status = value === undefined ? 204 : 200) => {
    const headers = { 'content-type': 'application/json' }
    calls.shift()!(new Response(value === undefined ? null : JSON.stringify(value), { status, headers }))
    await promise.catch(() => {})
    await tick()
  }
}
async function load(endpoint: any, args: readonly any[], value?: unknown, status?: number): Promise<void> {
  await (
    await open(endpoint, ...args)
  )(value, status)
}
const explain = (endpoint: any, ...args: any[]): ReturnType<Store['controller']['explain']> =>
  (store.controller.explain as any)(endpoint, ...args)

/** A list, and record 9, which is not in it. */
async function start(args: object = { group: 'x' }, items: unknown = [one], endpoint: any = getTodos): Promise<void> {
  await load(getTodo, [id], nine)
  await load(endpoint, [args], items)
}
const move = (more: object = {}): Promise<void> => load(patch, [id, {}], { ...nine, group: 'x', ...more })

type Row = [
  reason: DoubtFact['reason'],
  target: readonly any[],
  by: string | undefined,
  text: string,
  run: () => Promise<unknown>,
]

const rows: Row[] = [
  [
    'unknown-argument',
    [getTodos, { q: 'a' }],
    'PATCH /todo/9',
    'PATCH /todo/9 changed a record, and only the server knows whether it belongs to the list: an argument of the list is no field of the record.',
    async () => {
      await start({ q: 'a' })
      await move()
    },
  ],
  [
    'empty-list',
    [getTodos, { group: 'x' }],
    'PATCH /todo/9',
    'PATCH /todo/9 changed a record, and only the server knows whether it belongs to the list: the list is empty, so no item tells what its arguments mean.',
    async () => {
      await start({ group: 'x' }, [])
      await move({ group: 'z' })
    },
  ],
  [
    'other-arguments',
    [getScoped, {}],
    'PATCH /scoped?group=x',
    'PATCH /scoped?group=x took a record out of the lists that its arguments name, and only the server knows whether this list is one of them: it lacks such an argument.',
    async () => {
      await load(getScoped, [{}], [one])
      await load(getScoped.remove, [{ group: 'x' }, { id: '1' }], one)
    },
  ],
  [
    'new-record',
    [getTodos, { group: 'x' }],
    'PATCH /todo/9',
    'PATCH /todo/9 wrote a record that was not known before, and only the server knows whether it belonged to the list already.',
    async () => {
      await load(getTodos, [{ group: 'x' }], [one])
      await move()
    },
  ],
  [
    'was-in-doubt',
    [getTodo, id],
    'PATCH /todo/9',
    'PATCH /todo/9 changed a record that was in doubt already, and its response does not settle that.',
    async () => {
      await load(getTodo, [id], nine)
      const lost = await open(patch, id, { title: 'a' })
      const kept = await open(patch, id, { title: 'b' })
      await lost({}, 500)
      await kept({ ...nine, title: 'b' })
    },
  ],
  [
    'read-since',
    [getTodos, { group: 'x' }],
    'PATCH /todo/9',
    'PATCH /todo/9 changed a record that a read had changed since the list was requested, and only the server knows whether the list had it.',
    async () => {
      await load(getTodos, [{ group: 'x' }], [one])
      await load(getTodo, [id], { ...nine, group: 'x' })
      await move()
    },
  ],
  [
    'overtaken',
    [getTodos, { group: 'x' }],
    'PATCH /todo/9',
    'PATCH /todo/9 changed a record, and a read brought the change before its response did: only the server knows whether the list had the record.',
    async () => {
      await load(getTodos, [{ group: 'x' }], [one])
      const write = await open(patch, id, {})
      const read = await open(getTodo, id)
      calls.reverse()
      await read({ ...nine, group: 'x' })
      await write({ ...nine, group: 'x' })
    },
  ],
  [
    'sorted',
    [getTodos, { group: 'x', sort: 'title' }],
    'PATCH /todo/9',
    'PATCH /todo/9 changed a record of a sorted list, and only the server knows where in the list it stands now.',
    async () => {
      await start({ group: 'x', sort: 'title' })
      await move()
    },
  ],
  [
    'cut',
    [getTodos, { group: 'x', page: 1 }],
    'PATCH /todo/9',
    'PATCH /todo/9 changed a record of a list that has more items than the server has sent, and only the server knows which of them move.',
    async () => {
      await start({ group: 'x', page: 1 })
      await move()
    },
  ],
  [
    'more-pages',
    [getPaged, {}],
    'DELETE /todo/2',
    'DELETE /todo/2 changed a record of a list with further pages, and only the server knows which items move from page to page. It is about pages 2 and 3 of 3.',
    async () => {
      await load(getPaged, [{}], [one])
      await load(getPaged.getPage, [{ page: 2 }], [two])
      await load(getPaged.getPage, [{ page: 3 }], [nine])
      await load(remove, [{ id: '2' }], { id: '2' })
    },
  ],
  [
    'unnamed',
    [getMap, { group: 'x' }],
    'PATCH /todo/9',
    'PATCH /todo/9 changed a record that joins a map, and only the server knows under which name.',
    async () => {
      await start({ group: 'x' }, { a: one }, getMap)
      await move()
    },
  ],
  [
    'other-path',
    [getMine],
    'POST /todo',
    'POST /todo added a record, and only the server knows whether it adds it to a list of another path than its own.',
    async () => {
      await load(getMine, [], [one])
      await load(getTodos.push, [{}], nine)
    },
  ],
  [
    'counted',
    [getCounted, { group: 'x' }],
    'PATCH /todo/9',
    'PATCH /todo/9 changed a record, and only the server knows whether a number beside the list counts it.',
    async () => {
      await load(getCounted, [{ group: 'x' }], { items: [one], total: 5 })
      await move({ group: 'y' })
    },
  ],
  [
    'unknown-items',
    [getTodos, { group: 'x' }],
    'PATCH /todo/9',
    'PATCH /todo/9 changed a record, and the list was restored: what its items are is not known before a reader shows it.',
    async () => {
      await start()
      await restart()
      await move()
    },
  ],
  [
    'arrived-meanwhile',
    [getTodos, { group: 'x' }],
    'PATCH /todo/9',
    'The list arrived while PATCH /todo/9 was in flight, and only the server knows whether the list has the change already.',
    async () => {
      await load(getTodo, [id], nine)
      const write = await open(patch, id, {})
      const read = await open(getTodos, { group: 'x' })
      calls.reverse()
      await read([one])
      await write({ ...nine, group: 'x' })
    },
  ],
  [
    'crossed',
    [getTodo, id],
    'GET /todo/9',
    'GET /todo/9 and PATCH /todo/9 crossed: both were in flight at the same time, and only the server knows which was done last for Todo 9.',
    async () => {
      await load(getTodo, [id], nine)
      const write = await open(patch, id, { title: 'b' })
      const read = await open(getTodo, id)
      await write({ ...nine, title: 'b' })
      await read(nine)
    },
  ],
  [
    'former-life',
    [getTodo, id],
    'GET /todo/9',
    'GET /todo/9 was sent before a delete of Todo 9, which is there again, and only the server knows which of its fields are still right.',
    async () => {
      await load(getTodo, [id], nine)
      const read = await open(getTodo, id)
      const late = calls.pop()!
      await load(remove, [id], id)
      await store.controller.set(Todo, id, nine)
      calls.push(late)
      await read(nine)
    },
  ],
  [
    'lacks-own-write',
    [getTodos, { group: 'x' }],
    'GET /todo?group=x',
    'GET /todo?group=x was sent before POST /todo?group=x had succeeded, and its response lacks the change.',
    async () => {
      const read = await open(getTodos, { group: 'x' })
      const late = calls.pop()!
      await load(getTodos.push, [{ group: 'x' }, {}], two)
      calls.push(late)
      await read([one])
    },
  ],
  [
    'torn-pages',
    [getPaged, {}],
    'controller.setResponse() for GET /paged',
    'controller.setResponse() for GET /paged brought a page that does not fit the pages beside it: only the server knows what stands between.',
    async () => {
      await load(getPaged, [{}], [one])
      await load(getPaged.getPage, [{ page: 2 }], [two])
      await store.controller.setResponse(getPaged, {}, [one])
    },
  ],
  [
    'no-record',
    [getTodo, id],
    'PATCH /todo/9',
    'PATCH /todo/9 returned no record, and only the server knows what it did to Todo 9.',
    async () => {
      await load(getTodo, [id], nine)
      await load(patch, [id, { title: 'b' }])
    },
  ],
  [
    'no-outcome',
    [getTodo, id],
    'PATCH /todo/9',
    'PATCH /todo/9 failed, and only the server knows whether it was done.',
    async () => {
      await load(getTodo, [id], nine)
      await load(patch, [id, { title: 'b' }], {}, 500)
    },
  ],
  [
    'expired',
    [getTodo, id],
    'controller.expireAll()',
    'controller.expireAll() marked it stale.',
    async () => {
      await load(getTodo, [id], nine)
      await store.controller.expireAll(getTodo)
    },
  ],
  [
    'expired',
    [getTodos, {}],
    'PATCH /todo/9',
    'PATCH /todo/9 marked it stale.',
    async () => {
      await start({}, [nine])
      await load(patchAll, [id, {}], nine)
    },
  ],
  [
    'collected',
    [getTodos, {}],
    'the garbage collector',
    'The garbage collector removed a record that it contains.',
    async () => {
      await start({}, [one, nine])
      store.controller.explain(getTodos, {})
      await store.controller.dispatch({
        type: actionTypes.GC,
        entities: [{ key: 'Todo', pk: '1' }],
        endpoints: [],
      } as never)
    },
  ],
  [
    'restored',
    [getTodo, id],
    undefined,
    'It was in doubt already when its state was stored.',
    async () => {
      await load(getTodo, [id], nine)
      await load(patch, [id, { title: 'b' }], {}, 500)
      await restart()
    },
  ],
]

/** Goes on with the stored state, as another page does. */
async function restart(): Promise<void> {
  const initialState = JSON.parse(JSON.stringify(store.controller.getState())) as never
  store.stop()
  store = createStore({ clock, initialState })
  await tick()
}

test.each(rows)(
  'EXPL-10 %s: explain says why data is stale, and names the request',
  async (reason, target, by, text, run) => {
    await run()
    const { freshness } = explain(target[0], ...target.slice(1))
    expect(freshness.doubt).toMatchObject({ reason, by, text })
    expect(freshness.status).toBe('stale')
    expect(freshness.why).toBe(reason === 'restored' ? text : `Just now: ${text}`)
  },
)

test('EXPL-10 each reason of the store has its schedule above', () => {
  const source = readFileSync('src/rows/doubt.ts', 'utf8')
  const table = source.slice(source.indexOf('/**'), source.indexOf('*/'))
  const reasons = [...table.matchAll(/^ \* \| (`.*?) *\|/gm)].flatMap(([, cell]) => cell!.match(/[a-z-]+/g)!)
  expect(new Set(rows.map(([reason]) => reason))).toEqual(new Set(reasons))
})

test('EXPL-10 EXPL-4 a request says which write made it necessary', async () => {
  await start({ q: 'a' })
  const end = store.subscribe(getTodos, [{ q: 'a' }], () => {})
  const write = await open(patch, id, {})
  await write({ ...nine, group: 'x' })
  await clock.pass(0)
  expect(calls).toHaveLength(1)
  expect(explain(getTodos, { q: 'a' }).request.last?.why).toBe(
    'A reader needed it: PATCH /todo/9 changed a record, and only the server knows whether it belongs to the list: an argument of the list is no field of the record.',
  )
  end()
})

test('EXPL-10 EXPL-4 what waits for a mutation in flight is fetched after it', async () => {
  await start({ q: 'a' })
  const end = store.subscribe(getTodos, [{ q: 'a' }], () => {})
  const [write] = [await open(patch, id, {}), await open(patch, { id: '1' }, {})]
  await write({ ...nine, group: 'x' })
  expect(calls).toHaveLength(1)
  expect(explain(getTodos, { q: 'a' }).request.next).toBe(
    'It is in doubt, and is fetched when it is quiet: no mutation is in flight, and the last refetch was not a moment ago.',
  )
  end()
})

test('EXPL-10 a doubt about pages names them', async () => {
  await load(getPaged, [{}], [one])
  await load(getPaged.getPage, [{ page: 2 }], [two])
  await load(getPaged.getPage, [{ page: 3 }], [nine])
  await load(remove, [{ id: '2' }], { id: '2' })
  // The page behind it may have moved.
  expect(explain(getPaged, {}).freshness.doubt?.pages).toEqual([2, 3])
  await load(patch, [id, {}], undefined)
  expect(explain(getPaged, {}).freshness.doubt).toMatchObject({ reason: 'no-record' })
})

test('EXPL-10 the last doubt counts, and it ends with a response', async () => {
  await start({ q: 'a' })
  await move()
  clock.time += 2_000
  await load(patch, [{ id: '1' }, {}], one)
  await store.controller.set(Todo, id, { ...nine, title: 'c' })
  expect(explain(getTodos, { q: 'a' }).freshness.doubt).toEqual({
    reason: 'unknown-argument',
    by: 'controller.set(Todo)',
    rows: ['[Todo] {"q":"a"}'],
    pages: undefined,
    at: clock.time,
    text: expect.stringMatching(/^controller\.set\(Todo\) changed a record/),
  })
  await load(getTodos, [{ q: 'a' }], [one])
  const { status, doubt } = explain(getTodos, { q: 'a' }).freshness
  expect([status, doubt]).toEqual(['fresh', undefined])
})
