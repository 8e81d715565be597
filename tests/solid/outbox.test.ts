// @vitest-environment happy-dom
import { createStore, getDefaultManagers } from 'restitch'
import { outbox } from 'restitch/outbox'
import { createOutbox, RestitchProvider } from 'restitch/solid'
import { createComponent, createRenderEffect } from 'solid-js'
import { render } from 'solid-js/web'
import { expect, test } from 'vitest'
import { Tasks, TodoApi } from '../../src/testing/TodoApi.ts'
import { TestClock } from '../../src/testing/TestClock.ts'

test('OUT-20 createOutbox of Solid shows what waits, and takes it back', async () => {
  const api = new TodoApi()
  api.isOnline = false
  const clock = new TestClock()
  const managers = [outbox({ endpoints: { create: Tasks.getList.push } }), ...getDefaultManagers()]
  const store = createStore({ managers, clock })
  const seen: string[] = []
  let reading!: ReturnType<typeof createOutbox>
  const Waiting = (): null => {
    reading = createOutbox()
    createRenderEffect(() => seen.push(reading.pending.map(({ args }: any) => args[0].title).join()))
    return null
  }
  const end = render(
    () =>
      createComponent(RestitchProvider, {
        store,
        get children() {
          return createComponent(Waiting, {})
        },
      }),
    document.createElement('div'),
  )
  void store.controller.fetch(Tasks.getList.push, { title: 'a' }).catch(() => {})
  await clock.pass()
  await clock.pass()
  expect(seen.at(-1)).toBe('a')
  void reading.discard(reading.pending[0]!.id)
  await clock.pass()
  await clock.pass()
  expect(seen.at(-1)).toBe('')
  end()
  store.stop()
})
