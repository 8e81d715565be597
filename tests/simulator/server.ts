import { createRandom, hash } from './random.ts'

/** A record as the server keeps it. */
export interface Row {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly group: string
  readonly author: string
}

export interface Person {
  readonly id: string
  readonly name: string
}

/** What the server says: a status, and a value that becomes JSON. */
export interface Said {
  readonly status: number
  readonly value?: unknown
}

/** Arguments of a list of which its records say nothing. */
export interface Search {
  readonly q?: string
  readonly sort?: string
  readonly limit?: string
}

export const GROUPS = ['a', 'b'] as const
export const PEOPLE = ['p1', 'p2'] as const
const PAGE = 3

/** Cursors: named by the page before (`getNextPage`), the bare id, or a text that says nothing of its order. */
const CURSORS = ['link', 'number', 'text'] as const

/** How the server words what it says. */
export interface Wording {
  /** Lists carry fewer fields than the detail, and name authors by id. */
  readonly partial?: boolean | undefined
  /** Lists come in pages. */
  readonly paged?: boolean | undefined
  /** The newest comes first, and a page is named by the record that it follows: in which way, the seed decides. */
  readonly cursors?: boolean | undefined
}

/** One linear server: what it was asked comes one after the other, and each change is stamped with a number of its own. */
export class Server {
  readonly rows: Map<string, Row> = new Map()
  readonly people: Map<string, Person> = new Map()
  /** Every id there ever was. */
  readonly known: string[] = []
  readonly cursors: (typeof CURSORS)[number] | undefined
  /** How many records a page holds. */
  readonly size: number
  private stamp = 0
  private count = 0
  private readonly wording: Wording

  constructor(seed: number, wording: Wording) {
    this.wording = wording
    const random = createRandom(hash(seed, 'server'))
    this.cursors = wording.cursors ? CURSORS[seed % CURSORS.length] : undefined
    this.size = wording.cursors ? 1 + (hash(seed, 'size') % PAGE) : PAGE
    for (const id of PEOPLE) {
      this.people.set(id, { id, name: this.mark(id) })
    }
    const count = 3 + (wording.cursors ? 3 * PAGE : 0)
    for (let i = 0; i < count + random.below(4); i++) {
      this.insert(random.pick(GROUPS), random.pick(PEOPLE))
    }
  }

  /** A text that nothing else in the run has. */
  mark(what: string): string {
    return `${what}#${++this.stamp}`
  }

  /** Somebody else changes something; returns the record that may have moved to another list. */
  change(n: number): string | undefined {
    const random = createRandom(n)
    const ids = [...this.rows.keys()]
    const what = random.weigh({ insert: 1, update: 4, delete: 1, move: 1, person: 1 })
    if (what === 'insert' || ids.length === 0) {
      this.insert(random.pick(GROUPS), random.pick(PEOPLE))
    } else if (what === 'person') {
      const id = random.pick(PEOPLE)
      this.people.set(id, { id, name: this.mark('foreign') })
    } else {
      const id = random.pick(ids)
      if (what === 'delete') {
        this.rows.delete(id)
      } else {
        this.update(id, what === 'move' ? { group: random.pick(GROUPS) } : { title: this.mark('foreign') })
      }
      return what === 'move' ? id : undefined
    }
    return undefined
  }

  answer(method: string, path: string, search: URLSearchParams, body: any): Said {
    const [, what, id] = path.split('/')
    if (what === 'people') {
      return this.answerPerson(method, id!, body)
    }
    if (what === 'count') {
      return { status: 200, value: { count: this.rows.size, stamp: this.stamp } }
    }
    if (what !== 'todos' || id === undefined) {
      return this.answerList(method, what!, search, body)
    }
    if (!this.rows.has(id)) {
      return { status: 404 }
    }
    if (method === 'DELETE') {
      this.rows.delete(id)
      return { status: 204 }
    }
    if (method !== 'GET') {
      this.update(id, body)
    }
    return { status: 200, value: this.detail(id) }
  }

