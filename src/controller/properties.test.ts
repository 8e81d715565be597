// These properties hold after any history. A history is a list of steps over a few records and lists; requests are opened, and
// settled, failed or dropped later, in any order.
import type { AnyRow } from '../lists/ListRow.ts'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { deserializeState, serializeState } from '../client/serialize.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { collectorOf, committed, plain, sight, type DrivenRequest } from '../testing/drivers.ts'
import { endpoint } from '../testing/endpoints.ts'
import { Todo, User } from '../testing/entities.ts'
import {
  allTodos,
  createTodo,
  deleteTodo,
  dropTodo,
  firstTodo,
  getPlain,
  getTodo,
  getTodos,
  getUser,
  getWhole,
  moveTodo,
  optimistic,
  putTodo,
  putWhole,
  todos,
} from '../testing/todoEndpoints.ts'
import { createDriver } from '../testing/drivers.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** Set RUNS to try more histories. */
const RUNS = { numRuns: Number(process.env['RUNS'] ?? cases(320)) }
const IDS = ['1', '2', '3']
const GROUPS = ['x', 'y']

/** Everything that can be read: each target is read after a history. */
const TARGETS: readonly (readonly [any, readonly any[]])[] = [
  ...IDS.flatMap((id): [any, any[]][] => [
    [getTodo, [{ id }]],
    [getUser, [{ id }]],
    [getWhole, [{ id }]],
    [Todo, [{ id }]],
  ]),
  [getTodos, [{}]],
  ...GROUPS.map((group): [any, any[]] => [getTodos, [{ group }]]),
  [todos, [{}]],
  [allTodos, []],
  [getPlain, []],
]

type Step =
  | {
      readonly do: 'open'
      readonly what: keyof typeof ENDPOINTS
      readonly id: string
      readonly group: string
      readonly n: number
    }
  | { readonly do: 'answer' | 'fail' | 'drop'; readonly which: number; readonly n: number }
  | { readonly do: 'set' | 'push' | 'remove' | 'update'; readonly id: string; readonly n: number }
  | { readonly do: 'invalidate' | 'expire' | 'later' | 'reset' | 'read' }

const ENDPOINTS = {
  get: getTodo,
  list: getTodos,
  groupList: getTodos,
  user: getUser,
  whole: getWhole,
  plain: getPlain,
  put: putTodo,
  putWhole,
  create: createTodo,
  first: firstTodo,
  drop: dropTodo,
  move: moveTodo,
  delete: deleteTodo,
  optimisticPut: optimistic.put,
  optimisticCreate: optimistic.create,
  optimisticFirst: optimistic.first,
  optimisticDrop: optimistic.drop,
  optimisticMove: optimistic.move,
  optimisticDelete: optimistic.delete,
}
const READS = ['get', 'list', 'groupList', 'user', 'whole', 'plain'] as const
const WRITES = ['put', 'putWhole', 'create', 'first', 'drop', 'move', 'delete'] as const
const OPTIMISTIC = [
  'optimisticPut',
  'optimisticCreate',
  'optimisticFirst',
  'optimisticDrop',
  'optimisticMove',
  'optimisticDelete',
] as const

function history(
  whats: readonly (keyof typeof ENDPOINTS)[],
  others: readonly string[] = ['set', 'push', 'remove', 'update', 'invalidate', 'expire', 'later', 'read'],
  size = 30,
): fc.Arbitrary<Step[]> {
  const id = fc.constantFrom(...IDS)
  const n = fc.nat(5)
  const open = fc.record({
    do: fc.constant('open' as const),
    what: fc.constantFrom(...whats),
    id,
    group: fc.constantFrom(...GROUPS),
    n,
  })
  const settle = fc.record({
    do: fc.constantFrom('answer' as const, 'answer' as const, 'answer' as const, 'fail' as const, 'drop' as const),
    which: fc.nat(20),
    n,
  })
  const other = fc.record({ do: fc.constantFrom(...others), id, n }) as fc.Arbitrary<Step>
  return fc.array(
    fc.oneof({ arbitrary: open, weight: 4 }, { arbitrary: settle, weight: 4 }, { arbitrary: other, weight: 2 }),
    {
      maxLength: size,
      // Histories as long as that, not only ten steps.
      size: 'max',
    },
  )
}

