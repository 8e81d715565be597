// The effect of a write on every stored list: changed exactly, marked stale, or left alone.
import {
  Collection,
  createStore,
  deserializeState,
  Entity,
  Invalidate,
  resource,
  RestEndpoint,
  serializeState,
  Union,
  Values,
} from 'restitch'
import { describe, expect, test } from 'vitest'
import { createDriver, type Driver } from '../../src/testing/drivers.ts'
import { STALE } from '../../src/rows/Meta.ts'
import { TestClock } from '../../src/testing/TestClock.ts'

class Todo extends Entity {
  id = ''
  title = ''
  status = ''
  static override key = 'Todo'
}

interface Row {
  readonly id: string
  readonly title: string
  readonly status: string
}

const ROWS: readonly Row[] = [
  { id: '1', title: 'a', status: 'open' },
  { id: '2', title: 'b', status: 'open' },
  { id: '3', title: 'c', status: 'done' },
]

const Todos: any = resource({ path: '/todos/:id', schema: Todo })
const Hopeful: any = resource({ path: '/todos/:id', schema: Todo, optimistic: true })
const trending: any = new RestEndpoint({ path: '/trending', schema: new Collection([Todo], { name: 'trending' }) })

/** Every kind of argument: none, a field, an order, a window, one that the record says nothing about. */
const LISTS: Readonly<Record<string, readonly [endpoint: any, args: object, ids: string]>> = {
  '{}': [Todos.getList, {}, '123'],
  open: [Todos.getList, { status: 'open' }, '12'],
  done: [Todos.getList, { status: 'done' }, '3'],
  'sort open': [Todos.getList, { status: 'open', sort: 'title' }, '12'],
  'sort done': [Todos.getList, { sortBy: 'title', status: 'done' }, '3'],
  'order all': [Todos.getList, { orderBy: 'title' }, '123'],
  'limit open': [Todos.getList, { status: 'open', limit: 2 }, '12'],
  'page all': [Todos.getList, { page: 2 }, '3'],
  'q open': [Todos.getList, { q: 'x', status: 'open' }, '2'],
  'q done': [Todos.getList, { status: 'done', q: 'x' }, '3'],
  q: [Todos.getList, { q: 'x' }, '13'],
  name: [trending, {}, '2'],
}

/** The server says that it did nothing (RES-15). */
const REFUSED = Object.assign(new Error('refused'), { status: 422 })

type Write = (driver: Driver) => void
const send =
  (endpoint: any, args: readonly any[], answer: unknown): Write =>
  (driver) =>
    driver.open(endpoint, args).answer(endpoint.process(answer, ...args))
const [first] = ROWS as [Row, Row, Row]
const created = { id: '9', title: 'new', status: 'open' }
const done = { ...first, status: 'done' }
const renamed = { ...first, title: 'z' }
const createPlain: any = new RestEndpoint({ path: '/todos', method: 'POST', schema: Todo })
const createInside: any = new RestEndpoint({ path: '/todos', method: 'POST', schema: { todo: Todo, ok: true } })

