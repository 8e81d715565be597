// @vitest-environment happy-dom
import type { ReactNode } from 'react'
import { createStore, getDefaultManagers } from 'restitch'
import { outbox } from 'restitch/outbox'
import { useOutbox } from 'restitch/react'
import { expect, test } from 'vitest'
import { TestClock } from '../../src/testing/TestClock.ts'
import { Tasks, TodoApi } from '../../src/testing/TodoApi.ts'
import { h, settle, show } from './cases.ts'

test('OUT-20 useOutbox of React shows what waits, and takes it back', async () => {
  const api = new TodoApi()
  api.isOnline = false
  const clock = new TestClock()
  const managers = [outbox({ endpoints: { create: Tasks.getList.push } }), ...getDefaultManagers()]
  const store = createStore({ managers, clock })
  function Unsent(): ReactNode {
    const { pending, discard } = useOutbox()
    return pending.map(({ id, args }) => h('button', { key: id, onClick: () => void discard(id) }, args[0].title))
  }
  const screen = await show(h(Unsent), { clock, store })
  await settle(() => void store.controller.fetch(Tasks.getList.push, { title: 'a' }).catch(() => {}))
  await settle(() => clock.pass())
  await settle(() => clock.pass())
  expect(screen.text()).toBe('a')
  await settle(() => screen.container.querySelector('button')!.click())
  await settle(() => clock.pass())
  expect(screen.text()).toBe('')
  store.stop()
})
