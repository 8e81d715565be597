// Requests that cross, with readers on the screen: own writes never disappear, and when requests have crossed, the library fetches again.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { createStore, type Store } from '../client/createStore.ts'
import { NetworkManager } from '../managers/NetworkManager.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { type Call, deferredEndpoint } from '../testing/endpoints.ts'
import type { Controller } from '../controller/Controller.ts'

class Todo extends Entity {
  id = ''
  title = ''
  group = ''
  static override key = 'Todo'
}
type Row = { id: string; title: string; group: string }
const row = (id: string, group = 'x', title = ''): Row => ({ id, title, group })

let clock: TestClock
let store: Store
let controller: Controller
/** The records of the server. */
let server: Map<string, Row>
let get: any
let list: any
let put: any
let create: any
let drop: any
const answered = new WeakSet<Call>()

beforeEach(() => {
  open()
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  store.stop()
  vi.restoreAllMocks()
})

function open(): void {
  clock = new TestClock()
  store = createStore({ clock, managers: [new NetworkManager()] })
  ;({ controller } = store)
  server = new Map(['1', '2'].map((id) => [id, row(id)]))
  const todos = new Collection([Todo])
  get = deferredEndpoint('get', Todo)
  list = deferredEndpoint('list', todos)
  put = deferredEndpoint('put', Todo, { sideEffect: true })
  create = deferredEndpoint('create', todos.push, { sideEffect: true })
  drop = deferredEndpoint('drop', new Invalidate(Todo), { sideEffect: true })
}

const matching = (args: any): Row[] =>
  [...server.values()].filter((each) => args?.group === undefined || each.group === args.group)
const notFound = (): Error => Object.assign(new Error('none'), { status: 404 })

/** The response of the server to a read, as it is now. */
function serve(endpoint: any, call: Call): () => Promise<void> {
  const [args] = call.args
  answered.add(call)
  const value = endpoint === list ? matching(args) : server.get(args.id)
  return () => (value === undefined ? call.fail(notFound()) : call.answer(structuredClone(value)))
}

/** Responds to all requests of readers until they send no more. Returns the number of requests. */
async function settle(rounds = 40): Promise<number> {
  let count = 0
  for (let round = 0; round < rounds; round++) {
    await clock.pass(500)
    const open = [get, list].flatMap((endpoint) =>
      endpoint.calls.filter((call: Call) => !answered.has(call)).map((call: Call) => serve(endpoint, call)),
    )
    for (const respond of open) {
      count++
      await respond()
    }
  }
  return count
}

async function mount(endpoint: any, args: object): Promise<() => string> {
  const view = store.view(endpoint, args)
  view.subscribe(() => {})
  await tick()
  return () => {
    const { data } = view.read() as { data: any }
    const show = ({ id, title }: Todo): string => (title ? `${id} ${title}` : id)
    return Array.isArray(data) ? data.map(show).join(', ') : data === undefined ? 'nothing' : show(data as Todo)
  }
}
const send = (endpoint: any, ...args: any[]): Call => {
  controller.fetch(endpoint, ...args).catch(() => {})
  return endpoint.calls.at(-1)
}
const last = (endpoint: any): Call => endpoint.calls.at(-1)
const write = (id: string, change: Partial<Row>): Row => {
  const next = { ...(server.get(id) ?? row(id)), ...change }
  server.set(id, next)
  return next
}

