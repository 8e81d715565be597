import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { top } from '../rows/overlay.ts'
import { All } from '../kinds/All.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Query } from '../kinds/Query.ts'
import { Union } from '../kinds/Union.ts'
import { Values } from '../kinds/Values.ts'
import { TestClock } from '../testing/TestClock.ts'
import { collectorOf } from '../testing/drivers.ts'
import { endpoint } from '../testing/endpoints.ts'
import { findNode } from './nodes.ts'
import { Reader } from './denormalize.ts'
import { queryNode } from './query.ts'

// Records without defaults, so that the value read can be compared with the response.
class Tree extends Entity {
  static override key = 'Tree'
}
Tree.schema = {
  child: Tree,
  children: [Tree],
  map: new Values(Tree),
  list: new Collection([Tree], { nestKey: ({ id }: { id: number }) => ({ id }) }),
  any: new Union({ tree: Tree }, 'type'),
  object: { inner: Tree },
}
const getTree = endpoint('tree', { tree: Tree, trees: [Tree] })
const getPlain = endpoint('plain', undefined)

/** Trees in which no two records have the same id. */
const trees: fc.Arbitrary<any> = fc
  .letrec<{ tree: any; sub: any }>((tie) => ({
    sub: fc.oneof({ maxDepth: 3, depthIdentifier: 'tree' }, fc.constant(null), tie('tree')),
    tree: fc.record(
      {
        name: fc.string(),
        n: fc.oneof(fc.double({ noNaN: true }), fc.constant(null), fc.boolean()),
        plain: fc.jsonValue({ maxDepth: 3 }),
        tags: fc.array(fc.string(), { maxLength: 3 }),
        child: tie('sub'),
        children: fc.array(tie('sub'), { maxLength: 2 }),
        map: fc.dictionary(fc.string({ minLength: 1, maxLength: 3 }), tie('sub'), { maxKeys: 2 }),
        list: fc.array(tie('sub'), { maxLength: 2 }),
        any: tie('sub'),
        object: fc.record({ inner: tie('sub'), free: fc.jsonValue({ maxDepth: 2 }) }),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  }))
  .tree.map((tree) => numbered(tree, { next: 0 }))

function numbered(tree: any, ids: { next: number }): any {
  const each = (value: any): any => (value === null ? null : numbered(value, ids))
  const out: any = { ...tree, id: ids.next++, type: 'tree' }
  for (const name of ['child', 'any']) {
    if (name in out) {
      out[name] = each(out[name])
    }
  }
  for (const name of ['children', 'list']) {
    if (name in out) {
      out[name] = out[name].map(each)
    }
  }
  const entries = Object.entries((out.map ?? {}) as object).filter(([, value]) => value !== null)
  if ('map' in out) {
    out.map = Object.fromEntries(entries.map(([name, value]) => [name, each(value)]))
  }
  if ('object' in out) {
    out.object = { ...out.object, inner: each(out.object.inner) }
  }
  return out
}

/** Deep equality of graphs: each pair is compared once, so that rings and shared parts cost nothing. */
function isSame(a: unknown, b: unknown, met: Map<unknown, Set<unknown>> = new Map()): boolean {
  if (Object.is(a, b)) {
    return true
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return false
  }
  if (met.get(a)?.has(b)) {
    return true
  }
  met.set(a, (met.get(a) ?? new Set()).add(b))
  const names = Object.keys(a)
  return (
    Object.getPrototypeOf(a) === Object.getPrototypeOf(b) &&
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame((a as any)[name], (b as any)[name], met))
  )
}

test('DEN-1 NOR-1 reading what was normalised gives the input back', () => {
  fc.assert(
    fc.property(trees, fc.jsonValue(), (tree, plain) => {
      const driver = createDriver()
      const before = structuredClone(tree)
      driver.open(getTree, []).answer({ tree, trees: [] })
      driver.open(getPlain, []).answer(plain)
      expect(driver.read(getTree, []).data).toEqual({ tree, trees: [] })
      expect(driver.read(getPlain, []).data).toEqual(plain)
      expect(tree).toEqual(before)
    }),
    { numRuns: cases(200) },
  )
})

test('ENT-29 DEN-2 normalising the same value twice changes nothing and keeps every reference', () => {
  fc.assert(
    fc.property(trees, fc.jsonValue(), (tree, plain) => {
      const driver = createDriver()
      const rows = (): unknown[] =>
        [...driver.store.tables.tables.values(), driver.store.tables.endpoints].flatMap((table) =>
          table.rows.map((row) => row.value),
        )
      driver.open(getTree, []).answer({ tree, trees: [tree] })
      driver.open(getPlain, []).answer(plain)
      const [stored, read, plainRead] = [rows(), driver.read(getTree, []).data, driver.read(getPlain, []).data]
      driver.open(getTree, []).answer(structuredClone({ tree, trees: [tree] }))
      driver.open(getPlain, []).answer(structuredClone(plain))
      expect(rows().every((row, i) => Object.is(row, stored[i]))).toBe(true)
      expect(driver.read(getTree, []).data === read && Object.is(driver.read(getPlain, []).data, plainRead)).toBe(true)
    }),
    { numRuns: cases(200) },
  )
})

class User extends Entity {
  id = ''
  name = ''
  friend: User | undefined = undefined
  static override key = 'User'
}
User.schema = { friend: User }
class Todo extends Entity {
  id = ''
  title = ''
  group = ''
  owner = User.fromJS()
  helper: User | undefined = undefined
  tags: string[] = []
  blocks: Todo[] = []
  static override key = 'Todo'
}
Todo.schema = { owner: User, helper: User, blocks: [Todo] }

const todos = new Collection([Todo])
const map = new Collection(new Values(Todo), { name: 'map' })
const getTodos = endpoint('todos', todos)
const getMap = endpoint('map', map)
const getArray = endpoint('array', { list: [Todo], total: 0 })
const groups = [{}, { group: 'a' }, { group: 'b' }, { group: 'a', orderBy: 'x' }]
const titles = new Query(todos, (list: readonly Todo[]) => list.map((todo) => `${todo.title}/${todo.owner.name}`))
const byGroup = new Query(new All(Todo), (all: Todo[], group: string) => all.filter((todo) => todo.group === group))

const optimistic = { getOptimisticResponse: (_: unknown, ...args: any[]) => args.at(-1) as unknown }
const mutations: Record<string, any> = {
  push: todos.push,
  unshift: todos.unshift,
  remove: todos.remove,
  move: todos.move,
  assign: map.assign,
  update: Todo,
  user: User,
  delete: new Invalidate(Todo),
  deleteUser: new Invalidate(User),
}
const mutation = (name: string, pending: boolean): any =>
  endpoint(name, mutations[name], { sideEffect: true, ...(pending && optimistic) })

const targets: [any, any[]][] = [
  ...groups.map((args): [any, any[]] => [todos, [args]]),
  ...groups.map((args): [any, any[]] => [getTodos, [args]]),
  ...groups.map((args): [any, any[]] => [titles, [args]]),
  ...[1, 2, 3, 4].flatMap((id): [any, any[]][] => [
    [Todo, [id]],
    [User, [{ id }]],
  ]),
  [map, [{}]],
  [getMap, [{}]],
  [getArray, []],
  [new All(Todo), []],
  [byGroup, ['a']],
  [{ one: Todo, list: todos }, [{ id: 1 }]],
]

const id = fc.integer({ min: 1, max: 4 })
const user = fc.record({ id, name: fc.constantFrom('x', 'y'), friend: id }, { requiredKeys: ['id'] })
const todo = fc.record(
  {
    id,
    title: fc.constantFrom('s', 't'),
    group: fc.constantFrom('a', 'b'),
    owner: fc.oneof(id, user),
    helper: fc.oneof(id, user, fc.constant(null)),
    tags: fc.array(fc.constantFrom('p', 'q'), { maxLength: 2 }),
    blocks: fc.array(id, { maxLength: 2 }),
  },
  { requiredKeys: ['id'] },
)
const step = fc.oneof(
  fc.record({ do: fc.constant('list'), at: fc.nat(3), items: fc.array(todo, { maxLength: 3 }), later: fc.boolean() }),
  fc.record({ do: fc.constant('array'), items: fc.array(fc.oneof(todo, id), { maxLength: 3 }), later: fc.boolean() }),
  fc.record({ do: fc.constant('map'), items: fc.array(todo, { maxLength: 3 }), later: fc.boolean() }),
  fc.record({
    do: fc.constantFrom('push', 'unshift', 'remove', 'move', 'update', 'delete'),
    item: todo,
    pending: fc.boolean(),
    later: fc.boolean(),
  }),
  fc.record({ do: fc.constant('assign'), item: todo, pending: fc.boolean(), later: fc.boolean() }),
  fc.record({ do: fc.constantFrom('user', 'deleteUser'), item: user, pending: fc.boolean(), later: fc.boolean() }),
  fc.record({ do: fc.constant('set'), item: todo }),
  fc.record({ do: fc.constant('invalidate'), at: fc.nat(3) }),
  fc.record({ do: fc.constant('settle'), which: fc.nat(20), how: fc.constantFrom('answer', 'fail', 'drop') }),
  fc.record({ do: fc.constant('read'), which: fc.nat(40) }),
  fc.record({ do: fc.constant('gc'), which: fc.nat(80), at: fc.nat(3) }),
  fc.record({ do: fc.constant('reset'), sure: fc.constantFrom(false, false, false, true) }),
)

/** Carries out a random history, and looks at everything after each step. */
function run(steps: readonly any[], look: (driver: Driver, settled: boolean) => void): void {
  // A clock that stands still: requests without readers are not aborted.
  const driver = createDriver(new TestClock())
  const open: { answer(): void; fail(): void; drop(): void }[] = []
  const send = (target: any, args: any[], value: unknown, later: boolean): void => {
    const request = driver.open(target, args)
    const one = {
      answer: () => {
        // Some histories end in a response that is refused; the store is as it was.
        try {
          request.answer(value)
        } catch {}
      },
      fail: () => request.fail(new Error('failed')),
      drop: () => request.drop(),
    }
    if (later) {
      open.push(one)
    } else {
      one.answer()
    }
  }
  for (const { do: what, item, at, items, later, pending, which, how, sure } of steps) {
    if (what === 'list') {
      send(getTodos, [groups[at]], items, later)
    } else if (what === 'array') {
      send(getArray, [], { list: items, total: items.length }, later)
    } else if (what === 'map') {
      send(getMap, [{}], Object.fromEntries(items.map((one: any) => [`k${one.id}`, one])), later)
    } else if (what === 'assign') {
      send(mutation('assign', pending), [{}, { z: item }], { z: item }, later)
    } else if (what === 'move') {
      send(mutation('move', pending), [{ id: item.id }, item], item, later)
    } else if (what in mutations) {
      send(mutation(what, pending), [{}, item], item, later)
    } else if (what === 'set') {
      driver.set(Todo, [item.id], item)
    } else if (what === 'invalidate') {
      driver.invalidateKey(getTodos.key(groups[at]))
    } else if (what === 'settle') {
      open.splice(which % (open.length || 1), 1)[0]?.[how as 'answer']()
    } else if (what === 'read') {
      driver.read(...targets[which % targets.length]!)
    } else if (what === 'gc') {
      collectAll(driver, targets[which], at)
    } else if (what === 'reset' && sure) {
      driver.reset()
    }
    look(driver, open.length === 0)
  }
}

/** Collects rows without readers. Rows on the screen stay, and so do young ones; `at` stands for their age. */
function collectAll(driver: Driver, mounted: [any, any[]] | undefined, at: number): void {
  const release = mounted && driver.subscribe(...mounted, () => {})
  const before = mounted && warm(driver, mounted)
  for (const garbage of collectorOf(driver).sweep(({ at: number }) => (number % 4 < at ? Infinity : 0))) {
    collectorOf(driver).collect(garbage)
  }
  if (mounted) {
    expect(warm(driver, mounted) === before).toBe(true)
  }
  release?.()
}

function warm(driver: Driver, [target, args]: [any, any[]]): unknown {
  return driver.read(target, args).data
}

function cold({ store: { tables } }: Driver, [target, args]: [any, any[]]): unknown {
  const reader = new Reader(tables, top)
  if (typeof target !== 'function' || typeof target.key !== 'function') {
    return reader.read(queryNode(target, args))
  }
  const row = tables.endpoints.row(target.key(...args))
  return reader.read(findNode(reader, row, 'result', target.schema, { args, path: target.path }))
}

const silent = (check: () => void): void => {
  const spies = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]
  for (const spy of spies) {
    spy.mockImplementation(() => {})
  }
  try {
    check()
  } finally {
    for (const spy of spies) {
      spy.mockRestore()
    }
  }
}

