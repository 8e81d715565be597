import { describe, expect, test, vi } from 'vitest'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { endpoint } from '../testing/endpoints.ts'
import { Collection } from './Collection.ts'
import { Entity } from './Entity.ts'
import { Invalidate } from './Invalidate.ts'
import { INVALID } from '../schema/Schema.ts'
import { Union } from './Union.ts'
import { Values } from './Values.ts'

class User extends Entity {
  id = ''
  name = ''
  type = 'user'
  static override key = 'User'
}
class Group extends Entity {
  id = ''
  type = 'group'
  static override key = 'Group'
}
class Post extends Entity {
  id = ''
  author = User.fromJS()
  static override key = 'Post'
  static override schema = { author: User }
}
class Draft extends Entity {
  id = ''
  author: User | undefined = undefined
  static override key = 'Draft'
  static override schema = { author: User }
}

const remove = (schema: unknown): any => endpoint('remove', schema, { sideEffect: true })
const getUser = endpoint('user', User)
const rows = (driver: Driver, table = 'User'): unknown => driver.getState().entities[table]

function users(...ids: number[]): Driver {
  const driver = createDriver()
  driver.open(endpoint('users', [User]), []).answer(ids.map((id) => ({ id })))
  return driver
}

test('INV-1 without an entity it throws', () => {
  expect(() => new Invalidate(undefined as never)).toThrow(
    /^Invalidate schema requires "entity" option\..*invalidate-entity/,
  )
})

describe('INV-2 input', () => {
  test.each<[string, unknown]>([
    ['an object', { id: 1 }],
    ['an object with more', { id: '1', name: 'x' }],
    ['a number', 1],
    ['a text', '1'],
  ])('INV-2 %s leaves a tombstone; the result is the pk', (_, answer) => {
    const driver = users(1, 2)
    driver.open(remove(new Invalidate(User)), [{ id: 1 }]).answer(answer)
    expect(rows(driver)).toMatchObject({ 1: INVALID, 2: { id: 2 } })
    expect(driver.getState().endpoints['remove [{"id":1}]']).toBe('1')
  })

  test('INV-2 arrays may mix them', () => {
    const driver = users(1, 2, 3, 4)
    driver.open(remove([new Invalidate(User)]), []).answer([1, '2', { id: 3 }])
    expect(rows(driver)).toMatchObject({ 1: INVALID, 2: INVALID, 3: INVALID, 4: { id: 4 } })
  })

  test('INV-2 process is run, and a record that was never there leaves a tombstone too', () => {
    class Named extends Entity {
      slug = ''
      static override key = 'Named'
      override pk(): string {
        return this.slug
      }
      static override process(input: { name: string }): object {
        return { ...input, slug: input.name }
      }
    }
    const driver = createDriver()
    driver.open(remove(new Invalidate(Named)), []).answer({ name: 'a' })
    expect(rows(driver, 'Named')).toEqual({ a: INVALID })
  })

  test('INV-1 INV-2 a Union: the member is found by its attribute, and by a bare pk where it is stored', () => {
    const schema = new Invalidate(new Union({ user: User, group: Group }, 'type'))
    const driver = users(1, 2)
    driver.open(endpoint('group', Group), [1]).answer({ id: 7 })
    driver.open(remove(schema), ['x']).answer({ id: 1, type: 'user' })
    expect(driver.getState().endpoints['remove ["x"]']).toEqual({ id: '1', schema: 'user' })
    driver.open(remove(schema), ['y']).answer(7)
    expect(driver.getState().endpoints['remove ["y"]']).toEqual({ id: '7', schema: 'group' })
    expect(rows(driver)).toMatchObject({ 1: INVALID, 2: { id: 2 } })
    expect(rows(driver, 'Group')).toEqual({ 7: INVALID })
  })
})