describe('ST-18', () => {
  test('a summary that overtakes the detail does not freeze its text', async () => {
    const detail = await mount(get, { id: '1' })
    await settle()
    write('1', { title: 'new' })
    const slow = serve(get, send(get, { id: '1' }))
    const summary = send(list, {})
    await summary.answer([{ id: '1', group: 'x' }])
    await slow()
    expect(detail()).toBe('1 new')
  })

  test("other people's changes appear while the user writes without a pause", async () => {
    const all = await mount(list, {})
    await settle()
    server.set('5', row('5'))
    const refetch = send(list, {})
    const respond = serve(list, refetch)
    for (let i = 0; i < 5; i++) {
      await send(put, { id: '1' }, {}).answer(write('1', { title: `${i}` }))
    }
    await respond()
    expect(all()).toBe('1 4, 2, 5')
    await settle()
    expect(all()).toBe('1 4, 2, 5')
  })

  test('a list that is loaded while a record is created has it in the end', async () => {
    const all = await mount(list, {})
    const respond = serve(list, last(list))
    await send(create, row('9')).answer(write('9', {}))
    await respond()
    expect(await settle()).toBe(1)
    expect(all()).toBe('1, 2, 9')
  })

  test('two writes of one record in order: the later one is shown at once', async () => {
    const detail = await mount(get, { id: '1' })
    await settle()
    const calls = ['a', 'b'].map((title) => [send(put, { id: '1' }, { title }), title] as const)
    for (const [call, title] of calls) {
      await call.answer(write('1', { title }))
      expect(detail()).toBe(`1 ${title}`)
    }
    await settle()
    expect(detail()).toBe('1 b')
  })

  test('writes of different fields that the server does in another order', async () => {
    const detail = await mount(get, { id: '1' })
    await settle()
    const [first, second] = [send(put, { id: '1' }, { title: 'a' }), send(put, { id: '1' }, { group: 'y' })]
    const late = write('1', { group: 'y' })
    await first.answer(write('1', { title: 'a' }))
    await second.answer(late)
    await settle()
    expect(detail()).toBe('1 a')
  })

  test('a read that confirms the later write is not undone by the earlier one', async () => {
    const detail = await mount(get, { id: '1' })
    await settle()
    const [a, b] = ['a', 'b'].map((title) => [send(put, { id: '1' }, { title }), write('1', { title })] as const)
    await b![0].answer(b![1])
    await serve(get, send(get, { id: '1' }))()
    await a![0].answer(a![1])
    expect(detail()).toBe('1 b')
    await settle()
    expect(detail()).toBe('1 b')
  })

  test('a poll brings a move before its response does', async () => {
    const [x, y] = [await mount(list, { group: 'x' }), await mount(list, { group: 'y' })]
    await settle()
    const call = send(put, { id: '1' }, { group: 'y' })
    const response = write('1', { group: 'y' })
    await serve(get, send(get, { id: '1' }))()
    await call.answer(response)
    await settle()
    expect([x(), y()]).toEqual(['2', '1'])
  })

  test('a poll brings a new title before its response does: the sorted list is fetched', async () => {
    const sorted = await mount(list, { sort: 'title' })
    await settle()
    const call = send(put, { id: '1' }, { title: 'z' })
    const response = write('1', { title: 'z' })
    await serve(get, send(get, { id: '1' }))()
    await call.answer(response)
    server = new Map([...server].toReversed())
    await settle()
    expect(sorted()).toBe('2, 1 z')
  })

  test('a delete and a write that the server does in another order', async () => {
    const all = await mount(list, {})
    await mount(get, { id: '1' })
    await settle()
    const [gone, changed] = [send(drop, { id: '1' }), send(put, { id: '1' }, { title: 'a' })]
    const response = write('1', { title: 'a' })
    server.delete('1')
    await gone.answer({ id: '1' })
    await changed.answer(response)
    await settle()
    expect(all()).toBe('2')
    // Its reader learns that it is not found.
    expect(store.view(get, { id: '1' }).read().error).toMatchObject({ status: 404 })
  })

  test('a read from before a delete does not fill up a record that is created again', async () => {
    const detail = await mount(get, { id: '1' })
    await settle()
    write('1', { title: 'of the former life' })
    const respond = serve(get, send(get, { id: '1' }))
    server.delete('1')
    await send(drop, { id: '1' }).answer({ id: '1' })
    server.set('1', row('1', 'y'))
    await send(create, {}).answer({ id: '1', group: 'y' })
    await respond()
    expect(detail()).toBe('1')
    await settle()
    expect(detail()).toBe('1')
  })

  test('an error from before the app created the record does not count', async () => {
    const detail = await mount(get, { id: '9' })
    await serve(get, last(get))()
    expect(detail()).toBe('nothing')
    await send(put, { id: '9' }, row('9')).answer(write('9', { title: 'new' }))
    expect(detail()).toBe('9 new')
    await settle()
    expect([detail(), store.view(get, { id: '9' }).read().error]).toEqual(['9 new', undefined])
  })

  test('a record that a lost delete removed, and a write creates again', async () => {
    const x = await mount(list, { group: 'x' })
    await settle()
    const gone = send(drop, { id: '1' })
    server.delete('1')
    await gone.fail(new Error('lost'))
    await settle()
    expect(x()).toBe('2')
    await send(put, { id: '1' }, {}).answer(write('1', {}))
    await settle()
    expect(x()).toBe('2, 1')
  })

  test('RES-15 a lost delete of a record that has moved since then: the list that it left tells nothing', async () => {
    const [y, x] = [await mount(list, { group: 'y' }), await mount(list, { group: 'x' })]
    await settle()
    const gone = send(drop, { id: '1' })
    await send(put, { id: '1' }, { group: 'y' }).answer(write('1', { group: 'y' }))
    await gone.fail(new Error('lost'))
    await clock.pass(500)
    // The later one overtakes.
    for (const respond of [last(list), list.calls.at(-2)].map((call) => serve(list, call))) {
      await respond()
    }
    await settle()
    expect([x(), y()]).toEqual(['2', '1'])
  })

  test('RES-15 a lost delete of a record that the server has done after a move: the list that it has joined tells', async () => {
    await mount(list, { group: 'x' })
    await mount(list, { group: 'y' })
    await settle()
    const gone = send(drop, { id: '1' })
    await send(put, { id: '1' }, { group: 'y' }).answer(write('1', { group: 'y' }))
    server.delete('1')
    await gone.fail(new Error('lost'))
    await settle()
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
  })

  test('RES-15 a lost delete of a record that a read has found elsewhere: the list that still has it tells nothing', async () => {
    const x = await mount(list, { group: 'x' })
    await settle()
    const gone = send(drop, { id: '1' })
    write('1', { group: 'y' })
    await serve(get, send(get, { id: '1' }))()
    await gone.fail(new Error('lost'))
    await settle()
    expect(x()).toBe('2')
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ group: 'y' })
  })

  test('a create that was done long ago: the first page, which arrived since then, is fetched again', async () => {
    const page = await mount(list, { group: 'x', limit: 2 })
    await settle()
    const call = send(create, row('9'))
    server = new Map([
      ['3', row('3')],
      ['4', row('4')],
    ])
    await serve(list, send(list, { group: 'x', limit: 2 }))()
    await call.answer(row('9'))
    await settle()
    expect(page()).toBe('3, 4')
  })

  test('a late list brings nothing back', async () => {
    const all = await mount(list, {})
    await settle()
    const respond = serve(list, send(list, {}))
    server.delete('1')
    await send(drop, { id: '1' }).answer({ id: '1' })
    expect(all()).toBe('2')
    await respond()
    expect(all()).toBe('2')
    expect(await settle()).toBe(1)
    expect(all()).toBe('2')
  })
})

