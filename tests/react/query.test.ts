// @vitest-environment happy-dom
import type { ReactNode } from 'react'
import { Collection } from 'restitch'
import { query, sortBy, take, where } from 'restitch/query'
import { useQuery } from 'restitch/react'
import { expect, test } from 'vitest'
import { counted, deferredEndpoint, h, open, settle, show, Todo } from './cases.ts'

const titled = query(
  Todo,
  where((todo, { text }: { text: string }) => todo.title.includes(text)),
  sortBy((todo) => todo.title),
  take(2),
)

test('QUE-17 useQuery, controller.get and store.view read a live query, and a component renders for what it shows', async () => {
  const { store, clock } = open()
  const { controller } = store
  const getTodos = deferredEndpoint('list', new Collection([Todo]))
  const List = counted((): ReactNode =>
    useQuery(titled, { text: 'a' })
      ?.map(({ title }) => title)
      .join(),
  )
  const screen = await show(h(List), { store, clock })
  expect(screen.text()).toBe('')
  const todos = ['ca', 'ba', 'da', 'xx'].map((title, i) => ({ id: String(i), title }))
  await settle(() => controller.setResponse(getTodos, todos as never))
  expect(screen.text()).toBe('ba,ca')
  const { renders } = List
  await settle(() => controller.set(Todo, { id: '2' }, { title: 'ea' }))
  await settle(() => controller.set(Todo, { id: '3' }, { title: 'yy' }))
  expect(List.renders).toBe(renders)
  await settle(() => controller.set(Todo, { id: '3' }, { title: 'aa' }))
  expect([screen.text(), List.renders]).toEqual(['aa,ba', renders + 1])
  const shown = controller.get(titled, { text: 'a' })
  expect(shown?.map(({ id }) => id)).toEqual(['3', '1'])
  expect(store.view(titled, { text: 'a' }).read().data).toBe(shown)
})
