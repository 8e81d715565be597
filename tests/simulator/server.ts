import { createRandom, hash } from './random.ts'

/** A record on the server. */
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

/** A record that contains the todos of its group. */
export interface Parent {
  readonly id: string
  readonly name: string
}

/** A reply of the server: a status, and a value that becomes JSON. */
export interface Reply {
  readonly status: number
  readonly value?: unknown
}

/** Arguments of a list that correspond to no field of its records. */
export interface Search {
  readonly q?: string
  readonly sort?: string
  readonly limit?: string
}

export const GROUPS = ['a', 'b'] as const
export const PEOPLE = ['p1', 'p2'] as const
const PAGE = 3

/** Cursors: named by the previous page (`getNextPage`), the id as a number, or a text without an order. */
const CURSORS = ['link', 'number', 'text'] as const

/** The form of the responses. */
export interface ResponseFormat {
  /** Lists contain fewer fields than single records, and authors only as ids. */
  readonly partial?: boolean | undefined
  /** Lists are paged. */
  readonly paged?: boolean | undefined
  /** The newest record comes first, and the cursor of a page is the record before it. The seed picks the kind of cursor. */
  readonly cursors?: boolean | undefined
  /** Groups are records, which contain their todos. */
  readonly nested?: boolean | undefined
}

/** A server that handles one request after the other. Each change contains a unique number. */
export class Server {
  readonly rows: Map<string, Row> = new Map()
  readonly people: Map<string, Person> = new Map()
  readonly groups: Map<string, Parent> = new Map()
  /** All ids that ever existed. */
  readonly known: string[] = []
  readonly cursors: (typeof CURSORS)[number] | undefined
  /** Records per page. */
  readonly size: number
  private stamp = 0
  private count = 0
  private readonly format: ResponseFormat
  private readonly isPartial: boolean

  constructor(seed: number, format: ResponseFormat) {
    this.format = format
    this.isPartial = format.partial ?? (format.nested === true && seed % 2 === 0)
    const random = createRandom(hash(seed, 'server'))
    this.cursors = format.cursors ? CURSORS[seed % CURSORS.length] : undefined
    this.size = format.cursors ? 1 + (hash(seed, 'size') % PAGE) : PAGE
    for (const id of PEOPLE) {
      this.people.set(id, { id, name: this.uniqueText(id) })
    }
    for (const id of format.nested ? GROUPS : []) {
      this.groups.set(id, { id, name: this.uniqueText(id) })
    }
    const count = 3 + (format.cursors ? 3 * PAGE : 0)
    for (let i = 0; i < count + random.below(4); i++) {
      this.insert(random.pick(GROUPS), random.pick(PEOPLE))
    }
  }

  /** A text that is unique in the run. */
  uniqueText(what: string): string {
    return `${what}#${++this.stamp}`
  }

  /** Another client changes something. Returns the record that may have moved to another list. */
  change(n: number): string | undefined {
    const random = createRandom(n)
    const ids = [...this.rows.keys()]
    const what = random.weigh({ insert: 1, update: 4, delete: 1, move: 1, person: 1 })
    if (what === 'insert' || ids.length === 0) {
      this.insert(random.pick(GROUPS), random.pick(PEOPLE))
    } else if (what === 'person') {
      const id = random.pick(PEOPLE)
      this.people.set(id, { id, name: this.uniqueText('foreign') })
    } else {
      const id = random.pick(ids)
      if (what === 'delete') {
        this.rows.delete(id)
      } else {
        this.update(id, what === 'move' ? { group: random.pick(GROUPS) } : { title: this.uniqueText('foreign') })
      }
      return what === 'move' ? id : undefined
    }
    return undefined
  }