describe('ST-18 no loops', () => {
  test('an event stream over a list that is fetched once', async () => {
    const all = await mount(list, {})
    await settle()
    const respond = serve(list, send(list, {}))
    for (let i = 0; i < 60; i++) {
      await controller.set(Todo, { id: '1' }, write('1', { title: `${i}` }))
      await clock.pass(50)
    }
    await respond()
    expect(all()).toBe('1 59, 2')
    expect(await settle()).toBe(0)
  })

  test('two endpoints that show a field differently', async () => {
    const [detail] = [await mount(get, { id: '1' }), await mount(list, {})]
    await last(get).answer(row('1', 'x', 'the whole text'))
    await last(list).answer([row('1', 'x', 'the…')])
    const crossing = [send(get, { id: '1' }), send(list, {})]
    await crossing[1]!.answer([row('1', 'x', 'the…')])
    await crossing[0]!.answer(row('1', 'x', 'the whole text'))
    expect(detail()).toMatch(/^1 the/)
    await clock.pass(10_000)
    expect([get.calls.length, list.calls.length]).toEqual([2, 2])
  })

  test('two lists of which each has the record, since two servers disagree', async () => {
    await mount(list, { group: 'x' })
    await mount(list, { group: 'y' })
    for (let i = 0; i < 4; i++) {
      const group = i % 2 ? 'y' : 'x'
      const call = i < 2 ? list.calls[i] : send(list, { group })
      await call.answer([row('1', group)])
      await clock.pass(1_000)
    }
    expect(list.calls).toHaveLength(4)
  })

  test('typing: 25 writes, one every 120 ms, need fewer requests than writes', async () => {
    const detail = await mount(get, { id: '1' })
    await mount(list, {})
    await settle()
    const before = get.calls.length + list.calls.length
    const open: [number, () => Promise<void>][] = []
    const run = async (until: number): Promise<void> => {
      while (clock.time < until) {
        await clock.pass(20)
        for (const endpoint of [get, list]) {
          for (const call of endpoint.calls.filter((each: Call) => !answered.has(each))) {
            open.push([clock.time + 100, serve(endpoint, call as Call)])
          }
        }
        for (const due of open.filter(([at]) => at <= clock.time)) {
          open.splice(open.indexOf(due), 1)
          await due[1]()
        }
      }
    }
    for (let i = 0; i < 25; i++) {
      const call = send(put, { id: '1' }, { title: `${i}` })
      const response = write('1', { title: `${i}` })
      open.push([clock.time + 200, () => call.answer(response)])
      await run(clock.time + 120)
    }
    await run(clock.time + 10_000)
    expect(detail()).toBe('1 24')
    expect(get.calls.length + list.calls.length - before).toBeLessThan(25)
    expect(await settle()).toBe(0)
  })
})

