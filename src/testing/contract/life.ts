// Rules for every binding: components that mount, wait and leave, and pages from a server.
import { expect } from 'vitest'
import type { LiveLink } from '../../live/LiveLink.ts'
import { LiveManager } from '../../live/LiveManager.ts'
import { Collection } from '../../kinds/Collection.ts'
import { FocusManager } from '../../managers/FocusManager.ts'
import { getDefaultManagers } from '../../client/getDefaultManagers.ts'
import { RestEndpoint } from '../../rest/RestEndpoint.ts'
import { deferredEndpoint } from '../endpoints.ts'
import { TestPage } from '../environment.ts'
import { type Clause, type Kind, open, showTitle, Todo, type Use } from './Adapter.ts'
import { PAGES } from './pages.ts'

const one = { id: '1', title: 'one' }

function read(of: unknown): Use {
  return { kind: 'data', of, args: [{ id: '1' }], show: showTitle }
}

export const life: readonly Clause[] = [
  [
    'FW-13 polls while it is mounted',
    async ({ mount }) => {
      const get = deferredEndpoint('get', Todo, { pollFrequency: 5_000, dataExpiryLength: 1_000 })
      const { store, clock } = open()
      const use: Use = { kind: 'live', of: get, args: [{ id: '1' }], show: ({ data }) => data?.title ?? 'loading' }
      const screen = await mount(store, [use])
      expect(screen.text()).toBe('loading')
      await screen.settle(() => get.calls[0].answer(one))
      await screen.settle(() => clock.pass(5_000))
      await screen.settle(() => get.calls[1].answer({ ...one, title: 'two' }))
      expect(screen.text()).toBe('two')
      await screen.setArgs([null])
      await screen.settle(() => clock.pass(20_000))
      expect(get.calls).toHaveLength(2)
      await screen.setArgs([{ id: '1' }])
      await screen.settle(() => get.calls[2].answer(one))
      await screen.unmount()
      await clock.pass(20_000)
      expect(get.calls).toHaveLength(3)
    },
  ],
  [
    'FW-22 a live read follows the messages of its topic while it is mounted',
    async ({ mount }) => {
      let link: LiveLink | undefined
      const topics: string[] = []
      const live = new LiveManager({
        connect: (opened) => {
          link = opened
          opened.onTopic = (topic, isNeeded) => topics.push(`${isNeeded ? '+' : '-'}${topic}`)
          opened.open()
          return new Promise<void>((resolve) => opened.signal.addEventListener('abort', () => resolve()))
        },
        topicOf: (_endpoint, { id }) => `todo ${id}`,
        receive: ({ data }, { set }) => set(Todo, data),
        page: new TestPage(),
        resumes: true,
      })
      const get = deferredEndpoint('get', Todo)
      const { store, clock } = open({ managers: [live, ...getDefaultManagers({ devToolsManager: null })] })
      const show: Use['show'] = ({ data }) => data?.title ?? 'loading'
      const screen = await mount(store, [{ kind: 'live', of: get, args: [{ id: '1' }], show }])
      await screen.settle(() => get.calls[0].answer(one))
      await screen.settle(() => link!.receive(JSON.stringify({ ...one, title: 'told' })))
      await screen.settle(() => clock.pass(1_000))
      expect(screen.text()).toBe('told')
      await screen.setArgs([{ id: '2' }])
      await screen.settle(() => get.calls[1].answer({ id: '2', title: 'two' }))
      expect(topics.toSorted()).toEqual(['+todo 1', '+todo 2', '-todo 1'])
      await screen.unmount()
      await clock.pass(1_000)
      expect(topics.slice(3)).toEqual(['-todo 2'])
      link!.receive(JSON.stringify({ id: '2', title: 'late' }))
      await clock.pass(20_000)
      expect(get.calls).toHaveLength(2)
      live.cleanup?.()
    },
  ],
  [
    'FW-14 fetches stale data when the user comes back to the page',
    async ({ mount }) => {
      const page = new TestPage()
      const managers = [new FocusManager({ page }), ...getDefaultManagers({ devToolsManager: null })]
      const get = deferredEndpoint('get', Todo, { dataExpiryLength: 1_000 })
      const { store, clock } = open({ managers })
      const screen = await mount(store, [read(get)])
      await screen.settle(() => get.calls[0].answer(one))
      await screen.settle(() => clock.pass(10_000))
      expect(get.calls).toHaveLength(1)
      await screen.settle(() => page.turn('hidden'))
      await screen.settle(() => page.turn('visible'))
      await screen.settle(() => get.calls[1].answer({ ...one, title: 'two' }))
      expect(screen.text()).toBe('two')
      await screen.unmount()
      await clock.pass(10_000)
      page.turn('hidden')
      page.turn('visible')
      await clock.pass(10_000)
      expect(get.calls).toHaveLength(2)
    },
  ],
  [
    'FW-15 a component that mounts twice in a row sends one request, and is notified once',
    async ({ mount }) => {
      const get = deferredEndpoint('get', Todo)
      const { store } = open()
      const screen = await mount(store, [read(get)], true)
      expect(get.calls).toHaveLength(1)
      await screen.settle(() => get.calls[0].answer(one))
      expect(screen.text()).toBe('one')
      await screen.settle(() => store.controller.set(Todo, one, { ...one, title: 'new' }))
      expect(screen.text()).toBe('new')
      expect(get.calls[0].signal.aborted).toBe(false)
      expect(get.calls).toHaveLength(1)
    },
  ],
  [
    'FW-16 without a provider it throws an error that says what to do',
    async ({ mountWrong }) => {
      const thrown = await mountWrong(read(deferredEndpoint('get', Todo)))
      expect(thrown).toMatchObject({ name: 'RestitchError', code: 'provider-missing' })
    },
  ],
  [
    'FW-23 wrong input is an error that says what is wrong',
    async ({ mountWrong }) => {
      const get = new RestEndpoint({ path: '/todos/:id', schema: Todo } as never)
      const codesOf = async (kinds: readonly Kind[], of: unknown, ...args: any[]): Promise<string> => {
        const codes = new Set<unknown>()
        for (const kind of kinds) {
          const given = kind === 'all' ? [args] : args
          const thrown: any = await mountWrong(
            { kind, of, args: given, show: (result) => Object.values(result) },
            open().store,
          )
          codes.add(thrown?.code ?? `${kind} threw ${thrown?.message}`)
        }
        return [...codes].join()
      }
      const reads: Kind[] = ['data', 'suspense', 'infinite', 'live', 'all', 'cancelling']
      for (const wrong of [undefined, {}, 'todos', Todo]) {
        expect(await codesOf([...reads, 'mutation', 'undoable'], wrong, { id: '1' })).toBe('endpoint-expected')
      }
      expect(await codesOf(['query'], undefined, { id: '1' })).toBe('endpoint-expected')
      expect(await codesOf(reads, get, '1')).toBe('params-not-object')
      expect(await codesOf(reads, get, {})).toBe('path-missing-param')
    },
  ],
  [
    'FW-24 a reset after which components leave sends nothing',
    async ({ mount }) => {
      const [first, waits, all] = ['first', 'waits', 'all'].map((name) => deferredEndpoint(name, Todo))
      const live = deferredEndpoint('live', Todo, { pollFrequency: 60_000 })
      const list = deferredEndpoint('list', new Collection([Todo]))
      const args = [{ id: '1' }]
      const { store, clock } = open()
      const show: Use['show'] = ({ data }) => data?.title
      const screen = await mount(store, [
        { kind: 'data', of: first, args, show },
        { kind: 'suspense', of: waits, args, show },
        { kind: 'live', of: live, args, show },
        { kind: 'infinite', of: list, args: [], show: ({ items }) => items?.length },
        { kind: 'all', of: all, args: [args], show: ({ states }) => states[0].data?.title },
      ])
      const endpoints = [first, waits, live, list, all]
      for (const get of endpoints) {
        await screen.settle(() => get.calls[0].answer(get === list ? [one] : one))
      }
      // As an app does that shows a form to sign in when the user has signed out.
      await screen.settle(() => {
        void store.controller.resetEntireStore()
        void screen.unmount()
      })
      await clock.pass(20_000)
      expect(endpoints.map(({ calls }) => calls.length)).toEqual([1, 1, 1, 1, 1])
    },
  ],
  [
    'FW-17 a server waits for the data, and its page is hydrated without a request and without a change',
    async ({ render, hydrate }) => {
      const { html, calls } = await render('reads')
      expect([...calls].sort()).toEqual(['1', '2', '3', '5', 'list'])
      document.body.innerHTML = html
      // That of the state alone.
      expect(html.split('</script>')).toHaveLength(2)
      const app = document.querySelector('#app')!
      const before = app.textContent
      expect(before).toContain('</script>1')
      const { uses, calls: requests } = PAGES.reads()
      const [first] = app.querySelectorAll('p')
      const screen = await hydrate(uses)
      expect(screen.warnings).toEqual([])
      expect(app.textContent).toBe(before)
      expect(app.querySelector('p')).toBe(first)
      await screen.settle()
      expect(screen.text()).toBe('</script>1|</script>2|</script>1|</script>2,</script>3|</script>4|</script>5')
      expect(requests).toEqual([])
      await screen.unmount()
    },
  ],
]
