import { describe, expect, test, vi } from 'vitest'
import { createDriver } from '../testing/drivers.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Query } from '../kinds/Query.ts'
import {
  INVALID,
  type IDenormalizeDelegate,
  type INormalizeDelegate,
  type IQueryDelegate,
  type SchemaClass,
  type Visit,
} from '../schema/Schema.ts'
import { endpoint } from '../testing/endpoints.ts'
import { User } from '../testing/entities.ts'

/** A schema that an app may write: a connection of edges, `{ edges: [{ cursor, node }] }`, kept as cursors and keys. */
class Connection implements SchemaClass {
  // For the compiler: the type of a read, of the response, and of the stored value.
  declare readonly _out: { cursor: string; node: User }[]
  declare readonly _in: unknown
  declare readonly _normal: [string, string][]
  declare readonly _args: [string | number | { id: string | number }]
  readonly node: unknown
  constructor(node: unknown) {
    this.node = node
  }

  normalize(
    input: { edges: { cursor: string; node: unknown }[] },
    parent: unknown,
    key: string | undefined,
    args: readonly any[],
    visit: Visit,
    delegate: INormalizeDelegate,
  ): unknown {
    if (delegate.args !== args) {
      throw new Error('the arguments are those of the endpoint')
    }
    return input.edges.map(({ cursor, node }, i) => [cursor, visit(this.node, node, parent, key, i)])
  }

  denormalize(input: [string, unknown][], delegate: IDenormalizeDelegate): unknown {
    // A schema of the user's may look into what it reads: the values are whole.
    return input
      .map(([cursor, node]) => ({ cursor, node: delegate.unvisit(this.node, node) }))
      .filter(({ node }) => node !== undefined && node !== INVALID && node.name !== 'hidden')
  }

  queryKey(
    args: readonly any[],
    unvisit: (schema: unknown, args: readonly any[]) => unknown,
    _delegate: IQueryDelegate,
  ): unknown {
    const id = unvisit(this.node, args)
    return id === undefined ? undefined : [['', id]]
  }
}

/** One that writes and reads records by itself: words, kept in a table and found again. */
class Words implements SchemaClass {
  readonly acceptsKey = true
  static readonly Word = class Word extends Entity {
    id = ''
    count = 0
    static override key = 'Word'
  }

  normalize(
    input: string,
    _parent: unknown,
    _key: unknown,
    _args: unknown,
    _visit: Visit,
    delegate: INormalizeDelegate,
  ): string[] {
    const words = input.split(' ')
    for (const id of new Set(words)) {
      const count = Number(delegate.getEntity('Word', id)?.count ?? 0) + words.filter((word) => word === id).length
      delegate.mergeEntity(Words.Word, id, { id, count })
    }
    return words
  }

  denormalize(input: string[], delegate: IDenormalizeDelegate): unknown {
    return input.map((id) => delegate.unvisit(Words.Word, id)?.count)
  }

  queryKey(args: readonly any[], _unvisit: unknown, delegate: IQueryDelegate): unknown {
    return delegate.getEntity('Word', String(args[0])) === undefined ? undefined : [String(args[0])]
  }
}

const connection = new Connection(User)
const getConnection = endpoint('connection', connection)
const edges = [
  { cursor: 'a', node: { id: 1, name: 'Ann' } },
  { cursor: 'b', node: { id: 2, name: 'hidden' } },
  { cursor: 'c', node: { id: 3, name: 'Cid' } },
]

