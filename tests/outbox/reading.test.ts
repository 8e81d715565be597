// The base of the hooks of all frameworks.
import { createStore, getDefaultManagers } from 'restitch'
import { createOutbox } from 'restitch/binding'
import { outbox } from 'restitch/outbox'
import { expect, test } from 'vitest'
import { TestClock } from '../../src/testing/TestClock.ts'
import { Tasks, TodoApi } from '../../src/testing/TodoApi.ts'

test('OUT-20 the reading is the same object until the entries change', async () => {
  const api = new TodoApi()
  api.isOnline = false
  const clock = new TestClock()
  const sending = outbox({ endpoints: { create: Tasks.getList.push } })
  const store = createStore({ managers: [sending, ...getDefaultManagers()], clock })
  const { get, subscribe } = createOutbox(store.controller)
  const before = get()
  expect(get()).toBe(before)
  let calls = 0
  const end = subscribe(() => calls++)
  void store.controller.fetch(Tasks.getList.push, { title: 'a' }).catch(() => {})
  await clock.pass()
  expect(get().pending).toHaveLength(1)
  expect(calls).toBeGreaterThan(0)
  end()
  store.stop()
})

test('OUT-20 a store without an outbox: outbox-missing', () => {
  const store = createStore()
  expect(() => createOutbox(store.controller)).toThrow(expect.objectContaining({ code: 'outbox-missing' }))
  store.stop()
})
