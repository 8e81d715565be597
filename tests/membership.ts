// Which lists a record stands in while it is created, moved, removed or deleted, and while a list is read across it: every
// order of events, checked against a server that is a plain array and lists that are filters of it.
import { Collection, Entity, resource, RestEndpoint } from 'restitch'
import { describe, expect, test } from 'vitest'
import { part } from './effort.ts'

/** A store, as the table needs it: requests that the test settles, and the data of an endpoint. */
export interface Client {
  /** Stores a response before the course starts. */
  fill(endpoint: any, args: readonly unknown[], answer: unknown): void
  send(endpoint: any, args: readonly unknown[]): Request
  show(endpoint: any, args: readonly unknown[]): any
  end?(): void
}

/** A request in flight. `answer` receives the body of the response, before `process`. */
interface Request {
  answer(value: unknown): unknown
  fail(error: Error): unknown
}

interface Row {
  readonly id: string
  readonly group: string
  readonly owner: string
}

class Todo extends Entity {
  id = ''
  group = ''
  owner = ''
  static override key = 'Todo'
}

class Owner extends Entity {
  id = ''
  todos: readonly Todo[] = []
  static override key = 'Owner'
  static override schema: any = { todos: new Collection([Todo], { nestKey: ({ id }) => ({ owner: id }) }) }
}

class Group extends Entity {
  id = ''
  todos: readonly Todo[] = []
  static override key = 'Group'
  // The same list as that of `getList({ group })`.
  static override schema: any = { todos: new Collection([Todo], { nestKey: ({ id }) => ({ group: id }) }) }
}

const ROWS: readonly Row[] = [
  { id: '1', group: 'a', owner: 'u' },
  { id: '2', group: 'b', owner: 'v' },
  // The last one, so that it has the same place in an array whether it stays or is added again.
  { id: '3', group: 'a', owner: 'u' },
]
const CREATED: Row = { id: '9', group: 'a', owner: 'u' }
const MOVED: Row = { id: '3', group: 'b', owner: 'v' }

const [plain, optimistic] = [false, true].map((shown) =>
  resource({ path: '/todos/:id', schema: Todo, optimistic: shown }),
) as [any, any]
const getOwner = new RestEndpoint({ path: '/owners/:id', schema: Owner })
const getGroup = new RestEndpoint({ path: '/groups/:id', schema: Group })

interface List {
  readonly name: string
  readonly endpoint: any
  readonly args: readonly any[]
  /** The response to a read of it. */
  answer(rows: readonly Row[]): unknown
  /** Which rows it holds. */
  holds(row: Row): boolean
}

const top = (args: { group?: string; orderBy?: string }): List => {
  const holds = (row: Row): boolean => args.group === undefined || row.group === args.group
  const name = JSON.stringify(args)
  return { name, endpoint: plain.getList, args: [args], answer: (rows) => rows.filter(holds), holds }
}
const nested = (endpoint: any, field: 'owner' | 'group', id: string): List => {
  const holds = (row: Row): boolean => row[field] === id
  const answer = (rows: readonly Row[]): unknown => ({ id, todos: rows.filter(holds) })
  return { name: `todos of ${field} ${id}`, endpoint, args: [{ id }], answer, holds }
}

const LISTS: readonly List[] = [
  top({}),
  top({ group: 'a' }),
  top({ group: 'b' }),
  top({ group: 'a', orderBy: 'x' }),
  nested(getOwner, 'owner', 'u'),
  nested(getOwner, 'owner', 'v'),
  nested(getGroup, 'group', 'a'),
]

interface Operation {
  readonly name: string
  endpoint(from: any): any
  readonly args: readonly any[]
  /** The rows of the server after it. */
  apply(rows: readonly Row[]): readonly Row[]
  readonly answer: unknown
  /** The server chooses the key: until the response a stand-in has its place. */
  readonly standsIn?: boolean
}

const { id: _id, group: _group, ...anonymous } = CREATED
const without = (rows: readonly Row[]): readonly Row[] => rows.filter(({ id }) => id !== '3')
const push = { endpoint: (from: any) => from.getList.push, apply: (rows: readonly Row[]) => [...rows, CREATED] }
const unshift = { endpoint: (from: any) => from.getList.unshift, apply: (rows: readonly Row[]) => [CREATED, ...rows] }
const create = { args: [{ group: 'a' }, { ...anonymous, id: '9' }], answer: CREATED }

const OPERATIONS: readonly Operation[] = [
  { name: 'push', ...push, ...create },
  { name: 'push with a body alone', ...push, ...create, args: [CREATED] },
  { name: 'push without a key', ...push, ...create, args: [{ group: 'a' }, anonymous], standsIn: true },
  { name: 'create', ...push, ...create, endpoint: (from) => from.create },
  { name: 'unshift', ...unshift, ...create },
  { name: 'unshift without a key', ...unshift, ...create, args: [{ group: 'a' }, anonymous], standsIn: true },
  {
    name: 'move',
    endpoint: (from) => from.getList.move,
    args: [{ id: '3' }, { group: 'b', owner: 'v' }],
    apply: (rows) => rows.map((row) => (row.id === '3' ? MOVED : row)),
    answer: MOVED,
  },
  {
    name: 'remove',
    endpoint: (from) => from.getList.remove,
    args: [{ group: 'a' }, { id: '3' }],
    apply: without,
    answer: ROWS[2],
  },
  { name: 'delete', endpoint: (from) => from.delete, args: [{ id: '3' }], apply: without, answer: { id: '3' } },
]

