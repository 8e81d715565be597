// Requests opened in a given order and settled in every other, all within one millisecond: only their numbers differ.
import { Collection, Entity, Invalidate, ExpiryStatus, INVALID } from 'restitch'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { part } from '../effort.ts'
import { createDriver, type Driver } from '../../src/controller/driver.ts'
import { type Request } from '../../src/controller/Request.ts'
import { TestClock } from '../../src/testing/TestClock.ts'
import { ids } from '../../src/testing/drivers.ts'
import { endpoint } from '../../src/testing/endpoints.ts'
import { Todo, Whole } from '../../src/testing/entities.ts'
import { permutations } from '../../src/testing/permutations.ts'
import {
  allTodos,
  createTodo,
  deleteTodo,
  dropTodo,
  firstTodo,
  getPlain,
  getTodo,
  getTodos,
  getWhole,
  moveTodo,
  optimistic,
  putTodo,
  putWhole,
  todos,
} from '../../src/testing/todoEndpoints.ts'

const NOW = 1_000_000
let clock: TestClock
let driver: Driver
beforeEach(() => {
  clock = new TestClock(NOW)
  driver = createDriver(clock)
})
afterEach(() => vi.restoreAllMocks())

/** One request of a race: the endpoint, and its response. */
interface Runner {
  readonly name: string
  open(): Request
  readonly value?: unknown
}

/** When a request was sent and settled, as places in the run. */
interface Run {
  readonly sent: number
  readonly answered: number
}

/** Every way to open requests in the order given and to settle them in any order, each response after its request. */
function runs(count: number): [request: number, opens: boolean][][] {
  const out: [number, boolean][][] = []
  const go = (steps: [number, boolean][], opened: number, open: readonly number[]): void => {
    if (opened === count && open.length === 0) {
      out.push(steps)
    }
    if (opened < count) {
      go([...steps, [opened, true]], opened + 1, [...open, opened])
    }
    for (const one of open) {
      go(
        [...steps, [one, false]],
        opened,
        open.filter((other) => other !== one),
      )
    }
  }
  go([], 0, [])
  return out
}

/** Runs a race in every order of requests and responses; `check` receives when each was sent and settled. */
function race(
  runners: readonly Runner[],
  setUp: () => void,
  check: (at: Record<string, Run>, say: string) => void,
): void {
  for (const order of permutations(runners)) {
    for (const steps of runs(order.length)) {
      driver = createDriver(clock)
      setUp()
      const requests: Request[] = []
      const at: Record<string, { sent: number; answered: number }> = {}
      for (const [step, [i, opens]] of steps.entries()) {
        const { name, open, value } = order[i]!
        if (opens) {
          requests[i] = open()
          at[name] = { sent: step, answered: 0 }
        } else {
          requests[i]!.answer(value)
          at[name]!.answered = step
        }
      }
      const say = steps.map(([i, opens]) => `${opens ? 'send' : 'answer'} ${order[i]!.name}`).join(', ')
      check(at, say)
      expect(clutter(driver), say).toEqual([])
    }
  }
}

/** Data that is kept only for open requests. */
function clutter(of: Driver): unknown[] {
  const { tables, endpoints } = of.store.tables
  return [...tables.values(), endpoints]
    .flatMap((table) => table.rows)
    .filter((slot) => slot.log !== undefined || (slot.list?.log.length ?? 0) > 0 || slot.pending !== undefined)
    .map((slot) => `${slot.table.key} ${slot.pk}`)
}

const crossed = (read: Run, write: Run): boolean => read.sent < write.answered && write.answered < read.answered
const swapped = (a: Run, b: Run): boolean => a.sent < b.sent !== a.answered < b.answered
/** The write stands unless the read was sent after its response. */
const stands = (write: Run, read: Run): boolean => read.sent < write.answered

const shown = (): any => driver.read(Todo, [{ id: '1' }]).data
const rowOf = (table: string, pk: string): any => driver.store.tables.table(table).slot(pk)
const isStale = (target: any, ...args: any[]): boolean => driver.read(target, args).expiresAt === 1

const get = (value: object, target = getTodo): Runner => ({
  name: 'get',
  open: () => driver.open(target, [{ id: '1' }]),
  value: { id: '1', ...value },
})
const put = (name: string, value: object, target = putTodo): Runner => ({
  name,
  open: () => driver.open(target, [{ id: '1' }, name]),
  value: { id: '1', ...value },
})
const list = (name: string, items: readonly object[]): Runner => ({
  name,
  open: () => driver.open(getTodos, [{}]),
  value: items,
})
const none = (): void => {}

