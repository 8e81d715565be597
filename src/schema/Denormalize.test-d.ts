import { expectTypeOf, test } from 'vitest'
import { All } from '../kinds/All.ts'
import { ArraySchema } from './Array.ts'
import { Collection } from '../kinds/Collection.ts'
import type {
  Denormalize,
  DenormalizeNullable,
  EntityFields,
  EntityInput,
  Normalize,
  NormalizeNullable,
  Queryable,
  Schema,
  SchemaArgs,
  SchemaInput,
  Wire,
} from './Denormalize.ts'
import { Entity } from '../kinds/Entity.ts'
import { entity } from '../kinds/entityOf.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Lazy } from '../kinds/Lazy.ts'
import { ObjectSchema } from './Object.ts'
import { Query } from '../kinds/Query.ts'
import { Union } from '../kinds/Union.ts'
import { Values } from '../kinds/Values.ts'

class User extends Entity {
  id = ''
  name = ''
  age = 0
  static override key = 'User'
}

class Post extends Entity {
  id = ''
  title = ''
  kind: 'post' = 'post' as const
  author = User.fromJS()
  tags: string[] = []
  at = new Date(0)
  size = 0n
  shout(): string {
    return this.title.toUpperCase()
  }
  static override key = 'Post'
  static override schema = { author: User, at: (iso: string) => new Date(iso), size: BigInt }
}

class Building extends Entity {
  id = ''
  rooms: string[] = []
  static override key = 'Building'
  static override schema = { rooms: new Lazy([User]) }
}

