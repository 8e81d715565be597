// How lists follow writes: what the table of judge.ts does to stored lists, changes that a schema names, and writes that cross.
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { Collection } from '../kinds/Collection.ts'
import { append } from '../schema/merges.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { STALE } from '../rows/Meta.ts'
import { Union } from '../kinds/Union.ts'
import { Values } from '../kinds/Values.ts'
import { deserializeState, serializeState } from '../client/serialize.ts'
import { endpoint, mutation } from '../testing/endpoints.ts'
import { TestClock } from '../testing/TestClock.ts'
import { Link, Post } from '../testing/entities.ts'
import { isInDoubt } from '../rows/Row.ts'

class Todo extends Entity {
  id = ''
  title = ''
  group = ''
  static override key = 'Todo'
}
class Board extends Entity {
  id = ''
  name = ''
  note = ''
  total = 0
  cards: Todo[] = []
  static override key = 'Board'
  static override schema = {
    cards: new Collection([Todo], { counts: ['total'], nestKey: ({ id }: any) => ({ group: id }) }),
  }
}
const todos = new Collection([Todo])
const getTodo = endpoint('/todo', Todo)
const getTodos = endpoint('/todos', todos)
const update = mutation('/update', Todo)
const remove = mutation('/delete', new Invalidate(Todo))

/** The pks that a list shows, and `?` if it is in doubt. */
function see(driver: Driver, args: object, list: any = getTodos): string {
  const { data, expiresAt } = driver.read(list, [args])
  const items: Entity[] = Array.isArray(data) ? data : Object.values((data ?? {}) as object)
  return items.map((item) => item.pk()).join(' ') + (expiresAt <= STALE ? ' ?' : '')
}
const doubted = (driver: Driver, args: object): boolean => driver.read(getTodos, [args]).expiresAt <= STALE

const PLAIN = { group: 'x' }
const SORTED = { group: 'x', sort: 'title' }
const PART = { group: 'x', page: 1 }
const SEARCH = { group: 'x', q: 'a' }