/** The items of each list after a write; `*`: it is marked stale; no entry: it is left alone. */
const WRITES: readonly (readonly [name: string, write: Write, lists: Readonly<Record<string, string>>])[] = [
  ...(
    [
      ['create', send(Todos.create, [created], created)],
      ['push', send(Todos.getList.push, [{}, created], created)],
      ['push by set', (driver: Driver) => driver.set(Todos.getList.schema.push, [{}], created)],
    ] as [string, Write][]
  ).map(([name, write]): [string, Write, Record<string, string>] => [
    name,
    write,
    {
      '{}': '1239',
      open: '129',
      'sort open': '129*',
      'order all': '1239*',
      'limit open': '129*',
      'page all': '39*',
      'q open': '2*',
      q: '13*',
      name: '2*',
    },
  ]),
  ...(
    [
      ['create by an endpoint of the entity', send(createPlain, [created], created)],
      ['create by an endpoint with an envelope', send(createInside, [created], { todo: created, ok: true })],
    ] as [string, Write][]
  ).map(([name, write]): [string, Write, Record<string, string>] => [
    name,
    write,
    {
      '{}': '123*',
      open: '12*',
      'sort open': '12*',
      'order all': '123*',
      'limit open': '12*',
      'page all': '3*',
      'q open': '2*',
      q: '13*',
      name: '2*',
    },
  ]),
  [
    'set of a new record',
    (driver: Driver) => driver.set(Todo, [{ id: '9' }], created),
    {
      '{}': '1239',
      open: '129',
      'sort open': '129*',
      'order all': '1239*',
      'limit open': '129*',
      'page all': '39*',
      'q open': '2*',
      q: '13*',
      name: '2*',
    },
  ],
  ...(
    [
      ['partialUpdate of a filter', send(Todos.partialUpdate, [{ id: '1' }, { status: 'done' }], done)],
      ['update of a filter', send(Todos.update, [{ id: '1' }, done], done)],
      ['move', send(Todos.getList.move, [{ id: '1' }, { status: 'done' }], done)],
      ['set of a filter', (driver: Driver) => driver.set(Todo, [{ id: '1' }], { id: '1', status: 'done' })],
      [
        'set of a filter with a function',
        (driver: Driver) => driver.set(Todo, [{ id: '1' }], (todo: object) => ({ ...todo, status: 'done' })),
      ],
      ['push of a known record with another filter', send(Todos.getList.push, [{}, done], done)],
    ] as [string, Write][]
  ).map(([name, write]): [string, Write, Record<string, string>] => [
    name,
    write,
    {
      open: '2',
      done: '31',
      'sort open': '2',
      'sort done': '31*',
      'page all': name.includes('push') ? '31*' : '3*',
      'limit open': '2*',
      'q open': '2*',
      'q done': '3*',
      q: '13*',
      name: '2*',
    },
  ]),
  ...(
    [
      ['partialUpdate of another field', send(Todos.partialUpdate, [{ id: '1' }, { title: 'z' }], renamed)],
      ['update of another field', send(Todos.update, [{ id: '1' }, renamed], renamed)],
      ['set of another field', (driver: Driver) => driver.set(Todo, [{ id: '1' }], { id: '1', title: 'z' })],
    ] as [string, Write][]
  ).map(([name, write]): [string, Write, Record<string, string>] => [
    name,
    write,
    {
      'sort open': '12*',
      'order all': '123*',
      'limit open': '12*',
      'page all': '3*',
      'q open': '2*',
      q: '13*',
      name: '2*',
    },
  ]),
  ...(
    [
      ['set of what is there', (driver: Driver) => driver.set(Todo, [{ id: '1' }], first)],
      ['a read', send(Todos.get, [{ id: '1' }], first)],
      ['a read of another field', send(Todos.get, [{ id: '1' }], renamed)],
      ['a read of a new record', send(Todos.get, [{ id: '9' }], created)],
      ['a write that is refused', (driver: Driver) => driver.open(Todos.create, [created]).fail(REFUSED)],
    ] as [string, Write][]
  ).map(([name, write]): [string, Write, Record<string, string>] => [name, write, {}]),
  [
    'partialUpdate that changes nothing',
    send(Todos.partialUpdate, [{ id: '1' }, {}], first),
    { 'q open': '2*', q: '13*', name: '2*' },
  ],
  [
    'delete',
    send(Todos.delete, [{ id: '1' }], undefined),
    {
      '{}': '23',
      open: '2',
      'sort open': '2',
      'order all': '23',
      'limit open': '2*',
      'page all': '3*',
      'q open': '2*',
      q: '3*',
    },
  ],
  [
    'delete by set',
    (driver) => driver.set(new Invalidate(Todo), [{ id: '1' }], '1'),
    {
      '{}': '23',
      open: '2',
      'sort open': '2',
      'order all': '23',
      'limit open': '2*',
      'page all': '3*',
      'q open': '2*',
      q: '3*',
    },
  ],
  [
    'move, with the key alone as response',
    send(Todos.getList.move, [{ id: '1' }, { status: 'done' }], { id: '1' }),
    {
      '{}': '123*',
      open: '2*',
      done: '31*',
      'sort open': '2*',
      'sort done': '31*',
      'order all': '123*',
      'page all': '3*',
      'limit open': '2*',
      'q open': '2*',
      'q done': '3*',
      q: '13*',
      name: '2*',
    },
  ],
  ['a read of another filter', send(Todos.get, [{ id: '1' }], done), {}],
]

/** The items that a list shows, and whether it is marked stale. */
function look(driver: Driver, endpoint: any, ...args: any[]): string {
  const { data, expiresAt } = driver.read(endpoint, args)
  const items: readonly any[] = Array.isArray(data) ? data : Object.values((data ?? {}) as object)
  return `${items.map(({ id }) => id).join('')}${expiresAt <= 1 ? '*' : ''}`
}

