// Histories that once went wrong, as short as they could be made.
import { STALE } from '../../src/rows/Meta.ts'
import fc from 'fast-check'
import { Collection, Entity, Invalidate, resource, RestEndpoint, Values } from 'restitch'
import { beforeEach, expect, test, vi } from 'vitest'
import { createDriver, type Driver } from '../../src/testing/drivers.ts'
import { cases } from '../effort.ts'
import { TestClock } from '../../src/testing/TestClock.ts'
import { ids } from '../../src/testing/drivers.ts'
import { endpoint } from '../../src/testing/endpoints.ts'
import { Todo, User } from '../../src/testing/entities.ts'
import { deleteTodo, getPlain, getTodo, getTodos, optimistic, putTodo } from '../../src/testing/todoEndpoints.ts'

let driver: Driver
beforeEach(() => {
  driver = createDriver(new TestClock(1_000_000))
})

const todo = (): any => driver.read(Todo, [{ id: '1' }]).data
const patchTodo = endpoint('PATCH /todo/:id', Todo, { sideEffect: true })

test('O1 ST-9 a delete that loses leaves the order of the fields as it was', () => {
  driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'a', body: 'b' })
  const remove = driver.open(deleteTodo, [{ id: '1' }])
  driver.open(optimistic.put, [{ id: '1' }, { title: 'pending', body: 'pending' }])
  driver.set(Todo, [{ id: '1' }], (old: any) => ({ ...old, title: 'set' }))
  remove.answer({ id: '1' })
  expect(todo()).toMatchObject({ title: 'set', body: 'pending' })
})

test('EXP-8 an error that readers do not see notifies no reader when it is set or expires', () => {
  const list = Object.assign(endpoint('/todos', getTodos.schema), { errorPolicy: () => 'soft' })
  driver.open(list, [{}]).answer([{ id: '1' }])
  const told = vi.fn()
  driver.subscribe(list, [{}], told)
  driver.open(list, [{}]).fail(new Error('503'))
  driver.open(list, [{}]).answer([{ id: '1' }])
  return Promise.resolve().then(() => expect(told).not.toHaveBeenCalled())
})

test('NOR-13 E2 a whole record counts as it stands: an older write that is settled later does not mix with it', () => {
  driver.set(Todo, [{ id: '8' }], { id: '8', title: 'a', body: 'a', done: false, group: 'a', tags: [], author: '1' })
  const patch = driver.open(patchTodo, [{ id: '8' }])
  const whole = { id: '8', title: 'b', body: 'b', done: false, group: 'b', tags: [], author: '1' }
  driver.setResponse(getTodo, [{ id: '8' }], whole)
  patch.answer({ id: '8', title: 'x', body: 'x', group: 'x', author: '2' })
  expect(driver.getState().entities.Todo!['8']).toEqual(whole)
})

test('NET-6 the response of a mutation that is dispatched twice: what it contradicts is fetched again', () => {
  const put = driver.open(putTodo, [{ id: '1' }, { title: 'mine' }])
  put.answer({ id: '1', title: 'mine' })
  driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'theirs' })
  expect(driver.read(getTodo, [{ id: '1' }]).expiresAt).toBeGreaterThan(STALE)
  driver.respond(put, { id: '1', title: 'mine' }, false, put.action.meta)
  expect(driver.read(getTodo, [{ id: '1' }]).expiresAt).toBe(STALE)
})

test('NET-6 ST-9 the response of a read that is dispatched twice adds nothing to a record set after a delete', () => {
  const read = driver.open(getTodo, [{ id: '1' }])
  const old = { id: '1', title: 'old', body: 'old' }
  driver.open(deleteTodo, [{ id: '1' }]).answer({ id: '1' })
  read.answer(old)
  driver.set(Todo, [{ id: '1' }], { id: '1', title: 'new' })
  driver.respond(read, old, false, read.action.meta)
  expect(driver.getState().entities.Todo!['1']).toEqual({ id: '1', title: 'new' })
})

test('PAG-1 PAG-5 pages that are counted from 0 stand in their order, and an empty one takes none away', () => {
  const getList: any = new RestEndpoint({ path: '/items', schema: new Collection([Todo]), paginationField: 'page' })
  const load = (ep: any, args: object, pks: string[]): void => driver.open(ep, [args]).answer(pks.map((id) => ({ id })))
  load(getList, {}, ['1', '2'])
  load(getList.getPage, { page: 1 }, ['3', '4'])
  load(getList.getPage, { page: 2 }, ['5'])
  expect(ids(driver, getList, {})).toEqual(['1', '2', '3', '4', '5'])
  load(getList.getPage, { page: 3 }, [])
  expect(ids(driver, getList, {})).toEqual(['1', '2', '3', '4', '5'])
})