describe('a record', () => {
  test('ENT-25 two reads: the one sent later, by field', () =>
    race(
      [
        { name: 'a', open: () => driver.open(getTodo, [{ id: '1' }]), value: { id: '1', title: 'a', body: 'a' } },
        { name: 'b', open: () => driver.open(getTodo, [{ id: '1' }]), value: { id: '1', title: 'b', done: true } },
      ],
      none,
      ({ a, b }, say) => {
        const title = a!.sent > b!.sent ? 'a' : 'b'
        expect(shown(), say).toMatchObject({ title, body: 'a', done: true })
        expect(isStale(getTodo, { id: '1' }), say).toBe(false)
      },
    ))

  test.each([
    ['by field', getTodo, putTodo, Todo],
    ['as a whole', getWhole, putWhole, Whole],
  ])('ENT-30 ENT-25 ST-18 a read and a write, compared %s', (_name, read, write, Class) =>
    race(
      [get({ name: 'old', group: 'g' }, read), put('put', { name: 'new' }, write)],
      none,
      ({ get: r, put: w }, say) => {
        const { name, group } = driver.read(Class, [{ id: '1' }]).data
        expect({ name, group }, say).toEqual({ name: stands(w!, r!) ? 'new' : 'old', group: 'g' })
        expect(isStale(read, { id: '1' }), say).toBe(crossed(r!, w!))
        expect(rowOf(Class.key, '1').meta.expiresAt === 1, say).toBe(crossed(r!, w!))
      },
    ),
  )

  test('ENT-30 the numbers of the example', () => {
    const read = driver.open(getTodo, [{ id: '1' }])
    const write = driver.open(putTodo, [{ id: '1' }])
    const other = driver.open(getPlain, [])
    write.answer({ id: '1', title: 'new' })
    read.answer({ id: '1', title: 'old', group: 'g' })
    const row = rowOf('Todo', '1')
    const order = (name: string): number => row.log.findLast(({ fields }: any) => name in fields).meta.order
    expect([read.action.meta.sent, write.action.meta.sent, order('title'), order('group')]).toEqual([1, 2, 4, 1])
    expect(row.value).toEqual({ id: '1', title: 'new', group: 'g' })
    expect(row.meta.expiresAt).toBe(1)
    other.drop()
    expect(row.log).toBeUndefined()
  })

  test('4.7 ST-18 two overlapping writes: the one sent later stays, whatever the order of responses', () =>
    race(
      [put('a', { title: 'a', body: 'a' }), put('b', { title: 'b', done: true })],
      () => driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'start' }),
      ({ a, b }, say) => {
        expect(shown(), say).toMatchObject({ title: a!.sent > b!.sent ? 'a' : 'b', body: 'a', done: true })
        expect(isStale(getTodo, { id: '1' }), say).toBe(swapped(a!, b!))
      },
    ))

  test('4.7 ST-18 two writes and a read between them: an older write never comes back over a later one', () =>
    race(
      [put('a', { title: 'a' }), put('b', { title: 'b' }), get({ title: 'read' })],
      none,
      ({ a, b, get: r }, say) => {
        const [early, late] = a!.sent < b!.sent ? [a!, b!] : [b!, a!]
        const later = a!.sent < b!.sent ? 'b' : 'a'
        // An early write that is settled last yields to the late one, even if a read has replaced it.
        const title = stands(late, r!) ? later : 'read'
        expect(shown().title, say).toBe(title)
        const stale = crossed(r!, late) || crossed(r!, early) || (swapped(a!, b!) && stands(early, r!))
        expect(isStale(getTodo, { id: '1' }), say).toBe(stale)
      },
    ))

  test('ENT-29 a response that confirms a value, then an older one that denies it', () =>
    race(
      [
        { name: 'old', open: () => driver.open(getTodo, [{ id: '1' }]), value: { id: '1', title: 'other' } },
        { name: 'same', open: () => driver.open(getTodo, [{ id: '1' }]), value: { id: '1', title: 'start' } },
      ],
      () => driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'start' }),
      ({ old, same }, say) => expect(shown().title, say).toBe(old!.sent > same!.sent ? 'other' : 'start'),
    ))

  test('ENT-29 the same by set, and by a write that confirms', () => {
    driver.set(Todo, [{}], { id: '1', title: 'start' })
    const read = driver.open(getTodo, [{ id: '1' }])
    driver.set(Todo, [{}], { id: '1', title: 'start' })
    read.answer({ id: '1', title: 'other', body: 'x' })
    expect(shown()).toMatchObject({ title: 'start', body: 'x' })
    const again = driver.open(getTodo, [{ id: '1' }])
    driver.open(putTodo, [{ id: '1' }]).answer({ id: '1', title: 'start' })
    again.answer({ id: '1', title: 'other' })
    expect(shown().title).toBe('start')
  })

  test('ENT-28 a read and a delete', () =>
    race(
      [get({ title: 'read' }), { name: 'del', open: () => driver.open(deleteTodo, [{ id: '1' }]), value: '1' }],
      () => driver.open(getTodos, [{}]).answer([{ id: '1', title: 'start' }, { id: '2' }]),
      ({ get: r, del }, say) => {
        expect(shown()?.title, say).toBe(stands(del!, r!) ? undefined : 'read')
        expect(ids(driver, getTodos, {}), say).toEqual(stands(del!, r!) ? ['2'] : ['1', '2'])
        expect(driver.read(allTodos, []).data, say).toHaveLength(stands(del!, r!) ? 1 : 2)
        expect(isStale(getTodo, { id: '1' }), say).toBe(crossed(r!, del!))
        expect(isStale(getTodos, {}), say).toBe(crossed(r!, del!))
      },
    ))

  test('ENT-28 a write and a delete: the one sent later', () =>
    race(
      [put('put', { title: 'put' }), { name: 'del', open: () => driver.open(deleteTodo, [{ id: '1' }]), value: '1' }],
      () => driver.open(getTodos, [{}]).answer([{ id: '1', title: 'start' }]),
      ({ put: w, del }, say) => {
        expect(shown()?.title, say).toBe(del!.sent > w!.sent ? undefined : 'put')
        // Sent while the delete was in flight, it may have been served before it.
        const isUnsure = w!.sent > del!.sent && w!.sent < del!.answered
        expect(isStale(getTodos, {}), say).toBe(isUnsure || swapped(w!, del!))
      },
    ))

  test('ENT-28 a read, a write and a delete', () =>
    race(
      [
        get({ title: 'read', body: 'read' }),
        put('put', { title: 'put' }),
        { name: 'del', open: () => driver.open(deleteTodo, [{ id: '1' }]), value: '1' },
      ],
      () => driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'start' }),
      ({ get: r, put: w, del }, say) => {
        const title = shown()?.title
        const last = del!.sent > w!.sent ? del! : w!
        if (stands(last, r!)) {
          expect(title, say).toBe(last === del! ? undefined : 'put')
        } else {
          expect(['read', last === del! ? undefined : 'put'], say).toContain(title)
        }
        if (r!.sent > del!.answered && r!.sent > w!.answered) {
          expect(title, say).toBe('read')
        }
      },
    ))

  test('ENT-25 a list of summaries that keeps overtaking a detail', () => {
    const detail = driver.open(getTodo, [{ id: '1' }])
    for (let i = 0; i < 10; i++) {
      const slow = driver.open(getTodos, [{}])
      driver.open(getTodos, [{}]).answer([{ id: '1', title: `summary ${i}` }])
      slow.answer([{ id: '1', title: `slow ${i}` }])
    }
    detail.answer({ id: '1', title: 'detail', body: 'body' })
    expect(shown()).toMatchObject({ title: 'summary 9', body: 'body' })
    expect(isStale(getTodo, { id: '1' })).toBe(false)
    const second = driver.open(getTodo, [{ id: '1' }])
    driver.open(getTodos, [{}]).answer([{ id: '1', title: 'summary 10' }])
    second.answer({ id: '1', title: 'detail', body: 'body 2' })
    expect(shown()).toMatchObject({ title: 'summary 10', body: 'body 2' })
    expect(clutter(driver)).toEqual([])
  })

  test('ENT-25 summary and detail in every order, each field from the one sent last that carried it', () =>
    race(
      [
        list('list', [{ id: '1', title: 'list' }]),
        get({ title: 'detail', body: 'detail' }),
        {
          name: 'tags',
          open: () => driver.open(getTodo, [{ id: '1' }]),
          value: { id: '1', body: 'tags', tags: ['x'] },
        },
      ],
      none,
      ({ list: l, get: g, tags: t }, say) =>
        expect(shown(), say).toMatchObject({
          title: l!.sent > g!.sent ? 'list' : 'detail',
          body: g!.sent > t!.sent ? 'detail' : 'tags',
          tags: ['x'],
        }),
    ))

  test('ST-18 a row on which two responses crossed is fresh again after one more', () => {
    const read = driver.open(getTodo, [{ id: '1' }])
    driver.open(putTodo, [{ id: '1' }]).answer({ id: '1', title: 'new' })
    read.answer({ id: '1', title: 'old' })
    expect(driver.read(getTodo, [{ id: '1' }])).toMatchObject({ expiresAt: 1, expiryStatus: ExpiryStatus.Valid })
    driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'newest' })
    expect(driver.read(getTodo, [{ id: '1' }])).toMatchObject({ data: { title: 'newest' }, expiresAt: NOW + 60_000 })
  })

  test.each(['first', 'second'])(
    'ST-18 a list that agrees with the %s of two writes that crossed is stale',
    (title) => {
      const [first, second] = [0, 1].map(() => driver.open(putTodo, [{ id: '1' }]))
      const list = driver.open(getTodos, [{}])
      second!.answer({ id: '1', title: 'second' })
      first!.answer({ id: '1', title: 'first' })
      list.answer([{ id: '1', title }])
      expect(driver.read(getTodos, [{}])).toMatchObject({ data: [{ title: 'second' }], expiresAt: 1 })
    },
  )

  test('ST-18 readers of the record that never fetched it are notified too', async () => {
    driver.open(getTodos, [{}]).answer([{ id: '1', title: 'start' }])
    await Promise.resolve()
    const told = vi.fn()
    for (const target of [getTodo, Todo]) {
      driver.subscribe(target, [{ id: '1' }], told)
    }
    const slow = driver.open(getTodos, [{}])
    driver.open(putTodo, [{ id: '1' }]).answer({ id: '1', title: 'start' })
    slow.answer([{ id: '1', title: 'slow' }])
    await Promise.resolve()
    expect(told.mock.calls).toEqual([['freshness'], ['freshness']])
    expect([isStale(getTodo, { id: '1' }), isStale(Todo, { id: '1' })]).toEqual([true, true])
    // Fetched again and crossed again, they are notified again.
    driver.open(getTodos, [{}]).answer([{ id: '1', title: 'start' }])
    const again = driver.open(getTodos, [{}])
    driver.open(putTodo, [{ id: '1' }]).answer({ id: '1', title: 'start' })
    again.answer([{ id: '1', title: 'slow' }])
    await Promise.resolve()
    expect(told).toHaveBeenCalledTimes(4)
  })

  test('ST-18 readers are notified, and the key of a read that lost to a later one is marked too', async () => {
    driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'start' })
    await Promise.resolve()
    const told = vi.fn()
    driver.subscribe(getTodo, [{ id: '1' }], told)
    const slow = driver.open(getTodo, [{ id: '1' }])
    driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'start' })
    driver.open(putTodo, [{ id: '1' }]).answer({ id: '1', title: 'start' })
    await Promise.resolve()
    expect(told).not.toHaveBeenCalled()
    slow.answer({ id: '1', title: 'slow' })
    await Promise.resolve()
    expect(told.mock.calls).toEqual([['freshness']])
    expect(driver.getState().meta[getTodo.key({ id: '1' })]!.expiresAt).toBe(1)
  })
})

