import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { afterEach, beforeEach, expect, type Mock, test, vi } from 'vitest'
import { createDriver } from '../testing/drivers.ts'
import { All } from '../kinds/All.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { EntityMixin } from '../kinds/EntityMixin.ts'
import { receive } from '../testing/drivers.ts'
import { endpointFor } from '../testing/endpoints.ts'

let warn: Mock
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** A class as a module that is loaded again makes it. */
function declare(name: string, key: string | undefined, more: object = {}, Base: any = Entity): any {
  const made = {
    [name]: class extends Base {
      id = 0
    },
  }
  const Class: any = made[name]
  if (key !== undefined) {
    Class.key = key
  }
  return Object.assign(Class, more)
}

test('ENT-42 two unrelated classes with one explicit key and different names: the second is refused where they meet', () => {
  const User = declare('User', 'shared')
  const Account = declare('Account', 'shared')
  const driver = receive(User, { id: 1 })
  const before = driver.getState().entities
  const run = (): unknown => receive(Account, { id: 2 }, driver, [{ a: 1 }])
  expect(run).toThrow(/"User" and "Account", want the table "shared".*\[entity-key-taken\]/)
  expect(run).toThrow(expect.objectContaining({ code: 'entity-key-taken', status: 400 }))
  expect(driver.getState().entities).toEqual(before)
  expect(() => driver.read(Account, [{ id: 1 }])).toThrow('entity-key-taken')
  expect(() => driver.read(new All(Account), [])).toThrow('entity-key-taken')
  expect(() => driver.set(Account, [{ id: 1 }], { id: 1 })).toThrow('entity-key-taken')
  expect(driver.read(User, [{ id: 1 }]).data).toBeInstanceOf(User)
  // The registry belongs to the store.
  expect(receive(Account, { id: 2 }).read(Account, [{ id: 2 }]).data).toBeInstanceOf(Account)
})

const Written = declare('Written', 'W')
const Unwritten = declare('User', undefined)

test.each([
  ['a parent with the key and its child', Written, declare('Child', undefined, {}, Written), true],
  ['two children of it', declare('A', undefined, {}, Written), declare('B', undefined, {}, Written), true],
  ['a grandchild', Written, declare('C', undefined, {}, declare('B', undefined, {}, Written)), true],
  ['a child that writes the same key again', Written, declare('Again', 'W', {}, Written), true],
  ['a class and the child of another with that key', declare('X', 'W'), declare('B', undefined, {}, Written), false],
  ['a parent known by its name and a child with that key', Unwritten, declare('Sub', 'User', {}, Unwritten), true],
  ['a class with that key that extends another one', Unwritten, declare('Other', 'User', {}, Written), false],
  ['two children of a mixin with a key', ...twins(EntityMixin(class {}, { key: 'M' })), true],
  ['two mixins with one key', EntityMixin(class One {}, { key: 'M' }), EntityMixin(class Two {}, { key: 'M' }), false],
])('ENT-42 ENT-7 %s share a table: %4$s', (_, First: any, Second: any, shared) => {
  for (const [a, b] of [
    [First, Second],
    [Second, First],
  ]) {
    const driver = receive(a, { id: 1, from: 'a' })
    const run = (): unknown => receive(b, { id: 1, more: 'b' }, driver)
    if (!shared) {
      expect(run).toThrow('entity-key-taken')
      continue
    }
    run()
    expect(driver.getState().entities[a.key]).toEqual({ 1: { id: 1, from: 'a', more: 'b' } })
    expect(driver.read(a, [{ id: 1 }]).data).toBeInstanceOf(a)
    expect(driver.read(b, [{ id: 1 }]).data).toBeInstanceOf(b)
  }
})

function twins(Base: any): [any, any] {
  return [declare('One', undefined, {}, Base), declare('Two', undefined, {}, Base)]
}