function createFilled(): Driver {
  const driver = createDriver()
  for (const [endpoint, args, ids] of Object.values(LISTS)) {
    driver.open(endpoint, [args]).answer(ROWS.filter(({ id }) => ids.includes(id)))
  }
  return driver
}

describe('COL-40 COL-41 COL-42 COL-44 a write and every kind of list', () => {
  test.each(WRITES)('%s', (_name, write, expected) => {
    const driver = createFilled()
    write(driver)
    const shown = Object.entries(LISTS).map(([name, [endpoint, args]]) => [name, look(driver, endpoint, args)])
    const all = Object.entries(LISTS).map(([name, [, , ids]]) => [name, expected[name] ?? ids])
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(all))
  })
})

const list = (schema: unknown, path = '/todos'): any =>
  new RestEndpoint({ path, searchParams: {} as any, schema } as any)

describe('COL-40 lists that follow', () => {
  test('a pending write moves the record at once, marks nothing stale, and leaves no trace when it fails', () => {
    const driver = createFilled()
    const lists = (): string[] => Object.values(LISTS).map(([endpoint, args]) => look(driver, endpoint, args))
    const before = lists()
    const request = driver.open(Hopeful.partialUpdate, [{ id: '1' }, { status: 'done' }])
    expect(
      ['open', 'done', 'sort open', 'sort done', 'q done'].map((name) => look(driver, Todos.getList, LISTS[name]![1])),
    ).toEqual(['2', '31', '2', '31', '3'])
    request.fail(REFUSED)
    expect(lists()).toEqual(before)
  })

  test('a pending write moves the record in a list that comes later', () => {
    const driver = createFilled()
    const request = driver.open(Hopeful.partialUpdate, [{ id: '3' }, { status: 'late' }])
    const late = driver.open(Todos.getList, [{ status: 'late' }])
    late.answer([])
    expect(look(driver, Todos.getList, { status: 'late' })).toBe('3')
    request.fail(REFUSED)
    expect(look(driver, Todos.getList, { status: 'late' })).toBe('')
  })

  test('nested lists, maps and lists of several entities move as well', () => {
    class Owner extends Entity {
      id = ''
      static override key = 'Owner'
      static override schema: any = { todos: new Collection([Todo], { nestKey: ({ id }) => ({ status: id }) }) }
    }
    class Note extends Entity {
      id = ''
      status = ''
      kind = ''
      static override key = 'Note'
    }
    const owner: any = new RestEndpoint({ path: '/owners/:id', schema: Owner })
    const map = list(new Collection(new Values(Todo)), '/map')
    const either = new Union({ todo: Todo, note: Note }, ({ kind }: any) => kind ?? 'todo')
    const all = list(new Collection([either]), '/all')
    const driver = createDriver()
    const notes = [{ id: '1', kind: 'note', status: 'open' }]
    driver.open(owner, [{ id: 'open' }]).answer({ id: 'open', todos: ROWS.slice(0, 2) })
    for (const status of ['open', 'done']) {
      const rows = ROWS.filter((row) => row.status === status)
      driver.open(map, [{ status }]).answer(Object.fromEntries(rows.map((row) => [row.id, row])))
      driver.open(all, [{ status }]).answer(status === 'open' ? [...rows, ...notes] : rows)
    }
    driver.set(Todo, [{ id: '1' }], { id: '1', status: 'done' })
    expect(driver.read(owner, [{ id: 'open' }]).data.todos.map(({ id }: Todo) => id)).toEqual(['2'])
    expect([look(driver, map, { status: 'open' }), look(driver, map, { status: 'done' })]).toEqual(['2', '13*'])
    expect([look(driver, all, { status: 'open' }), look(driver, all, { status: 'done' })]).toEqual(['21', '31'])
    driver.set(Note, [{ id: '1' }], { id: '1', status: 'done' })
    expect([look(driver, all, { status: 'open' }), look(driver, all, { status: 'done' })]).toEqual(['2', '311'])
  })

  test.each([false, true])('a record joins as the mover of the list places it; restored: %s', (isRestored) => {
    class Newest extends Collection<any> {
      constructor() {
        super([Todo])
        this.move = this.moveWith((existing: any, incoming: any) => [...incoming, ...existing]) as never
      }
    }
    const newest = list(new Newest())
    const live = createDriver()
    live.open(newest, [{ status: 'done' }]).answer([ROWS[2]])
    live.open(Todos.get, [{ id: '1' }]).answer(first)
    const driver = isRestored ? createDriver() : live
    driver.restore(live.getState())
    driver.subscribe(newest, [{ status: 'done' }], () => {})
    driver.set(Todo, [{ id: '1' }], { id: '1', status: 'done' })
    expect(look(driver, newest, { status: 'done' })).toBe('13')
  })
})