const todo = (id: string, n: number, more: object = {}): object => ({
  id,
  title: `t${n}`,
  ...(n % 2 === 0 && { body: `b${n}`, tags: [`${n % 3}`] }),
  ...(n % 3 === 0 && { author: { id: IDS[n % 2], name: `u${n}` } }),
  ...more,
})

/** One store, and its open requests. */
class Player {
  readonly clock = new TestClock()
  readonly driver = createDriver(this.clock)
  readonly open: { request: DrivenRequest; answer: (n: number) => unknown }[] = []

  play(steps: readonly Step[]): this {
    for (const step of steps) {
      this.step(step)
    }
    return this
  }

  step(step: Step): void {
    const { driver, clock } = this
    switch (step.do) {
      case 'open':
        this.send(step)
        break
      case 'answer':
      case 'fail':
      case 'drop':
        this.settle(step.do, step.which, step.n)
        break
      case 'set':
        driver.set(Todo, [{}], todo(step.id, step.n))
        break
      case 'push':
        driver.set(todos.push, [{}], { ...todo(step.id, step.n), group: GROUPS[step.n % 2] })
        break
      case 'remove':
        driver.set(todos.remove, [{}], { id: step.id })
        break
      case 'update':
        driver.set(Todo, [{ id: step.id }], (old: any) => ({ ...old, title: `${old.title.slice(0, 6)}!` }))
        break
      case 'invalidate':
        driver.invalidateKey(getTodos.key({}))
        break
      case 'expire':
        driver.expireAll({ testKey: () => true })
        break
      case 'later':
        clock.time += 10
        break
      case 'reset':
        driver.reset()
        break
      case 'read':
        sight(driver, TARGETS)
    }
  }

  private send({ what, id, group, n }: Step & { do: 'open' }): void {
    const isList = what === 'list' || what === 'groupList'
    const isBody = /put|create|first|move/i.test(what)
    const params = what === 'list' ? {} : what === 'groupList' ? { group } : /create|first/i.test(what) ? {} : { id }
    const body = /create|first/i.test(what) ? { ...todo(id, n), group } : /move/i.test(what) ? { group } : todo(id, n)
    const args = what === 'plain' ? [] : isBody ? [params, body] : [params]
    const answer = (m: number): unknown => {
      if (what === 'plain') {
        return { n: m, parts: [{ m: m % 2 }] }
      }
      if (isList) {
        return [...IDS.slice(m % 3), ...IDS.slice(0, m % 2)].map((one) => todo(one, m, { group }))
      }
      if (/delete/i.test(what)) {
        return id
      }
      if (/drop/i.test(what)) {
        return { id }
      }
      if (/user|whole/i.test(what)) {
        return { id, name: `n${m}`, ...(m % 2 === 0 && { group: `g${m}` }) }
      }
      return { ...todo(id, m), ...(isBody && { group }) }
    }
    this.open.push({ request: this.driver.open(ENDPOINTS[what], args), answer })
  }

  private settle(how: 'answer' | 'fail' | 'drop', which: number, n: number): void {
    if (this.open.length === 0) {
      return
    }
    const [{ request, answer }] = this.open.splice(which % this.open.length, 1) as [(typeof this.open)[number]]
    if (how === 'answer') {
      request.answer(answer(n))
    } else if (how === 'fail') {
      request.fail(Object.assign(new Error(`no ${n}`), { status: 422 }))
    } else {
      request.drop()
    }
  }

