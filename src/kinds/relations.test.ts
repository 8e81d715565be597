import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { receive } from '../testing/drivers.ts'
import { endpointFor } from '../testing/endpoints.ts'
import { User } from '../testing/entities.ts'
import { All } from './All.ts'
import { Collection } from './Collection.ts'
import { Entity } from './Entity.ts'
import { Invalidate } from './Invalidate.ts'
import { Lazy } from './Lazy.ts'
import { Scalar } from './Scalar.ts'
import { Union } from './Union.ts'
import { Values } from './Values.ts'

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

const remove = (driver: Driver, Class: typeof Entity, id: unknown): void =>
  driver.open(endpointFor(new Invalidate(Class), { sideEffect: true }), [{ remove: id }]).answer({ id })

class Stats extends Entity {
  id = ''
  price = 0
  static override key = 'Stats'
}
class Currency extends Entity {
  id = ''
  stats = Stats.fromJS()
  maybe: Stats | undefined = undefined
  all: Stats[] = []
  static override key = 'Currency'
  static override schema = { stats: Stats, maybe: Stats, all: [Stats] }
  static override process(input: any): any {
    return { ...input, stats: input.id, maybe: input.id, all: [input.id, 'never'] }
  }
}

test('REL-1 relations land in their tables, and what is shared is one object everywhere', () => {
  class Tag extends Entity {
    id = ''
    static override key = 'Tag'
  }
  class Todo extends Entity {
    id = ''
    owner = User.fromJS()
    tags: Tag[] = []
    static override key = 'Todo'
    static override schema = { owner: User, tags: [Tag] }
  }
  const owner = { id: 1, name: 'Ann' }
  const driver = receive(
    [Todo],
    [
      { id: 1, owner, tags: [{ id: 'x' }, { id: 'y' }] },
      { id: 2, owner: { ...owner }, tags: [{ id: 'y' }] },
    ],
  )
  const [one, two] = driver.read(endpointFor([Todo]), [{}]).data
  expect(one.owner).toBe(two.owner)
  expect(one.tags[1]).toBe(two.tags[0])
  expect(Object.keys(driver.getState().entities).toSorted()).toEqual(['Tag', 'Todo', 'User'])
})

test('REL-2 a join on the client: process turns an id into a relation', () => {
  class Todo extends Entity {
    id = ''
    userId = 0
    user = User.fromJS({ name: 'nobody' })
    static override key = 'Todo'
    static override schema = { user: User }
    static override process(input: any): any {
      return { ...input, user: input.userId }
    }
  }
  const driver = receive([Todo], [{ id: 1, userId: 5 }])
  expect(driver.read(endpointFor([Todo]), [{}]).data[0].user.name).toBe('nobody')
  receive([User], [{ id: 5, name: 'Ann' }], driver, [{ users: 1 }])
  const [todo] = driver.read(endpointFor([Todo]), [{}]).data
  expect(todo.user).toBe(driver.read(User, [{ id: 5 }]).data)
  expect(todo.user.name).toBe('Ann')
})

test('REL-3 a join by key: the class default until the other is fetched; then readers are notified', async () => {
  const driver = receive([Currency], [{ id: 'btc' }])
  const told = vi.fn()
  driver.subscribe(endpointFor([Currency]), [{}], told)
  const read = (): any => driver.read(endpointFor([Currency]), [{}]).data[0]
  expect(read().stats).toBe(Currency.defaults.stats)
  expect([read().maybe, read().all]).toEqual([undefined, []])
  receive([Stats], [{ id: 'btc', price: 5 }], driver, [{ stats: 1 }])
  await Promise.resolve()
  expect(told).toHaveBeenCalledTimes(1)
  const stats = driver.read(Stats, [{ id: 'btc' }]).data
  expect([read().stats, read().maybe, read().all[0]]).toEqual([stats, stats, stats])
  expect(read().stats).toBe(stats)
})

test('DEN-6 a deleted relation makes its owner invalid where the default is truthy, and is the default where it is not', () => {
  class Post extends Entity {
    id = ''
    author = User.fromJS()
    editor: User | undefined = undefined
    none: User | null = null
    static override key = 'Post'
    static override schema = { author: User, editor: User, none: User }
  }
  class Thread extends Entity {
    id = ''
    post = Post.fromJS()
    static override key = 'Thread'
    static override schema = { post: Post }
  }
  const driver = receive(Post, { id: 1, author: { id: 1 }, editor: { id: 2 }, none: { id: 2 } })
  receive(Thread, { id: 1, post: '1' }, driver, [{ thread: 1 }])
  const before = driver.read(endpointFor(Post), [{}]).data
  remove(driver, User, 2)
  expect(driver.read(endpointFor(Post), [{}])).toMatchObject({
    data: { editor: undefined, none: null },
    expiryStatus: 3,
  })
  remove(driver, User, 1)
  expect(driver.read(endpointFor(Post), [{}])).toMatchObject({ data: undefined, expiryStatus: 1 })
  expect(driver.read(endpointFor(Thread), [{ thread: 1 }]).data.post).toEqual(Post.fromJS())
  expect(driver.read(new All(Post), []).data).toEqual([])
  receive([User], [{ id: 1 }, { id: 2 }], driver, [{ again: 1 }])
  expect(driver.read(endpointFor(Post), [{}]).data).toEqual(before)
  expect(driver.read(endpointFor(Thread), [{ thread: 1 }]).data.post).toBe(driver.read(endpointFor(Post), [{}]).data)
})