test('O3 OPT-4 what changed for good under a pending operation is what the next one that fails shows again', () => {
  const user = (): any => driver.read(User, [{ id: '5' }]).data
  const remove = endpoint('DELETE /user/:id', new Invalidate(User), {
    sideEffect: true,
    getOptimisticResponse: (_: unknown, params: unknown) => params,
  })
  driver.open(getTodo, [{ id: '1' }]).answer({ id: '1', title: 'a', author: { id: '5', name: 'Ann' } })
  todo()
  const first = driver.open(remove, [{ id: '5' }])
  todo()
  driver.set(User, [{ id: '5' }], { id: '5', name: 'Eve' })
  todo()
  first.answer({ id: '5' })
  const before = [todo(), user()]
  const second = driver.open(remove, [{ id: '5' }])
  expect([todo(), user()]).toEqual([undefined, undefined])
  second.fail(new Error('refused'))
  expect([todo(), user()]).toEqual(before)
})

// Operations on a record, on one that it names, and one that deletes; looks at what they show; how they end.
const DREAMS: Record<string, readonly string[]> = {
  'two of a named record': ['user', 'look', 'user', 'fail', 'fail'],
  'a delete that was confirmed': ['delete', 'look', 'answer'],
  'one of each': ['todo', 'todo', 'user', 'fail', 'fail', 'look', 'todo', 'fail', 'fail'],
}

test.each(Object.entries(DREAMS))('O3 OPT-15 after %s an operation that fails leaves equal data', (_, steps) => {
  const putUser = endpoint('PUT /user/:id', User, {
    sideEffect: true,
    getOptimisticResponse: (_: unknown, params: object, body: object) => ({ ...params, ...body }),
  })
  const author = { id: '5', name: 'Ann' }
  driver.open(getTodos, [{}]).answer([
    { id: '1', title: 'a', author },
    { id: '2', title: 'b', author },
  ])
  const look = (): unknown[] => [driver.read(getTodos, [{}]).data, todo(), driver.read(User, [{ id: '5' }]).data]
  const send: Record<string, (title: string) => ReturnType<Driver['open']>> = {
    todo: (title) => driver.open(optimistic.put, [{ id: '1' }, { title }]),
    user: (name) => driver.open(putUser, [{ id: '5' }, { name }]),
    delete: () => driver.open(optimistic.delete, [{ id: '2' }]),
  }
  const open: ReturnType<Driver['open']>[] = []
  look()
  for (const [at, step] of steps.entries()) {
    if (step === 'look') {
      look()
    } else if (step === 'fail') {
      open.shift()!.fail(new Error('refused'))
    } else if (step === 'answer') {
      open.shift()!.answer({ id: '2' })
    } else {
      open.push(send[step]!(`${step} ${at}`))
    }
  }
  for (const last of Object.values(send)) {
    const before = look()
    const request = last('again')
    look()
    request.fail(new Error('refused'))
    expect(look()).toEqual(before)
  }
})

test('E1 ENT-28 what takes the place of a deleted record is not filled up by a read that crossed the delete', () => {
  const list = driver.open(getTodos, [{}])
  driver.open(deleteTodo, [{ id: '1' }]).answer({ id: '1' })
  driver.setResponse(getTodo, [{ id: '1' }], { id: '1', title: 'back' })
  list.answer([{ id: '1', title: 'old', body: 'old' }])
  expect(driver.getState().entities.Todo!['1']).toEqual({ id: '1', title: 'back' })
  driver.open(getTodos, [{}]).answer([{ id: '1', title: 'new', body: 'new' }])
  expect(driver.getState().entities.Todo!['1']).toEqual({ id: '1', title: 'new', body: 'new' })
})

test('CTL-2 a fetch without a schema resolves to what readers show', () => {
  const request = driver.open(getPlain, [])
  request.answer({ at: [1] })
  expect(request.outcome()).toEqual({ at: [1] })
  expect(request.outcome()).toBe(driver.read(getPlain, []).data)
  const again = driver.open(getPlain, [])
  again.answer({ at: [1] })
  expect(again.outcome()).toBe(request.outcome())
})