describe('against a server', () => {
  /** The contribution of one request to the record. */
  interface Contribution {
    readonly kind: 'read' | 'write' | 'delete'
    sent: number
    served: number
    delivered: number
    /** `undefined` when it says that there is none, `null` when it says nothing. */
    value: string | undefined | null
  }
  const isWrite = ({ kind }: Contribution): boolean => kind !== 'read'
  const overlap = (a: Contribution, b: Contribution): boolean => a.sent < b.delivered && b.sent < a.delivered

  /** The values that may be shown. */
  function allowed(told: readonly Contribution[]): unknown[] {
    const isSuperseded = (one: Contribution): boolean =>
      told.some(
        (other) =>
          other !== one &&
          (isWrite(one)
            ? other.sent > one.delivered
            : other.sent > one.served || (isWrite(other) && other.delivered > one.sent)),
      )
    const isExcused = (one: Contribution): boolean =>
      told.some((a) =>
        told.some(
          (b) =>
            a !== b &&
            isWrite(a) &&
            isWrite(b) &&
            overlap(a, b) &&
            (one === a || one === b || overlap(one, a) || overlap(one, b)) &&
            !told.some((read) => !isWrite(read) && read.sent > a.delivered && read.sent > b.delivered),
        ),
      )
    return told.filter((one) => !isSuperseded(one) || isExcused(one)).map(({ value }) => value)
  }

  /** Every order of being sent, served and delivered of three requests. */
  function* instants(done: readonly number[] = [0, 0, 0], so: readonly number[] = []): Generator<readonly number[]> {
    if (so.length === 9) {
      yield so
    }
    for (const i of [0, 1, 2]) {
      if (done[i]! < 3) {
        yield* instants(
          done.map((n, j) => (j === i ? n + 1 : n)),
          [...so, i],
        )
      }
    }
  }

  test.each([
    [['read', 'write', 'write']],
    [['read', 'read', 'write']],
    [['read', 'write', 'delete']],
    [['read', 'read', 'delete']],
    [['write', 'write', 'delete']],
  ] as const)('ENT-25 ENT-28 ST-18 E1 E3 E4 %j: the value shown was received and is not superseded', (kinds) => {
    const faults: string[] = []
    for (const order of part([...instants()], 4)) {
      driver = createDriver(clock)
      let server: string | undefined = 'start'
      const told: Contribution[] = [{ kind: 'read', sent: -3, served: -2, delivered: -1, value: server }]
      driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: server })
      const all = kinds.map((kind): Contribution => ({ kind, sent: 0, served: 0, delivered: 0, value: null }))
      const requests: Request[] = []
      const steps = [0, 0, 0]
      for (const [now, i] of order.entries()) {
        const one = all[i]!
        const step = steps[i]!++
        if (step === 0) {
          one.sent = now
          const target = { read: getTodo, write: putTodo, delete: deleteTodo }[one.kind]
          requests[i] = driver.open(target, [{ id: '1' }])
        } else if (step === 1) {
          one.served = now
          if (isWrite(one)) {
            server = one.kind === 'write' ? `written ${i}` : undefined
          }
          one.value = server
        } else {
          one.delivered = now
          if (one.kind === 'delete') {
            requests[i]!.answer('1')
          } else if (one.value === undefined) {
            requests[i]!.fail(new Error('404'))
          } else {
            requests[i]!.answer({ id: '1', title: one.value })
          }
          // A read that found nothing says nothing about the record.
          if (one.kind === 'delete' || one.value !== undefined) {
            told.push(one)
          }
          const found = allowed(told)
          if (!found.includes(shown()?.title)) {
            faults.push(`${order.join('')}: ${shown()?.title}, not ${found.join(' or ')}`)
          }
        }
      }
    }
    expect(faults).toEqual([])
  })
})

