// A server with pages, under inserts and deletes, whose responses arrive in any order. No item is shown twice, and at the
// end everything is read once more, and has to be what the server holds. For the rows that a response may remove see rest.pages-invariants.test.ts.
import fc from 'fast-check'
import { Collection, Entity, Invalidate, RestEndpoint } from 'restitch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STALE } from '../../src/rows/Meta.ts'
import { createDriver, type Driver, type DrivenRequest } from '../../src/testing/drivers.ts'
import { readPages } from '../../src/testing/readPages.ts'
import { cases } from '../effort.ts'
import { openServer, type TestServer } from '../server.ts'

const SIZE = 3

class Item extends Entity {
  id = ''
  static override key = 'Item'
}

/** How a server says what the next page is. */
const KINDS = ['number', 'cursor', 'link'] as const
type Kind = (typeof KINDS)[number]

/** Rows in the order of their rank; cursors are ranks, so that they outlive their rows. */
class Rows {
  rows: { readonly id: string; readonly rank: number }[] = []
  private made = 0

  insert(at: number): string {
    const place = at % (this.rows.length + 1)
    const before = this.rows[place - 1]?.rank ?? 0
    const after = this.rows[place]?.rank ?? before + 2
    const row = { id: `${++this.made}`, rank: (before + after) / 2 }
    this.rows.splice(place, 0, row)
    return row.id
  }

  delete(at: number): string | undefined {
    return this.rows.splice(at % (this.rows.length || 1), 1)[0]?.id
  }

  get ids(): string[] {
    return this.rows.map(({ id }) => id)
  }

  answer(url: string): Response {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const kind = pathname.slice(1) as Kind
    const after = Number(searchParams.get('after') ?? 0)
    const start = kind === 'number' ? (Number(searchParams.get('page') ?? 1) - 1) * SIZE : this.firstAfter(after)
    const items = this.rows.slice(start, start + SIZE)
    const next = start + SIZE < this.rows.length ? `${items.at(-1)!.rank}` : null
    const total = this.rows.length
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (kind === 'link') {
      headers['x-total'] = `${total}`
      if (next) {
        headers['link'] = `</link?after=${next}>; rel="next"`
      }
    }
    return new Response(JSON.stringify(kind === 'link' ? items : { items, total, next }), { headers })
  }

  private firstAfter(rank: number): number {
    const at = this.rows.findIndex((row) => row.rank > rank)
    return at < 0 ? this.rows.length : at
  }
}

