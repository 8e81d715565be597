import { createRandom, hash } from './random.ts'

/** A record on the server. */
export interface Row {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly group: string
  readonly author: string
  /** Removed from all lists. It can be read and deleted, but not changed any more. */
  readonly hidden?: boolean
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

/** The form of the responses. */
export interface ResponseFormat {
  /** Lists contain fewer fields than single records, and authors only as ids. */
  readonly partial?: boolean | undefined
  /** Lists are paged. */
  readonly paged?: boolean | undefined
  /** The newest record comes first, and each page names the next one (`getNextPage`). By default pages have numbers. */
  readonly cursors?: boolean | undefined
  /** Lists are objects, with the number of all their records. */
  readonly counted?: boolean | undefined
  /** Groups are records, which contain their todos. */
  readonly nested?: boolean | undefined
}

/** A record was written, or deleted. */
export interface ServerChange {
  readonly table: 'Todo' | 'Person' | 'Group'
  readonly id: string
  readonly row: Row | Person | Parent | undefined
}

/** A server that handles one request after the other. Each change contains a unique number. */
export class Server {
  readonly rows: Map<string, Row> = new Map()
  readonly people: Map<string, Person> = new Map()
  readonly groups: Map<string, Parent> = new Map()
  /** All ids that ever existed. */
  readonly known: string[] = []
  readonly isPaged: boolean
  readonly hasCursors: boolean
  readonly isCounted: boolean
  readonly isPartial: boolean
  /** Records per page. */
  readonly size: number
  /** A PUT has created a record again that another client had deleted. A client that missed the delete takes the lists that it has loaded since for lists that leave the record out (COL-40). */
  hasRestored = false
  private readonly foreignDeletes = new Set<string>()
  private stamp = 0
  private count = 0
  onChange: ((change: ServerChange) => void) | undefined

  constructor(seed: number, format: ResponseFormat) {
    this.isPartial = format.partial ?? (format.nested === true && seed % 2 === 0)
    const random = createRandom(hash(seed, 'server'))
    this.isPaged = format.paged === true
    this.hasCursors = format.cursors === true
    this.isCounted = format.counted === true
    this.size = format.cursors ? 1 + (hash(seed, 'size') % PAGE) : PAGE
    for (const id of PEOPLE) {
      this.people.set(id, { id, name: this.uniqueText(id) })
    }
    for (const id of format.nested ? GROUPS : []) {
      this.groups.set(id, { id, name: this.uniqueText(id) })
    }
    const count = 3 + (format.paged ? 2 * PAGE : 0)
    for (let i = 0; i < count + random.below(4); i++) {
      this.insert(random.pick(GROUPS), random.pick(PEOPLE))
    }
  }

  /** A text that is unique in the run. */
  uniqueText(what: string): string {
    return `${what}#${++this.stamp}`
  }

  /** Another client changes something. */
  change(n: number): void {
    const random = createRandom(n)
    const ids = [...this.rows.values()].filter(({ hidden }) => !hidden).map(({ id }) => id)
    const what = random.weigh({ insert: 1, update: 4, delete: 1, move: 1, person: 1 })
    if (what === 'insert' || ids.length === 0) {
      this.insert(random.pick(GROUPS), random.pick(PEOPLE))
    } else if (what === 'person') {
      const id = random.pick(PEOPLE)
      this.write('Person', id, { id, name: this.uniqueText('foreign') })
    } else if (what === 'delete') {
      const id = random.pick(ids)
      this.foreignDeletes.add(id)
      this.write('Todo', id, undefined)
    } else {
      const fields = what === 'move' ? { group: random.pick(GROUPS) } : { title: this.uniqueText('foreign') }
      this.update(random.pick(ids), fields)
    }
  }

  /** Writes or deletes a row. */
  write(table: ServerChange['table'], id: string, row: ServerChange['row']): void {
    const rows = { Todo: this.rows, Person: this.people, Group: this.groups }[table] as Map<string, unknown>
    if (row === undefined) {
      rows.delete(id)
    } else {
      rows.set(id, row)
    }
    this.onChange?.({ table, id, row })
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
      if (method !== 'PUT') {
        return { status: 404 }
      }
      this.hasRestored ||= this.foreignDeletes.has(id)
      return { status: 201, value: this.detail(this.insert(body.group, body.author, { ...body, id })) }
    }
    if (method === 'DELETE') {
      this.write('Todo', id, undefined)
      return { status: 204 }
    }
    if (method !== 'GET') {
      if (this.rows.get(id)!.hidden) {
        return { status: 409 }
      }
      this.update(id, body)
    }
    return { status: 200, value: this.detail(id) }
  }

  /** The ids of a list, in order. Only the server knows how it searches and sorts. */
  listIds(what: string, group: string | null, { q = '', sort, limit }: Search = {}): string[] {
    const rows = [...this.rows.values()].filter(
      (row) => !row.hidden && (group === null || row.group === group) && row.title.includes(q),
    )
    if (this.hasCursors) {
      rows.sort((one, other) => rankOf(other.id) - rankOf(one.id))
    }
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
    return rows.map(({ id }) => id)
  }

  /** The result of `getNextPage` for a page. */
  nextOf(items: readonly { id: string }[]): string | undefined {
    return items.length < this.size ? undefined : `c${items.at(-1)!.id}`
  }

  private handlePerson(method: string, id: string, body: any): Reply {
    const old = this.people.get(id)
    if (old === undefined) {
      return { status: 404 }
    }
    if (method !== 'GET') {
      this.write('Person', id, { ...old, ...body, id })
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
      this.write('Group', id, { ...old, ...body, id })
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
      // A removal takes the record out of all lists.
      if (!this.rows.has(body.id as string)) {
        return { status: 404 }
      }
      this.update(body.id as string, { ...body, hidden: true })
      return { status: 200, value: this.detail(body.id as string) }
    }
    const ids = this.listIds(what, search.get('group'), Object.fromEntries(search))
    const cursor = search.get('cursor')
    const from = this.hasCursors
      ? ids.filter((id) => cursor !== null && rankOf(id) >= rankOf(cursor)).length
      : (Number(cursor ?? 1) - 1) * PAGE
    const page = this.isPaged ? ids.slice(from, from + this.size) : ids
    const items = page.map((id) => this.item(id))
    return { status: 200, value: this.isCounted && what === 'todos' ? { items, total: ids.length } : items }
  }

  /** A record as an item of a list. */
  private item(id: string): object {
    return this.isPartial ? this.summary(id) : this.detail(id)
  }

  insert(group: string, author: string, body: Partial<Row> = {}): string {
    const id = body.id ?? `${++this.count}`
    if (!this.known.includes(id)) {
      this.known.push(id)
    }
    const texts = { title: this.uniqueText('new'), body: this.uniqueText('text') }
    this.write('Todo', id, { ...texts, ...body, id, group, author })
    return id
  }

  update(id: string, body: Partial<Row>): void {
    this.write('Todo', id, { ...this.rows.get(id)!, ...body, id })
  }

  /** A record as its own endpoint responds. */
  detail(id: string): object {
    const { hidden: _hidden, ...row } = this.rows.get(id)!
    return { ...row, author: this.people.get(row.author) }
  }

  private summary(id: string): object {
    const { title, group, author } = this.rows.get(id)!
    return { id, title, group, author }
  }
}

/** The position of a record or cursor in the order of creation. */
function rankOf(name: string): number {
  return Number(name.replace('c', ''))
}