describe('COL-41 an argument that is a field, but means something else', () => {
  test.each<[string, object, string]>([
    ['a search in the field', { title: 'a' }, '12'],
    ['several values', { status: 'open,done' }, '123'],
    ['the key of another record', { id: '7' }, '12'],
  ])('%s', (_name, args, ids) => {
    const driver = createDriver()
    // Of a title that only contains it, the server says that it fits.
    const rows = ROWS.filter(({ id }) => ids.includes(id)).map(({ id, title, status }) => {
      return { id, title: `${title}a`, status }
    })
    driver.open(Todos.getList, [args]).answer(rows)
    driver.set(Todo, [{ id: '1' }], { id: '1', title: 'other', status: 'late' })
    expect(look(driver, Todos.getList, args)).toBe(`${ids}*`)
    driver.open(Todos.getList, [args]).answer(rows)
    driver.open(Todos.create, [created]).answer(created)
    expect(look(driver, Todos.getList, args)).toBe(`${ids}*`)
  })
})

describe('COL-46 an empty list does not say what its arguments mean', () => {
  test.each<[string, object]>([
    ['all', { status: 'all' }],
    ['several values', { status: 'open,done' }],
    ['another spelling', { status: 'Open' }],
    ['two arguments', { title: 'new', status: 'all' }],
    ['a literal value', { status: 'done' }],
  ])('%s: it is marked stale by a new record and by a changed field', (_name, args) => {
    const driver = createDriver()
    driver.open(Todos.getList, [args]).answer([])
    driver.open(Todos.create, [created]).answer(created)
    expect(look(driver, Todos.getList, args)).toBe('*')
    driver.open(Todos.getList, [args]).answer([])
    driver.set(Todo, [{ id: '9' }], { ...created, status: 'late' })
    expect(look(driver, Todos.getList, args)).toBe('*')
  })

  test('it is left alone once a list has shown that the argument is the field', () => {
    const driver = createDriver()
    driver.open(Todos.getList, [{ status: 'late' }]).answer([])
    driver.open(Todos.getList, [{ status: 'open' }]).answer(ROWS.slice(0, 2))
    driver.open(Todos.create, [created]).answer(created)
    expect(look(driver, Todos.getList, { status: 'late' })).toBe('')
  })

  test.each<[string, string, unknown, string]>([
    ['a word may be another name of a number', 'me', 17, '*'],
    ['or of null', 'none', null, '*'],
    ['but not of another word', 'late', 'open', ''],
    ['a number is itself', '18', 17, ''],
  ])('%s, also where the argument is the field', (_name, status, value, expected) => {
    const driver = createDriver()
    driver.open(Todos.getList, [{ status }]).answer([])
    driver.open(Todos.getList, [{ status: '5' }]).answer([{ ...first, status: 5 }])
    driver.open(Todos.create, [created]).answer({ ...created, status: value })
    expect(look(driver, Todos.getList, { status })).toBe(expected)
  })

  test('a record that fits joins it at once', () => {
    const driver = createDriver()
    driver.open(Todos.get, [{ id: '1' }]).answer(first)
    driver.open(Todos.getList, [{ status: 'done' }]).answer([])
    driver.set(Todo, [{ id: '1' }], done)
    expect(look(driver, Todos.getList, { status: 'done' })).toBe('1')
  })

  test('its response may have missed a write that came before it', () => {
    const driver = createDriver()
    const list = driver.open(Todos.getList, [{ status: 'all' }])
    driver.open(Todos.create, [created]).answer(created)
    list.answer([])
    expect(look(driver, Todos.getList, { status: 'all' })).toBe('*')
  })
})