test('PAG-1 numbered pages stand in the order of their first requests, whichever arrives first or is read again', () => {
  const getList: any = new RestEndpoint({ path: '/items', schema: new Collection([Todo]), paginationField: 'page' })
  const load = (ep: any, args: object, pks: string[]): void => driver.open(ep, [args]).answer(pks.map((id) => ({ id })))
  load(getList, {}, ['1', '2'])
  const second = driver.open(getList.getPage, [{ page: 2 }])
  load(getList.getPage, { page: 3 }, ['5', '6'])
  second.answer(['3', '4'].map((id) => ({ id })))
  expect(ids(driver, getList, {})).toEqual(['1', '2', '3', '4', '5', '6'])
  // One was deleted on the server: all that follow have shifted.
  load(getList, {}, ['1', '3'])
  expect(ids(driver, getList, {})).toEqual(['1', '3', '4', '5', '6'])
  load(getList.getPage, { page: 3 }, ['6'])
  load(getList.getPage, { page: 2 }, ['4', '5'])
  expect(ids(driver, getList, {})).toEqual(['1', '3', '4', '5', '6'])
})

test('O1 a read after a write brings a field that the write left out: a pending operation still shows its own', () => {
  const put = endpoint('PUT /todo/:id', Todo, {
    sideEffect: true,
    getOptimisticResponse: (_: unknown, params: object, body: object) => ({ ...params, ...body }),
  })
  driver.open(put, [{ id: '1' }, { title: 'pending', body: 'pending' }])
  driver.setResponse(getTodo, [{ id: '1' }], { id: '1', title: 'set' })
  expect(todo()).toMatchObject({ title: 'set', body: 'pending' })
  driver.open(getTodos, [{}]).answer([{ id: '1', title: 'read', body: 'read' }])
  expect(todo()).toMatchObject({ body: 'pending' })
})

test('ERR-2 OBJ-5 a first response that fails is an error, though the members beside the list have defaults', () => {
  const search = Object.assign(endpoint('/search', { items: new Collection([Todo]), total: 0 }), {
    errorPolicy: () => 'soft',
  })
  const error = Object.assign(new Error('503'), { status: 503 })
  driver.open(search, [{}]).fail(error)
  expect(driver.read(search, [{}])).toMatchObject({ error, expiryStatus: 2 })
  driver.open(search, [{}]).answer({ items: [{ id: '1' }], total: 1 })
  driver.open(search, [{}]).fail(error)
  expect(driver.read(search, [{}])).toMatchObject({ error: undefined, data: { total: 1 } })
})

test('ST-14 what update writes over an error takes its place', () => {
  const whoAmI = endpoint('/me', undefined)
  const error = Object.assign(new Error('401'), { status: 401 })
  driver.open(whoAmI, []).fail(error)
  expect(driver.read(whoAmI, []).error).toBe(error)
  const signIn = Object.assign(endpoint('POST /me', undefined, { sideEffect: true }), {
    update: (me: unknown) => ({ [whoAmI.key()]: () => me }),
  })
  driver.open(signIn, [{}]).answer({ name: 'a' })
  expect(driver.read(whoAmI, [])).toMatchObject({ data: { name: 'a' }, error: undefined, expiryStatus: 3 })
  expect(driver.read(whoAmI, []).expiresAt).toBeGreaterThan(1_000_000)
})

test('COL-16 an own filter is given the record after the arguments, with what the server has added', () => {
  const lists = new Collection([Todo], {
    createCollectionFilter:
      (...args: any[]) =>
      ({ group }: any) =>
        args.at(-1).group === group,
  })
  const getList = endpoint('/filtered', lists)
  const create = endpoint('POST /filtered', lists.push, { sideEffect: true })
  for (const group of ['a', 'b']) {
    driver.open(getList, [{ group }]).answer([])
  }
  driver.open(create, [{ title: 'new' }]).answer({ id: '1', title: 'new', group: 'b' })
  expect([ids(driver, getList, { group: 'a' }), ids(driver, getList, { group: 'b' })]).toEqual([[], ['1']])
})

const Tasks: any = resource({
  path: '/tasks/:id',
  schema: Todo,
  searchParams: {} as { group: string },
  optimistic: true,
})
/** The items of the lists of three groups, and of the list of all. */
const groups = (): unknown =>
  ['a', 'b', 'c', undefined].map((group) => ids(driver, Tasks.getList, group ? { group } : {})?.length)