describe('a custom schema', () => {
  test('NOR-1 DEN-1 normalises, reads, follows its records and keeps identity', () => {
    const driver = createDriver()
    driver.open(getConnection, []).answer({ edges })
    expect(driver.getState().endpoints['connection []']).toEqual([
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
    ])
    const read = driver.read(getConnection, []).data
    expect(read.map(({ cursor, node }: any) => [cursor, node.name])).toEqual([
      ['a', 'Ann'],
      ['c', 'Cid'],
    ])
    expect(read[0].node).toBe(driver.read(User, [1]).data)
    expect(driver.read(getConnection, []).data).toBe(read)
    driver.open(endpoint('other', User), [9]).answer({ id: 9 })
    expect(driver.read(getConnection, []).data).toBe(read)
    driver.open(endpoint('user', User), [2]).answer({ id: 2, name: 'Bob' })
    expect(driver.read(getConnection, []).data).toHaveLength(3)
    driver.open(endpoint('remove', new Invalidate(User), { sideEffect: true }), [1]).answer(1)
    expect(driver.read(getConnection, []).data.map(({ cursor }: any) => cursor)).toEqual(['b', 'c'])
  })

  test('NOR-1 inside entities, objects, lists and queries', () => {
    class Team extends Entity {
      id = ''
      members: unknown[] = []
      static override key = 'Team'
      static override schema = { members: connection }
    }
    const driver = createDriver()
    const get = endpoint('teams', { teams: [Team], first: connection })
    driver.open(get, []).answer({ teams: [{ id: 1, members: { edges } }], first: { edges: edges.slice(0, 1) } })
    const { teams, first } = driver.read(get, []).data
    expect(teams[0].members.map(({ node }: any) => node.name)).toEqual(['Ann', 'Cid'])
    expect(first[0].node).toBe(teams[0].members[0].node)
    const count = new Query(connection, (all) => all.length)
    expect(driver.read(count, [{ id: 1 }]).data).toBe(1)
    expect(driver.read(count, [{ id: 99 }]).data).toBeUndefined()
    const lists = new Collection([connection])
    driver.open(endpoint('lists', lists), [{}]).answer([{ edges }])
    expect(driver.read(lists, [{}]).data[0]).toHaveLength(2)
  })

  test('QRY-2 can be read without a response', () => {
    const driver = createDriver()
    expect(driver.read(connection, [1]).data).toBeUndefined()
    driver.open(endpoint('user', User), [1]).answer({ id: 1, name: 'Ann' })
    expect(driver.read(connection, [1]).data).toEqual([{ cursor: '', node: driver.read(User, [1]).data }])
    expect(driver.read(connection, [1]).data).toBe(driver.read(connection, [1]).data)
  })

  test('NOR-1 writes records and reads stored ones; its result may be a bare text', () => {
    const words = new Words()
    const getWords = endpoint('words', words)
    const driver = createDriver()
    driver.open(getWords, []).answer('a b a')
    expect(driver.read(getWords, []).data).toEqual([2, 1, 2])
    driver.open(getWords, []).answer('a c')
    expect(driver.read(getWords, []).data).toEqual([3, 1])
    expect(driver.read(words, ['b']).data).toEqual([1])
    expect(driver.read(words, ['z']).data).toBeUndefined()
    expect(driver.read(Words.Word, ['a']).data.count).toBe(3)
    driver.set(Words.Word, ['b'], { id: 'b', count: 7 })
    expect(driver.read(words, ['b']).data).toEqual([7])
  })

  test('ENT-22 does not see a record that cannot be built: its error is that of the reading', () => {
    class Dated extends Entity {
      id = ''
      at = new Date(0)
      next: unknown = undefined
      static override key = 'Dated'
    }
    const oops = new Error('no date')
    Dated.schema = {
      next: Dated,
      at: (text: string) => {
        if (text === 'bad') {
          throw oops
        }
        return new Date(text)
      },
    }
    const seen: unknown[] = []
    const own: SchemaClass = {
      normalize: (input: unknown[], parent, key, _args, visit) => input.map((one) => visit(Dated, one, parent, key)),
      denormalize: (input: unknown[], { unvisit }) => input.map((one) => seen.push(unvisit(Dated, one))),
      queryKey: () => undefined,
    }
    const driver = createDriver()
    const get = endpoint('own', { own })
    driver.open(get, []).answer({ own: [{ id: 1, at: '2020' }, { id: 3, at: 'bad' }, { id: 4 }] })
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(driver.read(get, []).error).toMatchObject({ code: 'convert-failed', cause: oops })
    expect(seen).toMatchObject([{ id: 1, at: new Date('2020') }])
    driver.set(Dated, [{}], { id: 3, at: '2021' })
    expect(driver.read(get, [])).toMatchObject({ error: undefined, data: { own: [2, 3, 4] } })
    vi.restoreAllMocks()
  })

  test('NOR-1 may look at the row of a list before the list is read', () => {
    const list = new Collection([User])
    const driver = createDriver()
    const own: SchemaClass = {
      normalize: (input: unknown) => input,
      denormalize: (input: unknown[], { unvisit }) => [input[0], unvisit(list, '{}')],
      queryKey: (_args, _unvisit, delegate) => [delegate.getEntity(list.key, '{}')],
    }
    driver.open(endpoint('list', list), [{}]).answer([{ id: 1 }])
    const restored = createDriver()
    restored.restore(driver.getState())
    expect(restored.read(own, []).data).toEqual([['1'], [expect.any(User)]])
  })

  test('NOR-1 may name restored records before the store has met their class', () => {
    const filled = createDriver()
    filled.open(endpoint('users', [User]), []).answer([
      { id: 1, name: 'Ann' },
      { id: 2, name: 'Bob' },
      { id: 3, name: 'Cy' },
    ])
    const driver = createDriver()
    driver.restore(filled.getState())
    const leave: SchemaClass = {
      normalize(input: string, _parent, _key, _args, _visit, delegate) {
        delegate.invalidate({ key: User.key }, input)
        delegate.writeScalar('size', `User|${input}|cm`, { value: 1 })
        return input
      },
      denormalize: (input: unknown) => input,
      queryKey: () => undefined,
    }
    const getLeft = endpoint('left', { left: leave })
    driver.open(getLeft, []).answer({ left: '1' })
    const leaveToo = endpoint(
      'also',
      { left: leave },
      { sideEffect: true, getOptimisticResponse: () => ({ left: '2' }) },
    )
    driver.open(leaveToo, [])
    driver.open(getLeft, []).answer({ left: '1' })
    expect(driver.getState().entities['Scalar(size)']).toEqual({ 'User|1|cm': { value: 1 } })
    expect([1, 2, 3].map((id) => driver.read(User, [id]).data?.name)).toEqual([undefined, undefined, 'Cy'])
    driver.open(endpoint('user', User), [1]).answer({ id: 1, name: 'Di' })
    expect(driver.read(User, [1]).data).toMatchObject({ name: 'Di' })
  })

  test('OPT-2 works under pending operations', () => {
    const driver = createDriver()
    driver.open(getConnection, []).answer({ edges })
    const rename = endpoint('rename', User, {
      sideEffect: true,
      getOptimisticResponse: (_: unknown, body: object) => body,
    })
    const request = driver.open(rename, [{ id: 2, name: 'shown' }])
    expect(driver.read(getConnection, []).data).toHaveLength(3)
    request.fail(new Error('no'))
    expect(driver.read(getConnection, []).data).toHaveLength(2)
  })

  test('ST-8 one that throws while it normalises leaves the store as it was', () => {
    const bad: SchemaClass = {
      normalize(_input, parent, key, _args, visit) {
        visit(User, { id: 5 }, parent, key)
        throw new Error('mine')
      },
      denormalize: (input) => input as unknown,
      queryKey: () => undefined,
    }
    const driver = createDriver()
    driver.open(getConnection, []).answer({ edges })
    const before = structuredClone(driver.getState().entities)
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(() => driver.open(endpoint('bad', bad), []).answer({})).toThrow('mine')
    expect(driver.getState().entities).toEqual(before)
    expect(driver.read(User, [5]).data).toBeUndefined()
    error.mockRestore()
  })
})