  /** Settles all open requests, in the order they were sent. */
  finish(): this {
    while (this.open.length > 0) {
      this.settle('answer', 0, 1)
    }
    return this
  }

  sees(): unknown {
    return sight(this.driver, TARGETS)
  }
}

test('ENT-25 property: responses with different records commute', () => {
  // Without nested records, which several of them would share.
  const alone = IDS.flatMap((id, i): { target: any; args: object[]; value: unknown }[] => [
    { target: getTodo, args: [{ id }], value: { id, title: `t${i}`, tags: [id] } },
    { target: getUser, args: [{ id: `u${id}` }], value: { id: `u${id}`, name: id } },
    { target: putTodo, args: [{ id: `p${id}` }], value: { id: `p${id}`, title: id } },
    { target: getTodos, args: [{ group: id }], value: [{ id: `l${id}` }, { id: `m${id}` }] },
    { target: deleteTodo, args: [{ id: `d${id}` }], value: `d${id}` },
  ])
  const run = (order: readonly number[]): unknown => {
    const driver = createDriver(new TestClock())
    const requests = alone.map(({ target, args }) => driver.open(target, args))
    for (const i of order) {
      requests[i]!.answer(alone[i]!.value)
    }
    // A list that arrives while a write is in flight is in doubt, so only the data is the same.
    return [driver.getState().entities, alone.map(({ target, args }) => plain(driver.read(target, args).data))]
  }
  const inOrder = run(alone.map((_, i) => i))
  fc.assert(
    fc.property(
      fc.shuffledSubarray(
        alone.map((_, i) => i),
        { minLength: alone.length },
      ),
      (order) => {
        expect(run(order)).toEqual(inOrder)
      },
    ),
    RUNS,
  )
})

test('OPT-2 OPT-5 property: operations folded one by one equal all of them folded from the committed rows', () => {
  fc.assert(
    fc.property(history([...OPTIMISTIC, ...READS, ...WRITES]), (steps) => {
      const { driver } = new Player().play(steps)
      const folded = sight(driver, TARGETS)
      const pending = [...driver.store.pending]
      for (const operation of pending) {
        driver.store.removeOperation(operation)
        driver.store.rerun()
      }
      for (const operation of pending) {
        driver.store.addOperation(operation)
      }
      expect(sight(driver, TARGETS)).toEqual(folded)
    }),
    RUNS,
  )
})

test('OPT-4 O3 O4 property: operations that all fail leave what would be there without them', () => {
  const others: string[] = ['later', 'read', 'expire']
  fc.assert(
    fc.property(
      history([...READS, ...WRITES], others),
      history(OPTIMISTIC, others),
      fc.infiniteStream(fc.boolean()),
      (real, dreams, coin) => {
        const run = (isDreaming: boolean, choices: Iterator<boolean>): unknown => {
          const player = new Player()
          const dreamer: DrivenRequest[] = []
          const rest = [...real]
          for (const dream of dreams) {
            while (rest.length > 0 && choices.next().value === true) {
              player.step(rest.shift()!)
            }
            if (dream.do !== 'open') {
              continue
            }
            // The same mutation without an optimistic response takes the place of each, so that numbers and marks are the same.
            const twin = dream.what.slice('optimistic'.length).toLowerCase() as (typeof WRITES)[number]
            const before = player.open.length
            player.step(isDreaming ? dream : { ...dream, what: twin })
            dreamer.push(player.open.splice(before)[0]!.request)
          }
          player.play(rest)
          for (const request of dreamer) {
            request.drop()
          }
          expect(player.driver.store.pending).toEqual([])
          return [player.finish().sees(), committed(player.driver)]
        }
        const coins = Array.from({ length: 200 }, () => coin.next().value)
        expect(run(true, coins[Symbol.iterator]())).toEqual(run(false, coins[Symbol.iterator]()))
      },
    ),
    RUNS,
  )
})