describe('COL-45 options for exact lists without a request', () => {
  const write = (driver: Driver): void => {
    driver.open(Todos.create, [created]).answer(created)
    driver.set(Todo, [{ id: '1' }], { id: '1', title: 'z', status: 'done' })
  }

  test.each<[string, any, object, string]>([
    [
      'nonFilterArgumentKeys',
      { nonFilterArgumentKeys: ['sort', 'limit'] },
      { sort: 'title', limit: 2, status: 'open' },
      '29',
    ],
    [
      'createCollectionFilter',
      {
        createCollectionFilter:
          (...args: any[]) =>
          ({ below }: any) =>
            args.at(-1).title < below,
      },
      { below: 'd' },
      '23',
    ],
    ['autoUpdate: false', { autoUpdate: false }, { status: 'open', q: 'x' }, '12'],
  ])('%s', (_name, options, args, expected) => {
    const mine: any = list(new Collection([Todo], options))
    const driver = createDriver()
    const isOpen = 'status' in args
    driver.open(mine, [args]).answer(isOpen ? ROWS.slice(0, 2) : ROWS)
    driver.open(mine.push, [created]).answer(created)
    driver.set(Todo, [{ id: '1' }], { id: '1', title: 'z', status: 'done' })
    expect(look(driver, mine, args)).toBe(expected)
  })

  test('COL-42 a filter of the app decides on membership only: a list that is sorted by the changed field is stale', () => {
    const createCollectionFilter =
      (...args: any[]) =>
      ({ status }: any) =>
        args.at(-1).status === status
    const mine = list(new Collection([Todo], { createCollectionFilter }))
    const args = { status: 'open', sort: '-title' }
    for (const [change, expected] of [
      [{ title: 'z' }, '12*'],
      [{ status: 'done' }, '2'],
      [{ note: 'x' }, '12'],
    ] as const) {
      const driver = createDriver()
      driver.open(mine, [args]).answer(ROWS.slice(0, 2))
      driver.open(Todos.partialUpdate, [{ id: '1' }, change]).answer({ ...first, ...change })
      expect(look(driver, mine, args)).toBe(expected)
    }
  })

  test('a filter that fails on a record makes the list stale, not the write fail', () => {
    const createCollectionFilter = (params: any) => () => params.deep.down as boolean
    const mine = list(new Collection([Todo], { createCollectionFilter }))
    const driver = createDriver()
    driver.open(mine, [{ a: '1' }]).answer(ROWS)
    write(driver)
    expect(look(driver, mine, { a: '1' })).toBe('123*')
  })
})

