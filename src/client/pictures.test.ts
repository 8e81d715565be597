import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cases } from '../../tests/effort.ts'
import type { Store } from './createStore.ts'

// Development freezes rows by itself, so what a frozen picture can break shows in production alone.
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'info').mockImplementation(() => {})
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
  vi.restoreAllMocks()
})

const id = fc.constantFrom('1', '2')
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('get', 'list', 'some', 'put', 'create', 'move'), id }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('delete', 'set', 'update', 'respond', 'mount'), id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('invalidate', 'expire', 'reset', 'pass', 'long'), id }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('answer', 'answer', 'fail'), at: fc.nat(20) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

test.each(['production', 'development'])(
  'ST-3 CTL-14 property: a manager that freezes the whole state at every action changes nothing: %s',
  async (mode) => {
    vi.resetModules()
    vi.stubEnv('NODE_ENV', mode)
    const { createPlayer } = await load()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const [usual, frozen] = [createPlayer(false), createPlayer(true)]
        for (const one of steps) {
          await usual.play(one)
          await frozen.play(one)
          expect(frozen.sight()).toBe(usual.sight())
        }
        expect(JSON.stringify(frozen.store.getState())).toBe(JSON.stringify(usual.store.getState()))
        for (const [state, text] of frozen.pictures) {
          expect(JSON.stringify(state)).toBe(text)
        }
        usual.store.stop()
        frozen.store.stop()
      }),
      { numRuns: cases(200) },
    )
  },
)

/** Everything is loaded again, so that the mode counts. */
async function load() {
  const { createStore } = await import('./createStore.ts')
  const { getDefaultManagers } = await import('./getDefaultManagers.ts')
  const { Todo } = await import('../testing/entities.ts')
  const { allTodos, todos } = await import('../testing/todoEndpoints.ts')
  const { deferredEndpoint } = await import('../testing/endpoints.ts')
  const { TestClock, tick } = await import('../testing/TestClock.ts')
  const { Invalidate } = await import('../kinds/Invalidate.ts')

  const createPlayer = (freezes: boolean) => {
    const clock = new TestClock()
    const pictures: [state: object, text: string][] = []
    const watcher = {
      cleanup: () => {},
      middleware: (controller: any) => (next: any) => (action: any) => {
        const state = controller.getState()
        freeze(state)
        pictures.push([state, JSON.stringify(state)])
        return next(action)
      },
    }
    const managers = getDefaultManagers({ devToolsManager: null })
    const store: Store = createStore({ clock, managers: freezes ? [watcher, ...managers] : managers })
    const { controller } = store
    const optimistic = { sideEffect: true, getOptimisticResponse: (_: any, p: any, body: any) => ({ ...p, ...body }) }
    const endpoints = {
      get: deferredEndpoint('get', Todo),
      list: deferredEndpoint('list', todos),
      some: deferredEndpoint('some', { todos, total: 0 }),
      put: deferredEndpoint('put', Todo, optimistic),
      create: deferredEndpoint('create', todos.push, optimistic),
      move: deferredEndpoint('move', todos.move, optimistic),
      delete: deferredEndpoint('delete', new Invalidate(Todo), optimistic),
    }
    const answered = new Set<unknown>()
    const ends: (() => void)[] = []
    let version = 0
    const record = (given: any): object => ({
      id: '3',
      title: `${version++}`,
      group: 'a',
      tags: [`${version}`],
      author: { id: '5', name: `${version}` },
      ...given,
    })
    const groups = [{}, { group: 'a' }]
    const play = async (one: Step): Promise<void> => {
      const params = 'id' in one ? { id: one.id } : { id: '1' }
      if ('at' in one) {
        const open = Object.entries(endpoints).flatMap(([name, { calls }]) =>
          calls.filter((call: any) => !answered.has(call)).map((call: any) => [name, call]),
        )
        const [name, call] = open[one.at % (open.length || 1)] ?? []
        if (call === undefined) {
          return
        }
        answered.add(call)
        const list = [record({ id: '1' }), record({ id: '2' })]
        if (one.do === 'fail') {
          await call.fail(Object.assign(new Error('no'), { status: 500 }))
        } else if (name === 'list') {
          await call.answer(list)
        } else if (name === 'some') {
          await call.answer({ todos: list, total: version })
        } else {
          await call.answer(record(call.args[0]))
        }
      } else if (one.do in endpoints) {
        const isList = one.do === 'list' || one.do === 'some'
        const args = isList ? [groups[Number(one.id) - 1]] : one.do === 'create' ? [{}, { title: 'new' }] : [params]
        const body = one.do === 'put' || one.do === 'move' ? [{ title: 'pending', group: one.id }] : []
        controller.fetch((endpoints as any)[one.do], ...args, ...body).catch(() => {})
      } else if (one.do === 'mount') {
        ends.push(store.subscribe(endpoints.get, [params], () => {}))
      } else if (one.do === 'set') {
        void controller.set(Todo, params, record(params) as any)
      } else if (one.do === 'update') {
        void controller.set(Todo, params, (old: any) => ({ ...old, title: `${old.title}!` }))
      } else if (one.do === 'respond') {
        void controller.setResponse(endpoints.list, {}, [record(params)])
      } else if (one.do === 'invalidate') {
        void controller.invalidate(endpoints.get, params)
      } else if (one.do === 'expire') {
        void controller.expireAll({ testKey: () => true })
      } else if (one.do === 'reset') {
        void controller.resetEntireStore()
      } else {
        ends.pop()?.()
        await clock.pass(one.do === 'pass' ? 10 : 700_000)
      }
      await tick()
    }
    const sight = (): string => {
      const reads = [
        ...['1', '2', '3'].map((one) => store.view(endpoints.get, { id: one }).read()),
        ...groups.flatMap((group) =>
          [store.view(endpoints.list, group), store.view(endpoints.some, group)].map((one) => one.read()),
        ),
        store.view(allTodos).read(),
      ]
      return JSON.stringify(reads)
    }
    return { store, pictures, play, sight }
  }
  return { createPlayer }
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) {
    return
  }
  Object.freeze(value)
  Object.values(value).forEach(freeze)
}