describe('a result', () => {
  test('ST-9 three reads of one key: the one sent last, records and outcomes included', () =>
    race(
      ['a', 'b', 'c'].map((name) => ({
        name,
        open: () => driver.open(getPlain, []),
        value: name,
      })),
      none,
      (at, say) => {
        const last = Object.keys(at).reduce((a, b) => (at[a]!.sent > at[b]!.sent ? a : b))
        expect(driver.read(getPlain, []).data, say).toBe(last)
      },
    ))

  test.each(permutations([0, 1, 2]))('ST-9 with failures in between (%i %i %i)', (...order) => {
    const requests = [0, 1, 2].map(() => driver.open(getPlain, []))
    for (const i of order) {
      if (i === 1) {
        requests[i]!.fail(new Error('1'))
      } else {
        requests[i]!.answer(i)
      }
    }
    expect(driver.read(getPlain, [])).toMatchObject({ data: 2, error: undefined, expiryStatus: ExpiryStatus.Valid })
  })

  test('ST-9 ST-12 4.7 a read sent before the key was invalidated does not satisfy it', () => {
    for (const fails of [false, true]) {
      driver = createDriver(clock)
      driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'start' })
      const before = driver.open(getTodo, [{ id: '1' }])
      driver.invalidate(getTodo.key({ id: '1' }))
      if (fails) {
        before.fail(new Error('no'))
      } else {
        before.answer({ id: '1', title: 'before' })
      }
      expect(driver.read(getTodo, [{ id: '1' }])).toMatchObject({
        error: undefined,
        expiryStatus: ExpiryStatus.Invalid,
        expiresAt: 0,
      })
      // Its records count.
      expect(shown().title).toBe(fails ? 'start' : 'before')
      driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'after' })
      expect(driver.read(getTodo, [{ id: '1' }])).toMatchObject({ expiryStatus: ExpiryStatus.Valid })
    }
  })

  test('ST-9 setResponse and setError rank as writes', () => {
    const read = driver.open(getPlain, [])
    driver.setResponse(getPlain, [], 'set')
    read.answer('read')
    expect(driver.read(getPlain, []).data).toBe('set')
    const second = driver.open(getPlain, [])
    driver.setError(getPlain, [], new Error('set'))
    second.answer('read')
    expect(driver.read(getPlain, [])).toMatchObject({ data: 'set', error: { message: 'set' } })
    driver.open(getPlain, []).answer('new')
    expect(driver.read(getPlain, [])).toMatchObject({ data: 'new', error: undefined })
  })

  test('ST-9 COL-11 an older list response adds its records, not its list', () => {
    const old = driver.open(getTodos, [{}])
    driver.open(getTodos, [{}]).answer([{ id: '2' }])
    old.answer([{ id: '1', title: 'a' }, { id: '2' }])
    expect(ids(driver, getTodos, {})).toEqual(['2'])
    expect(shown().title).toBe('a')
    expect((old.outcome() as Todo[]).map((todo) => todo.id)).toEqual(['2'])
  })
})

