// Rules for every binding: mutations, and the pages of lists.
import { expect } from 'vitest'
import { resource } from '../../rest/resource.ts'
import { RestEndpoint } from '../../rest/RestEndpoint.ts'
import { Collection } from '../../kinds/Collection.ts'
import { deferredEndpoint } from '../endpoints.ts'
import { type Clause, open, showTitle, Todo, type Use } from './Adapter.ts'

const one = { id: '1', title: 'one' }

export const writes: readonly Clause[] = [
  [
    'FW-9 a mutation shows its state, and its optimistic result until the response',
    async ({ mount }) => {
      const { store, save, uses } = openMutation()
      const screen = await mount(store, uses)
      expect(screen.text()).toBe('one|idle')
      await screen.settle(() => screen.result(1).mutate({ id: '1' }, { title: 'mine' }))
      expect(screen.text()).toBe('mine|pending')
      expect(screen.result(1).variables).toEqual([{ id: '1' }, { title: 'mine' }])
      await screen.settle(() => save.calls[0].answer({ id: '1', title: 'saved' }))
      expect(screen.text()).toBe('saved|success')
      await screen.settle(() => screen.result(1).reset())
      expect(screen.text()).toBe('saved|idle')
    },
  ],
  [
    'FW-9 a mutation that fails is rolled back; mutateAsync rejects',
    async ({ mount }) => {
      const { store, save, uses } = openMutation()
      const screen = await mount(store, uses)
      await screen.settle(() => screen.result(1).mutate({ id: '1' }, { title: 'mine' }))
      expect(screen.text()).toBe('mine|pending')
      await screen.settle(() => save.calls[0].fail(Object.assign(new Error('taken'), { status: 409 })))
      expect(screen.text()).toBe('one|taken')
      let thrown: unknown
      const promise = await screen.settle(() => {
        const sent: Promise<unknown> = screen.result(1).mutateAsync({ id: '1' }, { title: 'other' })
        return [sent.catch((error: unknown) => (thrown = error))]
      })
      await screen.settle(() => save.calls[1].fail(Object.assign(new Error('no'), { status: 400 })))
      await promise[0]
      expect(thrown).toMatchObject({ message: 'no' })
      expect(screen.text()).toBe('one|no')
    },
  ],
  [
    'FW-10 a change that can be taken back is shown at once, and sent later',
    async ({ mount }) => {
      const sent: string[] = []
      const remove = resource({ path: '/todos/:id', schema: Todo, optimistic: true }).delete.extend({
        fetchResponse: (url: string) => {
          sent.push(url)
          return Promise.resolve(new Response(null, { status: 204 }))
        },
      })
      const { store, clock } = open()
      await store.controller.set(Todo, one, one)
      const screen = await mount(store, [
        { kind: 'query', of: Todo, args: [{ id: '1' }], show: ({ data }) => data?.title ?? 'gone' },
        { kind: 'undoable', of: remove, show: ({ pending }) => pending.length },
      ])
      expect(screen.text()).toBe('one|0')
      await screen.settle(() => void screen.result(1).mutate({ id: '1' }))
      expect(screen.text()).toBe('gone|1')
      await screen.settle(() => screen.result(1).undo())
      expect(screen.text()).toBe('one|0')
      await screen.settle(() => void screen.result(1).mutate({ id: '1' }))
      await screen.settle(() => clock.pass(6_000))
      await expect.poll(() => sent).toEqual(['/todos/1'])
    },
  ],
  [
    'FW-11 loads pages in both directions, and keeps its items when one fails',
    async ({ mount }) => {
      const { endpoint, asked, fails } = openPages()
      const screen = await mount(open().store, [
        {
          kind: 'infinite',
          of: endpoint,
          show: ({ items, hasNextPage, hasPreviousPage, error }) =>
            `${hasPreviousPage ? '<' : ''}${items?.map(({ id }: Todo) => id).join('') ?? 'loading'}${hasNextPage ? '>' : ''}${error?.message ?? ''}`,
        },
      ])
      await screen.settle()
      expect(screen.text()).toBe('<cd>')
      await screen.settle(() => screen.result().fetchNextPage())
      expect(screen.text()).toBe('<cde')
      fails.now = true
      await screen.settle(() => screen.result().fetchPreviousPage())
      expect(screen.text()).toBe('<cdedown')
      fails.now = false
      await screen.settle(() => screen.result().fetchPreviousPage())
      expect(screen.text()).toBe('abcde')
      expect(asked).toEqual(['2', '3', '1', '1'])
    },
  ],
  [
    'FW-18 reads the mutations of others that are in flight or have failed',
    async ({ mount }) => {
      const { store, save } = openMutation()
      const show: Use['show'] = ({ calls }) =>
        calls.map(({ variables: [{ id }], status, error }: any) => `${id} ${error?.message ?? status}`).join(', ')
      const screen = await mount(store, [
        { kind: 'mutations', of: save, show },
        { kind: 'mutations', of: { testKey: () => false }, show },
      ])
      const send = (id: string): unknown =>
        screen.settle(() => void store.controller.fetch(save, { id }, { title: 'mine' }).catch(() => {}))
      await send('1')
      await send('2')
      expect(screen.text()).toBe('1 pending, 2 pending|')
      await screen.settle(() => save.calls[0].answer(one))
      await screen.settle(() => save.calls[1].fail(Object.assign(new Error('taken'), { status: 409 })))
      expect(screen.text()).toBe('2 taken|')
      await send('2')
      expect(screen.text()).toBe('2 pending|')
      await screen.settle(() => save.calls[2].fail(Object.assign(new Error('no'), { status: 400 })))
      expect(screen.text()).toBe('2 no|')
      await screen.settle(() => screen.result(0).calls[0].dismiss())
      expect(screen.text()).toBe('|')
    },
  ],
  [
    'FW-12 counts the requests in flight',
    async ({ mount }) => {
      const get = deferredEndpoint('get', Todo)
      const screen = await mount(open().store, [
        { kind: 'data', of: get, args: [{ id: '1' }], show: showTitle },
        { kind: 'count', show: ({ count }) => count },
      ])
      expect(screen.text()).toBe('loading|1')
      await screen.settle(() => get.calls[0].answer(one))
      expect(screen.text()).toBe('one|0')
    },
  ],
]