class Decimal {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const list = new Collection([User])
const map = new Collection(new Values(User))
const union = new Union({ post: Post, user: User }, 'kind')
const all = new All(User)

test('TY-5 what a schema reads as', () => {
  expectTypeOf<Denormalize<typeof User>>().toEqualTypeOf<User>()
  expectTypeOf<Denormalize<[typeof User]>>().toEqualTypeOf<User[]>()
  expectTypeOf<Denormalize<typeof list>>().toEqualTypeOf<User[]>()
  expectTypeOf<Denormalize<{ items: never[]; tags: string[] }>>().toEqualTypeOf<{ items: any[]; tags: string[] }>()
  expectTypeOf<Denormalize<typeof map>>().toEqualTypeOf<{ [key: string]: User }>()
  expectTypeOf<Denormalize<typeof union>>().toEqualTypeOf<Post | User>()
  expectTypeOf<Denormalize<typeof all>>().toEqualTypeOf<User[]>()
  expectTypeOf<Denormalize<ArraySchema<typeof User>>>().toEqualTypeOf<User[]>()
  expectTypeOf<Denormalize<Invalidate<typeof User>>>().toEqualTypeOf<User | undefined>()
  expectTypeOf<Denormalize<{ users: typeof list; total: number; next: string }>>().toEqualTypeOf<{
    users: User[]
    total: number
    next: string
  }>()
  expectTypeOf<Denormalize<ObjectSchema<{ user: typeof User }>>>().toEqualTypeOf<{ user: User }>()
  expectTypeOf<Denormalize<undefined>>().toBeAny()
})

test('TY-5 a member that may be null or undefined keeps its other types', () => {
  type Page = {
    readonly users: typeof list
    readonly next: string | null
    readonly total?: number | undefined
    readonly meta: { readonly next: string | null; readonly owner: typeof User | null }
    readonly unknown: null
  }
  type Plain = Pick<Denormalize<Page>, 'next' | 'total'>
  interface Expected {
    readonly next: string | null
    readonly total?: number | undefined
  }
  expectTypeOf<Plain>().toEqualTypeOf<Expected>()
  expectTypeOf<Pick<DenormalizeNullable<Page>, 'next' | 'total'>>().toEqualTypeOf<Expected>()
  expectTypeOf<Pick<Normalize<Page>, 'next' | 'total'>>().toEqualTypeOf<Expected>()
  expectTypeOf<Pick<NormalizeNullable<Page>, 'next' | 'total'>>().toEqualTypeOf<Expected>()
  expectTypeOf<Pick<Wire<Page>, 'next' | 'total'>>().toEqualTypeOf<Expected>()
  expectTypeOf<SchemaInput<Page>['next']>().toEqualTypeOf<string | null | undefined>()
  expectTypeOf<Denormalize<Page>['meta']>().toEqualTypeOf<{
    readonly next: string | null
    readonly owner: User | null
  }>()
  expectTypeOf<Denormalize<(typeof User | null)[]>>().toEqualTypeOf<(User | null)[]>()
  // A member that is only null tells nothing.
  expectTypeOf<Denormalize<Page>['unknown']>().toBeAny()
})

test('TY-5 what a schema reads as while data may be missing', () => {
  expectTypeOf<DenormalizeNullable<typeof User>>().toEqualTypeOf<User | undefined>()
  expectTypeOf<DenormalizeNullable<typeof list>>().toEqualTypeOf<User[] | undefined>()
  expectTypeOf<DenormalizeNullable<{ users: typeof list; total: number }>>().toEqualTypeOf<{
    users: User[] | undefined
    total: number
  }>()
})

test('ENT-20 converters read as what they make, and come in as what they take', () => {
  expectTypeOf<Denormalize<(iso: string) => Date>>().toEqualTypeOf<Date>()
  expectTypeOf<Denormalize<NumberConstructor>>().toEqualTypeOf<number>()
  expectTypeOf<Denormalize<StringConstructor>>().toEqualTypeOf<string>()
  expectTypeOf<Denormalize<BooleanConstructor>>().toEqualTypeOf<boolean>()
  expectTypeOf<Denormalize<BigIntConstructor>>().toEqualTypeOf<bigint>()
  expectTypeOf<Denormalize<DateConstructor>>().toEqualTypeOf<Date>()
  expectTypeOf<Denormalize<typeof Decimal>>().toEqualTypeOf<Decimal>()
  expectTypeOf<Wire<(iso: string) => Date>>().toEqualTypeOf<string>()
  expectTypeOf<Wire<typeof Decimal>>().toEqualTypeOf<string>()
  expectTypeOf<Wire<DateConstructor>>().toEqualTypeOf<string | number>()
})

test('LAZ-1 LAZ-3 a lazy field holds keys, and its query resolves them', () => {
  const { rooms } = Building.schema
  expectTypeOf<Denormalize<typeof rooms>>().toEqualTypeOf<string[]>()
  expectTypeOf<Denormalize<typeof rooms.query>>().toEqualTypeOf<User[]>()
  expectTypeOf<SchemaArgs<typeof rooms.query>>().toEqualTypeOf<[string[]]>()
  const owner = new Lazy(User)
  expectTypeOf<Denormalize<typeof owner>>().toEqualTypeOf<string>()
  expectTypeOf<SchemaArgs<typeof owner.query>>().toEqualTypeOf<SchemaArgs<typeof User>>()
})

test('TY-5 what the store holds', () => {
  expectTypeOf<Normalize<typeof User>>().toEqualTypeOf<string>()
  expectTypeOf<Normalize<[typeof User]>>().toEqualTypeOf<string[]>()
  expectTypeOf<Normalize<typeof list>>().toEqualTypeOf<string>()
  expectTypeOf<Normalize<typeof union>>().toEqualTypeOf<{ id: string; schema: string }>()
  expectTypeOf<Normalize<{ users: typeof list; total: number }>>().toEqualTypeOf<{ users: string; total: number }>()
  expectTypeOf<NormalizeNullable<{ user: typeof User; total: number }>>().toEqualTypeOf<{
    user: string | undefined
    total: number
  }>()
})

test('TY-5 data as it comes: fields of the class, converters undone, no methods', () => {
  expectTypeOf<Wire<typeof User>>().toEqualTypeOf<{ id: string; name: string; age: number }>()
  expectTypeOf<Wire<typeof Post>['author']>().toEqualTypeOf<{ id: string; name: string; age: number }>()
  expectTypeOf<Wire<typeof Post>['at']>().toEqualTypeOf<string>()
  expectTypeOf<keyof Wire<typeof Post>>().toEqualTypeOf<'id' | 'title' | 'kind' | 'author' | 'tags' | 'at' | 'size'>()
  expectTypeOf<Wire<typeof list>>().toEqualTypeOf<Wire<typeof User>[]>()
  expectTypeOf<Wire<typeof map>>().toEqualTypeOf<{ [key: string]: Wire<typeof User> }>()
  expectTypeOf<Wire<typeof union>>().toEqualTypeOf<Wire<typeof Post> | Wire<typeof User>>()
  expectTypeOf<Wire<{ users: typeof list; total: number }>>().toEqualTypeOf<{
    users: Wire<typeof User>[]
    total: number
  }>()
})

test('TY-9 what may be given for a schema: fields may be missing, relations may be ids', () => {
  expectTypeOf<{ title: string; author: string }>().toExtend<EntityInput<Post>>()
  expectTypeOf<{ author: { name: string } }>().toExtend<SchemaInput<typeof Post>>()
  expectTypeOf<{ at: string }>().toExtend<EntityInput<Post>>()
  expectTypeOf<{ at: Date }>().toExtend<EntityInput<Post>>()
  expectTypeOf<{ id: number }>().toExtend<EntityInput<Post>>()
  expectTypeOf<{ kind: 'user' }>().not.toExtend<EntityInput<Post>>()
  expectTypeOf<{ title: boolean }>().not.toExtend<EntityInput<Post>>()
  expectTypeOf<'shout'>().not.toExtend<keyof EntityInput<Post>>()
  expectTypeOf<{ users: { id: string }[] }>().toExtend<SchemaInput<{ users: typeof list; total: number }>>()
})

test('ENT-36 COL-35 the arguments of a query', () => {
  expectTypeOf<SchemaArgs<typeof User>>().toEqualTypeOf<[EntityFields<User> | string | number]>()
  expectTypeOf<{ id: number }>().toExtend<EntityFields<User>>()
  expectTypeOf<[]>().toExtend<SchemaArgs<typeof list>>()
  expectTypeOf<[{ group: string }]>().toExtend<SchemaArgs<typeof list>>()
  expectTypeOf<[{ id: string }]>().toExtend<SchemaArgs<{ user: typeof User; post: typeof Post }>>()
  expectTypeOf<[]>().not.toExtend<SchemaArgs<{ user: typeof User; all: typeof all }>>()
  // An object needs no arguments when none of its members does.
  expectTypeOf<[]>().toExtend<SchemaArgs<{ all: typeof all; list: typeof list; total: number }>>()
  expectTypeOf<[{ group: string }]>().toExtend<SchemaArgs<{ all: typeof all; list: typeof list }>>()
})

test('QRY-1 QRY-3 QRY-5 queries are typed by process, else by their schema', () => {
  const plain = new Query(list)
  expectTypeOf<Denormalize<typeof plain>>().toEqualTypeOf<User[]>()
  const count = new Query(all, (users, { min }: { min: number }) => users.filter((user) => user.age > min).length)
  expectTypeOf<Denormalize<typeof count>>().toEqualTypeOf<number>()
  expectTypeOf<SchemaArgs<typeof count>>().toEqualTypeOf<[{ min: number }]>()
  const join = new Query({ user: User, post: Post })
  expectTypeOf<Denormalize<typeof join>>().toEqualTypeOf<{ user: User | undefined; post: Post | undefined }>()
})

test('QRY-2 what can be queried', () => {
  expectTypeOf<typeof User>().toExtend<Queryable>()
  expectTypeOf(list).toExtend<Queryable>()
  expectTypeOf(union).toExtend<Queryable>()
  expectTypeOf<{ user: typeof User; list: typeof list }>().toExtend<Queryable>()
  expectTypeOf<typeof Building.schema.rooms.query>().toExtend<Queryable>()
  expectTypeOf<typeof Building.schema.rooms>().not.toExtend<Queryable>()
  expectTypeOf<Invalidate<typeof User>>().not.toExtend<Queryable>()
  expectTypeOf<Values<typeof User>>().not.toExtend<Queryable>()
  expectTypeOf(list.push).not.toExtend<Queryable>()
})

test('COL-32 adders of lists and of maps', () => {
  expectTypeOf<Denormalize<typeof list.push>>().toEqualTypeOf<User>()
  expectTypeOf<Denormalize<typeof list.remove>>().toEqualTypeOf<User>()
  expectTypeOf(list.assign).toBeUndefined()
  expectTypeOf(map.push).toBeUndefined()
  expectTypeOf<Wire<typeof map.move>>().toEqualTypeOf<Wire<typeof User> | Wire<typeof User>[]>()
})

test('RE-11 what may stand as a schema', () => {
  expectTypeOf<typeof User>().toExtend<Schema>()
  expectTypeOf<(typeof User)[]>().toExtend<Schema>()
  expectTypeOf<{ users: typeof list; total: number; next: string; at: DateConstructor }>().toExtend<Schema>()
  expectTypeOf<null | undefined>().toExtend<Schema>()
})

test('TY-7 fields are typed by the class, never by static validate', () => {
  class Checked extends Entity {
    id = ''
    size = 0
    static override key = 'Checked'
    static validator: { '~standard': { version: 1; types: { input: { size: string }; output: { size: string } } } }
  }
  expectTypeOf<Denormalize<typeof Checked>['size']>().toEqualTypeOf<number>()
  expectTypeOf<Wire<typeof Checked>['size']>().toEqualTypeOf<number>()
})

test('entity() types pk by the fields, whether by name or by a function', () => {
  entity('Price', { exchange: '', ticker: '' }, { pk: ({ exchange, ticker }) => `${exchange}-${ticker}` })
  entity('Page', { slug: '' }, { pk: 'slug' })
  // @ts-expect-error there is no such field
  entity('Page', { slug: '' }, { pk: 'slugg' })
  // @ts-expect-error the key is the first argument
  entity('Page', { slug: '' }, { key: 'Other' })
})

test('TY-13 schemas refuse what can only fail', () => {
  class Cat extends Entity {
    id = ''
    type = 'cat'
    static override key = 'Cat'
  }
  // @ts-expect-error an Entity is no list
  void (() => new Collection(Cat))
  // @ts-expect-error a number is no schema
  void (() => new Invalidate(5))
  // @ts-expect-error no member has this field
  void (() => new Union({ cat: Cat }, 'species'))
  void (() => new Union({ cat: Cat }, 'type'))
  void (() => new Union({ cat: Cat }, ({ species }) => species))
  void (() => new Collection([Cat]))
  void (() =>
    new Collection([Cat], {
      order:
        ({ sort }) =>
        (a, b) =>
          sort + a.type.localeCompare(b.type),
    }))
  // @ts-expect-error no field of the items
  void (() => new Collection([Cat], { order: () => (a, b) => a.age - b.age }))
  void (() => new Invalidate(new Union({ cat: Cat }, 'type')))
})

test('COL-47 the order of a Collection knows its arguments, as text, and its items', () => {
  void new Collection<[typeof User], [{ sort?: 'name' | 'age'; depth: number }]>([User], {
    order: (args) => {
      expectTypeOf(args).toEqualTypeOf<{ readonly sort?: 'name' | 'age'; readonly depth: `${number}` }>()
      return (a, b) => {
        expectTypeOf(a).toEqualTypeOf<User>()
        return a.name.localeCompare(b.name)
      }
    },
  })
})
