// The binding of docs/guide/binding.md, as it is printed: at most 80 lines, and it works.
import { readFileSync } from 'node:fs'
import { Entity, resource } from 'restitch'
import { createReader } from 'restitch/binding'
import { afterEach, expect, test, vi } from 'vitest'
import { loadBlock, openStore, serve } from './guideBlocks.ts'

class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}
const Todos = resource({ urlPrefix: 'https://api.test', path: '/todos/:id', schema: Todo })

afterEach(() => vi.unstubAllGlobals())

test('STO-4 a store of Svelte follows an endpoint, its arguments and mutations', async () => {
  const { read, mutation } = await loadBlock('binding', 0)
  const requests = serve(({ method, url, body }) => {
    const id = url.split('/').at(-1)
    return url.endsWith('/9')
      ? [404, {}]
      : method === 'GET'
        ? [200, { id, title: `todo ${id}` }]
        : [200, { id, ...body }]
  })
  let args: any[] = [{ id: '1' }]
  let setArgs!: (next: any[]) => void
  const argsStore = {
    subscribe(run: (value: any[]) => void) {
      setArgs = (next) => run((args = next))
      run(args)
      return () => {}
    },
  }
  const seen: any[] = []
  const end = read(Todos.get, argsStore).subscribe((state: any) => seen.push(state))
  expect(seen).toMatchObject([{ loading: true, data: undefined }])
  await expect.poll(() => seen.at(-1)).toMatchObject({ loading: false, data: { title: 'todo 1' } })
  expect(seen).toHaveLength(2)
  const states: any[] = []
  const save = mutation(Todos.update)
  save.subscribe((state: any) => states.push(state))
  await save.run({ id: '1' }, { title: 'new' })
  expect(states).toEqual([{ loading: false }, { loading: true }, { loading: false, error: undefined }])
  await expect.poll(() => seen.at(-1).data.title).toBe('new')
  setArgs([{ id: '9' }])
  await expect.poll(() => seen.at(-1).error?.status).toBe(404)
  end()
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET https://api.test/todos/1',
    'PUT https://api.test/todos/1',
    'GET https://api.test/todos/9',
  ])
})

test('the binding has at most 80 lines', () => {
  const [, code] = /^```ts\n([\s\S]*?)^```/m.exec(readFileSync('docs/guide/binding.md', 'utf8'))!
  expect(code!.trimEnd().split('\n').length).toBeLessThanOrEqual(80)
})

test('STO-4 a reader of a schema, and a passive one, never fetch; `load` does', async () => {
  const requests = serve(() => [200, { id: '1', title: 'one' }])
  const { controller } = openStore()
  const passive = createReader(controller, Todos.get, [{ id: '1' }], { fetch: false })
  const query = createReader(controller, Todo, [{ id: '1' }])
  const ends = [passive, query].map((reader) => reader.subscribe(() => {}))
  expect([passive.get().data, query.get().data, requests.length]).toEqual([undefined, undefined, 0])
  const reader = createReader(controller, Todos.get, [{ id: '1' }])
  await reader.load()
  expect([passive.get(), query.get(), reader.get()].map(({ data }) => data?.title)).toEqual(['one', 'one', 'one'])
  expect(requests).toHaveLength(1)
  ends.forEach((end) => end())
})