describe('one write that crosses nothing', () => {
  /** A list with record 1, and with record 9 or without it; record 9 is known with a group before, or not at all. */
  function start(args: object, isIn: boolean, group: string | undefined): Driver {
    const driver = createDriver()
    const nine = { id: '9', title: 'old', group }
    if (group !== undefined) {
      driver.open(getTodo, [{ id: '9' }]).answer(nine)
    }
    const one = { id: '1', title: 'one', group: 'x' }
    driver.open(getTodos, [args]).answer(isIn ? [one, nine] : [one])
    return driver
  }
  const isIn = true
  const isOut = false
  type Write = object | 'delete'

  test.each<[string, object, boolean, string | undefined, Write, string]>([
    // It belongs to the list, and is in it.
    ['another field', PLAIN, isIn, 'x', { title: 'new', group: 'x' }, '1 9'],
    ['the field that sorts', SORTED, isIn, 'x', { title: 'new', group: 'x' }, '1 9 ?'],
    [
      'a field that does not sort',
      { group: 'x', sort: 'rank' },
      isIn,
      'x',
      { title: 'old', group: 'x', rank: 1 },
      '1 9 ?',
    ],
    ['a part of a list', PART, isIn, 'x', { title: 'new', group: 'x' }, '1 9 ?'],
    // It belongs to the list now.
    ['moved here', PLAIN, isOut, 'y', { title: 'old', group: 'x' }, '1 9'],
    ['moved here, sorted', SORTED, isOut, 'y', { title: 'old', group: 'x' }, '1 9 ?'],
    ['moved here, a part', PART, isOut, 'y', { title: 'old', group: 'x' }, '1 9 ?'],
    // It was not known before: nobody knows whether it is new.
    ['unknown before', PLAIN, isOut, undefined, { title: 'new', group: 'x' }, '1 ?'],
    // The server leaves it out though it seems to belong there.
    ['left out by the server', PLAIN, isOut, 'x', { title: 'new', group: 'x' }, '1'],
    ['left out by the server, sorted', SORTED, isOut, 'x', { title: 'new', group: 'x' }, '1 ?'],
    // It does not belong there any more.
    ['moved away', PLAIN, isIn, 'x', { title: 'old', group: 'y' }, '1'],
    ['moved away, sorted', SORTED, isIn, 'x', { title: 'old', group: 'y' }, '1'],
    ['moved away, a part', PART, isIn, 'x', { title: 'old', group: 'y' }, '1 ?'],
    ['moved away from another page', PART, isOut, 'x', { title: 'old', group: 'y' }, '1 ?'],
    ['moved elsewhere', PLAIN, isOut, 'y', { title: 'old', group: 'z' }, '1'],
    ['moved elsewhere, a part', PART, isOut, 'y', { title: 'old', group: 'z' }, '1'],
    // It is deleted.
    ['deleted', PLAIN, isIn, 'x', 'delete', '1'],
    ['deleted, sorted', SORTED, isIn, 'x', 'delete', '1'],
    ['deleted, a part', PART, isIn, 'x', 'delete', '1 ?'],
    ['deleted on another page', PART, isOut, 'x', 'delete', '1 ?'],
    ['deleted elsewhere', PLAIN, isOut, 'y', 'delete', '1'],
    ['deleted elsewhere, a part', PART, isOut, 'y', 'delete', '1'],
    ['deleted, never seen', PLAIN, isOut, undefined, 'delete', '1'],
    // The list has an argument of which the record says nothing.
    ['a search', SEARCH, isIn, 'x', { title: 'new', group: 'x' }, '1 9 ?'],
    ['a search that does not have it', SEARCH, isOut, 'x', { title: 'new', group: 'x' }, '1 ?'],
    ['a search it does not fit', SEARCH, isOut, 'y', { title: 'new', group: 'z' }, '1'],
    ['deleted from a search', SEARCH, isIn, 'x', 'delete', '1 ?'],
    // Nothing changes.
    ['the same', PLAIN, isIn, 'x', { title: 'old', group: 'x' }, '1 9'],
    ['the same, sorted', SORTED, isIn, 'x', { title: 'old', group: 'x' }, '1 9'],
    // The server may have changed more than the record shows.
    ['the same, in a search', SEARCH, isIn, 'x', { title: 'old', group: 'x' }, '1 9 ?'],
    ['the same, a part', PART, isIn, 'x', { title: 'old', group: 'x' }, '1 9'],
  ])('COL-40 COL-42 %s: %j', (_name, args, isThere, group, write, expected) => {
    const driver = start(args, isThere, group)
    if (write === 'delete') {
      driver.open(remove, [{ id: '9' }]).answer({ id: '9' })
    } else {
      driver.open(update, [{ id: '9' }]).answer({ id: '9', ...write })
    }
    expect(see(driver, args)).toBe(expected)
    // Its refetch settles it.
    driver.open(getTodos, [args]).answer([])
    expect(see(driver, args)).toBe('')
  })

  test.each<[string, any]>([
    ['a read', getTodo],
    ['a read of an array', endpoint('/array', [Todo])],
  ])('COL-40 %s moves nothing, and puts nothing in doubt', (_name, target) => {
    const driver = start(PLAIN, isIn, 'x')
    const moved = { id: '9', title: 'old', group: 'y' }
    driver.open(target, [{ id: '9' }, 2]).answer(target === getTodo ? moved : [moved])
    expect(see(driver, PLAIN)).toBe('1 9')
  })

  test('COL-40 a write makes up for what a read has brought before', () => {
    const driver = start(PLAIN, isIn, 'x')
    driver.open(getTodo, [{ id: '9' }]).answer({ id: '9', title: 'old', group: 'y' })
    driver.open(update, [{ id: '9' }]).answer({ id: '9', title: 'new', group: 'y' })
    expect(see(driver, PLAIN)).toBe('1')
  })

  test('COL-40 records nested in a write stay where they are', () => {
    class Parent extends Entity {
      id = ''
      child: Todo | undefined = undefined
      static override key = 'Parent'
      static override schema = { child: Todo }
    }
    const driver = start(PLAIN, isIn, 'x')
    driver.open(mutation('/parent', Parent), []).answer({ id: '1', child: { id: '9', title: 'old', group: 'y' } })
    expect(see(driver, PLAIN)).toBe('1 9')
  })

  test('COL-40 several records of one response, each by its own fields', () => {
    const driver = start(PLAIN, isIn, 'x')
    driver.open(getTodo, [{ id: '5' }]).answer({ id: '5', title: '', group: 'y' })
    driver.open(getTodos, [PLAIN]).answer([
      { id: '1', title: 'one', group: 'x' },
      { id: '9', title: 'old', group: 'x' },
    ])
    driver.open(mutation('/many', [Todo]), [{ group: 'x' }]).answer([
      { id: '9', title: 'old', group: 'y' },
      { id: '5', title: '', group: 'x' },
    ])
    expect(see(driver, PLAIN)).toBe('1 5')
  })

  test('COL-45 a list with autoUpdate: false follows only what names it', () => {
    const fixed = new Collection([Todo], { autoUpdate: false })
    const getFixed = endpoint('/fixed', fixed)
    const driver = createDriver()
    driver.open(getTodo, [{ id: '9' }]).answer({ id: '9', title: '', group: 'y' })
    driver.open(getFixed, [PLAIN]).answer([{ id: '1', group: 'x' }])
    driver.open(update, [{ id: '9' }]).answer({ id: '9', title: '', group: 'x' })
    driver.open(remove, [{ id: '1' }]).answer({ id: '1' })
    expect(see(driver, PLAIN, getFixed)).toBe('')
    driver.open(mutation('/push', fixed.push), [PLAIN]).answer({ id: '9', title: '', group: 'x' })
    expect(see(driver, PLAIN, getFixed)).toBe('9')
  })

  test('COL-8 a list with a name is not judged by its arguments', () => {
    const getMine = endpoint('/mine', new Collection([Todo], { name: 'mine' }))
    const driver = createDriver()
    driver.open(getTodo, [{ id: '9' }]).answer({ id: '9', title: '', group: 'y' })
    driver.open(getMine, [PLAIN]).answer([{ id: '1', group: 'x' }])
    driver.open(update, [{ id: '9' }]).answer({ id: '9', title: '', group: 'x' })
    expect(see(driver, PLAIN, getMine)).toBe('1 ?')
    driver.open(update, [{ id: '1' }]).answer({ id: '1', group: 'z', title: '' })
    expect(see(driver, PLAIN, getMine)).toBe(' ?')
  })

  test('COL-33 members of a union follow by class', () => {
    const getFeed = endpoint('/feed', new Collection([new Union({ post: Post, link: Link }, 'type')]))
    const driver = createDriver()
    driver.open(endpoint('/link', Link), []).answer({ id: '1', type: 'link', url: 'b' })
    driver.open(getFeed, [{ url: 'a' }]).answer([{ id: '1', type: 'post', url: 'a' }])
    driver.open(mutation('/link', Link), []).answer({ id: '1', type: 'link', url: 'a' })
    expect(driver.read(getFeed, [{ url: 'a' }]).data.map((item: any) => item.type)).toEqual(['post', 'link'])
    driver.open(mutation('/gone', new Invalidate(Post)), [{ id: '1' }]).answer('1')
    expect(driver.read(getFeed, [{ url: 'a' }]).data.map((item: any) => item.type)).toEqual(['link'])
  })

  test('COL-40 under which name a record joins a map nobody knows: the map is in doubt', () => {
    const getMap = endpoint('/map', new Collection(new Values(Todo)))
    const driver = createDriver()
    driver.open(getTodo, [{ id: '9' }]).answer({ id: '9', title: '', group: 'y' })
    driver.open(getMap, [PLAIN]).answer({ first: { id: '1', group: 'x' } })
    driver.open(update, [{ id: '9' }]).answer({ id: '9', title: '', group: 'x' })
    expect(driver.read(getMap, [PLAIN]).expiresAt).toBe(STALE)
    driver.open(getMap, [PLAIN]).answer({ first: { id: '1', group: 'x' }, nine: { id: '9', group: 'x' } })
    driver.open(update, [{ id: '9' }]).answer({ id: '9', title: '', group: 'y' })
    expect(Object.keys(driver.read(getMap, [PLAIN]).data as object)).toEqual(['first'])
    expect(driver.read(getMap, [PLAIN]).expiresAt).toBeGreaterThan(STALE)
  })

  test('COL-41 an empty list, of which nobody knows what its argument means, is in doubt', () => {
    const driver = createDriver()
    driver.open(getTodos, [{ status: 'all' }]).answer([])
    driver.open(mutation('/push', todos.push), [{}, {}]).answer({ id: '1', title: 'a', status: 'open' })
    expect(see(driver, { status: 'all' })).toBe(' ?')
  })

  test('COL-41 an argument that is a field of other value in the items does not filter', () => {
    const driver = createDriver()
    driver.open(getTodo, [{ id: '9' }]).answer({ id: '9', title: 'b', group: '' })
    driver.open(getTodos, [{ title: 'a' }]).answer([{ id: '1', title: 'abc', group: '' }])
    driver.open(update, [{ id: '9' }]).answer({ id: '9', title: 'ac', group: '' })
    expect(see(driver, { title: 'a' })).toBe('1 ?')
  })

  test('COL-41 a record that now has the very value of an argument, and may have been found before, puts the list in doubt', () => {
    const driver = createDriver()
    driver.open(getTodo, [{ id: '9' }]).answer({ id: '9', title: 'b', group: '' })
    driver.open(getTodos, [{ title: 'a' }]).answer([{ id: '1', title: 'abc', group: '' }])
    driver.open(update, [{ id: '9' }]).answer({ id: '9', title: 'a', group: '' })
    expect(see(driver, { title: 'a' })).toBe('1 ?')
  })

  test('ST-5 COL-40 a restored list follows once it is read', () => {
    const source = start(PLAIN, isIn, 'x')
    const driver = createDriver()
    driver.restore(deserializeState(serializeState(source.getState())))
    driver.read(getTodos, [PLAIN])
    driver.open(update, [{ id: '9' }]).answer({ id: '9', title: 'old', group: 'y' })
    expect(see(driver, PLAIN)).toBe('1')
    // One that nobody has read does not know what its items are.
    const other = createDriver()
    other.restore(deserializeState(serializeState(source.getState())))
    other.open(update, [{ id: '9' }]).answer({ id: '9', title: 'old', group: 'y' })
    expect(doubted(other, PLAIN)).toBe(true)
    const lost = createDriver()
    lost.restore(deserializeState(serializeState(source.getState())))
    lost.open(update, [{ id: '9' }]).fail(new Error('lost'))
    expect(doubted(lost, PLAIN)).toBe(true)
  })

  test('COL-40 only lists that the record may belong to are looked at', () => {
    const driver = createDriver()
    for (let i = 0; i < 200; i++) {
      driver.open(getTodos, [{ group: `${i}` }]).answer([{ id: `${i}`, title: '', group: `${i}` }])
    }
    // Each list that is looked at reads it.
    const looked = vi.spyOn(todos, 'autoUpdate', 'get')
    driver.open(update, [{ id: '7' }]).answer({ id: '7', title: '', group: '8' })
    expect([see(driver, { group: '7' }), see(driver, { group: '8' })]).toEqual(['', '8 7'])
    expect(looked.mock.calls.length).toBeLessThan(20)
    looked.mockRestore()
  })
})

