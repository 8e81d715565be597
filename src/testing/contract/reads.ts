// Rules for every binding: reads.
import { expect } from 'vitest'
import { Collection } from '../../kinds/Collection.ts'
import { Endpoint } from '../../endpoint/Endpoint.ts'
import { deferredEndpoint } from '../endpoints.ts'
import { tick } from '../TestClock.ts'
import { type Clause, counted, open, type Screen, showTitle, Todo, type Use } from './Adapter.ts'

const one = { id: '1', title: 'one' }
const two = { id: '2', title: 'two' }

const read = (of: unknown, id: string | null = '1', show: Use['show'] = showTitle): Use => ({
  kind: 'data',
  of,
  args: [id && { id }],
  show,
})

export const reads: readonly Clause[] = [
  [
    'FW-1 shows that it loads, then the data, with one request and one render for it',
    async ({ mount }) => {
      const get = deferredEndpoint('get', Todo)
      const show = counted(showTitle)
      const screen = await mount(open().store, [read(get, '1', show)])
      expect(screen.text()).toBe('loading')
      const before = show.times
      await screen.settle(() => get.calls[0].answer(one))
      expect(screen.text()).toBe('one')
      expect(get.calls).toHaveLength(1)
      expect(show.times - before).toBe(1)
    },
  ],
  [
    'FW-1 suspends where the framework can, and throws to its boundary',
    async ({ mount }) => {
      const get = deferredEndpoint('get', Todo)
      const uses: Use[] = ['1', '2'].map((id) => ({
        kind: 'suspense',
        of: get,
        args: [{ id }],
        show: ({ data }) => data.title,
      }))
      const screen = await mount(open().store, uses)
      expect(screen.text()).toBe('loading|loading')
      await screen.settle(() => get.calls[0].answer(one))
      await screen.settle(() => get.calls[1].fail(new Error('gone')))
      expect(screen.text()).toBe('one|failed: gone')
    },
  ],
  [
    'FW-2 components share a request and its data',
    async ({ mount }) => {
      const get = deferredEndpoint('get', Todo)
      const { store } = open()
      const query: Use = { kind: 'query', of: Todo, args: [{ id: '1' }], show: ({ data }) => data?.title ?? 'none' }
      const screen = await mount(store, [read(get), read(get), query])
      expect(screen.text()).toBe('loading|loading|none')
      await screen.settle(() => get.calls[0].answer(one))
      expect(screen.text()).toBe('one|one|one')
      expect(get.calls).toHaveLength(1)
      expect(screen.result(0).data).toBe(screen.result(1).data)
      expect(screen.result(2).data).toBe(screen.result(0).data)
      await screen.settle(() => store.controller.set(Todo, { id: '1' }, { id: '1', title: 'new' }))
      expect(screen.text()).toBe('new|new|new')
    },
  ],
  [
    'FW-3 other arguments are another read; equal ones cause nothing; null reads nothing',
    async ({ mount }) => {
      const get = deferredEndpoint('get', Todo)
      const screen = await mount(open().store, [read(get, null)])
      expect(screen.text()).toBe('undefined')
      expect(get.calls).toHaveLength(0)
      await screen.setArgs([{ id: '1' }])
      expect(screen.text()).toBe('loading')
      await screen.settle(() => get.calls[0].answer(one))
      await screen.setArgs([{ id: '1' }])
      expect(screen.text()).toBe('one')
      await screen.setArgs([{ id: '2' }])
      expect(screen.text()).toBe('loading')
      await screen.settle(() => get.calls[1].answer(two))
      expect(screen.text()).toBe('two')
      expect(get.calls).toHaveLength(2)
    },
  ],
  [
    'FW-4 an unmounted component aborts its request, and causes no other',
    async ({ mount }) => {
      const get = deferredEndpoint('get', Todo, { dataExpiryLength: 1_000 })
      const { store, clock } = open()
      const screen = await mount(store, [read(get)])
      await screen.unmount()
      await clock.pass(1)
      expect(get.calls[0].signal.aborted).toBe(true)
      const again = await mount(store, [read(get)])
      await again.settle(() => get.calls[1].answer(one))
      expect(again.text()).toBe('one')
      await again.unmount()
      await clock.pass(10_000)
      await store.controller.expireAll(get)
      await store.controller.invalidateAll(get)
      await clock.pass(10_000)
      expect(get.calls).toHaveLength(2)
    },
  ],
  [
    'FW-4 no use of any kind sends a request after it is unmounted',
    async ({ mount }) => {
      const options = { dataExpiryLength: 1_000 }
      const [first, waits, all] = ['first', 'waits', 'all'].map((name) => deferredEndpoint(name, Todo, options))
      const live = deferredEndpoint('live', Todo, { ...options, pollFrequency: 3_000 })
      const list = deferredEndpoint('list', new Collection([Todo]), { ...options })
      const { store, clock } = open()
      const args = [{ id: '1' }]
      const text = (): string => 'shown'
      const screen = await mount(store, [
        { kind: 'data', of: first, args, show: ({ data }) => data?.title },
        { kind: 'suspense', of: waits, args, show: ({ data }) => data?.title },
        { kind: 'live', of: live, args, show: ({ data }) => data?.title },
        { kind: 'infinite', of: list, args: [], show: ({ items }) => items?.length },
        { kind: 'all', of: all, args: [args], show: ({ states }) => states[0].data?.title },
        { kind: 'mutations', of: first, show: ({ calls }) => calls.length },
        { kind: 'count', show: text },
      ])
      const endpoints = [first, waits, live, list, all]
      for (const get of endpoints) {
        await screen.settle(() => get.calls[0].answer(get === list ? [one] : one))
      }
      await screen.unmount()
      await clock.pass(20_000)
      for (const get of endpoints) {
        await store.controller.expireAll(get)
        await store.controller.invalidateAll(get)
      }
      await clock.pass(20_000)
      expect(endpoints.map(({ calls }) => calls.length)).toEqual([1, 1, 1, 1, 1])
    },
  ],
  [
    'FW-5 a request that failed is sent again by itself, while a component needs it',
    async ({ mount }) => {
      const get = deferredEndpoint('get', Todo, { retry: 2, retryDelay: 1_000 })
      const down = (): Error => Object.assign(new Error('down'), { status: 500 })
      const { store, clock } = open()
      const screen = await mount(store, [read(get)])
      await screen.settle(() => get.calls[0].fail(down()))
      expect(screen.text()).toBe('loading')
      await screen.settle(() => clock.pass(2_000))
      await screen.settle(() => get.calls[1].answer(one))
      expect(screen.text()).toBe('one')
      await screen.setArgs([{ id: '2' }])
      await screen.settle(() => clock.pass(1))
      await screen.settle(() => get.calls[2].fail(down()))
      await screen.unmount()
      await clock.pass(20_000)
      expect(get.calls).toHaveLength(3)
    },
  ],
  [
    'FW-5 shows why there is no data, and fetches again when told to',
    async ({ mount }) => {
      const get = deferredEndpoint('get', Todo)
      const screen = await mount(open().store, [read(get)])
      await screen.settle(() => get.calls[0].fail(new Error('down')))
      expect(screen.text()).toBe('failed: down')
      await screen.settle(() => screen.result().refetch())
      await screen.settle(() => get.calls[1].answer(one))
      expect(screen.text()).toBe('one')
    },
  ],
  [
    'FW-5 keeps data when a refetch fails, and says so',
    async ({ mount }) => {
      const get = deferredEndpoint('get', Todo, { dataExpiryLength: 1_000 })
      const { store, clock } = open()
      const show: Use['show'] = ({ data, fetching, stale, refetchError, fetchedAt }) =>
        [data?.title, fetching, stale, refetchError?.message, fetchedAt].map((value) => value ?? '-').join(' ')
      const screen = await mount(store, [read(get, '1', show)])
      expect(screen.text()).toBe('- true false - -')
      await screen.settle(() => get.calls[0].answer(one))
      expect(screen.text()).toBe('one false false - 1000000')
      await screen.settle(() => clock.pass(1_500))
      expect(screen.text()).toBe('one false true - 1000000')
      await screen.settle(() => screen.result().refetch())
      expect(screen.text()).toBe('one true true - 1000000')
      await screen.settle(() => get.calls[1].fail(Object.assign(new Error('down'), { status: 400 })))
      expect(screen.text()).toBe('one false true down 1000000')
      await screen.settle(() => screen.result().refetch())
      await screen.settle(() => get.calls[2].answer({ ...one, title: 'new' }))
      expect(screen.text()).toBe('new false false - 1001500')
    },
  ],
  [
    'FW-6 keeps the data of the previous arguments, or shows a placeholder',
    async ({ mount }) => {
      const get = deferredEndpoint('get', Todo)
      const show: Use['show'] = ({ data, loading, placeholder }) => `${data?.title} ${loading} ${placeholder}`
      const screen = await mount(open().store, [
        read({ endpoint: get, keepPrevious: true }, '1', show),
        read({ endpoint: get, placeholder: () => ({ id: '3', title: 'three' }) }, '3', show),
      ])
      expect(screen.text()).toBe('undefined true false|three false true')
      await screen.settle(() => get.calls[0].answer(one))
      await screen.settle(() => get.calls[1].answer({ id: '3', title: '3' }))
      await screen.setArgs([{ id: '2' }])
      expect(screen.text()).toBe('one false true|3 false false')
      await screen.settle(() => get.calls[2].answer(two))
      expect(screen.text()).toBe('two false false|3 false false')
    },
  ],
  [
    'FW-7 renders only when a member that it reads has changed',
    async ({ mount }) => {
      const get = deferredEndpoint('get', Todo)
      const show = counted(({ data }) => data?.title ?? '-')
      const screen = await mount(open().store, [read(get, '1', show)])
      await screen.settle(() => get.calls[0].answer(one))
      const before = show.times
      await screen.settle(() => screen.result().refetch())
      await screen.settle(() => get.calls[1].answer({ ...one }))
      expect(screen.text()).toBe('one')
      expect(show.times).toBe(before)
    },
  ],
  [
    'FW-8 tracks nothing that runs while it subscribes: no loop, whatever an endpoint reads',
    async ({ mount }) => {
      const get = deferredEndpoint('get', Todo)
      const { store, clock } = open()
      let screen: Screen | undefined
      const seen: unknown[] = []
      // Before its first await, as it would read a token or a setting that the framework tracks.
      const answers: ((todo: object) => void)[] = []
      const reading = new Endpoint(
        () => {
          seen.push(screen?.result(0).data?.title)
          return new Promise((resolve) => answers.push(resolve))
        },
        { name: 'reading', schema: Todo, dataExpiryLength: 1_000 } as never,
      )
      const show = counted(showTitle)
      screen = await mount(store, [read(get), read(reading, null, show)])
      await screen.settle(() => get.calls[0].answer(one))
      await screen.setArgs([{ id: '2' }], 1)
      await screen.settle(() => answers[0]!(two))
      // Its data is stale: another subscription would fetch it.
      await screen.settle(() => clock.pass(2_000))
      const before = show.times
      for (let turn = 0; turn < 5; turn++) {
        await screen.settle(() => store.controller.set(Todo, { id: '1' }, { id: '1', title: `${turn}` }))
        await tick()
      }
      expect(screen.text()).toBe('4|two')
      expect(show.times).toBe(before)
      expect(seen).toEqual(['one'])
      expect(get.calls).toHaveLength(1)
    },
  ],
]