test.each([true, false])(
  'COL-21 OPT-2 a record that is moved back while its move is in flight (optimistic: %s)',
  (shows) => {
    const move = shows ? Tasks.getList.move : Tasks.getList.move.extend({ getOptimisticResponse: undefined })
    for (const group of ['a', 'b', 'c', undefined]) {
      driver
        .open(Tasks.getList, [group ? { group } : {}])
        .answer(group === 'a' || !group ? [{ id: '1', group: 'a' }] : [])
    }
    const there = driver.open(move, [{ id: '1' }, { group: 'b' }])
    const back = driver.open(move, [{ id: '1' }, { group: 'a' }])
    expect(groups()).toEqual([1, 0, 0, 1])
    there.answer({ id: '1', group: 'b' })
    if (shows) {
      expect(groups()).toEqual([1, 0, 0, 1])
    }
    back.answer({ id: '1', group: 'a' })
    expect(groups()).toEqual([1, 0, 0, 1])
  },
)

test('COL-21 OPT-10 a pending move of a deleted record shows it in a list that is fetched again without it', () => {
  driver.open(Tasks.getList, [{ group: 'a' }]).answer([
    { id: '1', group: 'a' },
    { id: '2', group: 'a' },
  ])
  driver.open(Tasks.delete, [{ id: '1' }]).answer({ id: '1' })
  driver.open(Tasks.getList.move, [{ id: '1' }, { group: 'a' }])
  expect(ids(driver, Tasks.getList, { group: 'a' })).toContain('1')
  driver.open(Tasks.getList, [{ group: 'a' }]).answer([{ id: '2', group: 'a' }])
  expect(ids(driver, Tasks.getList, { group: 'a' })).toContain('1')
})

test('ST-18 COL-21 two moves that cross: the list that the losing one names is fetched, too', () => {
  for (const group of ['a', 'b', 'c', undefined]) {
    driver
      .open(Tasks.getList, [group ? { group } : {}])
      .answer(group === 'a' || !group ? [{ id: '1', group: 'a' }] : [])
  }
  const toC = driver.open(Tasks.getList.move, [{ id: '1' }, { group: 'c' }])
  driver.open(Tasks.getList.move, [{ id: '1' }, { group: 'b' }]).answer({ id: '1', group: 'b' })
  toC.answer({ id: '1', group: 'c' })
  expect(groups()).toEqual([0, 1, 0, 1])
  for (const group of ['b', 'c']) {
    expect(driver.read(Tasks.getList, [{ group }]).expiresAt).toBe(1)
  }
})

test('PAG-4 a remove and a delete of one record count it once', () => {
  const { getList, delete: remove } = Tasks.extend({
    getList: { schema: { items: new Collection([Todo], { counts: ['total'] }), total: 0 } },
  })
  driver.open(getList, [{}]).answer({ items: [{ id: '1' }, { id: '2' }], total: 2 })
  const leave = driver.open(getList.remove.extend({ getOptimisticResponse: undefined }), [{ id: '2' }])
  driver.open(remove, [{ id: '2' }]).answer({ id: '2' })
  leave.answer({ id: '2' })
  expect(driver.read(getList, [{}]).data).toMatchObject({ items: [{ id: '1' }], total: 1 })
})

test('COL-20 COL-30 remove of a map, with the entity as response, removes that entity', () => {
  const getMap: any = new RestEndpoint({ path: '/map', schema: new Collection(new Values(Todo)) })
  driver.open(getMap, []).answer({ a: { id: '9', title: 'x' }, b: { id: '10', title: 'y' } })
  const remove = driver.open(getMap.remove, [{ id: '9' }])
  remove.answer({ id: '9', title: '10' })
  expect(Object.keys(driver.read(getMap, []).data as object)).toEqual(['b'])
  expect(remove.outcome()).toMatchObject({ id: '9', title: '10' })
  driver.open(getMap.remove, [{}]).answer({ b: { id: '10' } })
  expect(driver.read(getMap, []).data).toEqual({})
})

