// Requests without a need: one change, told twice, by the response of the mutation and by an event of the stream.
import { Collection, createStore, Entity, resource, RestEndpoint, type Store } from 'restitch'
import { expect, test } from 'vitest'
import { TestClock } from '../../src/testing/TestClock.ts'

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}

class Ticket extends Entity {
  id = ''
  title = ''
  assigneeId: string | null = null
  assignee: User | null = null
  updatedAt = 0
  static override key = 'Ticket'
  static override schema = { assignee: User }
}

class Stats extends Entity {
  open = 0
  assigned = 0
  override pk(): string {
    return 'all'
  }
  static override key = 'Stats'
}

const users = [
  { id: 'u1', name: 'Ann' },
  { id: 'u2', name: 'Bob' },
]

/** A helpdesk: its server, and a store with the four readers of its screen. */
class Desk {
  readonly clock = new TestClock()
  readonly store: Store = createStore({ clock: this.clock })
  readonly gets: string[] = []
  readonly rows = [1, 2, 3].map((n) => ({
    id: `${n}`,
    title: `t${n}`,
    assigneeId: null as string | null,
    assignee: null as object | null,
    updatedAt: n,
  }))
  private readonly held: (() => void)[] = []
  readonly tickets: any
  readonly getUsers: any
  readonly getStats: any
  private readonly listArgs: object

  constructor(listArgs: object) {
    this.listArgs = listArgs
    const fetchResponse = (url: string, { method, body }: RequestInit): Promise<Response> =>
      this.serve(url, method!, body)
    this.tickets = resource({
      path: '/tickets/:id',
      schema: Ticket,
      searchParams: {} as { sort?: string; assigneeId?: string },
      optimistic: true,
    }).extend({
      get: { fetchResponse },
      getList: { fetchResponse, schema: { items: new Collection([Ticket], { counts: ['total'] }), total: 0 } },
      partialUpdate: { fetchResponse },
    } as never)
    this.getUsers = new RestEndpoint({ path: '/users', schema: new Collection([User]), fetchResponse } as never)
    this.getStats = new RestEndpoint({ path: '/stats', schema: Stats, fetchResponse } as never)
  }

  async open(): Promise<void> {
    const { store, tickets } = this
    const reads: [any, ...object[]][] = [
      [tickets.get, { id: '1' }],
      [tickets.getList, this.listArgs],
      [this.getUsers],
      [this.getStats],
    ]
    reads.forEach(([endpoint, ...args]) => store.subscribe(endpoint, args as never, () => {}))
    await this.settle()
    this.gets.length = 0
  }

  assign(): void {
    void this.store.controller.fetch(this.tickets.partialUpdate, { id: '1' }, { assigneeId: 'u1' })
  }

  /** The server does the PATCH; its response is on its way. */
  async respond(): Promise<void> {
    this.held.shift()?.()
    await this.settle()
  }

  /** The event of the stream: the record as the server has it. */
  async event(change: object = {}): Promise<void> {
    await this.store.controller.set(Ticket, { id: '1' }, { ...structuredClone(this.rows[0]!), ...change } as never)
    await this.settle()
  }

  async settle(): Promise<void> {
    for (let i = 0; i < 10; i++) {
      await this.clock.pass(0)
      await new Promise((done) => setImmediate(done))
    }
  }

  private async serve(url: string, method: string, body: unknown): Promise<Response> {
    const { pathname } = new URL(url, 'http://a.test')
    const [, table, id] = pathname.split('/')
    if (method === 'PATCH') {
      const row = this.rows.find((row) => row.id === id)!
      Object.assign(row, JSON.parse(body as string), { updatedAt: 9 })
      row.assignee = users.find((user) => user.id === row.assigneeId) ?? null
      const response = Response.json(row)
      await new Promise<void>((done) => this.held.push(done))
      return response
    }
    this.gets.push(pathname)
    if (table === 'users') {
      return Response.json(users)
    }
    if (table === 'stats') {
      return Response.json({ open: 3, assigned: this.rows.filter((row) => row.assigneeId).length })
    }
    return Response.json(id ? this.rows.find((row) => row.id === id) : { items: this.rows, total: this.rows.length })
  }
}

const ORDERS: [name: string, run: (desk: Desk) => Promise<void>][] = [
  ['the response, then the event', async (desk) => (await desk.respond(), desk.event())],
  ['the event, then the response', async (desk) => (await desk.event(), desk.respond())],
  ['no event', (desk) => desk.respond()],
  ['the event twice around the response', async (desk) => (await desk.event(), await desk.respond(), desk.event())],
]

test.each(ORDERS)('ORD-9 D3 an assignment costs no GET: %s', async (_name, run) => {
  const desk = new Desk({})
  await desk.open()
  desk.assign()
  await desk.settle()
  await run(desk)
  await desk.clock.pass(10_000)
  await desk.settle()
  expect(desk.store.view(desk.tickets.get, { id: '1' }).read().data).toMatchObject({ assignee: { name: 'Ann' } })
  expect(desk.gets).toEqual([])
})

test.each(ORDERS)('ORD-9 D3 a list in an order that the change touches costs one GET: %s', async (_name, run) => {
  const desk = new Desk({ sort: '-updatedAt' })
  await desk.open()
  desk.assign()
  await desk.settle()
  await run(desk)
  await desk.clock.pass(10_000)
  await desk.settle()
  expect(desk.gets).toEqual(['/tickets'])
})

const BEFORE = { assigneeId: null, assignee: null, updatedAt: 1 }

// The event tells of an older state than the response, so the two contradict each other: only the record and the lists that show it are in doubt.
test.each([
  ['before the response', async (desk: Desk) => (await desk.event(BEFORE), desk.respond())],
  [
    'before the response, and again as it is',
    async (desk: Desk) => (await desk.event(BEFORE), await desk.respond(), desk.event()),
  ],
  [
    'twice before the response',
    async (desk: Desk) => (await desk.event(BEFORE), await desk.event({ ...BEFORE, title: 'x' }), desk.respond()),
  ],
])('ORD-3 ORD-9 D3 an event of an older state costs one GET of what shows the record: %s', async (_name, run) => {
  for (const args of [{}, { sort: '-updatedAt' }, { assigneeId: 'u1' }]) {
    const desk = new Desk(args)
    await desk.open()
    desk.assign()
    await desk.settle()
    await run(desk)
    await desk.clock.pass(10_000)
    await desk.settle()
    expect(desk.gets).toEqual(['/tickets', '/tickets/1'])
    expect(desk.store.view(desk.tickets.get, { id: '1' }).read().data).toMatchObject({ assigneeId: 'u1', title: 't1' })
  }
})