describe('changes that the schema names', () => {
  const lists = [{}, PLAIN, { group: 'y' }, SORTED, SEARCH]
  function start(): Driver {
    const driver = createDriver()
    for (const args of lists) {
      const group = (args as { group?: string }).group ?? 'x'
      const one = { id: group === 'y' ? '2' : '1', title: 'one', group }
      driver.open(getTodos, [args]).answer([one])
    }
    return driver
  }
  const seen = (driver: Driver): string[] => lists.map((args) => see(driver, args))
  const nine = { id: '9', title: 'new', group: 'x' }

  test.each<[string, any, any[], object, string[]]>([
    ['push', todos.push, [{}, nine], nine, ['1 9', '1 9', '2', '1 9 ?', '1 ?']],
    ['push with arguments', todos.push, [{ group: 'x' }, nine], nine, ['1 9', '1 9', '2', '1 9 ?', '1 ?']],
    ['unshift', todos.unshift, [{}, nine], nine, ['9 1', '9 1', '2', '9 1 ?', '1 ?']],
    [
      'addWith',
      todos.addWith((old, added) => [...added, ...old]),
      [{}, nine],
      nine,
      ['9 1', '9 1', '2', '9 1 ?', '1 ?'],
    ],
    [
      'addWith a filter',
      todos.addWith(
        append,
        () =>
          ({ group }) =>
            group === 'y',
      ),
      [{}, nine],
      nine,
      ['1', '1', '2 9', '1', '1'],
    ],
    // The arguments of the request decide, also against the fields of the response.
    ['push elsewhere', todos.push, [{ group: 'y' }, { id: '9' }], nine, ['1 9', '1 ?', '2 9', '1 ?', '1 ?']],
    ['remove', todos.remove, [{ id: '1' }], { id: '1', title: 'one', group: 'x' }, ['', '', '2', '', '1 ?']],
    ['remove by arguments', todos.remove, [{ group: 'x', id: '1' }], { id: '1' }, ['', '', '2', '', '1 ?']],
  ])('COL-17 COL-25 COL-21 %s', (_name, schema, args, response, expected) => {
    const driver = start()
    driver.open(mutation('/named', schema), args).answer(response)
    expect(seen(driver).map((text) => text.trim())).toEqual(expected)
  })

  test('COL-8 a list of another path and Collection, with equal arguments, is in doubt', () => {
    const driver = createDriver()
    const getArchive = endpoint('/archive', new Collection([Todo]))
    driver.open(getArchive, [{}]).answer([{ id: '1' }])
    driver.open(mutation('/todos', todos.push), [{}]).answer(nine)
    expect(see(driver, {}, getArchive)).toBe('1 9 ?')
  })

  test('COL-8 a list with an argsKey belongs to no path: a create of another Collection leaves it exact', () => {
    const driver = createDriver()
    const getOwn = endpoint('/own', new Collection([Todo], { argsKey: (params: object) => ({ ...params }) }))
    driver.open(getOwn, [{}]).answer([{ id: '1' }])
    driver.open(mutation('/todos', todos.push), [{}]).answer(nine)
    expect(see(driver, {}, getOwn).trim()).toBe('1 9')
  })

  test('COL-21 move: it leaves what it does not fit any more, and joins what it fits', () => {
    const driver = start()
    const move = mutation('/move', todos.move)
    driver.open(move, [{ id: '1' }, { group: 'y' }]).answer({ id: '1', title: 'one', group: 'y' })
    expect(seen(driver).map((text) => text.trim())).toEqual(['1', '', '2 1', '', '?'])
  })

  test('COL-21 the body of a move says where to, also where the response does not', () => {
    const driver = start()
    driver.open(mutation('/move', todos.move), [{ id: '1' }, { group: 'y' }]).answer({ id: '1', title: 'moved' })
    expect([see(driver, PLAIN), see(driver, { group: 'y' })]).toEqual(['', '2 1'])
  })

  test('COL-21 so does the body of a move without parameters', () => {
    const driver = start()
    driver.open(mutation('/move', todos.move), [{ id: '1', group: 'y' }]).answer({ id: '1', title: 'moved' })
    expect([see(driver, PLAIN), see(driver, { group: 'y' })]).toEqual(['', '2 1'])
  })

  test('COL-45 COL-26 where the app filters, it decides on every list', () => {
    const own = new Collection([Todo], {
      createCollectionFilter:
        (...args: any[]) =>
        ({ group }: any) =>
          group === args[0]?.group,
    } as never)
    const getOwn = endpoint('/own', own)
    const driver = createDriver()
    for (const args of [PLAIN, SORTED, { group: 'y' }]) {
      driver.open(getOwn, [args]).answer([{ id: '1', group: args.group }])
    }
    driver.open(mutation('/push', own.push), [PLAIN]).answer(nine)
    expect([PLAIN, SORTED, { group: 'y' }].map((args) => see(driver, args, getOwn))).toEqual(['1 9', '1 9', '1'])
  })

  test('PAG-4 where the app filters, a list that did not hold the record, and has a number beside it, is in doubt', () => {
    const own = new Collection([Todo], {
      counts: ['total'],
      createCollectionFilter:
        (...args: any[]) =>
        ({ group }: any) =>
          group === args.at(-1).group,
    } as never)
    const getOwn = endpoint('/own', { items: own, total: 0 })
    const driver = createDriver()
    driver.open(getOwn, [{ group: 'x', limit: 1 }]).answer({ total: 2, items: [{ id: '1', group: 'x' }] })
    driver.set(Todo, [{ id: '9' }], { id: '9', title: '', group: 'x' })
    driver.open(getOwn, [{ group: 'x', limit: 1 }]).answer({ total: 2, items: [{ id: '1', group: 'x' }] })
    const read = (): number => driver.read(getOwn, [{ group: 'x', limit: 1 }]).expiresAt
    expect(read()).toBeGreaterThan(1)
    driver.open(mutation('/move', own.move), [{ id: '9' }, { group: 'y' }]).answer({ id: '9', title: '', group: 'y' })
    expect(read()).toBe(1)
  })

  test.each<[string, any[], string[]]>([
    ['names its list', [{ meeting: '5', id: '1' }], ['', '1 ?']],
    ['names the list of all', [{ id: '1' }], ['1 ?', '']],
    ['has arguments that argsKey cannot read', [undefined, { id: '1' }], ['1 ?', '']],
  ])('COL-21 a remover of a list with its own argsKey, which %s', (_name, args, expected) => {
    const people = new Collection([Todo], { argsKey: ({ meeting }: any) => ({ meeting }) })
    const getPeople = endpoint('/people', people)
    const driver = createDriver()
    const all = [{ meeting: '5' }, {}]
    all.forEach((params) => driver.open(getPeople, [params]).answer([{ id: '1', title: 'a', group: '' }]))
    driver.open(mutation('/leave', people.remove), args).answer({ id: '1', title: 'a', group: '' })
    expect(all.map((params) => see(driver, params, getPeople).trim())).toEqual(expected)
  })

  test('OPT-1 COL-17 a pending operation that brings a whole list and adds to it', () => {
    const driver = start()
    const both = mutation('/both', { list: todos, added: todos.push }, () => ({
      list: [{ id: '5', title: '', group: 'x' }],
      added: nine,
    }))
    const request = driver.open(both, [{}])
    expect(see(driver, {})).toBe('5 9')
    request.fail(Object.assign(new Error('refused'), { status: 422 }))
    expect(see(driver, {})).toBe('1')
  })

  test('PAG-4 several changes of one response: each item counts once, pending and done', () => {
    const counted = new Collection([Todo], { counts: ['total'] })
    const getCounted = endpoint('/counted', { items: counted, total: 0 })
    const change = { left: counted.remove, one: counted.push, two: counted.push }
    const driver = createDriver()
    driver.open(getCounted, [{}]).answer({ total: 1, items: [{ id: '1' }] })
    const body = { left: { id: '1' }, one: { id: '1' }, two: [{ id: '1' }, { id: '2' }, { id: '3' }] }
    const request = driver.open(
      mutation('/change', change, () => body),
      [{}],
    )
    const seen = (): unknown => driver.read(getCounted, [{}]).data
    expect(seen()).toMatchObject({ total: 3, items: [{ id: '1' }, { id: '2' }, { id: '3' }] })
    request.answer(body)
    expect(seen()).toMatchObject({ total: 3, items: [{ id: '1' }, { id: '2' }, { id: '3' }] })
  })

  test('PAG-4 COL-4 a response that brings a record with its list and the number beside it, and adds to that', () => {
    const driver = createDriver()
    driver.open(endpoint('/board', Board), [{}]).answer({ id: 'b', total: 1, cards: [{ id: '1' }] })
    const both = mutation('/both', { board: Board, added: Board.schema.cards.push })
    const board = { id: 'b', total: 2, cards: [{ id: '1' }, { id: '2' }] }
    driver.open(both, [{ group: 'b' }]).answer({ board, added: { id: '3', group: 'b' } })
    const { total, cards } = driver.read(Board, [{ id: 'b' }]).data
    expect([total, cards]).toMatchObject([3, [{ id: '1' }, { id: '2' }, { id: '3' }]])
  })

  test('UNI-3 COL-17 an item that no class recognises joins a list, and stays when a response of the list crosses it', () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const feed = new Collection([new Union({ post: Post, link: Link }, 'type')])
    const getFeed = endpoint('/feed', feed)
    const odd = { id: '7', type: 'odd' }
    const driver = createDriver()
    driver.open(getFeed, [{}]).answer([{ id: '1', type: 'post' }])
    driver.open(mutation('/push', feed.push), [{}]).answer(odd)
    expect(driver.read(getFeed, [{}]).data).toMatchObject([{ id: '1' }, odd])
    const list = driver.open(getFeed, [{}])
    driver.open(mutation('/push', feed.push), [{}]).answer({ id: '2', type: 'link' })
    list.answer([odd, { id: '1', type: 'post' }])
    expect(driver.read(getFeed, [{}]).data).toMatchObject([odd, { id: '1' }, { id: '2' }])
    vi.restoreAllMocks()
  })

  test('UNI-3 COL-17 an item that no class recognises joins no list of another name', () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const items = [new Union({ post: Post, link: Link }, 'type')] as const
    const [feed, saved] = [new Collection(items), new Collection(items, { name: 'saved' })]
    const driver = createDriver()
    const [getFeed, getSaved] = [endpoint('/feed', feed), endpoint('/saved', saved)]
    driver.open(getFeed, [{}]).answer([{ id: '1', type: 'post' }])
    driver.open(getSaved, [{}]).answer([{ id: '1', type: 'post' }])
    driver.open(mutation('/push', feed.push), [{}]).answer({ id: '7', type: 'odd' })
    expect([getFeed, getSaved].map((list) => driver.read(list, [{}]).data.length)).toEqual([2, 1])
    vi.restoreAllMocks()
  })

  test('COL-21 a remover that responds with the key of a record which a read has deleted', () => {
    const people = new Collection([Todo], {
      argsKey: ({ meeting, sort }: any) => ({ ...(meeting && { meeting }), ...(sort && { sort }) }),
    })
    const driver = createDriver()
    const getPeople = endpoint('/people', people)
    driver.open(getPeople, [{ sort: 'title' }]).answer([{ id: '1', title: 'a' }])
    driver.open(endpoint('/gone', new Invalidate(Todo)), [{ id: '1' }]).answer('1')
    driver.open(mutation('/leave', people.remove), [{ meeting: '5' }]).answer('1')
    expect(see(driver, { sort: 'title' }, getPeople)).toBe(' ?')
  })

  test('COL-19 assign: entries join the map under their names', () => {
    const getMap = endpoint('/map', new Collection(new Values(Todo)))
    const driver = createDriver()
    driver.open(getMap, [{}]).answer({ a: { id: '1' } })
    driver.open(mutation('/assign', getMap.schema.assign), [{}]).answer({ b: { id: '2' }, none: null })
    expect(Object.keys(driver.read(getMap, [{}]).data as object)).toEqual(['a', 'b'])
    driver.open(mutation('/remove', getMap.schema.remove), [{}]).answer({ a: { id: '1' } })
    expect(Object.keys(driver.read(getMap, [{}]).data as object)).toEqual(['b'])
  })

  test('COL-17 OPT-1 property: what a pending change shows is what its response leaves, and nothing stays of one that fails', () => {
    const body = fc.record({ id: fc.constantFrom('1', '2', '9'), group: fc.constantFrom('x', 'y', 'z') })
    const kind = fc.constantFrom('push', 'unshift', 'remove', 'move', 'update', 'delete')
    fc.assert(
      fc.property(fc.array(fc.tuple(kind, body, fc.boolean()), { maxLength: 6 }), (steps) => {
        const driver = start()
        for (const [what, { id, group }, isDone] of steps) {
          const record = { id, title: 't', group }
          const schema =
            what === 'update' ? Todo : what === 'delete' ? new Invalidate(Todo) : todos[what as 'push' | 'move']
          const write = mutation(`/${what}`, schema, () => record)
          const before = lists.map((args) => driver.read(getTodos, [args]).data)
          const request = driver.open(write, what === 'move' || what === 'update' ? [{ id }, { group }] : [{}, record])
          const shown = lists.map((args) => see(driver, args).replace(' ?', ''))
          if (isDone) {
            request.answer(record)
            expect(lists.map((args) => see(driver, args).replace(' ?', ''))).toEqual(shown)
          } else {
            request.fail(Object.assign(new Error('refused'), { status: 422 }))
            lists.forEach((args, i) => expect(driver.read(getTodos, [args]).data).toEqual(before[i]))
          }
        }
      }),
      { numRuns: cases(2_000) },
    )
  })
})