function openMutation() {
  const { store } = open()
  void store.controller.set(Todo, one, one)
  const save = deferredEndpoint('save', Todo, {
    sideEffect: true,
    getOptimisticResponse: (_snapshot: unknown, { id }: { id: string }, body: object) => ({ id, ...body }),
  })
  const uses: Use[] = [
    { kind: 'query', of: Todo, args: [{ id: '1' }], show: ({ data }) => data?.title },
    { kind: 'mutation', of: save, show: ({ status, error }) => error?.message ?? status },
  ]
  return { store, save, uses }
}

/** A timeline: each page names its neighbours. The list begins in the middle. */
const PAGES: Record<string, readonly [ids: string, newer?: string | undefined, older?: string]> = {
  '1': ['ab', undefined, '2'],
  '2': ['cd', '1', '3'],
  '3': ['e', '2'],
}

function openPages(): { endpoint: any; asked: string[]; fails: { now: boolean } } {
  const asked: string[] = []
  const fails = { now: false }
  const endpoint = new RestEndpoint({
    path: '/timeline',
    schema: { items: new Collection([Todo]), newer: '', older: '' },
    paginationField: 'page',
    getNextPage: ({ older }: any) => older,
    getPreviousPage: ({ newer }: any) => newer,
    fetch({ page = '2' }: { page?: string } = {}) {
      asked.push(page)
      const [ids = '', newer, older] = PAGES[page] ?? []
      const items = ids.split('').map((id) => ({ id, title: id }))
      return fails.now
        ? Promise.reject(Object.assign(new Error('down'), { status: 400 }))
        : Promise.resolve({ items, newer, older })
    },
  } as never)
  return { endpoint, asked, fails }
}
