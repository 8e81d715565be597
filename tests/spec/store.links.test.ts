// Links between records that the app writes.
import { createStore, Entity, resource } from 'restitch'
import { expect, test } from 'vitest'
import { TestClock } from '../../src/testing/TestClock.ts'

class Task extends Entity {
  id = ''
  title = ''
  static override key = 'Task'
}
class Board extends Entity {
  id = ''
  main: Task | undefined = undefined
  static override key = 'Board'
  static override schema = { main: Task }
}
test('OPT-9 a link to a temporary id that the app has written is empty after the create, until it is written again', async () => {
  const held: ((value: Response) => void)[] = []
  const fetchResponse = (): Promise<Response> => new Promise((done) => held.push(done))
  const Tasks: any = resource({ path: '/tasks/:id', schema: Task, optimistic: true }).extend({
    create: { fetchResponse },
  } as never)
  const store = createStore({ clock: new TestClock() })
  const { controller } = store
  await controller.setResponse(Tasks.getList, [] as never)
  const created = controller.fetch(Tasks.create, { title: 'new' })
  await new Promise((done) => setImmediate(done))
  const [pending] = store.view(Tasks.getList).read().data as Task[]
  await controller.set(Board, { id: 'b' }, { id: 'b', main: pending } as never)
  expect(controller.get(Board, { id: 'b' })?.main).toBe(pending)
  held[0]!(Response.json({ id: '7', title: 'new' }))
  const task = await created
  expect(store.view(Tasks.getList).read().data).toEqual([task])
  expect(controller.get(Board, { id: 'b' })?.main).toBe(undefined)
  await controller.set(Board, { id: 'b' }, { id: 'b', main: task } as never)
  expect(controller.get(Board, { id: 'b' })?.main).toBe(task)
})