test('O3 OPT-4 OPT-15 property: an operation that fails leaves equal data, whatever went on before', () => {
  fc.assert(
    fc.property(history([...READS, ...WRITES, ...OPTIMISTIC]), history(OPTIMISTIC, ['read'], 12), (steps, dreams) => {
      const player = new Player().play(steps).finish()
      const { driver } = player
      const look = (): unknown[] => TARGETS.map(([target, args]) => driver.read(target, args).data)
      for (const dream of dreams) {
        const before = look()
        player.step(dream)
        look()
        for (const { request } of player.open.splice(0)) {
          request.fail(Object.assign(new Error('refused'), { status: 422 }))
        }
        expect(look()).toEqual(before)
      }
    }),
    RUNS,
  )
})

test('ST-5 ALL-3 property: serialise and restore gives the same readings', () => {
  fc.assert(
    fc.property(history([...READS, ...WRITES]), (steps) => {
      const player = new Player().play(steps)
      vi.useFakeTimers({ now: player.clock.time, toFake: ['Date'] })
      // A result learns when it is read that a row of it is in doubt.
      const before = player.sees() as readonly unknown[]
      const other = createDriver(player.clock)
      const text = serializeState(player.driver.getState())
      other.restore(deserializeState(text))
      vi.useRealTimers()
      expect(serializeState(other.getState())).toBe(text)
      for (const [i, after] of (sight(other, TARGETS) as { error?: unknown }[]).entries()) {
        // Which writes came after an error is known only to the store that received them.
        if (after.error === undefined) {
          const { data, expiresAt } = before[i] as { data: unknown; expiresAt: number }
          expect((after as { data?: unknown }).data).toEqual(data)
          // Data in doubt stays so. Which response came before the doubt is not in the text, so queries may be fresh: they never fetch. Nor
          // does it say which keys without a result were expired.
          const [target, args] = TARGETS[i]!
          const isKept =
            typeof target.key === 'function' && player.driver.result(target.key(...args)).meta !== undefined
          if (isKept) {
            expect((after as { expiresAt?: number }).expiresAt).toBeLessThanOrEqual(Math.max(expiresAt, 1))
          }
        }
      }
    }),
    RUNS,
  )
})

test('ST-8 property: a response that cannot be stored leaves the store exactly as before', () => {
  const bad = endpoint('/bad', [Todo])
  fc.assert(
    fc.property(history([...READS, ...WRITES, ...OPTIMISTIC]), fc.array(fc.nat(5), { maxLength: 4 }), (steps, good) => {
      const { driver } = new Player().play(steps)
      const request = driver.open(bad, [])
      const before = [sight(driver, TARGETS), committed(driver)] as [unknown, any]
      const answer = [
        ...good.map((n) => todo(IDS[n % 3]!, n + 1)),
        { title: 'without a pk', author: { id: '1', name: 'x' } },
      ]
      expect(() => request.answer(answer)).toThrow(/entity-missing-pk/)
      const after = [sight(driver, TARGETS), committed(driver)] as [unknown, any]
      Reflect.deleteProperty(after[1].meta, bad.key())
      expect(after).toEqual(before)
    }),
    RUNS,
  )
})

test('ST-3 property: a picture never changes, whatever happens later', () => {
  fc.assert(
    fc.property(history([...READS, ...WRITES, ...OPTIMISTIC], ['set', 'push', 'reset', 'expire', 'later']), (steps) => {
      const player = new Player()
      const pictures = steps.map((step) => {
        player.step(step)
        const state = player.driver.getState()
        return [state, committed(player.driver), serializeState(state)] as const
      })
      const unseen = steps.length > 0 ? new Player().play(steps.slice(0, 5)) : undefined
      const early = unseen?.driver.getState()
      const text = unseen && serializeState(unseen.driver.getState())
      unseen?.play(steps)
      for (const [state, seen, was] of pictures.reverse()) {
        const { optimistic: _, lastReset: __, ...tables } = state
        expect(plainTables(tables)).toEqual(seen)
        expect(serializeState(state)).toBe(was)
      }
      if (early !== undefined) {
        expect(serializeState(early)).toBe(text)
      }
    }),
    RUNS,
  )
})