/** Operation: opened, done by the server, settled. List read: opened, served, settled. */
type Event = 'open' | 'done' | 'end' | 'read' | 'served' | 'shown'

/** One course of events. */
interface Course {
  readonly operation: Operation
  readonly optimistic: boolean
  readonly succeeds: boolean
  /** The list that is read at the same time. */
  readonly read: List | undefined
  readonly events: readonly Event[]
}

/**
 * Tests that play the courses of every operation, each with its own store. There are two clients: `npm test` plays every
 * seventh course with each of them, from `first` on, a release all of them.
 */
export function testMembership(create: () => Client, first: 0 | 1): void {
  describe.each(OPERATIONS)('COL-11 COL-13 COL-16 COL-21 $name', (operation) => {
    test.each([
      ['succeeds', false, true],
      ['fails', false, false],
      ['succeeds, optimistic', true, true],
      ['fails, optimistic', true, false],
    ])('%s', async (_title, shown, succeeds) => {
      for (const course of part(courses(operation, shown, succeeds), 13, first)) {
        const client = create()
        await expect(play(course, client)).resolves.toBeUndefined()
        client.end?.()
      }
    })
  })
}

/** Every course of an operation: alone, and crossed by a read of each list in every order. */
function courses(operation: Operation, shown: boolean, succeeds: boolean): Course[] {
  const own: Event[] = succeeds ? ['open', 'done', 'end'] : ['open', 'end']
  const course = (read: List | undefined, events: Event[]): Course => ({
    operation,
    optimistic: shown,
    succeeds,
    read,
    events,
  })
  const ways = merges<Event>(own, ['read', 'served', 'shown'])
  return [course(undefined, own), ...LISTS.flatMap((read) => ways.map((events) => course(read, events)))]
}

/** Plays a course, and compares every list with the model after each event. */
async function play(course: Course, client: Client): Promise<void> {
  const { operation, succeeds, read } = course
  const endpoint = operation.endpoint(course.optimistic ? optimistic : plain)
  const after = operation.apply(ROWS)
  // The last response of each list.
  const answered = new Map(LISTS.map((list) => [list, ROWS]))
  for (const { endpoint: get, args, answer } of LISTS) {
    client.fill(get, args, answer(ROWS))
  }

  let rows = ROWS
  let served = ROWS
  let pending = false
  let settled = false
  let mutation: Request
  let reading: Request
  const happen: Record<Event, () => unknown> = {
    open: () => {
      pending = true
      mutation = client.send(endpoint, operation.args)
    },
    done: () => (rows = after),
    end: () => {
      pending = false
      settled = succeeds
      return succeeds ? mutation.answer(operation.answer) : mutation.fail(new Error('no'))
    },
    read: () => (reading = client.send(read!.endpoint, read!.args)),
    served: () => (served = rows),
    shown: () => {
      // Equal lists share their responses.
      for (const list of LISTS) {
        if (isSame(list, read!)) {
          answered.set(list, served)
        }
      }
      return reading.answer(read!.answer(served))
    },
  }
  for (const [index, event] of course.events.entries()) {
    await happen[event]()
    for (const list of LISTS) {
      const isShown = settled || (pending && course.optimistic)
      // Nobody can know that a record which was read is the one that is being created.
      if (pending && operation.standsIn && answered.get(list) === after) {
        continue
      }
      const expected = (isShown ? after : answered.get(list)!).filter(list.holds).map(({ id }) => id)
      const shown = shownIn(client, list, pending && operation.standsIn)
      // A hundred thousand of them: `expect` runs only for differences.
      if (String(shown) !== String(expected)) {
        expect(shown, sayWhere(course, index, list)).toEqual(expected)
      }
    }
  }
}

/** The keys that a list shows. */
function shownIn(client: Client, { endpoint, args }: List, standsIn = false): readonly unknown[] {
  const data = client.show(endpoint, args)
  const todos: readonly Todo[] = data?.todos ?? data
  const pks = todos.map((todo) => todo.pk())
  return standsIn ? pks.map((pk) => (/^\d+$/.test(String(pk)) ? pk : CREATED.id)) : pks
}

/** `getList({ group: 'a' })` and the field of that group are one list. */
function isSame(one: List, other: List): boolean {
  const names = [one, other].map(({ name }) => (name === 'todos of group a' ? '{"group":"a"}' : name))
  return names[0] === names[1]
}

function sayWhere({ operation, optimistic: shown, read, events }: Course, index: number, list: List): string {
  const way = events.map((event, at) => (at === index ? event.toUpperCase() : event)).join(' ')
  return `${operation.name}${shown ? ', optimistic' : ''}${read ? `, reading ${read.name}` : ''}: ${list.name} at ${way}`
}

/** All ways in which two sequences can happen at the same time. */
function merges<T>(one: readonly T[], other: readonly T[]): T[][] {
  if (one.length === 0 || other.length === 0) {
    return [[...one, ...other]]
  }
  const from = (first: readonly T[], second: readonly T[]): T[][] =>
    merges(first.slice(1), second).map((rest) => first.slice(0, 1).concat(rest))
  return [...from(one, other), ...from(other, one)]
}
