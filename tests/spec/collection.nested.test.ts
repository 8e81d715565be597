// Lists inside a record: reads and writes of them in any order of execution and of responses.
import fc from 'fast-check'
import { Collection, Entity, Invalidate } from 'restitch'
import { describe, expect, test } from 'vitest'
import { createDriver, type Driver, type DrivenRequest } from '../../src/testing/drivers.ts'
import { endpoint } from '../../src/testing/endpoints.ts'
import { cases } from '../effort.ts'

class Comment extends Entity {
  id = ''
  text = ''
  todoId = ''
  static override key = 'Comment'
}

const comments: any = new Collection([Comment], {
  argsKey: ({ todoId }: { todoId: string }) => ({ todoId }),
  nestKey: ({ id }: { id: string }) => ({ todoId: id }),
} as never)

class Todo extends Entity {
  id = ''
  comments: readonly Comment[] = []
  static override key = 'Todo'
  static override schema: any = { comments }
}

const TODOS = ['1', '2']
const getTodo = endpoint('/todos/:id', Todo)
const getComments = endpoint('/comments', comments)
const write = (key: string, schema: unknown, isOptimistic: boolean, expected: (...args: any[]) => unknown): any =>
  endpoint(key, schema, {
    sideEffect: true,
    ...(isOptimistic && { getOptimisticResponse: (_snapshot: unknown, ...args: any[]) => expected(...args) }),
  })
const writes = [false, true].map((isOptimistic) => ({
  create: write('POST /comments', comments.push, isOptimistic, (params, body) => ({ ...params, ...body })),
  move: write('PATCH /comments', comments.move, isOptimistic, (params, body) => ({ ...params, ...body })),
  update: write('PUT /comments', Comment, isOptimistic, (params, body) => ({ ...params, ...body })),
  remove: write('DELETE /comments', new Invalidate(Comment), isOptimistic, (params) => params),
}))

interface Row {
  readonly id: string
  readonly text: string
  readonly todoId: string
}

/** A request on its way: the server executes it at some moment, and its response arrives at a later one. */
interface Sent {
  readonly request: DrivenRequest
  execute(): unknown
  response?: { readonly value: unknown }
}

/** A server with two todos and their comments, and a store that reads and writes them. */
class World {
  readonly driver: Driver = createDriver()
  rows: readonly Row[] = [1, 2, 3, 4].map((n) => ({ id: `${n}`, text: 'old', todoId: n < 4 ? '1' : '2' }))
  /** Comments whose delete has been confirmed. */
  readonly deleted: Set<string> = new Set()
  /** Comments that were moved or updated: such a write may bring a deleted one back until it is fetched again. */
  readonly written: Set<string> = new Set()
  private count = 4
  private readonly open: Sent[] = []

  send(what: string, n: number, isOptimistic: boolean): void {
    const { create, move, update, remove } = writes[isOptimistic ? 1 : 0]!
    const todoId = TODOS[n % 2]!
    const of = (id: string): readonly Row[] => this.rows.filter((row) => row.todoId === id)
    const id = this.rows[n % this.rows.length]?.id ?? '0'
    const change = (fields: Partial<Row>): (() => Row | undefined) => {
      this.written.add(id)
      return () => apply(fields)
    }
    const apply = (fields: Partial<Row>): Row | undefined => {
      this.rows = this.rows.map((row) => (row.id === id ? { ...row, ...fields } : row))
      return this.rows.find((row) => row.id === id)
    }
    const add = (target: any, args: any[], execute: () => unknown): void => {
      this.open.push({ request: this.driver.open(target, args), execute })
    }
    if (what === 'todo') {
      add(getTodo, [{ id: todoId }], () => ({ id: todoId, comments: of(todoId) }))
    } else if (what === 'list') {
      add(getComments, [{ todoId }], () => of(todoId))
    } else if (what === 'create') {
      const row = { id: `${++this.count}`, text: 'new', todoId }
      add(create, [{ todoId }, { text: 'new' }], () => ((this.rows = [...this.rows, row]), row))
    } else if (what === 'move') {
      add(move, [{ id }, { todoId }], change({ todoId }))
    } else if (what === 'update') {
      add(update, [{ id }, { todoId, text: `${n}` }], change({ todoId, text: `${n}` }))
    } else {
      add(remove, [{ id }], () => ((this.rows = this.rows.filter((row) => row.id !== id)), { id }))
    }
  }