test('OPT-3 ENT-20 an optimistic body shows as it goes to the server: dates as text', () => {
  class Bill extends Entity {
    id = ''
    due = new Date(0)
    static override key = 'Bill'
    static override schema = { due: (text: string) => new Date(text.split('T')[0]!) }
  }
  const { getList, partialUpdate }: any = resource({ path: '/bills/:id', schema: Bill, optimistic: true })
  driver.open(getList, [{}]).answer([{ id: '1', due: '2020-01-01' }])
  driver.open(partialUpdate, [{ id: '1' }, { due: new Date('2021-01-01') }])
  expect(driver.read(getList, [{}]).data).toMatchObject([{ id: '1', due: new Date('2021-01-01') }])
})

test('CTL-2 RES-10 a write resolves with its record, although that was deleted while it was in flight', () => {
  const put = driver.open(putTodo, [{ id: '1' }, { title: 'mine' }])
  driver.open(deleteTodo, [{ id: '1' }]).answer({ id: '1' })
  put.answer({ id: '1', title: 'mine' })
  expect(todo()).toBeUndefined()
  expect(put.outcome()).toMatchObject({ id: '1', title: 'mine' })
})

test('F1 CTL-2 a read that crosses an invalidation and a delete gives what readers see: nothing', () => {
  const read = driver.open(getTodo, [{ id: '1' }])
  driver.open(deleteTodo, [{ id: '1' }]).answer({ id: '1' })
  driver.invalidateKey(getTodo.key({ id: '1' }))
  read.answer({ id: '1', title: 'old' })
  expect(read.outcome()).toBeUndefined()
})

test('COL-21 ST-9 property: moves and edits settled in the order they were sent leave each record in its list', () => {
  const step = fc.record({
    do: fc.constantFrom('move', 'patch', 'answer', 'answer', 'fail', 'list'),
    id: fc.constantFrom('1', '2'),
    group: fc.constantFrom('a', 'b', 'c'),
    shows: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14, size: 'max' }), (steps) => {
      driver = createDriver(new TestClock(1_000_000))
      const server: Record<string, { id: string; title: string; group: string }> = {
        1: { id: '1', title: '', group: 'a' },
        2: { id: '2', title: '', group: 'b' },
      }
      const inGroup = (group: string): object[] => Object.values(server).filter((one) => one.group === group)
      const lists = ['a', 'b', 'c']
      const open: { settle(fails: boolean): void }[] = []
      for (const group of lists) {
        driver.open(Tasks.getList, [{ group }]).answer(inGroup(group))
      }
      for (const [at, { do: what, id, group, shows }] of steps.entries()) {
        if (what === 'answer' || what === 'fail') {
          open.shift()?.settle(what === 'fail')
        } else if (what === 'list') {
          // Nothing is in flight: each list is complete.
          if (open.length === 0) {
            driver.open(Tasks.getList, [{ group }]).answer(inGroup(group))
          }
        } else {
          const fields = what === 'move' ? { group } : { title: `${at}` }
          const endpoint = what === 'move' ? Tasks.getList.move : Tasks.partialUpdate
          const sent = shows ? endpoint : endpoint.extend({ getOptimisticResponse: undefined })
          const request = driver.open(sent, [{ id }, fields])
          open.push({
            settle(fails) {
              if (fails) {
                return request.fail(new Error('refused'))
              }
              server[id] = { ...server[id]!, ...fields }
              return request.answer(server[id])
            },
          })
        }
      }
      for (const one of open) {
        one.settle(false)
      }
      for (const group of lists) {
        expect(new Set(ids(driver, Tasks.getList, { group }))).toEqual(
          new Set(inGroup(group).map((one: any) => one.id)),
        )
      }
    }),
    { numRuns: cases(300) },
  )
})

test.each(['before', 'after'])(
  'EXP-4 ERR-3 a delete and a write that crossed make the error of a request sent %s them stale, or not',
  (when) => {
    const fail = (): void => driver.open(getTodo, [{ id: '1' }]).fail(new Error('404'))
    const patch = driver.open(patchTodo, [{ id: '1' }])
    const remove = driver.open(deleteTodo, [{ id: '1' }])
    if (when === 'before') {
      fail()
    }
    remove.answer({ id: '1' })
    patch.answer({ id: '1', title: 'late' })
    if (when === 'after') {
      fail()
    }
    const { data, error, expiresAt } = driver.read(getTodo, [{ id: '1' }])
    expect([data, (error as Error).message]).toEqual([undefined, '404'])
    expect(expiresAt > 1_000_000).toBe(when === 'after')
  },
)