describe('COL-44 requests that cross', () => {
  test('a write whose field a later write holds: the lists that only its response fits are marked stale', () => {
    const driver = createFilled()
    const update = driver.open(Todos.update, [{ id: '1' }, done])
    driver.set(Todo, [{ id: '1' }], { ...first, title: 'later' })
    update.answer(done)
    expect(driver.read(Todos.get, [{ id: '1' }]).data).toMatchObject({ title: 'later', status: 'open' })
    expect(['open', 'done'].map((status) => look(driver, Todos.getList, { status }))).toEqual(['12*', '3*'])
    expect(look(driver, Todos.getList, { status: 'done', q: 'x' })).toBe('3*')
  })

  test.each([
    ['partialUpdate', 'open', ['2'], '2*'],
    ['partialUpdate', 'open', ['2', '1'], '21'],
    ['partialUpdate', 'done', ['2'], '2'],
    ['partialUpdate', 'done', ['2', '1'], '2'],
    ['move', 'open', ['2'], '2*'],
  ])('after a crossing a %s to "%s" meets a list that shows %j', (member, status, shown, expected) => {
    const driver = createFilled()
    const update = driver.open(Todos.update, [{ id: '1' }, done])
    driver.set(Todo, [{ id: '1' }], { ...first, title: 'later' })
    update.answer(done)
    const rows = shown.map((id) => ROWS.find((row) => row.id === id))
    driver.open(Todos.getList, [{ status: 'open' }]).answer(rows)
    const mutation: any = (Todos as any)[member] ?? Todos.getList.move
    driver.open(mutation, [{ id: '1' }, { status }]).answer({ ...first, status })
    expect(look(driver, Todos.getList, { status: 'open' })).toBe(expected)
  })

  test.each(['stored', 'new'])(
    'a %s list that was requested before a write and received after it stays stale',
    (kind) => {
      const driver = createDriver()
      if (kind === 'stored') {
        driver.open(Todos.getList, [{ q: 'x' }]).answer([])
      }
      const request = driver.open(Todos.getList, [{ q: 'x' }])
      driver.set(Todo, [{ id: '1' }], first)
      request.answer([])
      expect(look(driver, Todos.getList, { q: 'x' })).toBe('*')
      driver.open(Todos.getList, [{ q: 'x' }]).answer([first])
      expect(look(driver, Todos.getList, { q: 'x' })).toBe('1')
    },
  )

  test('a delete that a later write stands against: lists on their way may still hold the record', () => {
    const driver = createFilled()
    const remove = driver.open(Todos.delete, [{ id: '1' }])
    const list = driver.open(Todos.getList, [{}])
    driver.set(Todo, [{ id: '1' }], { ...first, title: 'later' })
    remove.answer({ id: '1' })
    list.answer(ROWS)
    expect(look(driver, Todos.getList, {})).toBe('123*')
  })

  test('a delete that a later write stands against, of a record that a read has brought since', () => {
    const driver = createFilled()
    const remove = driver.open(Todos.delete, [{ id: '1' }])
    driver.set(Todo, [{ id: '1' }], { ...first, title: 'later' })
    driver.open(Todos.getList, [{}]).answer([{ ...first, title: 'later' }, ...ROWS.slice(1)])
    remove.answer({ id: '1' })
    expect(look(driver, Todos.getList, {})).toBe('123*')
  })

  test('a read that brings a write before its response does not hide it', () => {
    const driver = createFilled()
    const update = driver.open(Todos.partialUpdate, [{ id: '1' }, { title: 'z' }])
    const create = driver.open(createPlain, [created])
    driver.open(Todos.get, [{ id: '1' }]).answer(renamed)
    driver.open(Todos.get, [{ id: '9' }]).answer(created)
    expect(look(driver, Todos.getList, { q: 'x' })).toBe('13')
    update.answer(renamed)
    expect(look(driver, Todos.getList, { q: 'x' })).toBe('13*')
    expect(look(driver, Todos.getList, {})).toBe('123')
    create.answer(created)
    // It shows at once, and asks.
    expect(look(driver, Todos.getList, {})).toBe('1239*')
  })

  test.each([
    ['a stored record', [first], ['2', '31']],
    ['a record that was not stored', [], ['', '31*']],
  ])('a read that contains only the moved field of %s does not hide the move', (_name, open, expected) => {
    const driver = createDriver()
    driver.open(Todos.getList, [{ status: 'open' }]).answer(open.length > 0 ? ROWS.slice(0, 2) : [])
    driver.open(Todos.getList, [{ status: 'done' }]).answer(ROWS.slice(2))
    const update = driver.open(Todos.partialUpdate, [{ id: '1' }, { status: 'done' }])
    driver.open(Todos.get, [{ id: '1' }]).answer({ id: '1', status: 'done' })
    update.answer({ ...done, title: 'z' })
    expect(['open', 'done'].map((status) => look(driver, Todos.getList, { status }))).toEqual(expected)
  })

  test.each([
    { status: 'done', q: 'x' },
    { status: 'done', sort: 'title' },
  ])('a list for %j that is on its way when a record moves is stale when it arrives', (args) => {
    const driver = createDriver()
    driver.open(Todos.get, [{ id: '1' }]).answer(first)
    const request = driver.open(Todos.getList, [args])
    driver.open(Todos.getList.move, [{ id: '1' }, { status: 'done' }]).answer(done)
    request.answer([])
    expect(look(driver, Todos.getList, args)).toMatch(/\*$/)
  })

  test('a list that is on its way is in doubt, and has nothing that does not belong to it', () => {
    const driver = createDriver()
    driver.open(Todos.get, [{ id: '1' }]).answer(first)
    const requests = ['open', 'done'].map((status) => driver.open(Todos.getList, [{ status }]))
    driver.open(Todos.partialUpdate, [{ id: '1' }, { status: 'done' }]).answer(done)
    requests[0]!.answer(ROWS.slice(0, 2))
    requests[1]!.answer(ROWS.slice(2))
    expect(['open', 'done'].map((status) => look(driver, Todos.getList, { status }))).toEqual(['2*', '3*'])
  })

  test.each(['stored', 'new'])(
    'L4 a %s list that is on its way applies all writes it missed, each after the other',
    (kind) => {
      const driver = createDriver()
      driver.open(Todos.get, [{ id: '1' }]).answer(first)
      if (kind === 'stored') {
        driver.open(Todos.getList, [{ status: 'done' }]).answer(ROWS.slice(2))
      }
      const request = driver.open(Todos.getList, [{ status: 'done' }])
      driver.open(Todos.partialUpdate, [{ id: '1' }, { status: 'done' }]).answer(done)
      driver.open(Todos.delete, [{ id: '1' }]).answer({ id: '1' })
      driver.set(Todo, [{ id: '1' }], first)
      request.answer(ROWS.slice(2))
      expect(look(driver, Todos.getList, { status: 'done' })).toMatch(/^3\*?$/)
    },
  )
})

