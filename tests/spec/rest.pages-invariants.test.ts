// A server with rows in a fixed order, and a client that reads its list page by page, any page again. The rules are
// checked from outside, without knowing how a list is put together: no row twice, all rows in the order of the server,
// nothing gone unless a response says so, nothing back unless a response brings it.
import fc from 'fast-check'
import { Collection, Entity, RestEndpoint } from 'restitch'
import { expect, test } from 'vitest'
import { createDriver } from '../../src/testing/drivers.ts'
import { readPages } from '../../src/testing/readPages.ts'
import { cases } from '../effort.ts'

class Row extends Entity {
  id = ''
  static override key = 'Row'
}

/** A kind of server: in which direction ids run, how a cursor is written, and whether responses name the next one. */
interface Kind {
  readonly title: string
  readonly descending?: boolean
  /** The id of a row, by its rank. */
  readonly id: (rank: number) => string
  /** The cursor of the rows after a row; page numbers have none. */
  readonly cursor?: (rank: number) => unknown
  readonly rankOf?: (cursor: any) => number
  readonly names?: boolean
}

const name = (rank: number): string => `row ${rank}`
const KINDS: Kind[] = [
  { title: 'page numbers', id: name },
  { title: 'string cursors', id: name, cursor: (rank) => `c${rank}`, rankOf: (text) => Number(text.slice(1)) },
  { title: 'ascending ids', id: String, cursor: Number, rankOf: Number },
  { title: 'descending ids', id: String, cursor: Number, rankOf: Number, descending: true },
  { title: 'descending ids as text', id: String, cursor: String, rankOf: Number, descending: true },
  { title: 'links', id: name, cursor: (rank) => `c${rank}`, rankOf: (text) => Number(text.slice(1)), names: true },
  { title: 'links of descending ids', id: String, cursor: String, rankOf: Number, descending: true, names: true },
]

/** Ranks never change, so that two rows stand in one order in all responses. */
const RANKS = 40

class Server {
  readonly kind: Kind
  readonly size: number
  readonly ranks: Set<number> = new Set()
  private readonly used = new Set<number>()

  constructor(kind: Kind, size: number) {
    this.kind = kind
    this.size = size
  }

  /** A deleted row never comes back. */
  insert(rank: number): void {
    if (!this.used.has(rank)) {
      this.used.add(rank)
      this.ranks.add(rank)
    }
  }

  get rows(): number[] {
    const sorted = [...this.ranks].sort((a, b) => a - b)
    return this.kind.descending ? sorted.reverse() : sorted
  }

  read(cursor: unknown): { items: { id: string }[]; next?: unknown } {
    const { kind, size, rows } = this
    let start = 0
    if (cursor !== undefined && kind.rankOf) {
      const rank = kind.rankOf(cursor)
      start = rows.filter((row) => (kind.descending ? row >= rank : row <= rank)).length
    } else if (cursor !== undefined) {
      start = (Number(cursor) - 1) * size
    }
    const page = rows.slice(start, start + size)
    const next = kind.names && start + size < rows.length ? kind.cursor!(page.at(-1)!) : undefined
    return { items: page.map((rank) => ({ id: kind.id(rank) })), next }
  }
}

class Client {
  readonly server: Server
  readonly driver = createDriver()
  readonly list: any
  /** The newest response of each part; the list itself has no cursor. */
  readonly parts: Map<unknown, readonly string[]> = new Map()
  /** Rows that broke a rule, with its name. */
  readonly faults: string[] = []

  constructor(server: Server) {
    this.server = server
    this.list = new RestEndpoint({
      path: '/rows',
      schema: { items: new Collection([Row]) },
      paginationField: 'cursor',
      ...(server.kind.names && { getNextPage: (value: any) => value.next }),
    } as never)
  }

  get shown(): string[] {
    return this.driver.read(this.list, [{}]).data?.items?.map(({ id }: Row) => id) ?? []
  }

  /** Where a list that is scrolled goes on. */
  get next(): unknown {
    const { kind } = this.server
    const last = this.shown.at(-1)
    if (kind.names || !kind.cursor) {
      return readPages(this.driver.store.tables, this.list, [{}]).next?.[0].cursor
    }
    return last === undefined ? undefined : kind.cursor(this.rankOf(last))
  }

  rankOf(id: string): number {
    return Number(id.replace('row ', ''))
  }

  /** Reads the list itself, or a page, and checks what that makes of the screen. */
  read(cursor: unknown): void {
    const { server, driver, list, parts } = this
    const before = this.shown
    const own = parts.get(cursor) ?? []
    const response = server.read(cursor)
    const ids = response.items.map(({ id }) => id)
    if (cursor === undefined) {
      driver.open(list, [{}]).answer(response)
    } else {
      driver.open(list.getPage, [{ cursor }]).answer(response)
    }
    // Pages that share no row with it are removed.
    if (cursor === undefined && parts.has(undefined) && !ids.some((id) => before.includes(id))) {
      parts.clear()
    }
    parts.set(cursor, ids)
    const { shown } = this
    this.note(
      'twice',
      shown.filter((id, i) => shown.indexOf(id) < i),
    )
    this.note(
      'not shown',
      ids.filter((id) => !shown.includes(id)),
    )
    this.note(
      'back',
      shown.filter((id) => !before.includes(id) && !ids.includes(id)),
    )
    const lost = before.filter((id) => !shown.includes(id) && !own.includes(id))
    this.note(
      'lost',
      lost.filter((id) => !this.tells(cursor, response, id, before)),
    )
  }