describe('writes that cross', () => {
  const one = { id: '1', title: 'one', group: 'x' }

  test('COL-11 ST-18 a list in flight is taken, with what was created since, and is in doubt', () => {
    const driver = createDriver()
    driver.open(getTodos, [PLAIN]).answer([one])
    const list = driver.open(getTodos, [PLAIN])
    driver.open(mutation('/push', todos.push), [PLAIN]).answer({ id: '9', title: '', group: 'x' })
    list.answer([one, { id: '5', title: '', group: 'x' }])
    expect(see(driver, PLAIN)).toBe('1 5 9 ?')
  })

  test('COL-11 ST-18 a list that arrives for the first time, and was sent before the last write, is in doubt', () => {
    const driver = createDriver()
    const [early, other] = [driver.open(getTodos, [PLAIN]), driver.open(getTodos, [{ group: 'y' }])]
    driver.open(update, [{ id: '1' }]).answer({ ...one, group: 'y' })
    early.answer([one])
    other.answer([])
    expect([see(driver, PLAIN), see(driver, { group: 'y' })]).toEqual([' ?', ' ?'])
    // One that was sent since is not.
    driver.open(getTodos, [PLAIN]).answer([])
    expect(see(driver, PLAIN)).toBe('')
  })

  test.each<[string, boolean]>([
    ['in order', false],
    ['reversed', true],
  ])('COL-11 ST-18 lists that a record may belong to are asked after two writes of it, %s', (_name, isReversed) => {
    const driver = createDriver()
    for (const group of ['x', 'y', 'z']) {
      driver.open(getTodos, [{ group }]).answer(group === 'x' ? [one] : [{ id: group, title: '', group }])
    }
    const writes = ['y', 'z'].map((group) => [driver.open(update, [{ id: '1' }]), group] as const)
    for (const [request, group] of isReversed ? writes.toReversed() : writes) {
      request.answer({ ...one, group })
    }
    expect(['y', 'z'].every((group) => doubted(driver, { group }))).toBe(true)
    expect(see(driver, { group: 'z' })).toBe('z 1 ?')
  })

  test('COL-11 a late read brings nothing back that was removed', () => {
    const driver = createDriver()
    driver.open(getTodos, [PLAIN]).answer([one])
    const list = driver.open(getTodos, [PLAIN])
    driver.open(remove, [{ id: '1' }]).answer({ id: '1' })
    list.answer([one])
    expect(see(driver, PLAIN)).toBe(' ?')
  })

  test('ST-18 a poll brings the change before its response: lists that disagree are asked or corrected', () => {
    const driver = createDriver()
    driver.open(getTodos, [PLAIN]).answer([one])
    driver.open(getTodos, [{ group: 'y' }]).answer([])
    const write = driver.open(update, [{ id: '1' }])
    driver.open(getTodo, [{ id: '1' }]).answer({ ...one, group: 'y' })
    write.answer({ ...one, group: 'y' })
    expect(see(driver, PLAIN)).toMatch(/^$|\?$/)
    expect(see(driver, { group: 'y' })).toMatch(/^1$|\?$/)
  })

  test('ST-18 a read brings a record before the response of its adder: a list of another name is in doubt', () => {
    const driver = createDriver()
    const getHot = endpoint('/hot', new Collection([Todo], { name: 'hot' }))
    driver.open(getHot, [{}]).answer([])
    const create = driver.open(mutation('/push', todos.push), [PLAIN])
    driver.open(getTodos, [PLAIN]).answer([one])
    create.answer(one)
    expect(see(driver, {}, getHot)).toBe(' ?')
  })

  test('PAG-4 COL-42 a number that follows a list inside a record changes nothing that lists of the record have to follow', () => {
    const getBoards = endpoint('/boards', new Collection([Board]))
    const driver = createDriver()
    driver.open(getBoards, [{ sort: 'name' }]).answer([{ id: 'b', name: 'B', note: '', total: 0, cards: [] }])
    driver.open(mutation('/push', Board.schema.cards.push), [{ group: 'b' }]).answer({ id: '9', group: 'b' })
    expect(driver.read(Board, [{ id: 'b' }]).data.total).toBe(1)
    driver.open(mutation('/board', Board), [{ id: 'b' }]).answer({ id: 'b', name: 'B', note: 'new' })
    expect(driver.read(getBoards, [{ sort: 'name' }]).expiresAt).toBeGreaterThan(STALE)
  })

  test('PAG-4 ORD-9 reads and writes of a record that never belonged to a counted list leave it exact', () => {
    const getCounted = endpoint('/counted', { items: new Collection([Todo], { counts: ['total'] }), total: 0 })
    const paged = Object.assign(getCounted, { getNextPage: () => 2, paginationField: 'page' })
    const driver = createDriver()
    const nine = { id: '9', title: '0', group: 'y' }
    driver.open(getTodo, [{ id: '9' }]).answer(nine)
    driver.open(paged, [PLAIN]).answer({ total: 5, items: [one] })
    for (const title of ['1', '2']) {
      driver.open(getTodo, [{ id: '9' }]).answer({ ...nine, title: `read ${title}` })
      driver.open(update, [{ id: '9' }]).answer({ ...nine, title: `written ${title}` })
      expect(driver.read(paged, [PLAIN]).expiresAt).toBeGreaterThan(STALE)
    }
    // Two reads may have taken it in and out of the list, on a page that is not loaded.
    driver.open(getTodo, [{ id: '9' }]).answer({ ...nine, group: 'x' })
    driver.open(getTodo, [{ id: '9' }]).answer({ ...nine, group: 'z' })
    driver.open(update, [{ id: '9' }]).answer({ ...nine, group: 'y' })
    expect(driver.read(paged, [PLAIN]).expiresAt).toBe(STALE)
  })

  test('ST-18 an event puts no list in doubt that it does not change', () => {
    const driver = createDriver()
    driver.open(getTodos, [PLAIN]).answer([one])
    for (let i = 0; i < 5; i++) {
      const list = driver.open(getTodos, [PLAIN])
      driver.set(Todo, [{}], { ...one, title: `${i}` })
      list.answer([{ ...one, title: 'older' }])
    }
    expect(see(driver, PLAIN)).toBe('1')
    expect(driver.read(Todo, [{ id: '1' }]).data.title).toBe('4')
  })

  test('RES-15 a mutation that was lost puts the record and all its lists in doubt, and no list of another class', () => {
    const driver = createDriver()
    const getLinks = endpoint('/links', new Collection([Link]))
    driver.open(getTodos, [PLAIN]).answer([one])
    driver.open(getTodos, [SEARCH]).answer([])
    driver.open(getLinks, [{}]).answer([])
    driver.open(update, [{ id: '1' }]).fail(new Error('lost'))
    expect([see(driver, PLAIN), see(driver, SEARCH), see(driver, {}, getLinks)]).toEqual(['1 ?', ' ?', ''])
  })

  test('RES-15 COL-45 a mutation that was lost leaves a list with autoUpdate: false, unless it names the list', () => {
    const fixed = new Collection([Todo], { autoUpdate: false })
    const getFixed = endpoint('/fixed', fixed)
    const driver = createDriver()
    driver.open(getFixed, [PLAIN]).answer([one])
    driver.open(update, [{ id: '2' }]).fail(new Error('lost'))
    expect(see(driver, PLAIN, getFixed)).toBe('1')
    driver.open(mutation('/push', fixed.push), [PLAIN]).fail(new Error('lost'))
    expect(see(driver, PLAIN, getFixed)).toBe('1 ?')
  })

  test.each([
    ['the path', [{ id: '1' }, { title: 'new' }]],
    ['the body', [{}, { id: '1', title: 'new' }]],
  ])('RES-15 a mutation that was lost, whose record is named by %s, puts it in doubt', (_where, args) => {
    const driver = createDriver()
    driver.open(getTodos, [PLAIN]).answer([one])
    driver.open(mutation('/remove', todos.remove), args).fail(new Error('lost'))
    expect(isInDoubt(driver.store.tables.table('Todo').row('1'))).toBe(true)
  })

  test('ST-18 property: a list that is not in doubt is what the server has, in whichever order it works', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const moments = fc
      .tuple(fc.nat(30), fc.nat(30), fc.nat(30))
      .map((all) => all.toSorted((a, b) => a - b) as [number, number, number])
    const work = fc.record({
      kind: fc.constantFrom('x', 'y', 'get', 'move', 'move', 'create', 'delete'),
      id: fc.constantFrom('1', '2', '3'),
      group: fc.constantFrom('x', 'y'),
      moments,
    })
    const push = mutation('/push', todos.push)
    fc.assert(
      fc.property(fc.array(work, { minLength: 1, maxLength: 6 }), fc.boolean(), (all, isLoaded) => {
        const driver = createDriver()
        const server = new Map(['1', '2'].map((id) => [id, { id, title: '', group: 'x' }]))
        const members = (group: string): object[] => [...server.values()].filter((each) => each.group === group)
        if (isLoaded) {
          ;['x', 'y'].forEach((group) => driver.open(getTodos, [{ group }]).answer(members(group)))
        }
        const steps = all.flatMap(({ kind, id, group, moments: at }, i) => {
          let request: any
          let response: unknown
          const target = { get: getTodo, move: update, create: push, delete: remove }[kind as 'get'] ?? getTodos
          const run = [
            () => (request = driver.open(target, target === getTodos ? [{ group: kind }] : [{ id }])),
            () => {
              if (kind === 'create' || (kind === 'move' && server.has(id))) {
                server.set(id, { id, title: `${i}`, group })
              } else if (kind === 'delete') {
                server.delete(id)
              }
              response = target === getTodos ? members(kind) : kind === 'delete' ? { id } : server.get(id)
            },
            () =>
              response === undefined
                ? request.fail(Object.assign(new Error('none'), { status: 404 }))
                : request.answer(response),
          ]
          return run.map((step, moment) => [at[moment]!, i, step] as const)
        })
        for (const [, , step] of steps.toSorted(([a, x], [b, y]) => a - b || x - y)) {
          step()
        }
        for (const group of ['x', 'y']) {
          const { data, expiresAt } = driver.read(getTodos, [{ group }])
          if (data !== undefined && expiresAt > STALE) {
            const shown = data.map((each: Todo) => each.id).toSorted()
            expect([group, shown]).toEqual([
              group,
              members(group)
                .map((each: any) => each.id)
                .toSorted(),
            ])
          }
        }
      }),
      { numRuns: cases(8_000) },
    )
  })
})