describe('a list', () => {
  const start = (): void => driver.open(getTodos, [{}]).answer([{ id: '1' }, { id: '2' }])
  const create: Runner = {
    name: 'write',
    open: () => driver.open(createTodo, [{}, {}]),
    value: { id: '9', title: 'new' },
  }
  const served = (name: string, withIt: boolean, at: string[] = ['1', '2']): Runner =>
    list(
      name,
      (withIt ? [...at, '9'] : at).map((id) => ({ id })),
    )

  test.each([
    ['push', create, ['1', '2', '9']],
    ['unshift', { ...create, open: () => driver.open(firstTodo, [{}, {}]) }, ['9', '1', '2']],
  ])(
    'COL-11 a refetch served before a %s: the item is there, once, and the list is stale where they crossed',
    (_name, write, all) =>
      race([served('list', false), write], start, ({ list: l, write: w }, say) => {
        expect(ids(driver, getTodos, {}), say).toEqual(stands(w!, l!) ? all : ['1', '2'])
        expect(isStale(getTodos, {}), say).toBe(crossed(l!, w!))
      }),
  )

  test('COL-11 (b) a refetch that holds the item already: in its place, once', () =>
    race([served('list', true), create], start, (_at, say) =>
      expect(ids(driver, getTodos, {}), say).toEqual(['1', '2', '9']),
    ))

  test('COL-11 (b) also where the server has it elsewhere', () =>
    race([list('list', [{ id: '9' }, { id: '1' }, { id: '2' }]), create], start, (_at, say) => {
      // Sent after the response of the push, or received before it, the list has it in its place.
      expect(ids(driver, getTodos, {}), say).toEqual(['9', '1', '2'])
      // Both say that it is there.
      expect(isStale(getTodos, {}), say).toBe(false)
    }))

  test.each([
    ['remove', dropTodo, { id: '2' }],
    ['delete', deleteTodo, '2'],
  ])('COL-11 (d) a refetch served before a %s: the item stays out', (_name, target, value) =>
    race(
      [served('list', false), { name: 'write', open: () => driver.open(target, [{ id: '2' }]), value }],
      start,
      ({ list: l, write: w }, say) => {
        expect(ids(driver, getTodos, {}), say).toEqual(stands(w!, l!) ? ['1'] : ['1', '2'])
        expect(isStale(getTodos, {}), say).toBe(crossed(l!, w!))
      },
    ),
  )

  test('COL-11 a move and refetches of both lists', () => {
    const two = (): void => {
      driver.open(getTodos, [{ group: 'x' }]).answer([{ id: '1', group: 'x' }])
      driver.open(getTodos, [{ group: 'y' }]).answer([{ id: '2', group: 'y' }])
    }
    race(
      [
        { name: 'x', open: () => driver.open(getTodos, [{ group: 'x' }]), value: [{ id: '1', group: 'x' }] },
        { name: 'y', open: () => driver.open(getTodos, [{ group: 'y' }]), value: [{ id: '2', group: 'y' }] },
        {
          name: 'move',
          open: () => driver.open(moveTodo, [{ id: '1' }, { group: 'y' }]),
          value: { id: '1', group: 'y' },
        },
      ],
      two,
      ({ x, y, move }, say) => {
        // Before the response of the move the record named its list: a refetch since then shows the old lists.
        const movedOut = stands(move!, x!)
        expect(ids(driver, getTodos, { group: 'x' }), say).toEqual(movedOut ? [] : ['1'])
        expect(ids(driver, getTodos, { group: 'y' }), say).toEqual(stands(move!, y!) ? ['2', '1'] : ['2'])
        expect(isStale(getTodos, { group: 'x' }), say).toBe(crossed(x!, move!))
      },
    )
  })

  test('COL-11 two creates and a refetch: each once, and none lost', () =>
    race(
      [
        served('list', false),
        { name: 'a', open: () => driver.open(createTodo, [{}, 'a']), value: { id: 'a' } },
        { name: 'b', open: () => driver.open(createTodo, [{}, 'b']), value: { id: 'b' } },
      ],
      start,
      ({ list: l, a, b }, say) => {
        const found = ids(driver, getTodos, {})!
        const expected = ['1', '2', ...(stands(a!, l!) ? ['a'] : []), ...(stands(b!, l!) ? ['b'] : [])]
        expect([...found].sort(), say).toEqual(expected)
        expect(found.slice(0, 2), say).toEqual(['1', '2'])
        expect(isStale(getTodos, {}), say).toBe(crossed(l!, a!) || crossed(l!, b!))
      },
    ))

  test('COL-11 a create and a delete of what it made, and a refetch', () =>
    race(
      [
        served('list', false),
        { name: 'add', open: () => driver.open(createTodo, [{}, {}]), value: { id: '9' } },
        { name: 'del', open: () => driver.open(deleteTodo, [{ id: '9' }]), value: '9' },
      ],
      start,
      ({ list: l, add, del }, say) => {
        const isIn = add!.sent > del!.sent && stands(add!, l!)
        expect(ids(driver, getTodos, {}), say).toEqual(isIn ? ['1', '2', '9'] : ['1', '2'])
        expect(driver.read(Todo, [{ id: '9' }]).data !== undefined, say).toBe(add!.sent > del!.sent)
      },
    ))

  test('COL-11 of an add and a removal of one item the one sent later has the last word', () =>
    race(
      [
        { name: 'add', open: () => driver.open(createTodo, [{}, {}]), value: { id: '9' } },
        { name: 'drop', open: () => driver.open(dropTodo, [{ id: '9' }]), value: { id: '9' } },
      ],
      start,
      ({ add, drop }, say) =>
        expect(ids(driver, getTodos, {}), say).toEqual(add!.sent > drop!.sent ? ['1', '2', '9'] : ['1', '2']),
    ))

  test('COL-11 even with a whole response between them', () =>
    race(
      [
        { name: 'add', open: () => driver.open(createTodo, [{}, {}]), value: { id: '9' } },
        { name: 'drop', open: () => driver.open(dropTodo, [{ id: '9' }]), value: '9' },
        served('list', false),
      ],
      start,
      ({ add, drop, list: l }, say) => {
        const isIn = add!.sent > drop!.sent && stands(add!, l!)
        expect(ids(driver, getTodos, {}), say).toEqual(isIn ? ['1', '2', '9'] : ['1', '2'])
        // A removal that lost takes nothing from a list that lacks the item.
        const differs = isIn || add!.sent < drop!.sent
        if (differs && swapped(add!, drop!) && l!.answered < Math.max(add!.answered, drop!.answered)) {
          expect(isStale(getTodos, {}), say).toBe(true)
        }
      },
    ))

  test('COL-11 ST-18 a list in the response of a write sent before an item was created does not lose it silently', () => {
    class Comment extends Entity {
      id = ''
      static override key = 'Comment'
    }
    const comments = new Collection([Comment], {
      argsKey: ({ task }: any) => ({ task }),
      nestKey: ({ id }: any) => ({ task: id }),
    })
    class Task extends Entity {
      id = ''
      title = ''
      comments: readonly Comment[] = []
      static override key = 'Task'
      static override schema: any = { comments }
    }
    const getTask = endpoint('/task/:id', Task)
    const task = (title: string, ...pks: string[]): object => ({ id: '1', title, comments: pks.map((id) => ({ id })) })
    const write = (path: string, schema: unknown): any => endpoint(path, schema, { sideEffect: true })
    race(
      [
        { name: 'patch', open: () => driver.open(write('PATCH', Task), [{ id: '1' }, {}]), value: task('b', '1') },
        { name: 'post', open: () => driver.open(write('POST', comments.push), [{ task: '1' }]), value: { id: '5' } },
        { name: 'get', open: () => driver.open(getTask, [{ id: '1' }]), value: task('a', '1', '5') },
      ],
      () => driver.open(getTask, [{ id: '1' }]).answer(task('a', '1')),
      ({ patch, post }, say) => {
        const found = driver.read(getTask, [{ id: '1' }]).data.comments.map(({ id }: Comment) => id)
        // Of two writes the one sent later stays, also where a read that holds it came between their responses.
        expect(found, say).toEqual(found.includes('5') ? ['1', '5'] : ['1'])
        if (patch!.sent < post!.sent) {
          expect(found, say).toEqual(['1', '5'])
        }
      },
    )
  })

  describe('COL-21', () => {
    const groups = ['x', 'y'].map((group) => ({ group }))
    const two = (): void => {
      driver.open(getTodos, [groups[0]]).answer([
        { id: '1', group: 'x' },
        { id: '2', group: 'x' },
      ])
      driver.open(getTodos, [groups[1]]).answer([{ id: '3', group: 'y' }])
    }
    const moves = (target: any): Runner => ({
      name: 'move',
      open: () => driver.open(target, [{ id: '1' }, { group: 'y' }]),
      value: { id: '1', group: 'y' },
    })
    const found = (): unknown[] => groups.map((at) => ids(driver, getTodos, at))

    test.each([
      ['pending', optimistic.move, optimistic.delete],
      ['not shown before', moveTodo, deleteTodo],
    ])('ENT-28 a delete and a move of one record: never shown in both lists (%s)', (_name, move, remove) =>
      race(
        [{ name: 'delete', open: () => driver.open(remove, [{ id: '1' }]), value: { id: '1' } }, moves(move)],
        two,
        ({ move: m, delete: d }, say) => {
          const isThere = m!.sent > d!.sent
          expect(found(), say).toEqual([['2'], isThere ? ['3', '1'] : ['3']])
          if (swapped(m!, d!)) {
            expect(
              groups.some((at) => isStale(getTodos, at)),
              say,
            ).toBe(true)
          }
        },
      ),
    )

    const echo = (write: () => void): Runner => ({
      name: 'echo',
      open: () => (write(), { answer: () => {} }) as unknown as Request,
    })
    test.each<[string, Runner, () => void, unknown]>([
      [
        'move',
        moves(moveTodo),
        () => driver.set(todos.move, [{ id: '1' }, { group: 'y' }], { id: '1', group: 'y' }),
        [['2'], ['3', '1']],
      ],
      [
        'pending move',
        moves(optimistic.move),
        () => driver.set(todos.move, [{}], { id: '1', group: 'y' }),
        [['2'], ['3', '1']],
      ],
      [
        'create',
        { ...moves(createTodo), value: { id: '4', group: 'y' } },
        () => driver.set(todos.push, [{}], { id: '4', group: 'y' }),
        [
          ['1', '2'],
          ['3', '4'],
        ],
      ],
      [
        'remove',
        { ...moves(dropTodo), value: { id: '1', group: 'x' } },
        () => driver.set(todos.remove, [{}], { id: '1', group: 'x' }),
        [['2'], ['3']],
      ],
      [
        'update',
        { ...moves(putTodo), value: { id: '1', title: 'b' } },
        () => driver.set(Todo, [{}], { id: '1', title: 'b' }),
        [['1', '2'], ['3']],
      ],
      [
        'delete',
        { ...moves(deleteTodo), value: { id: '1' } },
        () => driver.set(new Invalidate(Todo), [{ id: '1' }], { id: '1' }),
        [['2'], ['3']],
      ],
    ])('ST-18 an echo of our own %s is no crossing: no list is stale', (_name, write, told, expected) =>
      race([write, echo(told)], two, (_at, say) => {
        expect(found(), say).toEqual(expected)
        expect(
          groups.map((at) => isStale(getTodos, at)),
          say,
        ).toEqual([false, false])
      }),
    )
  })

  test('COL-11 three whole responses: the newest, whatever the order', () =>
    race(
      ['a', 'b', 'c'].map((id) => list(id, [{ id }, { id: '1' }])),
      start,
      (at, say) => {
        const last = Object.keys(at).reduce((a, b) => (at[a]!.sent > at[b]!.sent ? a : b))
        expect(ids(driver, getTodos, {}), say).toEqual([last, '1'])
      },
    ))

  test('L1 property of all of the above: no list holds a record twice', () =>
    race(
      [
        list('list', [{ id: '9' }, { id: '1' }]),
        { name: 'push', open: () => driver.open(createTodo, [{}, {}]), value: { id: '9' } },
        { name: 'unshift', open: () => driver.open(firstTodo, [{}, {}]), value: { id: '9' } },
      ],
      start,
      (_at, say) => {
        const found = ids(driver, getTodos, {})!
        expect(new Set(found).size, say).toBe(found.length)
        expect(found, say).toContain('9')
      },
    ))
})

