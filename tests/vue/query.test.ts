// @vitest-environment happy-dom
import { query, sortBy, where } from 'restitch/query'
import { useQuery } from 'restitch/vue'
import { expect, test } from 'vitest'
import { defineComponent, ref } from 'vue'
import { h, settle, show, Todo } from './cases.ts'

const titled = query(
  Todo,
  where((todo, { text }: { text: string }) => todo.title.includes(text)),
  sortBy((todo) => todo.title),
)

test('QUE-17 useQuery of Vue reads a live query, and follows its arguments', async () => {
  const text = ref('a')
  const screen = await show(
    defineComponent(() => {
      const todos = useQuery(titled, () => ({ text: text.value }))
      return () => h('p', todos.value?.map(({ title }) => title).join())
    }),
  )
  const { controller } = screen.store
  for (const [id, title] of ['ca', 'ba', 'bb'].entries()) {
    await settle(() => controller.set(Todo, { id: String(id) }, { id: String(id), title }))
  }
  expect(screen.text()).toBe('ba,ca')
  await settle(() => controller.set(Todo, { id: '0' }, { title: 'aa' }))
  expect(screen.text()).toBe('aa,ba')
  await settle(() => (text.value = 'b'))
  expect(screen.text()).toBe('ba,bb')
})