test('COL-42 a burst of writes costs a mounted list one request, and a list without readers none', async () => {
  const calls: string[] = []
  const fetchResponse = (url: string): Promise<Response> => {
    calls.push(url)
    return Promise.resolve(Response.json(ROWS))
  }
  const getList: any = Todos.getList.extend({ urlPrefix: 'http://x', fetchResponse })
  const clock = new TestClock()
  const { controller, view, stop } = createStore({ clock })
  const sorted = view(getList, { sort: 'title' })
  const end = sorted.subscribe(() => {})
  await sorted.promise()
  await controller.fetch(getList, { sort: 'status' })
  calls.length = 0
  const shown = sorted.read().data
  for (let i = 0; i < 20; i++) {
    void controller.set(Todo, { id: '1' }, { id: '1', title: `t${i}` })
  }
  // It stays on the screen while it is refetched.
  expect(sorted.read().data).toHaveLength(shown.length)
  await new Promise((done) => setTimeout(done))
  await new Promise((done) => setTimeout(done))
  expect(calls).toEqual(['http://x/todos?sort=title'])
  // The title says nothing of an order by status.
  await view(getList, { sort: 'status' }).promise()
  expect(calls).toHaveLength(1)
  end()
  stop()
})

test.each([
  ['a list', [] as string[]],
  ['its second page', ['2']],
])('COL-44 after a refetch of %s has failed, the next write refetches it', async (_name, pages) => {
  let fails = false
  const calls: string[] = []
  const fetchResponse = (url: string): Promise<Response> => {
    calls.push(url)
    const isSecond = url.includes('page')
    if (fails && (pages.length === 0 || isSecond)) {
      return Promise.resolve(new Response('', { status: 503 }))
    }
    return Promise.resolve(Response.json(isSecond ? ROWS.slice(2) : ROWS.slice(0, 2)))
  }
  const getList: any = Todos.getList.extend({
    urlPrefix: 'http://x',
    paginationField: 'page',
    // As of the library, without the check of the status.
    async fetchResponse(url: string) {
      const response = await fetchResponse(url)
      if (!response.ok) {
        throw Object.assign(new Error('no'), { status: response.status })
      }
      return response
    },
  })
  const clock = new TestClock()
  const { controller, view, stop } = createStore({ clock })
  const sorted = view(getList, { sort: 'title' })
  const end = sorted.subscribe(() => {})
  await sorted.promise()
  for (const page of pages) {
    await controller.fetch(getList.getPage, { sort: 'title', page })
  }
  const rename = async (title: string): Promise<number> => {
    calls.length = 0
    await controller.set(Todo, { id: '1' }, { id: '1', title })
    // Events on a sorted list are judged by the server at growing intervals.
    await clock.pass(10_000)
    return calls.length
  }
  fails = true
  const count = await rename('x')
  expect(count).toBeGreaterThan(0)
  fails = false
  expect(await rename('y')).toBe(1 + pages.length)
  // It was fetched, so it is fetched again.
  expect(await rename('z')).toBe(1 + pages.length)
  end()
  stop()
})

describe('lists that were restored', () => {
  const patch: any = new RestEndpoint({ path: '/todos/:id', method: 'PATCH', schema: Todo })
  const restored = (driver: Driver, endpoint: any, args: readonly unknown[]): Driver => {
    const other = createDriver()
    other.restore(deserializeState(serializeState(driver.getState()))!)
    other.subscribe(endpoint, args, () => {})
    other.read(endpoint, args)
    return other
  }

  test('COL-41 a list remembers which of its arguments has another meaning on the server', () => {
    const driver = createDriver()
    const args = [{ title: 'a' }]
    driver.open(Todos.getList, args).answer([
      { id: '1', title: 'a', status: '' },
      { id: '2', title: 'ab', status: '' },
    ])
    for (const one of [restored(driver, Todos.getList, args), driver]) {
      one.open(patch, [{ id: '1' }, { title: 'abc' }]).answer({ id: '1', title: 'abc', status: '' })
      expect(one.read(Todos.getList, args).data).toHaveLength(2)
      expect(one.read(Todos.getList, args).expiresAt).toBe(STALE)
    }
  })

  test('PAG-4 a list remembers the number that counts its items', () => {
    const schema = { items: new Collection([Todo], { counts: ['total'] }), total: 0 }
    const getList: any = new RestEndpoint({ path: '/todos', schema })
    const driver = createDriver()
    driver.open(getList, []).answer({ items: [{ id: '1', title: 'a', status: '' }], total: 1 })
    const one = restored(driver, getList, [])
    one.open(getList.push, [{ title: 'b' }]).answer({ id: '2', title: 'b', status: '' })
    const { data, expiresAt } = one.read(getList, [])
    expect([data.items.length, data.total, expiresAt > STALE]).toEqual([2, 2, true])
  })

  const own: any = new RestEndpoint({
    path: '/drafts',
    schema: new Collection([Todo], {
      argsKey: () => ({}),
      createCollectionFilter: (_params: unknown, todo: Todo | undefined) => () => todo?.status === 'draft',
    }),
  })

  test.each([false, true])(
    "COL-40 a list with a filter of the app's own follows records; fetched again: %s",
    (again) => {
      const draft = { id: '1', title: 'a', status: 'draft' }
      const driver = createDriver()
      driver.open(own, []).answer([draft])
      const one = restored(driver, own, [])
      if (again) {
        one.open(own, []).answer([draft])
      }
      one.open(patch, [{ id: '1' }, { status: 'open' }]).answer({ ...draft, status: 'open' })
      expect(one.read(own, []).data).toEqual([])
    },
  )
})