describe('what is known of a record, and of the arguments of a list', () => {
  const groups = (driver: Driver): void => {
    for (const group of ['x', 'y']) {
      driver.open(getTodos, [{ group }]).answer([{ id: group, title: '', group }])
    }
  }

  test('COL-41 of a record that lacks the field nobody knows to which lists it belongs', () => {
    const driver = createDriver()
    groups(driver)
    driver.open(getTodo, [{ id: '9' }]).answer({ id: '9', title: 'a' })
    driver.open(update, [{ id: '9' }]).answer({ id: '9', title: 'b' })
    expect([see(driver, { group: 'x' }), see(driver, { group: 'y' })]).toEqual(['x ?', 'y ?'])
  })

  test('COL-41 the last item of a list tells, too, that an argument is no plain filter', () => {
    const driver = createDriver()
    const found = ['a', 'a', 'abc'].map((title, i) => ({ id: String(i), title, group: '' }))
    driver.open(getTodos, [{ title: 'a' }]).answer(found)
    driver.set(Todo, [{ id: '9' }], { id: '9', title: 'za', group: '' })
    expect(see(driver, { title: 'a' })).toBe('0 1 2 ?')
  })
})

test('ORD-7 a list that arrived while a write was in flight, and changes with it, is in doubt', () => {
  const driver = createDriver()
  driver.open(getTodo, [{ id: '9' }]).answer({ id: '9', title: 'a', group: 'y' })
  const written = driver.open(update, [{ id: '9' }])
  driver.open(getTodos, [{ group: 'x' }]).answer([{ id: '1', title: '', group: 'x' }])
  written.answer({ id: '9', title: 'a', group: 'x' })
  expect(see(driver, { group: 'x' })).toBe('1 9 ?')
})