describe('INV-3 effect', () => {
  const removeUser = remove(new Invalidate(User))

  test('INV-3 DEN-6 a reader that needs the record has no data and fetches again', () => {
    const driver = users(1)
    const getPost = endpoint('post', Post)
    driver.open(getUser, [1]).answer({ id: 1 })
    driver.open(getPost, [5]).answer({ id: 5, author: { id: 1 } })
    driver.open(removeUser, [1]).answer(1)
    expect(driver.read(getUser, [1])).toMatchObject({ data: undefined, expiryStatus: 1 })
    expect(driver.read(getPost, [5])).toMatchObject({ data: undefined, expiryStatus: 1 })
    driver.open(getUser, [1]).answer({ id: 1, name: 'back' })
    expect(driver.read(getPost, [5]).data.author.name).toBe('back')
  })

  test('INV-3 DEN-6 a reader that does not need the record shows undefined instead', () => {
    const driver = createDriver()
    const getDraft = endpoint('draft', Draft)
    driver.open(getDraft, [5]).answer({ id: 5, author: { id: 1 } })
    driver.open(removeUser, [1]).answer(1)
    expect(driver.read(getDraft, [5])).toMatchObject({ expiryStatus: 3, data: { id: 5, author: undefined } })
  })

  test('INV-3 DEN-5 lists and maps leave it out, and what needs it', () => {
    const driver = createDriver()
    const targets = [
      endpoint('array', [User]),
      endpoint('values', new Values(User)),
      endpoint('list', new Collection([User])),
    ]
    for (const target of targets) {
      driver.open(target, [{}]).answer([{ id: 1 }, { id: 2 }])
    }
    driver.open(endpoint('posts', [Post]), []).answer([
      { id: 5, author: { id: 1 } },
      { id: 6, author: { id: 2 } },
    ])
    driver.open(removeUser, [1]).answer(1)
    for (const target of targets) {
      expect(Object.values(driver.read(target, [{}]).data as object)).toEqual([User.fromJS({ id: 2 as never })])
    }
    expect(driver.read(endpoint('posts', [Post]), []).data.map((post: Post) => post.id)).toEqual([6])
  })

  test('DEN-11 no reading gives the tombstone', () => {
    const driver = users(1)
    driver.open(getUser, [1]).answer({ id: 1 })
    driver.open(removeUser, [1]).answer(1)
    expect(driver.read(User, [1]).data).toBeUndefined()
    expect(driver.read(getUser, [1]).data).toBeUndefined()
    expect(driver.read(endpoint('object', { user: User }), [{ id: 1 }]).data).toEqual({ user: undefined })
    const stored = endpoint('stored', { user: User })
    driver.setResponse(stored, [], { user: '1' })
    expect(driver.read(stored, []).data).toBeUndefined()
  })
})

test.each([undefined, null, '', Number.NaN, {}, { id: null }, { id: '' }])(
  'INV-4 %j names no record: refused',
  (answer) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const driver = users(1)
    const before = driver.getState().entities
    const code = answer === undefined || answer === null ? 'input-wrong-kind' : 'invalidate-missing-pk'
    const refused = expect.objectContaining({ code, status: 400, refused: true })
    expect(() => driver.open(remove(new Invalidate(User)), []).answer(answer)).toThrow(refused)
    expect(driver.getState().entities).toEqual(before)
    error.mockRestore()
  },
)

describe('INV-5 lists', () => {
  const todos = new Collection([User])
  const getTodos = endpoint('todos', todos)

  test('INV-5 the list that the arguments name is gone until it is fetched again; its items stay', () => {
    const driver = createDriver()
    driver.open(getTodos, [{ group: 'a' }]).answer([{ id: 1 }])
    driver.open(getTodos, [{ group: 'b' }]).answer([{ id: 2 }])
    driver.open(remove(new Invalidate(todos)), [{ group: 'a' }]).answer({})
    expect(driver.read(getTodos, [{ group: 'a' }])).toMatchObject({ data: undefined, expiryStatus: 1 })
    expect(driver.read(todos, [{ group: 'a' }]).data).toBeUndefined()
    expect(driver.read(getTodos, [{ group: 'b' }]).data).toHaveLength(1)
    expect(driver.read(User, [1]).data.id).toBe(1)
    driver.open(endpoint('push', todos.push, { sideEffect: true }), [{ group: 'a' }]).answer({ id: 3 })
    expect(driver.read(todos, [{ group: 'a' }]).data).toBeUndefined()
    driver.open(getTodos, [{ group: 'a' }]).answer([{ id: 4 }])
    expect(driver.read(getTodos, [{ group: 'a' }]).data.map((user: User) => user.id)).toEqual([4])
  })

  test('INV-5 a list sent before it was marked does not bring it back', () => {
    const driver = createDriver()
    driver.open(getTodos, [{}]).answer([{ id: 1 }])
    const late = driver.open(getTodos, [{}])
    driver.open(remove(new Invalidate(todos)), [{}]).answer({})
    late.answer([{ id: 1 }])
    expect(driver.read(getTodos, [{}])).toMatchObject({ data: undefined, expiryStatus: 1 })
    driver.open(getTodos, [{}]).answer([{ id: 2 }])
    expect(driver.read(getTodos, [{}]).data.map((user: User) => user.id)).toEqual([2])
  })
})

