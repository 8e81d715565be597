// Rules for every binding: several reads, signals, and live queries.
import { expect } from 'vitest'
import { sortBy, where } from '../../query/operators.ts'
import { query } from '../../query/query.ts'
import { deferredEndpoint } from '../endpoints.ts'
import { type Clause, open, showTitle, Todo } from './Adapter.ts'

const titled = query(
  Todo,
  where((todo, { text }: { text: string }) => todo.title.includes(text)),
  sortBy((todo) => todo.title),
)

export const several: readonly Clause[] = [
  [
    'FW-19 reads any number of endpoints, and keeps those that stay',
    async ({ mount }) => {
      const get = deferredEndpoint('get', Todo)
      const screen = await mount(open().store, [
        {
          kind: 'all',
          of: get,
          args: [[{ id: '1' }, { id: '2' }]],
          show: ({ states }) => states.map(showTitle).join(),
        },
      ])
      expect(screen.text()).toBe('loading,loading')
      expect(get.calls).toHaveLength(2)
      await screen.settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
      await screen.settle(() => get.calls[1].fail(Object.assign(new Error('gone'), { status: 404 })))
      expect(screen.text()).toBe('one,failed: gone')
      await screen.setArgs([[{ id: '3' }, { id: '1' }]])
      expect(screen.text()).toBe('loading,one')
      await screen.settle(() => get.calls[2].answer({ id: '3', title: 'three' }))
      expect(screen.text()).toBe('three,one')
      await screen.setArgs([[]])
      expect(screen.text()).toBe('')
      expect(get.calls).toHaveLength(3)
    },
  ],
  [
    'FW-20 a signal ends the calls of a component with other arguments, and when it is unmounted',
    async ({ mount }) => {
      const get = deferredEndpoint('get', Todo)
      const { store, clock } = open()
      const screen = await mount(store, [
        { kind: 'cancelling', of: get, args: [{ id: '1' }], show: ({ endpoint }) => typeof endpoint },
      ])
      const outcomes: string[] = []
      const send = (id: string): void => {
        const { endpoint } = screen.result()
        store.controller.fetch(endpoint, { id }).then(
          () => outcomes.push(`${id} done`),
          ({ name }: Error) => outcomes.push(`${id} ${name}`),
        )
      }
      await screen.settle(() => send('1'))
      await screen.setArgs([{ id: '1' }])
      await screen.settle(() => clock.pass(1))
      expect(outcomes).toEqual([])
      await screen.setArgs([{ id: '2' }])
      await screen.settle(() => clock.pass(1))
      expect(outcomes).toEqual(['1 AbortError'])
      await screen.settle(() => send('2'))
      await screen.settle(() => get.calls[1].answer({ id: '2', title: 'two' }))
      await screen.settle(() => send('2'))
      await screen.unmount()
      await clock.pass(1)
      expect(outcomes).toEqual(['1 AbortError', '2 done', '2 AbortError'])
    },
  ],
  [
    'FW-21 reads a live query, and follows its arguments',
    async ({ mount }) => {
      const { store } = open()
      const { controller } = store
      const screen = await mount(store, [
        {
          kind: 'query',
          of: titled,
          args: [{ text: 'a' }],
          show: ({ data }) => data?.map(({ title }: Todo) => title).join(),
        },
      ])
      for (const [id, title] of ['ca', 'ba', 'bb'].entries()) {
        await screen.settle(() => controller.set(Todo, { id: String(id) }, { id: String(id), title }))
      }
      expect(screen.text()).toBe('ba,ca')
      const [, kept] = screen.result().data
      await screen.settle(() => controller.set(Todo, { id: '1' }, { id: '1', title: 'aa' }))
      expect(screen.text()).toBe('aa,ca')
      expect(screen.result().data[1]).toBe(kept)
      await screen.setArgs([{ text: 'b' }])
      expect(screen.text()).toBe('bb')
    },
  ],
]