test('REL-4 REL-5 a child knows its parent, as process left it, and the parent’s list of children grows without doubles', () => {
  class Book extends Entity {
    id = ''
    title = ''
    authors: any[] = []
    static override key = 'Book'
    static override merge(existing: any, incoming: any): any {
      return {
        ...existing,
        ...incoming,
        authors: [...new Set([...(existing.authors ?? []), ...(incoming.authors ?? [])])],
      }
    }
    static override process(input: any, parent: any): any {
      return parent?.isAuthor ? { ...input, authors: [parent.id] } : { ...input }
    }
  }
  class Author extends Entity {
    id = ''
    books: Book[] = []
    static override key = 'Author'
    static override schema = { books: [Book] }
    static override process(input: any): any {
      return { ...input, isAuthor: true }
    }
  }
  Book.schema = { authors: [Author] }
  const answer = [
    { id: 'a', books: [{ id: 1, title: 'one' }, { id: 2 }] },
    { id: 'b', books: [{ id: 1 }] },
  ]
  const driver = receive([Author], answer)
  receive([Author], answer, driver)
  expect(driver.getState().entities['Book']).toEqual({
    1: { id: 1, title: 'one', authors: ['a', 'b'] },
    2: { id: 2, authors: ['a'] },
  })
  const [author] = driver.read(endpointFor([Author]), [{}]).data
  expect(author.books[0].authors[0]).toBe(author)
})

test('REL-6 DEN-9 a.friend.friend is a', () => {
  class Person extends Entity {
    id = ''
    friend: any = undefined
    static override key = 'Person'
  }
  Person.schema = { friend: Person }
  const driver = receive(
    [Person],
    [
      { id: 'a', friend: { id: 'b', friend: 'a' } },
      { id: 'self', friend: 'self' },
    ],
  )
  const [a, self] = driver.read(endpointFor([Person]), [{}]).data
  expect(a.friend.friend).toBe(a)
  expect(self.friend).toBe(self)
  receive(Person, { id: 'b', name: 'new' }, driver, [{ b: 1 }])
  const [next, same] = driver.read(endpointFor([Person]), [{}]).data
  expect(next).not.toBe(a)
  expect(next.friend.friend).toBe(next)
  expect(same).toBe(self)
})

test('REL-7 LAZ-1 LAZ-2 a lazy relation holds keys, and is resolved on demand', () => {
  class Building extends Entity {
    id = ''
    rooms: any[] = []
    static override key = 'Building'
    static override schema = { rooms: new Lazy([User]) }
  }
  const driver = receive(Building, { id: 1, rooms: [{ id: 1, name: 'a' }, { id: 2 }] })
  const building = driver.read(Building, [{ id: 1 }]).data
  expect(building.rooms).toEqual(['1', '2'])
  expect(driver.read(Building.schema.rooms.query, [building.rooms]).data).toMatchObject([{ name: 'a' }, { id: 2 }])
  receive(User, { id: 1, name: 'b' }, driver, [{ id: 1 }])
  expect(driver.read(Building, [{ id: 1 }]).data).toBe(building)
  expect(driver.read(Building.schema.rooms.query, [building.rooms]).data[0].name).toBe('b')
})

const kinds = new Union({ user: User, stats: Stats }, 'type' as never)
class Priced extends Entity {
  id = ''
  price: any = undefined
  static override key = 'Priced'
  static override schema = { price: new Scalar({ key: 'price', lens: ([args]) => args?.currency }) }
}

test.each([
  ['UNI-2 Union', kinds, { id: 1, type: 'stats', price: 5 }, { id: 1, price: 5 }],
  [
    'VAL-1 Values',
    new Values(User),
    { a: { id: 1, name: 'a' }, b: { id: 2, name: 'b' } },
    { a: { id: 1 }, b: { id: 2 } },
  ],
  [
    'ALL-1 All',
    new All(User),
    [
      { id: 2, name: 'b' },
      { id: 1, name: 'a' },
    ],
    [{ id: 2 }, { id: 1 }],
  ],
  ['LAZ-1 Lazy', new Lazy([User]), [{ id: 1 }, { id: 2 }], ['1', '2']],
  ['SCA-2 Scalar', Priced, { id: 1, price: 7 }, { id: 1, price: 7 }],
  ['COL-1 Collection', new Collection(new Values(User)), { a: { id: 1 } }, { a: { id: 1 } }],
])('%s: there and back again, through a text too', async (_, schema, answer, expected) => {
  const { deserializeState, serializeState } = await import('../client/serialize.ts')
  const args = [{ currency: 'usd' }]
  const driver = receive(schema, answer, createDriver(), args)
  const { data } = driver.read(endpointFor(schema), args)
  expect(data).toMatchObject(expected)
  expect(driver.read(endpointFor(schema), args).data).toBe(data)
  receive(schema, structuredClone(answer), driver, args)
  expect(driver.read(endpointFor(schema), args).data).toBe(data)
  const other = createDriver()
  other.restore(deserializeState(serializeState(driver.getState())))
  expect(other.read(endpointFor(schema), args).data).toEqual(data)
})