  handle(method: string, path: string, search: URLSearchParams, body: any): Reply {
    const [, what, id] = path.split('/')
    if (what === 'people') {
      return this.handlePerson(method, id!, body)
    }
    if (what === 'groups') {
      return this.handleGroup(method, id, body)
    }
    if (what === 'count') {
      return { status: 200, value: { count: this.rows.size, stamp: this.stamp } }
    }
    if (what !== 'todos' || id === undefined) {
      return this.handleList(method, what!, search, body)
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

  /** Changes a record and returns it at once, as a message over a socket would. */
  broadcast(id: string, body: Partial<Row>): Row {
    this.update(id, body)
    return this.rows.get(id)!
  }

  /** The ids of a list, in order. Only the server knows how it searches and sorts. */
  listIds(what: string, group: string | null, { q = '', sort, limit }: Search = {}): string[] {
    const rows = [...this.rows.values()].filter(
      (row) => (group === null || row.group === group) && row.title.includes(q),
    )
    if (sort) {
      rows.sort((one, other) => (one.title < other.title ? -1 : 1))
    }
    rows.splice(limit ? Number(limit) : rows.length)
    // Other lists of the same records, each with its own filter.
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
    const last = this.listIds('todos', group)[(page - 1) * this.size - 1] ?? '0'
    return this.cursors ? this.cursorAfter(last) : page
  }

  /** The cursor of the page that follows a record. */
  cursorAfter(id: string): number | string {
    return this.cursors === 'number' ? Number(id) : `c${id}`
  }

  /** The result of `getNextPage` for a page. */
  nextOf(items: readonly { id: string }[]): number | string | undefined {
    return items.length < this.size ? undefined : this.cursorAfter(items.at(-1)!.id)
  }

  private handlePerson(method: string, id: string, body: any): Reply {
    const old = this.people.get(id)
    if (old === undefined) {
      return { status: 404 }
    }
    if (method !== 'GET') {
      this.people.set(id, { ...old, ...body, id })
    }
    return { status: 200, value: this.people.get(id) }
  }

  private handleGroup(method: string, id: string | undefined, body: any): Reply {
    if (id === undefined) {
      return { status: 200, value: [...this.groups.keys()].map((one) => this.withTodos(one)) }
    }
    const old = this.groups.get(id)
    if (old === undefined) {
      return { status: 404 }
    }
    if (method !== 'GET') {
      this.groups.set(id, { ...old, ...body, id })
    }
    // The response of a PATCH contains only the fields of the group itself.
    return { status: 200, value: method === 'PATCH' ? this.groups.get(id) : this.withTodos(id) }
  }

  private withTodos(id: string): object {
    const todos = this.listIds('todos', id)
    return { ...this.groups.get(id)!, todos: todos.map((one) => this.item(one)) }
  }

  private handleList(method: string, what: string, search: URLSearchParams, body: any): Reply {
    if (method === 'POST') {
      if (body.id !== undefined && this.rows.has(body.id as string)) {
        return { status: 409 }
      }
      return { status: 201, value: this.detail(this.insert(body.group ?? 'a', body.author ?? 'p1', body)) }
    }
    if (method === 'PATCH') {
      // A removal from a list changes the record, and the list still contains it when it is fetched again.
      if (!this.rows.has(body.id as string)) {
        return { status: 404 }
      }
      this.update(body.id as string, body)
      return { status: 200, value: this.detail(body.id as string) }
    }
    const ids = this.listIds(what, search.get('group'), Object.fromEntries(search))
    const cursor = search.get('cursor')
    const from = this.cursors
      ? ids.filter((id) => cursor !== null && rankOf(id) >= rankOf(cursor)).length
      : (Number(cursor ?? 1) - 1) * PAGE
    const page = this.format.paged ? ids.slice(from, from + this.size) : ids
    return { status: 200, value: page.map((id) => this.item(id)) }
  }

  /** A record as an item of a list. */
  private item(id: string): object {
    return this.isPartial ? this.summary(id) : this.detail(id)
  }

  private insert(group: string, author: string, body: Partial<Row> = {}): string {
    const id = body.id ?? `${++this.count}`
    if (!this.known.includes(id)) {
      this.known.push(id)
    }
    this.rows.set(id, { title: this.uniqueText('new'), body: this.uniqueText('text'), ...body, id, group, author })
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

/** The position of a record or cursor in the order of creation. */
export function rankOf(name: string): number {
  return Number(name.replace('c', ''))
}
