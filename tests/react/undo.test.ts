// @vitest-environment happy-dom
import { type ReactNode } from 'react'
import { resource } from 'restitch'
import { useSuspense, useUndoable } from 'restitch/react'
import { expect, test } from 'vitest'
import { act, h, open, settle, show, Todo } from './cases.ts'

test.each([false, true])(
  'UND-7 the screen follows: rows, and the list of what can be taken back; strict: %s',
  async (strict) => {
    const sent: string[] = []
    const fetchResponse = async (url: string, { method }: RequestInit): Promise<Response> => {
      sent.push(`${method} ${url}`)
      return method === 'GET'
        ? Response.json(['1', '2'].map((id) => ({ id, title: `todo ${id}` })))
        : new Response(null, { status: 204 })
    }
    const Todos = resource({ path: '/todos/:id', schema: Todo, optimistic: true, fetchResponse })
    const { clock, store } = open()
    function List(): ReactNode {
      const todos = useSuspense(Todos.getList)
      const { mutate, undo, pending } = useUndoable(Todos.delete, { within: 1_000 })
      return h(
        'div',
        null,
        todos.map(({ id, title }) => h('button', { key: id, onClick: () => mutate({ id }) }, title)),
        pending.length > 0 && h('button', { onClick: undo }, `undo ${pending.length}`),
      )
    }
    const screen = await show(h(List), { strict, clock, store })
    await settle(() => {})
    const click = (text: string): Promise<void> =>
      settle(() => [...screen.container.querySelectorAll('button')].find((one) => one.textContent === text)!.click())
    await click('todo 1')
    await click('todo 2')
    expect(screen.text()).toBe('undo 2')
    await click('undo 2')
    expect(screen.text()).toBe('todo 2undo 1')
    await act(() => clock.pass(1_000))
    expect(screen.text()).toBe('todo 2')
    expect(sent.filter((line) => line.startsWith('DELETE'))).toEqual(['DELETE /todos/1'])
    await click('todo 2')
    screen.unmount()
    await clock.pass(0)
    // The user has decided: leaving the screen does not take it back.
    await clock.pass(1_000)
    expect(sent.filter((line) => line.startsWith('DELETE'))).toHaveLength(2)
  },
)
