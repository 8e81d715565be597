// @vitest-environment happy-dom
import { createStore, getDefaultManagers } from 'restitch'
import { outbox } from 'restitch/outbox'
import { createOutbox } from 'restitch/svelte'
import { flushSync, mount, unmount } from 'svelte'
import { toStore } from 'svelte/store'
import { expect, test } from 'vitest'
import { Tasks, TodoApi } from '../../src/testing/TodoApi.ts'
import { TestClock } from '../../src/testing/TestClock.ts'
import Around from './Around.svelte'

test('OUT-20 createOutbox of Svelte shows what waits, and takes it back', async () => {
  const api = new TodoApi()
  api.isOnline = false
  const clock = new TestClock()
  const managers = [outbox({ endpoints: { create: Tasks.getList.push } }), ...getDefaultManagers()]
  const store = createStore({ managers, clock })
  let reading!: ReturnType<typeof createOutbox>
  const setup = (): void => {
    reading = createOutbox()
  }
  const component = mount(Around, { target: document.createElement('div'), props: { store, setup } })
  const seen: unknown[] = []
  const end = toStore(() => reading.pending.map(({ args }: any) => args[0].title)).subscribe((titles) => {
    seen.push(titles.join())
  })
  const settle = async (): Promise<void> => {
    await clock.pass()
    await clock.pass()
    flushSync()
  }
  void store.controller.fetch(Tasks.getList.push, { title: 'a' }).catch(() => {})
  await settle()
  expect(seen.at(-1)).toBe('a')
  void reading.discard(reading.pending[0]!.id)
  await settle()
  expect(seen.at(-1)).toBe('')
  end()
  void unmount(component)
  store.stop()
})
