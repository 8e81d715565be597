// A reset and the collector leave no object of what they drop in memory: counted with WeakRef.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { All, Collection, createStore, Entity, Query, resource } from 'restitch'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestClock } from '../../src/testing/TestClock.ts'

class Author extends Entity {
  id = ''
  name = ''
  static override key = 'Author'
}
class Book extends Entity {
  id = ''
  title = ''
  author = new Author()
  static override key = 'Book'
  static override schema = { author: Author }
}

const COUNT = 500
setFlagsFromString('--expose-gc')
const gc: () => void = runInNewContext('gc')

let clock: TestClock
let store: ReturnType<typeof createStore>
let refs: WeakRef<object>[]

beforeEach(() => {
  clock = new TestClock()
  store = createStore({ clock })
  refs = []
  vi.stubGlobal('fetch', async (input: any) => {
    const id = new URL(String(input)).pathname.split('/')[2]
    const book = (n: number) => ({ id: `${n}`, title: `book ${n}`, author: { id: `${n % 50}`, name: 'Ann' } })
    return Response.json(id ? book(Number(id)) : Array.from({ length: COUNT }, (_, n) => book(n)))
  })
})
afterEach(() => {
  store.stop()
  vi.unstubAllGlobals()
})

const Books: any = resource({ urlPrefix: 'http://a', path: '/books/:id', schema: Book } as any)
const titles = new Query(new All(Book), (all: any) => all.filter(({ title }: Book) => title > ''))
const listed = new Query(new Collection([Book]), (all: any) => all.filter(({ title }: Book) => title > ''))

async function rest(ms = 0): Promise<void> {
  await clock.pass(ms)
  for (let i = 0; i < 6; i++) {
    await new Promise((done) => setImmediate(done))
    await clock.pass()
  }
}

const note = (values: Iterable<object>): void => {
  for (const value of new Set(values)) {
    refs.push(new WeakRef(value))
  }
}

/** A page: a list, details, queries. Returns what ends its readers. */
async function show(): Promise<() => void> {
  const ends = [
    store.view(Books.getList).subscribe(() => {}),
    ...['1', '2', '3'].map((id) => store.view(Books.get, { id } as never).subscribe(() => {})),
    store.view(titles).subscribe(() => {}),
    store.view(listed as any).subscribe(() => {}),
  ]
  await rest()
  await store.controller.fetch(Books.get, { id: '4' })
  // One that suspends and never comes to the screen.
  void (store.view(Books.get, { id: '5' } as never) as any).promise(true)
  await rest()
  const list: any = store.controller.getResponse(Books.getList).data
  note(list)
  note(list.map(({ author }: Book) => author))
  note([list, store.controller.get(titles as any) as object, store.controller.get(listed as any) as object])
  return () => ends.forEach((end) => end())
}

const alive = async (): Promise<number> => {
  for (let i = 0; i < 3; i++) {
    await new Promise((done) => setTimeout(done))
    gc()
  }
  return refs.filter((ref) => ref.deref()).length
}

test('ST-15 DEN-13 after a reset no record object of the former user is left, readers on the screen or not', async () => {
  const end = await show()
  expect(await alive()).toBe(refs.length)
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  await store.controller.resetEntireStore()
  await rest()
  expect(await alive()).toBe(0)
  end()
})

test('ST-15 DEN-13 so it is where the readers have left before', async () => {
  const end = await show()
  end()
  await rest()
  await store.controller.resetEntireStore()
  expect(await alive()).toBe(0)
})

test('GC-6 DEN-13 what the collector drops is gone', async () => {
  const end = await show()
  end()
  await rest(700_000)
  await rest(700_000)
  expect(Object.keys(store.getState().entities)).toEqual([])
  expect(await alive()).toBe(0)
})

test('GC-6 DEN-13 a reader that stays keeps what it shows and no more', async () => {
  const end = await show()
  const stays = store.view(Books.get, { id: '7' } as never)
  stays.subscribe(() => {})
  await rest()
  end()
  await rest(700_000)
  await rest(700_000)
  expect(stays.read().data).toMatchObject({ title: 'book 7', author: { name: 'Ann' } })
  // The record and its author.
  expect(await alive()).toBeLessThanOrEqual(2)
})