test('COL-15 a filter of the app decides by the arguments of an adder, even against the record', () => {
  const own = new Collection([Todo], {
    createCollectionFilter: (given: any) => (args: any) => given.group === args.group,
  })
  const getOwn = endpoint('/own', own)
  const driver = createDriver()
  for (const group of ['x', 'y']) {
    driver.open(getOwn, [{ group }]).answer([{ id: group, title: '', group }])
  }
  driver.open(mutation('/push', own.push), [{ group: 'x' }]).answer({ id: '9', title: '', group: 'y' })
  expect([see(driver, { group: 'x' }, getOwn), see(driver, { group: 'y' }, getOwn)]).toEqual(['x 9', 'y'])
})

test('ORD-8 a list that a record joins by one of two writes that crossed is in doubt', () => {
  const driver = createDriver()
  driver.open(getTodo, [{ id: '9' }]).answer({ id: '9', title: 'a', group: 'z' })
  for (const group of ['x', 'w']) {
    driver.open(getTodos, [{ group }]).answer([{ id: group, title: '', group }])
  }
  const [first, second] = [1, 2].map(() => driver.open(update, [{ id: '9' }]))
  first!.answer({ id: '9', title: 'a', group: 'y' })
  second!.answer({ id: '9', title: 'a', group: 'x' })
  // It never belonged to the other.
  expect([see(driver, { group: 'x' }), see(driver, { group: 'w' })]).toEqual(['x 9 ?', 'w'])
})