/** The list endpoint of a kind of server. */
function listOf(kind: Kind, more: object): any {
  const options = {
    path: `/${kind}`,
    schema: { items: new Collection([Item], { counts: ['total'] }), total: 0 },
    paginationField: kind === 'number' ? 'page' : 'after',
    ...(kind !== 'number' && { getNextPage: (value: any) => value.next }),
    ...(kind === 'link' && {
      parseResponse: async (response: Response) => ({
        items: await response.json(),
        total: Number(response.headers.get('x-total')),
        next: /after=([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1],
      }),
    }),
    ...more,
  }
  return new RestEndpoint(options as never)
}

/** A request that the server has served, and whose response is not stored yet. */
interface InFlight {
  readonly args: any
  readonly request: DrivenRequest
  readonly value: any
}

class World {
  readonly rows: Rows
  readonly driver: Driver = createDriver()
  /** The newest request that was settled. */
  newest: number = 0
  /** Pages that were received, in the order of the responses. */
  readonly answered: Set<unknown> = new Set()
  readonly flying: InFlight[] = []
  readonly list: any

  constructor(list: any, rows: Rows) {
    this.list = list
    this.rows = rows
  }

  get data(): any {
    return this.driver.read(this.list, [{}]).data
  }
  get shown(): string[] {
    return this.data?.items?.map(({ id }: Item) => id) ?? []
  }
  get next(): any {
    return readPages(this.driver.store.tables, this.list, [{}]).next?.[0]
  }
  /** An older page is between those that were read again: mounted readers would fetch all of them together. */
  get isInDoubt(): boolean {
    return this.driver.read(this.list, [{}]).expiresAt === STALE
  }

  async send(args: any): Promise<void> {
    const endpoint = Object.keys(args).length > 0 ? this.list.getPage : this.list
    const request = this.driver.open(endpoint, [args])
    this.flying.push({ args, request, value: await endpoint(args) })
  }

  /** Requests a page again. */
  async again(at: number): Promise<void> {
    await this.send([...this.answered][at % this.answered.size])
  }
}

/** A response arrives: all of it is shown, nothing twice, and the number of the newest response stands beside it. */
function deliver(world: World, at: number): void {
  const [one] = world.flying.splice(at % world.flying.length, 1) as [InFlight]
  const { sent } = one.request.action.meta
  const { items, total } = one.value
  if (Object.keys(one.args as object).length > 0) {
    world.answered.add(one.args)
  }
  one.request.answer(one.value)
  expect(new Set(world.shown).size).toBe(world.shown.length)
  if (sent > world.newest) {
    world.newest = sent
    expect(world.shown).toEqual(expect.arrayContaining(items.map((item: Item) => item.id)))
    expect(world.data.total).toBe(total)
  }
}

/** A response arrives while this client changes the list, too: no item is shown twice. */
function deliverOwn(world: World, at: number): void {
  const [one] = world.flying.splice(at % world.flying.length, 1) as [InFlight]
  one.request.answer(one.value)
  expect(new Set(world.shown).size).toBe(world.shown.length)
}

/** Reads everything once more: the list, then page after page. */
async function readAll(world: World, arrive: typeof deliver): Promise<void> {
  const { list, flying } = world
  while (flying.length > 0) {
    arrive(world, 0)
  }
  // Without getNextPage a page says nothing of the others: those that are read again after this are the list.
  if (!list.getNextPage) {
    world.driver.invalidateKey(list.key({}))
  }
  for (let id: any = ''; id !== undefined && id !== null;) {
    await world.send(id === '' ? {} : { [list.paginationField]: id })
    const { items, next } = flying[0]!.value
    arrive(world, 0)
    id = list.getNextPage ? next : items.length > 0 ? Number(id || 1) + 1 : undefined
  }
}

type Step = readonly [kind: 'insert' | 'delete' | 'list' | 'more' | 'again' | 'deliver', at: number]

async function run(world: World, start: number, steps: readonly Step[]): Promise<object> {
  const { rows, flying, answered } = world
  for (let i = 0; i < start; i++) {
    rows.insert(i)
  }
  for (const [kind, at] of steps) {
    if (kind === 'insert') {
      rows.insert(at)
    }
    if (kind === 'delete') {
      rows.delete(at)
    }
    if (kind === 'list') {
      await world.send({})
    }
    if (kind === 'more' && world.next) {
      await world.send(world.next)
    }
    if (kind === 'again' && answered.size > 0) {
      await world.again(at)
    }
    if (kind === 'deliver' && flying.length > 0) {
      deliver(world, at)
    }
  }
  await readAll(world, deliver)
  return { items: world.shown, total: world.data.total, next: world.isInDoubt ? undefined : world.next }
}

const step = fc.tuple(
  fc.constantFrom<Step[0]>('insert', 'delete', 'list', 'more', 'more', 'again', 'deliver', 'deliver', 'deliver'),
  fc.nat(50),
)
const course = fc.tuple(fc.nat(12), fc.array(step, { maxLength: 30 }))

test.each(KINDS)('PAG-1 PAG-3 PAG-5 EXT-9 property: pages by %s, responses in any order', async (kind) => {
  await fc.assert(
    fc.asyncProperty(course, async ([start, steps]) => {
      const rows = new Rows()
      const list = listOf(kind, { fetchResponse: async (url: string) => rows.answer(url) })
      const end = await run(new World(list, rows), start, steps)
      expect(end).toEqual({ items: rows.ids, total: rows.ids.length, next: undefined })
    }),
    { numRuns: cases(400) },
  )
})

test('PAG-4 COL-11 property: own creates and deletes among pages, responses in any order', async () => {
  const own = fc.tuple(
    fc.constantFrom('insert', 'delete', 'list', 'more', 'create', 'create', 'drop', 'deliver', 'deliver', 'deliver'),
    fc.nat(50),
  )
  const pending = { getOptimisticResponse: (_: unknown, params: object) => params }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...KINDS),
      fc.nat(9),
      fc.array(own, { maxLength: 30 }),
      fc.boolean(),
      async (kind, start, steps, shows) => {
        const rows = new Rows()
        const list = listOf(kind, { fetchResponse: async (url: string) => rows.answer(url) })
        const more = shows ? pending : {}
        const create = list.push.extend({ ...more })
        const drop: any = new RestEndpoint({
          path: '/:id',
          method: 'DELETE',
          schema: new Invalidate(Item),
          ...more,
        } as never)
        const world = new World(list, rows)
        const { driver, flying } = world
        for (let i = 0; i < start; i++) {
          rows.insert(i)
        }
        for (const [what, at] of steps) {
          const quiet = flying.length === 0
          const { total } = world.data ?? {}
          const { length } = world.shown
          if (what === 'insert') {
            rows.insert(at)
          }
          if (what === 'delete') {
            rows.delete(at)
          }
          if (what === 'list') {
            await world.send({})
          }
          if (what === 'more' && world.next) {
            await world.send(world.next)
          }
          if (what === 'create') {
            const id = rows.insert(rows.rows.length)
            flying.push({ args: undefined, request: driver.open(create, [{ id }]), value: { id } })
          }
          if (what === 'drop' && world.shown.length > 0) {
            const id = world.shown[at % world.shown.length]!
            rows.rows = rows.rows.filter((row) => row.id !== id)
            flying.push({ args: undefined, request: driver.open(drop, [{ id }]), value: { id } })
          }
          if (what === 'deliver' && flying.length > 0) {
            deliverOwn(world, at)
          }
          // Alone, a change moves the number as it moves the list.
          if (shows && quiet && total !== undefined && (what === 'create' || what === 'drop')) {
            expect(world.data.total - total).toBe(world.shown.length - length)
          }
        }
        await readAll(world, deliverOwn)
        expect(world.shown).toEqual(rows.ids)
        expect(world.data.total).toBe(rows.ids.length)
      },
    ),
    { numRuns: cases(400) },
  )
})

let server: TestServer
beforeAll(async () => {
  server = await openServer()
})
afterAll(() => server.close())

test.each(KINDS)('PAG-1 PAG-5 EXT-10 property: pages by %s of a real server', async (kind) => {
  await fc.assert(
    fc.asyncProperty(course, async ([start, steps]) => {
      const rows = new Rows()
      server.answer(({ url }, response) => {
        const answer = rows.answer(url)
        response.writeHead(200, Object.fromEntries(answer.headers))
        void answer.text().then((text) => response.end(text))
      })
      const end = await run(new World(listOf(kind, { urlPrefix: server.origin }), rows), start, steps)
      expect(end).toEqual({ items: rows.ids, total: rows.ids.length, next: undefined })
    }),
    { numRuns: cases(20) },
  )
})