/** Histories that went wrong once: a record that is removed for two reasons in turn; a ring that is rebuilt between two reads. */
const FOUND: any[] = [
  [
    [
      { do: 'map', items: [{ id: 1, owner: 3 }], later: false },
      { do: 'deleteUser', item: { id: 3 }, pending: false, later: false },
      { do: 'delete', item: { id: 1 }, pending: false, later: false },
      { do: 'set', item: { id: 1 } },
    ],
  ],
  [
    [
      { do: 'list', at: 0, items: [], later: false },
      { do: 'assign', item: { id: 1 }, pending: false, later: false },
      { do: 'read', which: 0 },
      { do: 'push', item: { id: 2, owner: { id: 1 }, helper: { id: 3 } }, pending: true, later: true },
      { do: 'array', items: [], later: false },
      { do: 'user', item: { id: 1 }, pending: false, later: false },
      { do: 'set', item: { id: 1 } },
      { do: 'read', which: 0 },
      { do: 'set', item: { id: 1, helper: { id: 3, friend: 3 } } },
      { do: 'read', which: 14 },
      { do: 'assign', item: { id: 1, helper: { id: 1 } }, pending: false, later: false },
    ],
  ],
]

test('DEN-2 QRY-6 OPT-2 the memoised reading equals a cold one after any history', () => {
  silent(() =>
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
        run(steps, (driver) => {
          for (const target of targets) {
            const read = warm(driver, target)
            expect(isSame(read, cold(driver, target))).toBe(true)
            expect(warm(driver, target) === read).toBe(true)
          }
        })
      }),
      { numRuns: FOUND.length + cases(400), examples: FOUND },
    ),
  )
})

