// Drives every row of the table at the top of Request.ts in a store, and tries every event that has no row.
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { NetworkManager } from '../managers/NetworkManager.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { Collection } from '../kinds/Collection.ts'
import { deferredEndpoint, watch } from '../testing/endpoints.ts'
import { User } from '../testing/entities.ts'
import { TestClock } from '../testing/TestClock.ts'
import { callOf } from './Call.ts'
import { pagesOf } from './listPages.ts'
import { receive } from './receive.ts'
import { refetchPages } from './refreshPages.ts'
import type { Request, RequestEvent, RequestState } from './Request.ts'
import type { Requests } from './Requests.ts'
import { settle } from './settle.ts'

const STATES: readonly RequestState[] = ['open', 'sent', 'retrying', 'collecting', 'closed']
const EVENTS: readonly RequestEvent[] = ['take', 'retry', 'resume', 'collect', 'close']
const rows = readTable()

const users = [{ id: '1', name: 'Ann' }]
const getUsers: any = new RestEndpoint({ path: '/users', schema: new Collection([User]), paginationField: 'page' })

let store: Store
afterEach(() => store.stop())

/** A request for a list of which a second page is loaded. No manager takes it. */
function begin(pages?: ReadonlySet<string>): Request {
  store = createStore({ clock: new TestClock(), managers: [] })
  const { controller } = store
  void controller.setResponse(getUsers, users)
  void controller.setResponse(getUsers.getPage, { page: 2 }, [{ id: '2', name: 'Bob' }])
  const { requests } = controller.core
  if (!pages) {
    return requests.begin(callOf(getUsers, []), { auto: true })
  }
  refetchPages(requests, callOf(getUsers, []), pages).catch(() => {})
  return [...requests.open.values()][0]!
}

/** The events of a request, each in all ways that there are. */
const events: Record<RequestEvent, readonly ((requests: Requests, request: Request) => unknown)[]> = {
  take: [(requests, { action }) => requests.take(action)],
  retry: [(_requests, request) => request.retry(() => {})],
  resume: [(_requests, request) => request.move('resume')],
  collect: [(requests, request) => receive(requests, request, users)],
  close: [
    (requests, request) => settle(requests, request, users),
    (requests, request) => settle(requests, request, new Error('no'), true),
    (requests, request) => requests.drop(request),
  ],
}

const way: Record<RequestState, readonly RequestEvent[]> = {
  open: [],
  sent: ['take'],
  retrying: ['take', 'retry'],
  collecting: ['take', 'collect'],
  closed: ['close'],
}
function inState(state: RequestState): [Requests, Request] {
  const request = begin()
  const { requests } = store.controller.core
  way[state].forEach((event) => events[event][0]!(requests, request))
  expect(request.state).toBe(state)
  return [requests, request]
}

describe('NET-3 PAG-7 the table', () => {
  test.each(rows)('$state, $event: $next', ({ state, event, next }) => {
    for (const happens of events[event]) {
      const [requests, request] = inState(state)
      happens(requests, request)
      expect([request.state, requests.open.has(request.id)]).toEqual([next, next !== 'closed'])
    }
  })

  test('has a row for everything that changes a request', () => {
    for (const state of STATES) {
      for (const event of EVENTS) {
        const row = rows.find((one) => one.state === state && one.event === event)
        const [, request] = inState(state)
        expect([state, event, request.move(event), request.state]).toEqual([state, event, !!row, row?.next ?? state])
      }
    }
  })
})

test('PAG-7 a list collects while its pages are fetched, and each page until all have responded', async () => {
  const list = begin()
  const { requests } = store.controller.core
  expect([receive(requests, list, users), list.state]).toEqual([false, 'collecting'])
  const page = [...requests.open.values()][1]!
  expect([receive(requests, page, users), page.state]).toEqual([false, 'collecting'])
  // The same response twice is one.
  expect([receive(requests, list, []), receive(requests, page, new Error('no'), true)]).toEqual([false, false])
  await Promise.resolve()
  expect([list.state, page.state, requests.open.size]).toEqual(['closed', 'closed', 0])
})

test('PAG-7 a list of which only another page is fetched collects without a response of its own', () => {
  begin()
  const { tables } = store.controller.core.store
  const { id } = pagesOf(tables, getUsers, [])[0]!
  const list = begin(new Set([id]))
  const [, page] = store.controller.core.requests.open.values()
  expect([list.state, page!.state, page!.list]).toEqual(['collecting', 'open', list])
})

test('NET-13 a read that fails waits, is sent again, and ends', async () => {
  const clock = new TestClock()
  store = createStore({ clock, spread: 0, managers: [new NetworkManager({ retry: 2, retryDelay: 1_000 })] })
  const { fetch, core } = store.controller
  const get = deferredEndpoint('get', User)
  const outcome = watch(fetch(get, { id: '1' }))
  const [request] = core.requests.open.values()
  const seen: [RequestState, number][] = [[request!.state, request!.tries]]
  for (const at of [0, 1]) {
    await get.calls[at].fail(Object.assign(new Error('no'), { status: 503 }))
    seen.push([request!.state, request!.tries])
    await clock.pass(2_000)
    seen.push([request!.state, request!.tries])
  }
  await get.calls[2].answer(users[0])
  expect([...seen, [request!.state, request!.tries]]).toEqual([
    ['sent', 0],
    ['retrying', 1],
    ['sent', 1],
    ['retrying', 2],
    ['sent', 2],
    ['closed', 2],
  ])
  expect(outcome).toMatchObject({ value: users[0] })
})

function readTable(): Row[] {
  const source = readFileSync(new URL('Request.ts', import.meta.url), 'utf8')
  const lines = source.split('\n').filter((line) => line.startsWith('// | '))
  return lines.slice(2).map((text) => {
    const [state, event, next] = text
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    return { state, event, next } as Row
  })
}

interface Row {
  readonly state: RequestState
  readonly event: RequestEvent
  readonly next: RequestState
}
