import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from 'vitest'
import { receive } from '../testing/drivers.ts'
import { endpointFor } from '../testing/endpoints.ts'
import type { Denormalize } from '../schema/Denormalize.ts'
import { Entity } from './Entity.ts'
import { EntityMixin } from './EntityMixin.ts'
import { entity } from './entityOf.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

const User = entity('User', { id: '', name: 'nobody', tags: [] as string[] })
const Article = entity(
  'Article',
  { slug: '', title: '', author: User.fromJS(), at: new Date(0) },
  { pk: 'slug', schema: { author: User, at: (iso: string) => new Date(iso) }, indexes: ['title'], required: ['title'] },
)

test('MIX-1 entity() declares an Entity without a class, with the type of its fields', () => {
  expectTypeOf<Denormalize<typeof User>['name']>().toEqualTypeOf<string>()
  expectTypeOf<Denormalize<typeof User>['tags']>().toEqualTypeOf<string[]>()
  expectTypeOf<Denormalize<typeof Article>['author']['name']>().toEqualTypeOf<string>()
  expectTypeOf<Denormalize<typeof Article>['at']>().toEqualTypeOf<Date>()
  expectTypeOf(User.fromJS({ name: 'a' }).name).toEqualTypeOf<string>()
  // @ts-expect-error no such field
  User.fromJS({ nome: 'a' })
  expect([User.key, User.name, `${User}`, Article.indexes, Article.required]).toEqual([
    'User',
    'User',
    'User',
    ['title'],
    ['title'],
  ])
  expect(Object.entries(User.fromJS({ id: '1' }))).toEqual(Object.entries({ id: '1', name: 'nobody', tags: [] }))
  expect(User.defaults).toBe(User.defaults)
})

test('MIX-1 MIX-2 MIX-4 ENT-19 ENT-20 ENT-31 it has the powers of a class', () => {
  const driver = receive([Article], [{ slug: 'a', title: 'A', author: { id: 1 }, at: '2020-01-01' }])
  expect(driver.getState().entities).toEqual({
    Article: { a: { slug: 'a', title: 'A', author: '1', at: '2020-01-01' } },
    User: { 1: { id: 1 } },
  })
  const article = driver.read(Article, [{ title: 'A' }]).data as InstanceType<typeof Article>
  expect(article).toBeInstanceOf(Article)
  expect(article).toBeInstanceOf(Entity)
  expect(article.pk()).toBe('a')
  expect(article.at).toEqual(new Date('2020-01-01'))
  expect(article.author).toBe(driver.read(User, [{ id: 1 }]).data)
  expect(article.author.name).toBe('nobody')
})

test('ENT-42 ENT-7 it may be extended, and shares its table then', () => {
  class Author extends User {
    books = 0
    get label(): string {
      return `${this.name} (${this.books})`
    }
  }
  const driver = receive({ a: User, b: Author }, { a: { id: 1, name: 'Ann' }, b: { id: 1, books: 3 } })
  expect((driver.read(Author, [{ id: 1 }]).data as Author).label).toBe('Ann (3)')
  expect(Object.keys(driver.getState().entities)).toEqual(['User'])
})

test('ENT-42 two declarations of one key are two classes', () => {
  const Mine = entity('Theirs', { id: '' })
  class Theirs extends Entity {
    id = ''
    static override key = 'Theirs'
  }
  class Other extends Entity {
    id = ''
    static override key = 'Theirs'
  }
  expect(Mine.name).toBe(Theirs.name)
  expect(() => receive(Other, { id: 1 }, receive(Mine, { id: 1 }))).toThrow('entity-key-taken')
})

test('ENT-8 ENT-9 the defaults belong to the declaration: what the caller does to its object later is not seen', () => {
  const fields = { id: '', tags: ['a'], box: { deep: [1] } }
  const Thing = entity('Thing', fields)
  fields.tags.push('b')
  fields.box.deep.push(2)
  const thing = receive(Thing, { id: 1 }).read(endpointFor(Thing), [{}]).data as InstanceType<typeof Thing>
  expect(Object.entries(thing)).toEqual(Object.entries({ id: 1, tags: ['a'], box: { deep: [1] } }))
  expect(() => thing.tags.push('c')).toThrow(TypeError)
  expect(Object.isFrozen(fields.tags)).toBe(false)
})

test('MIX-1 it is EntityMixin underneath', () => {
  const Made = EntityMixin(class Fields extends (Entity as unknown as new () => Entity) {}, { key: 'Made' })
  const Declared = entity('Made', {})
  const statics = (of: object): string[] => Object.getOwnPropertyNames(of).toSorted()
  expect(statics(Declared)).toEqual(statics(Made))
})