  execute(n: number): void {
    const waiting = this.open.filter(({ response }) => !response)
    const one = waiting[n % waiting.length]
    if (one) {
      one.response = { value: one.execute() }
    }
  }

  /** A request whose record is gone is refused. One that is lost may have been executed or not. */
  deliver(n: number, isLost: boolean): void {
    const [one] = this.open.splice(n % this.open.length, 1)
    if (!one) {
      return
    }
    if (isLost) {
      return one.request.fail(new TypeError('fetch failed'))
    }
    const { value } = (one.response ??= { value: one.execute() })
    if (value === undefined) {
      return one.request.fail(Object.assign(new Error('gone'), { status: 404 }))
    }
    if (one.request.endpoint.schema instanceof Invalidate) {
      this.deleted.add((value as Row).id)
    }
    one.request.answer(value)
  }

  get isBusy(): boolean {
    return this.open.length > 0
  }

  shown(todoId: string): string[] | undefined {
    return this.driver.read(getTodo, [{ id: todoId }]).data?.comments.map(({ id }: Comment) => id)
  }

  /** Items that stand twice in a list, or whose delete was confirmed. */
  wrong(): string[] {
    return TODOS.flatMap((todoId) => {
      const ids = this.shown(todoId) ?? []
      const isGone = (id: string): boolean => this.deleted.has(id) && !this.written.has(id)
      return ids.filter((id, i) => ids.indexOf(id) < i || isGone(id))
    })
  }

  /** With all responses in: the lists that are neither those of the server nor fetched again. */
  wrongLists(): string[] {
    return TODOS.flatMap((todoId) => {
      const expected = this.rows.filter((row) => row.todoId === todoId).map(({ id }) => id)
      const readings = [this.driver.read(getTodo, [{ id: todoId }]), this.driver.read(getComments, [{ todoId }])]
      return readings.flatMap(({ data, error, expiresAt }) => {
        const isFresh = data !== undefined && error === undefined && expiresAt > 1
        const items: readonly Comment[] = isFresh ? (data.comments ?? data) : []
        const ids = items.map(({ id }) => id)
        return !isFresh || String(ids.toSorted()) === String(expected.toSorted()) ? [] : [`${todoId}: ${String(ids)}`]
      })
    })
  }
}

test('COL-7 COL-11 COL-40 ST-18 RES-15 property: a nested list is what the server has when all responses are in, or it is marked stale', () => {
  const sends = ['todo', 'list', 'create', 'move', 'update', 'remove'] as const
  const steps = ['execute', 'execute', 'deliver', 'deliver', 'deliver', 'lose'] as const
  const action = fc.tuple(fc.constantFrom(...sends, ...steps), fc.nat(99), fc.boolean())
  fc.assert(
    fc.property(fc.array(action, { maxLength: 24 }), (actions) => {
      const world = new World()
      for (const [what, n, isOptimistic] of actions) {
        if (what === 'execute') {
          world.execute(n)
        } else if (what === 'deliver' || what === 'lose') {
          world.deliver(n, what === 'lose')
          expect(world.wrong()).toEqual([])
        } else {
          world.send(what, n, isOptimistic)
          expect(world.wrong()).toEqual([])
        }
      }
      while (world.isBusy) {
        world.deliver(0, false)
        expect(world.wrong()).toEqual([])
      }
      expect(world.wrongLists()).toEqual([])
    }),
    { numRuns: cases(4_000) },
  )
})

test('COL-7 COL-40 a record whose response was overtaken by that of its list is refetched with the list', () => {
  const { driver } = new World()
  const row = { id: '4', text: 'old', todoId: '2' }
  const todo = driver.open(getTodo, [{ id: '2' }])
  driver.open(getComments, [{ todoId: '2' }]).answer([row])
  todo.answer({ id: '2', comments: [row] })
  expect(driver.read(getTodo, [{ id: '2' }]).expiresAt).toBeGreaterThan(1)
  driver.open(writes[0]!.update, [{ id: '2' }, { todoId: '2' }]).answer({ id: '2', text: 'moved', todoId: '2' })
  expect(driver.read(getTodo, [{ id: '2' }]).expiresAt).toBe(1)
})