test('ST-18 property: at rest every reader shows what the server has, in whichever order it works', async () => {
  const op = fc.record({
    kind: fc.constantFrom('put', 'put', 'create', 'drop', 'list', 'get', 'event'),
    id: fc.constantFrom('1', '2', '3'),
    group: fc.constantFrom('x', 'y'),
    /** When it is sent, done, and has its response. */
    times: fc
      .tuple(fc.nat(40), fc.nat(40), fc.nat(40))
      .map((all) => all.toSorted((a, b) => a - b).map((time) => time * 10) as [number, number, number]),
    isLost: fc.constantFrom(false, false, false, false, true),
  })
  const latency = fc.infiniteStream(fc.integer({ min: 1, max: 20 }))
  await fc.assert(
    fc.asyncProperty(fc.array(op, { minLength: 1, maxLength: 7 }), latency, async (ops, delays) => {
      store.stop()
      open()
      const lists = [{}, { group: 'x' }, { group: 'y' }]
      const details = ['1', '2', '3'].map((id) => ({ id }))
      for (const [endpoint, all] of [
        [list, lists],
        [get, details],
      ] as const) {
        for (const args of all) {
          await mount(endpoint, args)
        }
      }
      await settle(4)
      const start = clock.time
      const agenda: { at: number; run: () => unknown }[] = []
      const plan = (delay: number, run: () => unknown): unknown => agenda.push({ at: start + delay, run })
      for (const [i, { kind, id, group, times, isLost }] of ops.entries()) {
        const title = `t${i}`
        if (kind === 'event') {
          // The server tells of the writes of others.
          plan(times[0], () => server.has(id) && controller.set(Todo, { id }, write(id, { title })))
          continue
        }
        let call: Call
        let respond: () => unknown = () => {}
        plan(times[0], () => {
          const target = { put, create, drop, list, get }[kind]
          call = send(target, kind === 'list' ? { group } : { id }, ...(kind === 'put' ? [{ title, group }] : []))
          answered.add(call)
        })
        plan(times[1], () => {
          if (kind === 'list' || kind === 'get') {
            respond = serve(kind === 'list' ? list : get, call)
            return
          }
          if (kind === 'drop') {
            server.delete(id)
          } else if (kind === 'create' || server.has(id)) {
            write(id, { title, group })
          }
          const value = kind === 'drop' ? { id } : server.get(id)
          respond = () =>
            isLost
              ? call.fail(new Error('lost'))
              : value === undefined
                ? call.fail(notFound())
                : call.answer({ ...value })
        })
        plan(times[2], () => respond())
      }
      const order = (a: { at: number }, b: { at: number }): number => a.at - b.at
      while (agenda.length > 0) {
        const next = agenda.sort(order).shift()!
        await clock.pass(Math.max(0, next.at - clock.time))
        await next.run()
        await tick()
        for (const endpoint of [get, list]) {
          for (const call of endpoint.calls.filter((each: Call) => !answered.has(each))) {
            const respond = serve(endpoint, call as Call)
            plan(clock.time - start + delays.next().value * 10, respond)
          }
        }
      }
      expect(await settle(30)).toBeLessThan(40)
      for (const args of lists) {
        const { data } = store.view(list, args).read() as { data: Todo[] }
        const shown = data.map(({ id, title }) => `${id} ${title}`).toSorted()
        expect([args, shown]).toEqual([
          args,
          matching(args)
            .map(({ id, title }) => `${id} ${title}`)
            .toSorted(),
        ])
      }
      for (const { id } of details) {
        const { data, error } = store.view(get, { id }).read() as { data: Todo | undefined; error: any }
        const known = server.get(id)
        if (known) {
          expect([id, data?.title, data?.group]).toEqual([id, known.title, known.group])
        } else {
          expect([id, data === undefined || error?.status === 404]).toEqual([id, true])
        }
      }
    }),
    { numRuns: Number(process.env['RUNS'] ?? cases(240)) },
  )
})
