// Numbers in an object beside a list, as servers send them: `{ data, meta: { total } }`.
import { Collection, deserializeState, Entity, resource, serializeState } from 'restitch'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createDriver, type Driver } from '../../src/testing/drivers.ts'
import { STALE } from '../../src/rows/Meta.ts'

class Task extends Entity {
  id = ''
  title = ''
  static override key = 'Task'
}

const api = (counts?: readonly string[], more: object = {}): any =>
  resource({ path: '/tasks/:id', schema: Task, optimistic: true }).extend('getList', {
    schema: { data: new Collection([Task], counts && { counts }), meta: { total: 0, page: 0 } },
    ...more,
  } as never)
const respond = (ids: string, total: number, page = 1): object => ({
  data: ids.split('').map((id) => ({ id, title: id })),
  meta: { total, page },
})
const shown = (driver: Driver, { getList }: any): unknown[] => {
  const { data, expiresAt } = driver.read(getList, [])
  return [data.data.map(({ id }: Task) => id).join(''), data.meta.total, expiresAt === STALE]
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('PAG-4 meta.total', () => {
  test('it follows what joins and leaves', () => {
    const Tasks = api(['meta.total'])
    const driver = createDriver()
    driver.open(Tasks.getList, []).answer(respond('12', 2))
    driver.open(Tasks.getList.push, [{ title: 'c' }]).answer({ id: '3', title: 'c' })
    expect(shown(driver, Tasks)).toEqual(['123', 3, false])
    driver.open(Tasks.delete, [{ id: '1' }]).answer({ id: '1' })
    expect(shown(driver, Tasks)).toEqual(['23', 2, false])
    expect(driver.read(Tasks.getList, []).data.meta.page).toBe(1)
  })

  test('while a delete is pending, and after it has failed', () => {
    const Tasks = api(['meta.total'])
    const driver = createDriver()
    driver.open(Tasks.getList, []).answer(respond('12', 2))
    const request = driver.open(Tasks.delete, [{ id: '1' }])
    expect(shown(driver, Tasks)).toEqual(['2', 1, false])
    request.fail(Object.assign(new Error('refused'), { status: 422 }))
    expect(shown(driver, Tasks)).toEqual(['12', 2, false])
  })

  test('a list that counts more than it has is a part: a write puts it in doubt', () => {
    const Tasks = api(['meta.total'])
    const driver = createDriver()
    driver.open(Tasks.getList, []).answer(respond('12', 26))
    driver.open(Tasks.delete, [{ id: '1' }]).answer({ id: '1' })
    expect(shown(driver, Tasks)).toEqual(['2', 25, true])
  })

  test('of several pages the number is that of the newest response, and the rest that of the last page', () => {
    const Tasks = api(['meta.total'], { paginationField: 'page' })
    const driver = createDriver()
    driver.open(Tasks.getList, []).answer(respond('12', 4))
    driver.open(Tasks.getList.getPage, [{ page: 2 }]).answer(respond('34', 5, 2))
    expect([shown(driver, Tasks), driver.read(Tasks.getList, []).data.meta.page]).toEqual([['1234', 5, false], 2])
    driver.open(Tasks.delete, [{ id: '3' }]).answer({ id: '3' })
    expect(shown(driver, Tasks).slice(0, 2)).toEqual(['124', 4])
  })

  test('a response without the object has no number, and nothing is made up', () => {
    const Tasks = api(['meta.total'])
    const driver = createDriver()
    driver.open(Tasks.getList, []).answer({ data: [{ id: '1', title: 'a' }] })
    driver.open(Tasks.getList.push, [{ title: 'b' }]).answer({ id: '2', title: 'b' })
    expect(driver.read(Tasks.getList, []).data.data).toHaveLength(2)
    expect(Object.keys(driver.store.tables.endpoints.byPk.get('GET /tasks')!.value as object)).toEqual(['data'])
  })

  test('in a state that was stored', () => {
    const Tasks = api(['meta.total'])
    const driver = createDriver()
    driver.open(Tasks.getList, []).answer(respond('12', 2))
    const state = deserializeState(serializeState(driver.getState()))
    const next = createDriver()
    next.restore(state)
    next.open(Tasks.getList.push, [{ title: 'c' }]).answer({ id: '3', title: 'c' })
    expect(shown(next, Tasks)).toEqual(['123', 3, false])
  })
})

describe('PAG-17 in development a number that seems to count the items, and is not named,', () => {
  test('is warned about once', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const Tasks = api()
    const driver = createDriver()
    driver.open(Tasks.getList, []).answer(respond('12', 2))
    driver.read(Tasks.getList, [])
    driver.open(Tasks.getList.push, [{ title: 'c' }]).answer({ id: '3', title: 'c' })
    driver.read(Tasks.getList, [])
    driver.open(Tasks.delete, [{ id: '1' }]).answer({ id: '1' })
    expect(warn.mock.calls).toEqual([[expect.stringContaining(`counts: ['meta.total']`)]])
  })

  test.each([
    ['is named', ['meta.total'], respond('12', 2)],
    ['has another value', undefined, respond('12', 26)],
    ['is the number of a page', undefined, respond('1', 26, 1)],
  ])('is not, where it %s', (_case, counts, response) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const Tasks = api(counts)
    const driver = createDriver()
    driver.open(Tasks.getList, []).answer(response)
    driver.read(Tasks.getList, [])
    driver.open(Tasks.getList.push, [{ title: 'c' }]).answer({ id: '3', title: 'c' })
    expect(warn).not.toHaveBeenCalled()
  })
})