test('ENT-44 a class declared again replaces the old one: rows stay, and values are built again', () => {
  const Old = declare('Todo', 'Todo')
  const list = new Collection([Old])
  const driver = receive(list, [
    { id: 1, title: 'a' },
    { id: 2, title: 'b' },
  ])
  const get = endpointFor(list)
  const before = driver.read(get, [{}]).data
  const told = vi.fn()
  driver.subscribe(get, [{}], told)
  const New = declare('Todo', 'Todo')
  Object.defineProperty(New.prototype, 'label', { get: () => 'new' })
  driver.set(New, [{ id: 2 }], { id: 2, title: 'c' })
  expect(warn).toHaveBeenCalledTimes(1)
  expect(warn.mock.calls[0]![0]).toMatch(/"Todo" was declared again.*\[entity-redefined\]/)
  expect(told).toHaveBeenCalledWith('value')
  const after = driver.read(get, [{}]).data
  expect(after.map((todo: any) => [todo.title, todo.label, todo.constructor === New])).toEqual([
    ['a', 'new', true],
    ['c', 'new', true],
  ])
  expect(before.map((todo: any) => todo.constructor === Old)).toEqual([true, true])
  expect(driver.read(New, [{ id: 1 }]).data).toBe(after[0])
  expect(driver.read(Old, [{ id: 1 }]).data).toBe(after[0])
  expect(driver.read(new All(Old), []).data[0]).toBe(after[0])
})

test('ENT-44 the old class may be used by requests sent before, and is a collision in one sent after', () => {
  const Old = declare('Note', 'Note')
  const New = declare('Note', 'Note')
  const driver = receive(Old, { id: 1, title: 'a' })
  const early = driver.open(endpointFor(Old), [{ early: 1 }])
  receive(New, { id: 2 }, driver, [{ b: 1 }])
  early.answer({ id: 1, title: 'b' })
  expect(driver.read(New, [{ id: 1 }]).data).toMatchObject({ title: 'b' })
  const late = driver.open(endpointFor(Old), [{ late: 1 }])
  expect(() => late.answer({ id: 1, title: 'c' })).toThrow('entity-key-taken')
  expect(() => driver.set(Old, [{ id: 1 }], { id: 1, title: 'd' })).toThrow('entity-key-taken')
  expect(driver.read(New, [{ id: 1 }]).data).toMatchObject({ title: 'b' })
  receive(New, { id: 1, title: 'e' }, driver)
  expect(driver.read(New, [{ id: 1 }]).data).toMatchObject({ title: 'e' })
})

test('ENT-44 a new version may be met first by a reader; requests sent before that still come in', () => {
  const Old = declare('Memo', 'Memo')
  const New = declare('Memo', 'Memo')
  const driver = receive([Old], [{ id: 1, title: 'a' }])
  const early = driver.open(endpointFor(Old), [{ id: 1 }])
  expect(driver.read(New, [{ id: 1 }]).data).toBeInstanceOf(New)
  expect(driver.read(endpointFor([Old]), [{}]).data[0]).toBeInstanceOf(New)
  early.answer({ id: 1, title: 'b' })
  expect(driver.read(New, [{ id: 1 }]).data).toMatchObject({ title: 'b' })
})

test('ENT-44 again and again: the newest version is read, and each one before it is refused', () => {
  const versions = Array.from({ length: 4 }, () => declare('Card', 'Card'))
  const driver = createDriver()
  for (const [i, Card] of versions.entries()) {
    receive(Card, { id: 1, i }, driver, [{ i }])
  }
  expect(driver.read(versions[0], [{ id: 1 }]).data).toBeInstanceOf(versions[3])
  for (const Card of versions.slice(0, 3)) {
    expect(() => receive(Card, { id: 1 }, driver)).toThrow('entity-key-taken')
  }
  receive(versions[3], { id: 1, i: 9 }, driver)
  expect(driver.read(versions[3], [{ id: 1 }]).data).toMatchObject({ i: 9 })
})

test.each([[0], [1]])('ENT-44 ENT-7 classes that share a table are declared again, in any order: %s first', (first) => {
  const load = (): any[] => {
    const Base = declare('Base', `Shared ${first}`)
    return [declare('Summary', undefined, {}, Base), declare('Detail', undefined, {}, Base)]
  }
  const old = load()
  const driver = receive({ a: old[0], b: old[1] }, { a: { id: 1 }, b: { id: 1 } })
  const fresh = load()
  receive(fresh[first]!, { id: 1, x: 1 }, driver, [{ x: 1 }])
  receive(fresh[1 - first]!, { id: 1, y: 1 }, driver, [{ y: 1 }])
  for (const i of [0, 1]) {
    expect(driver.read(fresh[i], [{ id: 1 }]).data).toBeInstanceOf(fresh[i])
    expect(driver.read(old[i], [{ id: 1 }]).data).toBeInstanceOf(fresh[i])
    expect(() => receive(old[i], { id: 1 }, driver, [{ z: i }])).toThrow('entity-key-taken')
  }
})