describe('COL-20 people who attend meetings, and exist without them', () => {
  class Person extends Entity {
    id = ''
    name = ''
    static override key = 'Person'
  }
  const create = (options: object): any => {
    const attendees: any = new Collection([Person], {
      argsKey: ({ meeting }: { meeting: string }) => ({ meeting }),
      nestKey: ({ id }: { id: string }) => ({ meeting: id }),
      ...options,
    } as never)
    class Meeting extends Entity {
      id = ''
      attendees: readonly Person[] = []
      static override key = 'Meeting'
      static override schema: any = { attendees }
    }
    const driver = createDriver()
    const getPeople = endpoint('/people', new Collection([Person]))
    const getMeeting = endpoint('/meetings/:id', Meeting)
    const people = [
      { id: 'a', name: 'Ann' },
      { id: 'b', name: 'Ben' },
    ]
    driver.open(getPeople, [{}]).answer(people)
    driver.open(getPeople, [{ q: 'a' }]).answer(people.slice(0, 1))
    driver.open(getMeeting, [{ id: '1' }]).answer({ id: '1', attendees: people })
    const read = (args: object): [unknown, boolean] => {
      const { data, expiresAt } = driver.read(getPeople, [args])
      return [(data as any[]).map(({ id }) => id as string), expiresAt <= 1]
    }
    return {
      driver,
      attendees,
      people: () => [read({}), read({ q: 'a' })],
      meeting: () => (driver.read(getMeeting, [{ id: '1' }]).data as Meeting).attendees.map(({ id }) => id),
    }
  }
  const params = { meeting: '1', id: 'a' }

  test('one who leaves a meeting stays in the list of all, which is fetched again', () => {
    const { driver, attendees, people, meeting } = create({})
    driver
      .open(
        write('DELETE /attendees', attendees.remove, false, () => {}),
        [params],
      )
      .answer({ id: 'a' })
    expect(meeting()).toEqual(['b'])
    expect(people()[0]).toEqual([['a', 'b'], true])
  })

  test('the remover of a list without argsKey removes from every list that matches', () => {
    const { driver, people } = create({})
    const all: any = new Collection([Person])
    driver
      .open(
        write('POST /archive', all.remove, false, () => {}),
        [{ id: 'a' }],
      )
      .answer({ id: 'a' })
    expect(people()[0]).toEqual([['b'], false])
  })

  test('an argsKey that cannot read the arguments of a remover says nothing', () => {
    const { driver, attendees, people } = create({})
    driver.set(attendees.remove, [], { id: 'a' })
    expect(people()[0]).toEqual([['b'], false])
  })

  test.each(['remove', 'push'])('%s in a list with a name changes and refetches no other list', (kind) => {
    const { driver, attendees, people, meeting } = create({ name: 'attendees', autoUpdate: false })
    const before = people()
    driver
      .open(
        write('POST /attendees', attendees[kind], false, () => {}),
        [params],
      )
      .answer({ id: 'a', name: 'Ann' })
    expect(meeting()).toEqual(kind === 'push' ? ['a', 'b'] : ['b'])
    expect(people()).toEqual(before)
  })
})

test('PAG-4 a number beside a list in a record follows what joins and leaves it: pending, failed and done', () => {
  const counted: any = new Collection([Comment], {
    nestKey: ({ id }: { id: string }) => ({ todoId: id }),
    counts: ['total'],
  } as never)
  class Counted extends Entity {
    id = ''
    comments: readonly Comment[] = []
    total = 0
    static override key = 'Counted'
    static override schema: any = { comments: counted }
  }
  const get = endpoint('/counted', Counted)
  const create = write('POST /counted', counted.push, true, (params, body) => ({ ...params, ...body }))
  const remove = write('DELETE /counted', new Invalidate(Comment), true, (params) => params)
  const driver = createDriver()
  const seen = (): unknown => {
    const { comments: list, total } = driver.read(get, ['1']).data
    return [list.length, total]
  }
  driver.open(get, ['1']).answer({ id: '1', comments: [{ id: '1', text: 'a', todoId: '1' }], total: 1 })
  const added = { id: '2', text: 'b' }
  const failing = driver.open(create, [{ todoId: '1' }, added])
  expect(seen()).toEqual([2, 2])
  failing.fail(Object.assign(new Error('no'), { status: 422 }))
  expect(seen()).toEqual([1, 1])
  driver.open(create, [{ todoId: '1' }, added]).answer({ ...added, todoId: '1' })
  expect(seen()).toEqual([2, 2])
  driver.open(remove, [{ id: '1' }]).answer({ id: '1' })
  expect(seen()).toEqual([1, 1])
})