test('DEN-2 what is read only now and then equals a cold reading too', () => {
  silent(() =>
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
        let last: Driver | undefined
        run(steps, (driver) => {
          last = driver
        })
        for (const target of targets) {
          expect(isSame(warm(last!, target), cold(last!, target))).toBe(true)
        }
      }),
      { numRuns: FOUND.length + cases(400), examples: FOUND },
    ),
  )
})

test('DEN-2 a record is the same object for readers with different arguments, whatever its fields are', () => {
  const driver = createDriver()
  const tree = { id: 1, children: [], map: {}, list: [{ id: 2 }], any: { id: 3, type: 'tree' } }
  const [one, two] = ['a', 'b'].map((page) => {
    driver.open(getTree, [{ page }]).answer({ tree, trees: [tree] })
    return driver.read(getTree, [{ page }]).data
  })
  expect(one.tree).toBe(two.tree)
  expect(one.trees[0]).toBe(driver.read(Tree, [{ id: 1 }]).data)
  expect(one.tree.list).toBe(driver.read(Tree.schema['list'] as never, [{ id: 1 }]).data)
})

test('COL-28 DEN-2 lists never hold a record twice, and hold the very objects that are read by key', () => {
  silent(() =>
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
        run(steps, (driver) => {
          for (const args of groups) {
            const list: Todo[] | undefined = driver.read(todos, [args]).data
            const ids = (list ?? []).map((item) => `${item.pk()}`)
            expect(new Set(ids).size).toBe(ids.length)
            for (const item of list ?? []) {
              if (!`${item.pk()}`.startsWith('optimistic-')) {
                expect(driver.read(Todo, [item.pk()]).data === item).toBe(true)
              }
            }
          }
        })
      }),
      { numRuns: cases(200) },
    ),
  )
})

test('OPT-4 when everything has settled no layer is left, and the readings are those of the rows', () => {
  silent(() =>
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
        run(steps, (driver, settled) => {
          if (!settled) {
            return
          }
          expect(driver.store.pending).toHaveLength(0)
          for (const table of driver.store.tables.tables.values()) {
            for (const row of table.byPk.values()) {
              expect(row.pending).toBeUndefined()
            }
          }
        })
      }),
      { numRuns: cases(200) },
    ),
  )
})

test('DEN-3 a value that was read never changes afterwards', () => {
  silent(() =>
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 30 }), (steps) => {
        const seen = new Map<object, unknown>()
        run(steps, (driver) => {
          for (const target of targets) {
            const read = warm(driver, target)
            if (typeof read === 'object' && read !== null && !seen.has(read)) {
              seen.set(read, structuredClone(read))
            }
          }
        })
        for (const [read, copy] of seen) {
          expect(isSame(structuredClone(read), copy)).toBe(true)
        }
      }),
      { numRuns: cases(200) },
    ),
  )
})
