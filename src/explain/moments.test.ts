import { expect, test } from 'vitest'
import { createStore } from '../client/createStore.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { observe } from './observe.ts'
import { recording } from './observers.ts'

class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}
const todos = new Collection([Todo])

test('PNL-9 a state is kept after each change, as readers saw it: with pending operations, and without them after a rollback', async () => {
  recording.isOn = true
  const { controller, stop } = createStore()
  const history = observe(controller)
  const read = (target: any, ...args: any[]): any =>
    (controller.core.read as any)(target, [...args, history.moments.at(-1)!.state]).data
  const getTodos = deferredEndpoint('GET /todos', todos)
  const fetched = controller.fetch(getTodos as any)
  // The store as it was at first.
  expect(history.moments).toHaveLength(1)
  await getTodos.calls[0].answer([{ id: '1', title: 'a' }])
  await fetched
  expect(history.moments).toHaveLength(2)

  const create = deferredEndpoint('POST /todos', todos.push, {
    sideEffect: true,
    getOptimisticResponse: (_: unknown, body: object) => body,
  })
  const remove = deferredEndpoint('DELETE /todos', new Invalidate(Todo), {
    sideEffect: true,
    getOptimisticResponse: (_: unknown, params: object) => params,
  })
  const created = (controller.fetch as any)(create, { id: '2', title: 'b' })
  expect(read(getTodos).map(({ title }: Todo) => title)).toEqual(['a', 'b'])
  const removed = (controller.fetch as any)(remove, { id: '1' })
  expect(read(getTodos).map(({ title }: Todo) => title)).toEqual(['b'])
  expect(history.moments.slice(1).map(({ event }) => `${event.type} ${event.about}`)).toEqual([
    'setresponse GET /todos []',
    'fetch POST /todos [{"id":"2","title":"b"}]',
    'fetch DELETE /todos [{"id":"1"}]',
  ])
  await create.calls[0].fail(Object.assign(new Error('no'), { status: 400 }))
  await expect(created).rejects.toThrow('no')
  expect(read(getTodos)).toEqual([])
  await remove.calls[0].fail(Object.assign(new Error('no'), { status: 400 }))
  await expect(removed).rejects.toThrow('no')
  expect(read(getTodos).map(({ title }: Todo) => title)).toEqual(['a'])

  // The states before are as they were.
  expect((controller.core.read as any)(getTodos, [history.moments[2]!.state]).data).toHaveLength(2)
  for (let i = 0; i < 100; i++) {
    await controller.set(Todo, { id: '1' }, { id: '1', title: `${i}` })
  }
  expect(history.moments).toHaveLength(60)
  history.clear()
  expect(history.moments).toHaveLength(0)
  recording.isOn = false
  await controller.set(Todo, { id: '1' }, { id: '1', title: 'unseen' })
  expect(history.moments).toHaveLength(0)
  stop()
})
