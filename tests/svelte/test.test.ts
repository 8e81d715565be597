// @vitest-environment happy-dom
import { Endpoint, resource } from 'restitch'
import { createData, createDataAll, createMutation, createQuery } from 'restitch/svelte'
import { createMockStore, mountData, renderData } from 'restitch/svelte/test'
import { mount, unmount } from 'svelte'
import { expect, test } from 'vitest'
import { Todo } from '../../src/testing/contract/Adapter.ts'
import Around from './Around.svelte'
import TodoTitle from './TodoTitle.svelte'

const Todos = resource({ path: '/todos/:id', schema: Todo })
const first = { endpoint: Todos.get, args: [{ id: '1' }] as const, response: { id: '1', title: 'one' } }
const second = { endpoint: Todos.get, args: [{ id: '2' }] as const, response: { id: '2', title: 'two' } }
const save = {
  endpoint: Todos.partialUpdate,
  response: ({ id }: { id: string | number }, body: any) => ({ id, title: 'one', ...body }) as any,
}

test('SIG-10 renderData runs a function with fixtures, interceptors and props', async () => {
  const { result, setProps, allSettled, cleanup } = renderData(
    (props: { id: string }) => ({
      todo: createData(Todos.get, () => ({ id: props.id })),
      save: createMutation(Todos.partialUpdate),
    }),
    { props: { id: '1' }, initialFixtures: [first], resolverFixtures: [second, save] },
  )
  expect(result.todo.data?.title).toBe('one')
  setProps({ id: '2' })
  expect(result.todo.loading).toBe(true)
  await allSettled()
  expect(result.todo.data?.title).toBe('two')
  result.save.mutate({ id: '2' }, { title: 'new' })
  await allSettled()
  expect([result.todo.data?.title, result.save.status]).toEqual(['new', 'success'])
  cleanup()
})

test('SIG-10 renderData follows several reads; a failure is an error, and a throw is thrown', async () => {
  const broken = { ...second, response: new Error('broken'), error: true as const }
  const { result, controller, allSettled, cleanup } = renderData(
    () => createDataAll(['1', '2'].map((id) => [Todos.get, { id }] as const)),
    { resolverFixtures: [first, broken] },
  )
  await allSettled()
  expect(result.error?.message).toBe('broken')
  expect(result.states[0]?.data?.title).toBe('one')
  expect(controller.get(Todo, { id: '1' })?.title).toBe('one')
  cleanup()
  expect(() =>
    renderData(() => {
      throw new Error('at once')
    }),
  ).toThrow('at once')
})

test('SIG-10 after cleanup nothing is fetched, and interceptors keep their data until then', async () => {
  const count = {
    endpoint: new Endpoint(() => Promise.resolve(0), { name: 'count' }),
    response(this: { count: number }) {
      return ++this.count
    },
  }
  const options = { resolverFixtures: [count], getInitialInterceptorData: () => ({ count: 0 }) }
  const { result, controller, allSettled, cleanup } = renderData(() => createData(count.endpoint), options)
  await allSettled()
  result.refetch()
  await allSettled()
  expect(result.data).toBe(2)
  cleanup()
  await controller.expireAll(count.endpoint)
  expect(controller.core.requests.open.size).toBe(0)
})

test('SIG-10 mountData mounts a component', async () => {
  const { container, setProps, allSettled, cleanup } = mountData(TodoTitle, {
    props: { get: Todos.get, id: '1' },
    resolverFixtures: [first, second],
  })
  expect(document.body.textContent).toBe('loading')
  await allSettled()
  expect(container.textContent).toBe('one')
  setProps({ id: '2' })
  await allSettled()
  expect(container.textContent).toBe('two')
  cleanup()
  expect(document.body.textContent).toBe('')
})

test('SIG-10 a store with fixtures is given to setRestitch, as in a story', async () => {
  const store = createMockStore({ initialFixtures: [first] })
  let title: string | undefined
  const setup = (): void => {
    title = createQuery(Todo, { id: '1' }).data?.title
  }
  const story = mount(Around, { target: document.createElement('div'), props: { store, setup } })
  expect(title).toBe('one')
  await unmount(story)
  store.stop()
})