describe('INV-6 order', () => {
  const removeUser = remove(new Invalidate(User))

  test('INV-6 ENT-28 the tombstone ranks by the order of its response', () => {
    const driver = users(1)
    const before = driver.open(getUser, [1])
    const request = driver.open(removeUser, [1])
    const between = driver.open(getUser, [1])
    request.answer(1)
    before.answer({ id: 1 })
    between.answer({ id: 1 })
    expect(driver.read(User, [1]).data).toBeUndefined()
    driver.open(getUser, [1]).answer({ id: 1, name: 'again' })
    expect(driver.read(User, [1]).data.name).toBe('again')
  })

  test('INV-6 a write sent after the delete stands, whatever the order of responses', () => {
    const driver = users(1)
    const request = driver.open(removeUser, [1])
    driver.open(endpoint('put', User, { sideEffect: true }), [1]).answer({ id: 1, name: 'put' })
    request.answer(1)
    expect(driver.read(User, [1]).data.name).toBe('put')
  })
})

describe('INV-7', () => {
  test('INV-7 it cannot be read', () => {
    const driver = users(1)
    for (const args of [[], [1], [{ id: 1 }]]) {
      expect(driver.read(new Invalidate(User), args).data).toBeUndefined()
    }
  })

  test('INV-7 the outcome of a delete whose response is an object is an instance made from it', () => {
    const driver = users(1)
    const request = driver.open(remove(new Invalidate(User)), [{ id: 1 }])
    request.answer({ id: 1, name: 'gone' })
    expect(request.outcome()).toBeInstanceOf(User)
    expect(request.outcome()).toMatchObject({ id: 1, name: 'gone' })
  })

  test('INV-7 DEL-1 the outcome of a delete without a response is an instance with the parameters', () => {
    const driver = users(1)
    const params = { id: 1 }
    const request = driver.open(remove(new Invalidate(User)), [params])
    request.answer(params)
    expect(request.outcome()).toEqual(User.fromJS(params as object))
    expect(driver.read(User, [1]).data).toBeUndefined()
  })

  test.each<[string, unknown]>([
    ['an id that is a number', 1],
    ['an id that is a string', '1'],
  ])('INV-7 a delete whose response is %s has no outcome, and removes the record', (_, answer) => {
    const union = new Union({ user: User, group: Group }, 'type')
    for (const schema of [new Invalidate(User), new Invalidate(union)]) {
      const driver = users(1)
      const request = driver.open(remove(schema), [{ id: 1 }])
      request.answer(answer)
      expect(request.outcome()).toBeUndefined()
      expect(driver.read(User, [1]).data).toBeUndefined()
    }
  })

  test('INV-7 of a union, the outcome is an instance of the member', () => {
    const driver = users(1)
    const union = new Union({ user: User, group: Group }, 'type')
    const request = driver.open(remove(new Invalidate(union)), [{ id: 1 }])
    request.answer({ id: 1, type: 'user', name: 'gone' })
    expect(request.outcome()).toBeInstanceOf(User)
    expect(request.outcome()).toMatchObject({ name: 'gone' })
  })
})