  /** A record changes, and the server tells it at once, as through a socket. */
  tell(id: string, body: Partial<Row>): Row {
    this.update(id, body)
    return this.rows.get(id)!
  }

  /** What a list holds now, in order. How it searches and sorts only the server knows. */
  listed(what: string, group: string | null, { q = '', sort, limit }: Search = {}): string[] {
    const rows = [...this.rows.values()].filter(
      (row) => (group === null || row.group === group) && row.title.includes(q),
    )
    if (sort) {
      rows.sort((one, other) => (one.title < other.title ? -1 : 1))
    }
    rows.splice(limit ? Number(limit) : rows.length)
    // Other lists of the same records, each with a choice of its own.
    if (what === 'hot') {
      return rows.filter(({ author }) => author === 'p1').map(({ id }) => id)
    }
    if (what === 'archive') {
      return rows.filter(({ author }) => author === 'p2').map(({ id }) => id)
    }
    const ids = rows.map(({ id }) => id)
    return this.cursors ? ids.reverse() : ids
  }

  /** The cursor of a page of a list, from 2 on. */
  cursor(page: number, group: string | null): number | string {
    const last = this.listed('todos', group)[(page - 1) * this.size - 1] ?? '0'
    return this.cursors ? this.cursorAfter(last) : page
  }

  /** The cursor of the page that follows a record. */
  cursorAfter(id: string): number | string {
    return this.cursors === 'number' ? Number(id) : `c${id}`
  }

  /** What `getNextPage` of an endpoint says. */
  nextOf(items: readonly { id: string }[]): number | string | undefined {
    return items.length < this.size ? undefined : this.cursorAfter(items.at(-1)!.id)
  }

  private answerPerson(method: string, id: string, body: any): Said {
    const old = this.people.get(id)
    if (old === undefined) {
      return { status: 404 }
    }
    if (method !== 'GET') {
      this.people.set(id, { ...old, ...body, id })
    }
    return { status: 200, value: this.people.get(id) }
  }

  private answerList(method: string, what: string, search: URLSearchParams, body: any): Said {
    if (method === 'POST') {
      if (body.id !== undefined && this.rows.has(body.id as string)) {
        return { status: 409 }
      }
      return { status: 201, value: this.detail(this.insert(body.group ?? 'a', body.author ?? 'p1', body)) }
    }
    if (method === 'PATCH') {
      // What one user removes from a list is still there for whoever asks again.
      if (!this.rows.has(body.id as string)) {
        return { status: 404 }
      }
      this.update(body.id as string, body)
      return { status: 200, value: this.detail(body.id as string) }
    }
    const ids = this.listed(what, search.get('group'), Object.fromEntries(search))
    const cursor = search.get('cursor')
    const from = this.cursors
      ? ids.filter((id) => cursor !== null && rankOf(id) >= rankOf(cursor)).length
      : (Number(cursor ?? 1) - 1) * PAGE
    const page = this.wording.paged ? ids.slice(from, from + this.size) : ids
    return { status: 200, value: page.map((id) => (this.wording.partial ? this.summary(id) : this.detail(id))) }
  }

  private insert(group: string, author: string, body: Partial<Row> = {}): string {
    const id = body.id ?? `${++this.count}`
    if (!this.known.includes(id)) {
      this.known.push(id)
    }
    this.rows.set(id, { title: this.mark('new'), body: this.mark('text'), ...body, id, group, author })
    return id
  }

  private update(id: string, body: Partial<Row>): void {
    this.rows.set(id, { ...this.rows.get(id)!, ...body, id })
  }

  private detail(id: string): object {
    const row = this.rows.get(id)!
    return { ...row, author: this.people.get(row.author) }
  }

  private summary(id: string): object {
    const { title, group, author } = this.rows.get(id)!
    return { id, title, group, author }
  }
}

/** Where a record, or a cursor, stands where the server counts its records. */
export function rankOf(name: string): number {
  return Number(name.replace('c', ''))
}