describe('compaction', () => {
  const log = (): unknown[] => rowOf('[Todo]', '{}').list.log
  const start = (): void => driver.open(getTodos, [{}]).answer([{ id: '1' }])

  test('COL-39 changes are remembered only while an older request is open', () => {
    start()
    driver.open(createTodo, [{}]).answer({ id: '2' })
    expect(log()).toHaveLength(0)
    const open = driver.open(getPlain, [])
    driver.open(createTodo, [{}]).answer({ id: '3' })
    const later = driver.open(getPlain, [1])
    driver.open(dropTodo, [{ id: '1' }]).answer({ id: '1' })
    expect(log()).toHaveLength(2)
    open.answer('x')
    expect(log()).toHaveLength(1)
    later.drop()
    expect(log()).toHaveLength(0)
    expect(ids(driver, getTodos, {})).toEqual(['2', '3'])
  })

  test('COL-39 a write does not go through the writes remembered before it', () => {
    start()
    const open = driver.open(getTodos, [{}])
    const create = (id: string): void => driver.open(createTodo, [{}]).answer({ id })
    create('2')
    const remembered = driver.store.tables.recentWrites
    create('3')
    create('4')
    expect(driver.store.tables.recentWrites).toBe(remembered)
    expect(remembered).not.toHaveLength(0)
    open.drop()
    expect(driver.store.tables.recentWrites).toHaveLength(0)
  })

  test('COL-39 a request open for more than 5 minutes holds nothing back: its list only marks the stored one stale', () => {
    start()
    const slow = driver.open(getTodos, [{}])
    clock.time += 300_001
    driver.open(createTodo, [{}]).answer({ id: '2' })
    expect(log()).toHaveLength(0)
    expect(isStale(getTodos, {})).toBe(false)
    slow.answer([{ id: '1' }])
    expect(ids(driver, getTodos, {})).toEqual(['1', '2'])
    expect(isStale(getTodos, {})).toBe(true)
    driver.open(getTodos, [{}]).answer([{ id: '1' }])
    expect(ids(driver, getTodos, {})).toEqual(['1'])
  })

  test('COL-39 a custom adder keeps its function until folded', () => {
    const sorted = todos.addWith((existing: string[], incoming: string[]) => [...existing, ...incoming].sort())
    const add = endpoint('ADD', sorted, { sideEffect: true })
    start()
    const slow = driver.open(getTodos, [{}])
    driver.open(add, [{}]).answer({ id: '0' })
    expect(ids(driver, getTodos, {})).toEqual(['0', '1'])
    slow.answer([{ id: '3' }, { id: '1' }])
    expect(ids(driver, getTodos, {})).toEqual(['0', '1', '3'])
    expect(log()).toHaveLength(0)
  })

  test('COL-39 orders of fields go once their row is older than every open request', () => {
    const open = driver.open(getPlain, [])
    driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'a', body: 'b' })
    driver.open(getTodos, [{}]).answer([{ id: '1', title: 'c' }])
    expect(rowOf('Todo', '1').log).toHaveLength(2)
    open.drop()
    expect(rowOf('Todo', '1').log).toBeUndefined()
    expect(shown()).toMatchObject({ title: 'c', body: 'b' })
    const again = driver.open(getPlain, [])
    driver.open(getTodos, [{}]).answer([{ id: '1', title: 'd' }])
    expect(rowOf('Todo', '1').log).toHaveLength(2)
    again.drop()
    expect(rowOf('Todo', '1').log).toBeUndefined()
  })

  test('COL-39 ENT-28 a tombstone stays, with its order', () => {
    start()
    driver.open(deleteTodo, [{ id: '1' }]).answer('1')
    expect(rowOf('Todo', '1')).toMatchObject({ value: INVALID, meta: { order: 3 } })
  })
})