test('ORD-5 a list that crossed a write of a record which it neither has nor gets is not in doubt', () => {
  const driver = createDriver()
  const x = [{ id: '1', title: '', group: 'x' }]
  driver.open(getTodo, [{ id: '9' }]).answer({ id: '9', title: 'a', group: 'y' })
  driver.open(getTodos, [{ group: 'x' }]).answer(x)
  const again = driver.open(getTodos, [{ group: 'x' }])
  driver.open(update, [{ id: '9' }]).answer({ id: '9', title: 'b', group: 'y' })
  again.answer(x)
  expect(see(driver, { group: 'x' })).toBe('1')
})

test('EXT-11 numbers beside a list that the app has set without an endpoint belong to no result', () => {
  const counted = { items: new Collection([Todo], { counts: ['total'] }), total: 0 }
  const driver = createDriver()
  driver.set(counted, [{}], { items: [{ id: '1', title: '', group: '' }], total: 1 })
  driver.open(mutation('/push', counted.items.push), [{}]).answer({ id: '9', title: '', group: '' })
  expect(Object.keys(driver.getState().endpoints)).toEqual(['/push [{}]'])
})

test('EXT-11 EXP-1 a number that follows makes its result no fresher', () => {
  const counted = { items: new Collection([Todo], { counts: ['total'] }), total: 0 }
  const getCounted = endpoint('/counted', counted)
  const clock = new TestClock()
  const driver = createDriver(clock)
  driver.open(getCounted, [{}]).answer({ items: [{ id: '1', title: '', group: '' }], total: 1 })
  const { expiresAt } = driver.read(getCounted, [{}])
  clock.time += 1_000
  driver.open(mutation('/push', counted.items.push), [{}]).answer({ id: '9', title: '', group: '' })
  expect(driver.read(getCounted, [{}])).toMatchObject({ data: { total: 2 }, expiresAt })
})