test('ENT-44 a new version may bring an index', () => {
  const Old = declare('Word', 'Word')
  const driver = receive(
    [Old],
    [
      { id: 1, slug: 'a' },
      { id: 2, slug: 'b' },
    ],
  )
  const New = declare('Word', 'Word', { indexes: ['slug'] })
  expect(driver.read(New, [{ slug: 'b' }]).data).toMatchObject({ id: 2 })
})

test('ENT-44 a class of another name under the key is no new version', () => {
  const driver = receive(declare('Item', 'Item'), { id: 1 })
  expect(() => receive(declare('Item2', 'Item'), { id: 1 }, driver)).toThrow('entity-key-taken')
})

// Production, as a bundler makes it.

const APP = `
import { createDriver } from './testing/drivers.ts'
import { Entity } from './kinds/Entity.ts'
import { entity } from './kinds/entityOf.ts'
const endpointFor = (schema) => Object.assign(async () => {}, { key: (...args) => JSON.stringify(args), schema })
const take = (driver, schema, value) => {
  try { driver.open(endpointFor(schema), [{}]).answer(value); return 'taken' }
  catch (error) { return error.message }
}
const users = (() => { class User extends Entity { id = '' } return User })()
const posts = (() => { class Post extends Entity { id = '' } return Post })()
const written = (() => { class Note extends Entity { id = ''; static key = 'Note' } return Note })()
const again = (() => { class Note extends Entity { id = ''; static key = 'Note' } return Note })()
const shop = entity('Shop', { id: '' }), shops = entity('Shops', { id: '' })
const one = createDriver(), two = createDriver()
globalThis.seen = {
  names: [users.name, posts.name],
  first: take(one, users, { id: 1 }),
  second: take(one, posts, { id: 1 }),
  apart: take(two, posts, { id: 1 }),
  written: take(one, written, { id: 1 }),
  again: take(one, again, { id: 1 }),
  tables: Object.keys(one.getState().entities),
  declared: [take(one, shop, { id: 1 }), take(one, shops, { id: 1 })],
  missing: take(one, shop, { name: 'x' }),
  rows: { ...one.getState().entities.Shop },
}`

async function run(define: 'production' | 'development'): Promise<{ seen: any; said: string[]; code: string }> {
  const { outputFiles } = await build({
    stdin: { contents: APP, resolveDir: `${import.meta.dirname}/..`, loader: 'ts' },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['restitch-source'],
    define: { 'process.env.NODE_ENV': `"${define}"` },
    minify: define === 'production',
    write: false,
  })
  const code = outputFiles[0]!.text
  const said: string[] = []
  const say = (text: string): unknown => said.push(text)
  const world = createContext({ console: { warn: say, error: say }, process: {}, queueMicrotask })
  runInContext(code, world)
  return { seen: world['seen'], said, code }
}

test('ENT-42 ENT-6 G-5 a minified production bundle in which two classes have the same mangled name', async () => {
  const { seen, said } = await run('production')
  const [name] = seen.names
  expect(name).toHaveLength(1)
  expect(seen).toMatchObject({
    names: [name, name],
    first: 'taken',
    second: `entity-key-taken: ${name}: ${name}, ${name}`,
    apart: 'taken',
    written: 'taken',
    again: expect.stringMatching(/^entity-key-taken: Note: /),
    tables: [name, 'Note'],
    declared: ['taken', 'taken'],
  })
  expect(said).toEqual([])
})

test('ENT-6 development warns once of the classes without a static key, while they have their names', async () => {
  const { said } = await run('development')
  await Promise.resolve()
  expect(said.map(String).filter((text) => text.includes('entity-mangled'))).toEqual([
    expect.stringMatching(/^Classes without "static key": User, Post\. .*static key = 'User'/),
  ])
})

test('G-7 ENT-4 production and development make the same of the same input', async () => {
  const production = await run('production')
  const development = await run('development')
  expect(production.seen.missing).toMatch(/^entity-missing-pk: Shop of \[/)
  expect(development.seen.missing).toMatch('Missing usable primary key')
  expect(development.seen).toMatchObject({ first: 'taken', second: 'taken', names: ['User', 'Post'] })
  expect(JSON.stringify(production.seen.rows)).toBe(JSON.stringify(development.seen.rows))
  expect(production.code).not.toMatch('Missing usable primary key')
})
