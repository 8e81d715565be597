// @vitest-environment happy-dom
import { createStore, getDefaultManagers } from 'restitch'
import { outbox } from 'restitch/outbox'
import { useOutbox } from 'restitch/vue'
import { expect, test } from 'vitest'
import { defineComponent } from 'vue'
import { TestClock } from '../../src/testing/TestClock.ts'
import { Tasks, TodoApi } from '../../src/testing/TodoApi.ts'
import { h, settle, show } from './cases.ts'

test('OUT-20 useOutbox of Vue shows what waits', async () => {
  const api = new TodoApi()
  api.isOnline = false
  const clock = new TestClock()
  const managers = [outbox({ endpoints: { create: Tasks.getList.push } }), ...getDefaultManagers()]
  const store = createStore({ managers, clock })
  const screen = await show(
    defineComponent(() => {
      const { pending, durable } = useOutbox()
      return () => h('p', `${pending.value.map(({ args }) => args[0].title).join()} ${durable.value}`)
    }),
    { store, clock },
  )
  await settle(() => void store.controller.fetch(Tasks.getList.push, { title: 'a' }).catch(() => {}))
  await settle(() => clock.pass())
  expect(screen.text()).toBe('a false')
  store.stop()
})