  private note(rule: string, ids: readonly string[]): void {
    this.faults.push(...ids.map((id) => `${rule}: ${id}`))
  }

  /** Whether a response shows that a row outside its own page was deleted. */
  private tells(cursor: unknown, { items, next }: ReturnType<Server['read']>, id: string, before: string[]): boolean {
    const { kind } = this.server
    // The end of the list: a response that names no next page, or an empty one where pages are counted.
    const isEnd = kind.names ? next === undefined : items.length === 0 && (cursor === undefined || !kind.cursor)
    if (isEnd || (cursor === undefined && !items.some((item) => before.includes(item.id)))) {
      return true
    }
    if (kind.cursor && items.length === 0) {
      return this.isAfter(id, cursor)
    }
    // The rows up to the last one of the response.
    return (
      items.length > 0 &&
      before.indexOf(id) < before.indexOf(items.findLast((item) => before.includes(item.id))?.id ?? '')
    )
  }

  private isAfter(id: string, cursor: unknown): boolean {
    const { kind } = this.server
    const [rank, start] = [this.rankOf(id), kind.rankOf!(cursor)]
    return kind.descending ? rank < start : rank > start
  }

  /** Reads the list itself: rows that it lacks, though it reaches beyond them, are not shown anywhere. */
  readList(): void {
    const before = this.shown
    this.read(undefined)
    const ids = this.parts.get(undefined)!
    const reach = before.indexOf(ids.findLast((id) => before.includes(id)) ?? '')
    this.note(
      'covered',
      before.slice(0, reach + 1).filter((id) => this.shown.includes(id) && !ids.includes(id)),
    )
  }

  /** Rows of the server that are not shown in its order. */
  noteOrder(): void {
    const { server } = this
    // Page numbers shift when rows come and go, and an item that is there keeps its place.
    if (!server.kind.cursor) {
      return
    }
    // The place of a deleted row among new ones is unknown.
    const ranks = this.shown.map((id) => this.rankOf(id)).filter((rank) => server.ranks.has(rank))
    const sorted = ranks.toSorted((a, b) => (server.kind.descending ? b - a : a - b))
    this.note('order', sorted.filter((rank, i) => rank !== ranks[i]).map(String))
  }
}

type Step = readonly [kind: 'insert' | 'delete' | 'list' | 'more' | 'again' | 'jump', at: number]
const stepOf = (...kinds: Step[0][]): fc.Arbitrary<Step> => fc.tuple(fc.constantFrom(...kinds), fc.nat(1_000))

function act(client: Client, [kind, at]: Step): void {
  const { server, parts } = client
  if (kind === 'insert') {
    server.insert(1 + (at % RANKS))
  }
  if (kind === 'delete' && server.ranks.size > 0) {
    server.ranks.delete([...server.ranks][at % server.ranks.size]!)
  }
  if (kind === 'list') {
    client.read(undefined)
  }
  if (kind === 'more' && client.next !== undefined) {
    client.read(client.next)
  }
  if (kind === 'again' && parts.size > 0) {
    client.read([...parts.keys()][at % parts.size])
  }
  if (kind === 'jump') {
    client.read(server.kind.cursor?.(1 + (at % RANKS)) ?? 2 + (at % 6))
  }
}

const start = fc.uniqueArray(fc.integer({ min: 1, max: RANKS }), { maxLength: 12 })

test.each(KINDS)('PAG-1 PAG-6 property: a list that is scrolled is in the order of the server, by $title', (kind) => {
  const steps = fc.array(stepOf('insert', 'delete', 'list', 'more', 'more', 'more', 'again'), { maxLength: 25 })
  fc.assert(
    fc.property(start, fc.integer({ min: 1, max: 4 }), steps, (ranks, size, all) => {
      const client = new Client(new Server(kind, size))
      ranks.forEach((rank) => client.server.insert(rank))
      client.read(undefined)
      for (const step of all) {
        const [what, at] = step
        // A page alone is not read again: what it has in common with a list read before keeps its old place.
        const cursors = [...client.parts.keys()].slice(1, 1 + (at % client.parts.size))
        if (what === 'list' || what === 'again') {
          client.readList()
        }
        if (what === 'again') {
          cursors.forEach((cursor) => client.read(cursor))
        }
        if (what !== 'list' && what !== 'again') {
          act(client, step)
        }
        client.noteOrder()
      }
      expect(client.faults).toEqual([])
    }),
    { numRuns: cases(200) },
  )
})

test.each(KINDS)('PAG-1 PAG-6 property: pages read in any order, by $title', (kind) => {
  const steps = fc.array(stepOf('insert', 'delete', 'list', 'more', 'again', 'again', 'jump', 'jump'), {
    maxLength: 25,
  })
  fc.assert(
    fc.property(start, fc.integer({ min: 1, max: 4 }), steps, (ranks, size, all) => {
      const client = new Client(new Server(kind, size))
      ranks.forEach((rank) => client.server.insert(rank))
      all.forEach((step) => act(client, step))
      expect(client.faults).toEqual([])
    }),
    { numRuns: cases(200) },
  )
})
