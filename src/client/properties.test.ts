import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { ImmortalGCPolicy } from '../managers/GCPolicy.ts'
import { NetworkManager } from '../managers/NetworkManager.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { type Call, deferredEndpoint } from '../testing/endpoints.ts'
import { Todo } from '../testing/entities.ts'
import { todos } from '../testing/todoEndpoints.ts'
import { createStore } from './createStore.ts'

// The server of these tests is one record after the other: each write it serves gets the next version.

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'info').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

const id = fc.constantFrom('1', '2')
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('get', 'wait', 'mount', 'peek'), id }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('put', 'delete', 'set', 'list', 'create'), id }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('invalidate', 'abort', 'expire', 'unmount'), id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('reset', 'restart', 'pass', 'long'), id }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('answer', 'answer', 'fail'), at: fc.nat(20) }) },
)

test('P1 T1 O4 F1 S1 property: every promise settles, nothing is left, and a read after a write shows it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const clock = new TestClock()
      const store = createStore({
        clock,
        managers: [new NetworkManager({ retry: 1, retryDelay: 5 })],
        gcPolicy: new ImmortalGCPolicy(),
      })
      const { controller } = store
      const optimistic = { sideEffect: true, getOptimisticResponse: (_: any, p: any, body: any) => ({ ...p, ...body }) }
      const get = deferredEndpoint('get', Todo)
      const list = deferredEndpoint('list', todos)
      const put = deferredEndpoint('put', Todo, optimistic)
      const create = deferredEndpoint('create', todos.push, optimistic)
      const remove = deferredEndpoint('delete', new Invalidate(Todo), optimistic)
      const all = [get, list, put, create, remove]
      const answered = new Set<Call>()
      const open: { settled: boolean }[] = []
      const ends: (() => void)[] = []
      let version = 0
      const hold = (promise: Promise<any>): void => {
        const entry = { settled: false }
        const settle = (): boolean => (entry.settled = true)
        open.push(entry)
        promise.then(settle, settle)
      }
      const calls = (): [any, Call][] =>
        all.flatMap((ep) => ep.calls.filter((call: Call) => !answered.has(call)).map((call: Call) => [ep, call]))
      const answer = async ([ep, call]: [any, Call]): Promise<void> => {
        answered.add(call)
        const record = { id: call.args[0].id ?? '3', title: `${version++}` }
        await call.answer(ep === list ? [record] : record)
      }
      const faults: string[] = []
      for (const one of steps) {
        if ('at' in one) {
          const waiting = calls()
          const call = waiting[one.at % (waiting.length || 1)]
          if (call === undefined) {
            continue
          }
          if (one.do === 'answer') {
            await answer(call)
          } else {
            answered.add(call[1])
            await call[1].fail(Object.assign(new Error('no'), { status: one.at % 2 ? 500 : 404 }))
          }
          continue
        }
        const args = { id: one.id }
        if (one.do === 'get') {
          hold(controller.fetch(get, args))
        } else if (one.do === 'wait') {
          hold(store.view(get, args).promise())
        } else if (one.do === 'mount') {
          ends.push(store.subscribe(get, [args], () => {}))
        } else if (one.do === 'peek') {
          ends.push(store.view(get, args).subscribe(() => {}, true))
        } else if (one.do === 'unmount') {
          ends.pop()?.()
        } else if (one.do === 'put') {
          hold(controller.fetch(put, args, { title: 'pending' }))
        } else if (one.do === 'create') {
          hold(controller.fetch(create, {}, { title: 'pending' }))
        } else if (one.do === 'delete') {
          hold(controller.fetch(remove, args))
        } else if (one.do === 'list') {
          hold(controller.fetch(list, {}))
        } else if (one.do === 'set') {
          hold(controller.set(Todo, args, { id: one.id, title: 'set' }))
        } else if (one.do === 'invalidate') {
          hold(controller.invalidate(get, args))
        } else if (one.do === 'abort') {
          hold(controller.abort(get, args))
        } else if (one.do === 'expire') {
          hold(controller.expireAll(get))
        } else if (one.do === 'reset') {
          hold(controller.resetEntireStore())
          if (controller.get(Todo, args) !== undefined) {
            faults.push('something outlived a reset')
          }
        } else if (one.do === 'restart') {
          store.stop()
          if (one.id === '1') {
            await clock.pass(0)
          }
          store.start()
        } else {
          await clock.pass(one.do === 'pass' ? 10 : 70_000)
        }
        if (one.id === '1') {
          await tick()
        }
      }
      for (const end of ends) {
        end()
      }
      await clock.pass(10)
      for (let rounds = 0; calls().length > 0 && rounds < 50; rounds++) {
        for (const call of calls()) {
          await answer(call)
        }
        await clock.pass(10)
      }
      await clock.pass(400_000)
      expect(faults).toEqual([])
      expect(open.filter(({ settled }) => !settled)).toEqual([])
      expect(calls()).toEqual([])
      expect(controller.core.requests.open.size).toBe(0)
      expect([...controller.core.mounted]).toEqual([])
      expect(store.getState().optimistic).toEqual([])
      expect(clock.pending).toBe(0)
      // The next read shows the newest version, to the reader as to the promise.
      const last = controller.fetch(get, { id: '1' })
      await answer([get, get.calls.at(-1)])
      expect((await last) as any).toMatchObject({ title: `${version - 1}` })
      expect(await last).toBe(store.view(get, { id: '1' }).read().data)
      const late = controller.fetch(get, { id: '1' })
      late.catch(() => {})
      store.stop()
      await clock.pass(0)
      await expect(late).rejects.toMatchObject({ name: 'ResetError' })
    }),
    { numRuns: cases(600) },
  )
})
