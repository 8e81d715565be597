// The two feeds of a store: which committed rows have changed, and which rows readers see differently.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GC, SET } from '../requests/actionTypes.ts'
import { deserializeState, serializeState } from '../client/serialize.ts'
import { INVALID } from '../schema/Schema.ts'
import { TestClock } from '../testing/TestClock.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { Todo } from '../testing/entities.ts'
import { deleteTodo, getTodo, getTodos, optimistic, putTodo } from '../testing/todoEndpoints.ts'

let clock: TestClock
let driver: Driver
/** Each call of a listener, as text: `what table pk`, and the kind of what changed it. */
let told: string[][]
/** Each call, as `[name of the row, before, now]`. */
let seen: unknown[][]
let endings: (() => void)[]

beforeEach(() => {
  clock = new TestClock()
  driver = createDriver(clock)
  endings = []
})
afterEach(() => vi.restoreAllMocks())

const nameOf = ({ table, pk }: { table: { key: string }; pk: string }): string => `${table.key || 'result'} ${pk}`

/** Listens from now on. */
function listen(): void {
  told = []
  seen = []
  const { committed, visible } = driver.store
  endings = [
    committed.listen((changes) =>
      told.push(changes.map(({ row, what, by }) => `${what} ${nameOf(row)}${by ? ` by ${by.kind}` : ''}`)),
    ),
    visible.listen((changes) => seen.push(changes.map(({ row, before, now }) => [nameOf(row), before, now]))),
  ]
}

const LIST = '[Todo] {}'
const RESULT = `result ${getTodos.key({})}`
const todo = (id: string, title: string): object => ({ id, title, author: { id: '5', name: 'Ann' } })
const start = (): void => driver.open(getTodos, [{}]).answer([todo('1', 'a'), todo('2', 'b')])
/** Every name that was reported, once for each time. */
const names = (): string[] => told.flat()

test('a response is reported once, with all rows that it brings', () => {
  listen()
  start()
  expect(told).toEqual([
    [
      'value Todo 1 by read',
      'value User 5 by read',
      'value Todo 2 by read',
      `value ${LIST} by read`,
      `value ${RESULT} by read`,
    ],
  ])
  expect(seen).toHaveLength(1)
  expect(seen[0]).toContainEqual(['User 5', undefined, { id: '5', name: 'Ann' }])
  expect(seen[0]).toContainEqual([LIST, undefined, ['1', '2']])
})

test('the same response again changes the age of its rows, and nothing that is visible', () => {
  start()
  listen()
  start()
  expect(told).toHaveLength(1)
  expect(names().every((name) => name.startsWith('age ') && name.endsWith('by read'))).toBe(true)
  expect(names()).toContain('age User 5 by read')
  expect(seen).toEqual([])
})

test('a mutation is reported with the lists that follow it', () => {
  driver.open(getTodos, [{ group: 'x' }]).answer([{ id: '1', title: 'a', group: 'x' }])
  listen()
  driver.open(putTodo, [{ id: '1' }, {}]).answer({ id: '1', title: 'b', group: 'y' })
  expect(told).toHaveLength(1)
  expect(names()).toContain('value Todo 1 by mutation')
  expect(names()).toContain('value [Todo] {"group":"x"} by mutation')
  expect(seen[0]).toContainEqual(['[Todo] {"group":"x"}', ['1'], []])
})

test('set, and a response that the app sets', () => {
  start()
  listen()
  void driver.apply({ type: SET, schema: Todo, args: [{ id: '1' }], value: { title: 'c' } } as never)
  expect(told).toEqual([['value Todo 1 by set']])
  driver.setResponse(getTodo, [{ id: '9' }], { id: '9', title: 'z' })
  expect(told[1]).toEqual(['value Todo 9 by set', `value result ${getTodo.key({ id: '9' })} by set`])
})

test('a delete', () => {
  start()
  listen()
  driver.open(deleteTodo, [{ id: '1' }]).answer({ id: '1' })
  expect(told).toHaveLength(1)
  expect(names()).toContain('deleted Todo 1 by mutation')
  expect(seen[0]).toContainEqual(['Todo 1', expect.objectContaining({ title: 'a' }), INVALID])
})

test('expire changes the age of results, invalidate takes their value; neither changes records', () => {
  start()
  listen()
  const all = { testKey: (key: string) => key.startsWith('/todos') }
  driver.expireAll(all)
  expect(told).toHaveLength(1)
  // Rows that the result contains are as old as it.
  expect(told[0]).toEqual(expect.arrayContaining([`age ${RESULT}`, 'age Todo 1', `age ${LIST}`]))
  expect(seen).toEqual([])
  driver.invalidateAll(all)
  expect(told).toHaveLength(2)
  expect(told[1]).toContain(`value ${RESULT} by read`)
  expect(seen).toEqual([[[RESULT, '{}', undefined]]])
})

test('a stored error changes the age of the result', () => {
  start()
  listen()
  driver.open(getTodos, [{}]).fail(new Error('no'))
  expect(told).toEqual([[`age ${RESULT} by read`]])
  expect(seen).toEqual([])
})

test('a doubt is reported of the rows, and of the results that contain them', () => {
  start()
  listen()
  driver.open(putTodo, [{ id: '1' }, {}]).fail(new Error('lost'))
  expect(told).toHaveLength(1)
  expect(names()).toEqual(expect.arrayContaining(['Todo 1', LIST, RESULT].map((name) => `age ${name} by mutation`)))
  expect(names().join()).not.toContain('User 5')
})