test('EXT-11 ST-5 a list that was restored from a text without its numbers is in doubt after a write', () => {
  const counted = { items: new Collection([Todo], { counts: ['total'] }), total: 0 }
  const getCounted = endpoint('/counted', counted)
  const source = createDriver()
  source.open(getCounted, [{}]).answer({ items: [{ id: '1', title: '', group: '' }], total: 1 })
  const text = serializeState(source.getState())
  const driver = createDriver()
  driver.restore(deserializeState(text.replace(/"counted":\[[^\]]*\],?/, '')))
  driver.read(getCounted, [{}])
  driver.open(mutation('/push', counted.items.push), [{}]).answer({ id: '9', title: '', group: '' })
  expect(driver.read(getCounted, [{}]).expiresAt).toBe(STALE)
})

test.each<[string, object, string | undefined]>([
  ['a search', SEARCH, 'unknown-argument'],
  ['a sorted list', SORTED, 'sorted'],
  ['a part of a list', PART, 'cut'],
  ['a list whose arguments are all fields', PLAIN, undefined],
])('COL-42 %s knows why it is in doubt, and by what', (_name, args, reason) => {
  const driver = createDriver()
  driver.open(getTodo, [{ id: '9' }]).answer({ id: '9', title: 'old', group: 'y' })
  driver.open(getTodos, [args]).answer([{ id: '1', title: 'one', group: 'x' }])
  driver.open(update, [{ id: '9' }]).answer({ id: '9', title: 'new', group: 'x' })
  const [row] = driver.store.tables.table(todos.key).rows
  expect(row!.doubt.reason).toBe(reason)
  expect(row!.doubt.by).toBe(reason && '/update [{"id":"9"}]')
})