function plainTables(value: unknown): unknown {
  if (typeof value === 'symbol') {
    return String(value)
  }
  if (typeof value !== 'object' || value === null || value instanceof Error) {
    return value
  }
  if (Array.isArray(value)) {
    return value.map(plainTables)
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plainTables(part)]))
}

test('ST-19 HK-9 N1 property: a reader is notified if and only if its value or freshness changed', async () => {
  await fc.assert(
    fc.asyncProperty(
      history(
        [...READS, ...WRITES, ...OPTIMISTIC],
        ['set', 'push', 'remove', 'update', 'invalidate', 'expire', 'reset'],
      ),
      async (steps) => {
        const player = new Player()
        const { driver } = player
        const told = TARGETS.map(([target, args]) => {
          const calls: string[] = []
          driver.subscribe(target, args, (what) => calls.push(what))
          return calls
        })
        for (const step of steps) {
          const before = TARGETS.map(([target, args]) => driver.read(target, args))
          player.step(step)
          await tick()
          TARGETS.forEach(([target, args], i) => {
            const was = before[i]!
            const now = driver.read(target, args)
            const calls = told[i]!.splice(0)
            const isStale = now.expiresAt <= 1 && (was.expiresAt > 1 || was.expiryStatus !== now.expiryStatus)
            const isNewError = now.error !== was.error
            const isWaiting = JSON.stringify(now.waiting) !== JSON.stringify(was.waiting)
            expect(calls.length).toBeLessThanOrEqual(2)
            if (now.data !== was.data) {
              expect(calls).toContain('value')
            } else {
              expect(calls).not.toContain('value')
              if (isNewError || isWaiting || (isStale && now.data !== undefined)) {
                expect(calls).toContain('freshness')
              }
              // After one more invalidation, or one more crossing, it is still stale.
              if (calls.length > 0) {
                expect(isNewError || isWaiting || now.expiresAt <= 1 || was.expiryStatus !== now.expiryStatus).toBe(
                  true,
                )
              }
            }
          })
        }
      },
    ),
    { numRuns: Math.ceil(RUNS.numRuns / 2) },
  )
})

test('R1 DEN-2 property: two reads with nothing between give the same objects', () => {
  fc.assert(
    fc.property(history([...READS, ...WRITES, ...OPTIMISTIC]), (steps) => {
      const { driver } = new Player().play(steps)
      for (const [target, args] of TARGETS) {
        expect(driver.read(target, args).data).toBe(driver.read(target, args).data)
      }
    }),
    RUNS,
  )
})

test('I1 property: a value given to a reader never changes afterwards', () => {
  fc.assert(
    fc.property(history([...READS, ...WRITES, ...OPTIMISTIC]), (steps) => {
      const player = new Player()
      const given: [unknown, unknown][] = []
      for (const step of steps) {
        player.step(step)
        for (const [target, args] of TARGETS) {
          const { data } = player.driver.read(target, args)
          given.push([data, structuredClone(plain(data))])
        }
      }
      for (const [data, was] of given) {
        expect(plain(data)).toEqual(was)
      }
    }),
    { numRuns: Math.ceil(RUNS.numRuns / 2) },
  )
})