test('a pending operation is visible, and so is its rollback; no committed row changes', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  start()
  listen()
  const request = driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
  const [before, now] = [expect.objectContaining({ title: 'a' }), expect.objectContaining({ title: 'x' })]
  expect(told).toEqual([])
  expect(seen).toHaveLength(1)
  expect(seen[0]).toContainEqual(['Todo 1', before, now])
  request.fail(Object.assign(new Error('no'), { status: 422 }))
  expect(names().filter((name) => !name.includes('result'))).toEqual([])
  expect(seen).toHaveLength(2)
  expect(seen[1]).toContainEqual(['Todo 1', now, before])
})

test('the response of an operation that shows the same is no visible change of the record', () => {
  start()
  const request = driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
  listen()
  request.answer({ id: '1', title: 'x' })
  expect(names()).toContain('value Todo 1 by mutation')
  expect(seen.flat().map(([name]: any) => name)).not.toContain('Todo 1')
})

test('an operation that runs again is visible with what it stands on', () => {
  start()
  driver.open(optimistic.put, [{ id: '1' }, { title: 'x' }])
  listen()
  driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'b', body: 'new' })
  expect(seen).toHaveLength(1)
  expect(seen[0]).toContainEqual([
    'Todo 1',
    expect.objectContaining({ title: 'x' }),
    expect.objectContaining({ title: 'x', body: 'new' }),
  ])
})

test('collection and reset say why a row went', () => {
  start()
  listen()
  void driver.apply({ type: GC, entities: [{ key: 'Todo', pk: '2' }], endpoints: [] } as never)
  expect(names()).toContain('collected Todo 2')
  expect(seen[0]).toEqual([['Todo 2', expect.objectContaining({ title: 'b' }), undefined]])
  told = []
  seen = []
  driver.reset()
  expect(told).toHaveLength(1)
  expect(names().sort()).toEqual([`reset ${LIST}`, `reset ${RESULT}`, 'reset Todo 1', 'reset User 5'].sort())
  expect(seen).toHaveLength(1)
})

test('a row that is removed and stored again in one change is there', () => {
  start()
  listen()
  driver.change(() => {
    driver.store.reset()
    driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'new' })
  })
  expect(names().filter((name) => name.includes('Todo 1'))).toContain('value Todo 1 by read')
  expect(names()).not.toContain('reset Todo 1')
})

test('restored rows are reported with the number 0', () => {
  start()
  const text = serializeState(driver.getState())
  driver = createDriver(clock)
  listen()
  const sent: unknown[] = []
  driver.store.committed.listen((changes) => sent.push(...changes.map(({ by }) => by?.sent)))
  driver.restore(deserializeState(text))
  expect(told).toHaveLength(1)
  expect(names()).toContain('value Todo 1 by read')
  expect(new Set(sent)).toEqual(new Set([0]))
  expect(seen).toHaveLength(1)
})

test('an empty place of a row is no row', () => {
  listen()
  // It puts a record in doubt that nobody knows.
  driver.open(putTodo, [{ id: '77' }, {}]).fail(new Error('lost'))
  expect(names().filter((name) => name.includes('77') && !name.includes('result'))).toEqual([])
})

test('listeners read the store as it is, before readers are notified', () => {
  const order: string[] = []
  const read = (): unknown => driver.read(Todo, [{ id: '1' }]).data?.title
  driver.subscribe(Todo, [{ id: '1' }], () => order.push(`reader ${read()}`))
  driver.store.committed.listen(() => order.push(`committed ${read()}`))
  driver.store.visible.listen(() => order.push(`visible ${read()}`))
  driver.setResponse(getTodo, [{ id: '1' }], { id: '1', title: 'a' })
  expect(order).toEqual(['committed a', 'visible a', 'reader a'])
})

test('a listener that writes receives that in another round, and readers are notified once', () => {
  start()
  const notified = vi.fn()
  driver.subscribe(Todo, [{ id: '1' }], notified)
  listen()
  driver.store.committed.listen((changes) => {
    if (changes.some(({ by }) => by?.kind === 'read')) {
      driver.setResponse(getTodo, [{ id: '1' }], { id: '1', title: 'own' })
    }
  })
  const heardLater: string[] = []
  driver.store.committed.listen((changes) => heardLater.push(...changes.map(({ by }) => by!.kind)))
  driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'b' })
  expect(told).toHaveLength(2)
  expect(told[0]).toContain('value Todo 1 by read')
  expect(told[1]).toContain('value Todo 1 by set')
  // Both listeners hear both rounds in order.
  expect(heardLater.indexOf('set')).toBeGreaterThan(heardLater.lastIndexOf('read'))
  expect(driver.read(Todo, [{ id: '1' }]).data.title).toBe('own')
})

test('a listener that always writes does not hang the page', () => {
  let count = 0
  driver.store.committed.listen(() => driver.setResponse(getTodo, [{ id: '1' }], { id: '1', title: `${++count}` }))
  start()
  expect(count).toBeLessThan(1000)
})

test('a listener that throws stops neither the others nor the store', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  driver.store.committed.listen(() => {
    throw new Error('mine')
  })
  listen()
  start()
  expect(told).toHaveLength(1)
  expect(reported).toHaveBeenCalledTimes(1)
  vi.unstubAllGlobals()
})

test('nothing is noted without a listener, and after the last one has ended', () => {
  const { committed, visible } = driver.store
  start()
  expect([committed.isHeard, visible.isHeard]).toEqual([false, false])
  listen()
  endings.forEach((end) => end())
  start()
  driver.reset()
  expect(told).toEqual([])
  expect([committed.tell(), visible.tell()]).toEqual([false, false])
})