test('COL-41 COL-46 an empty response does not change the meaning of an argument', () => {
  const driver = createDriver()
  const all = [{ status: 'all' }]
  driver.open(Todos.getList, [{ status: 'open' }]).answer([ROWS[0]])
  driver.open(Todos.getList, all).answer(ROWS)
  driver.open(Todos.getList, all).answer([])
  driver.open(Todos.create, [{ title: 'd', status: 'open' }]).answer({ id: '4', title: 'd', status: 'open' })
  expect(driver.read(Todos.getList, all).expiresAt).toBe(STALE)
})

test('PAG-1 pages of plain items stay when another page arrives', () => {
  const tags: any = new RestEndpoint({ path: '/tags', schema: new Collection(['']), paginationField: 'page' } as any)
  const driver = createDriver()
  driver.open(tags, [{}]).answer(['a', 'b'])
  driver.open(tags.getPage, [{ page: 2 }]).answer(['c', 'd'])
  driver.open(tags.getPage, [{ page: 3 }]).answer(['e', 'f'])
  expect(driver.read(tags, [{}]).data).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

describe('COL-42 lists that were requested together', () => {
  /** The lists that are stale after a write that does not concern their order. */
  const staleAfter = (
    order: readonly number[],
    field: string,
    more: (driver: Driver, requests: readonly any[]) => void = () => {},
    rows: (sort: number) => readonly object[] = () => ROWS,
  ): readonly boolean[] => {
    const driver = createDriver(new TestClock())
    const all = [{}, { sort: 'title' }, { status: 'open', sort: 'title' }]
    const requests = all.map((args) => driver.open(Todos.getList, [args]))
    more(driver, requests)
    order.forEach((i) => requests[i]!.answer(rows(i).filter((row: any) => i < 2 || row.status !== 'done')))
    send(Todos.partialUpdate, [{ id: '1' }, { [field]: 'z' }], { ...first, [field]: 'z' })(driver)
    return all.map((args) => driver.read(Todos.getList, [args]).expiresAt === STALE)
  }

  test.each([
    ['as sent', [0, 1, 2]],
    ['reversed', [2, 1, 0]],
    ['mixed', [1, 2, 0]],
  ])('the first write of a record refetches only those whose order it may change; they arrived %s', (_name, order) => {
    expect(staleAfter(order, 'note')).toEqual([false, false, false])
    expect(staleAfter(order, 'title')).toEqual([false, true, true])
  })

  test('a list that was polled while others changed the record knows it', () => {
    const driver = createDriver(new TestClock())
    const sorted = [{ sort: 'title' }]
    for (const title of ['a', 'b', 'c']) {
      driver.open(Todos.getList, sorted).answer([{ ...first, title }])
    }
    send(Todos.partialUpdate, [{ id: '1' }, { note: 'z' }], { ...first, title: 'c', note: 'z' })(driver)
    expect(driver.read(Todos.getList, sorted).expiresAt).toBeGreaterThan(STALE)
  })

  test('a list that has the record otherwise, or not the field, is asked', () => {
    // A detail that was sent after the lists, and whose response comes before theirs, has another title.
    const detail = (driver: Driver): void => driver.open(Todos.get, [{ id: '1' }]).answer({ ...first, title: 'q' })
    expect(staleAfter([0, 1, 2], 'note', detail)).toEqual([false, true, true])
    // The lists have no title.
    const short = (): readonly object[] => ROWS.map(({ id, status }) => ({ id, status }))
    expect(staleAfter([0, 1, 2], 'note', detail, short)).toEqual([false, true, true])
  })
})