test('OPT-4 ENT-25 property: with no open request nothing is pending, and stamps are no more than fields', () => {
  fc.assert(
    fc.property(history([...READS, ...WRITES, ...OPTIMISTIC], undefined, 200), fc.boolean(), (steps, reset) => {
      const player = new Player().play(steps)
      if (reset) {
        player.driver.reset()
      }
      player.finish()
      const { tables, endpoints } = player.driver.store.tables
      for (const table of [...tables.values(), endpoints]) {
        expect(table.floating.size).toBe(0)
        for (const row of table.byPk.values()) {
          expect([row.pending, row.patch, row.shown]).toEqual([undefined, undefined, undefined])
          const { by } = row as AnyRow
          const others = by && 'most' in by ? by.others : {}
          expect(Object.keys(Object(row.value) as object)).toEqual(expect.arrayContaining(Object.keys(others)))
        }
      }
      expect(player.driver.store.pending).toEqual([])
    }),
    { numRuns: Math.ceil(RUNS.numRuns / 2) },
  )
})

test('ST-10 S1 property: nothing sent before a reset is there after it', () => {
  fc.assert(
    fc.property(history([...READS, ...WRITES, ...OPTIMISTIC]), fc.nat(5), (steps, n) => {
      const player = new Player().play(steps)
      player.driver.reset()
      const empty = player.driver.getState()
      while (player.open.length > 0) {
        player.step({ do: n % 2 ? 'answer' : 'fail', which: n, n })
      }
      expect(player.driver.getState()).toBe(empty)
      expect(player.sees()).toEqual(new Player().sees())
    }),
    RUNS,
  )
})

test('ST-21 property: times in the store never decrease, however the clock steps', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -500, max: 500 }), { maxLength: 40 }), (steps) => {
      const clock = new TestClock()
      const driver = createDriver(clock)
      let last = 0
      for (const [i, step] of steps.entries()) {
        clock.time += step
        const request = driver.open(getUser, [{ id: '1' }])
        clock.time += -step * 2
        request.answer({ id: '1', name: `${i}` })
        const { fetchedAt, date, expiresAt } = driver.getState().entitiesMeta['User']!['1']!
        expect(fetchedAt).toBeGreaterThanOrEqual(last)
        expect(date).toBeGreaterThanOrEqual(fetchedAt)
        expect(expiresAt).toBe(date + 60_000)
        expect(driver.read(User, [{ id: '1' }]).data.name).toBe(`${i}`)
        last = date
      }
    }),
    RUNS,
  )
})

test.each([
  ['with equal options', TARGETS],
  // Equal questions share a view.
  [
    'with other options too',
    TARGETS.flatMap(([target, args]): [any, readonly any[]][] => [
      [target, args],
      [typeof target.key === 'function' ? Object.assign(() => {}, target, { invalidIfStale: true }) : target, args],
    ]),
  ],
])('STO-3 property: a mounted reader shows the current value, even while others are notified (%s)', (_, targets) => {
  const others = ['set', 'push', 'remove', 'update', 'invalidate', 'expire', 'later', 'read', 'reset']
  fc.assert(
    fc.property(history([...READS, ...WRITES, ...OPTIMISTIC], others), fc.infiniteStream(fc.nat(30)), (steps, coin) => {
      const player = new Player()
      const { driver } = player
      const seen: unknown[][] = []
      const compare = (): void => {
        for (const [target, args] of targets) {
          const known = driver.view(target, args).read(target)
          const there = driver.read(target, args)
          // An error of a listener is reported elsewhere.
          seen.push([{ ...known }, { ...there }, known.data === there.data])
        }
      }
      const ends = targets.map(([target, args]) => driver.view(target, args).subscribe(compare, true))
      for (const step of steps) {
        player.step(step)
        const luck = coin.next().value
        // Some look only now and then, and some leave.
        if (luck < 20) {
          compare()
        } else if (luck > 27) {
          ends[luck % ends.length]!()
        } else if (luck === 21) {
          collectorOf(driver).collect({ entities: [{ key: 'Todo', pk: '1' }], endpoints: [] })
        }
        for (const [known, there, isSame] of seen.splice(0)) {
          expect(known).toEqual(there)
          expect(isSame).toBe(true)
        }
      }
    }),
    RUNS,
  )
})
