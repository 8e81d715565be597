// @vitest-environment happy-dom
// Random sessions with real React, as a page runs it: panels come and go between a response and its commit, inside
// transitions, in Strict Mode and while React renders in slices. At rest the screen is what the server has.
import fc from 'fast-check'
import { type ReactNode, startTransition, StrictMode, Suspense, useDeferredValue, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createStore, ExpiryStatus, type Store } from 'restitch'
import { DataProvider, ErrorBoundary, useDLE, useDLEAll, useSuspense } from 'restitch/react'
import { expect, test, vi } from 'vitest'
import { cases } from '../effort.ts'
import { type Api, createApi } from '../simulator/api.ts'
import { VirtualClock } from '../simulator/clock.ts'
import type { Network } from '../simulator/network.ts'
import { createRandom, hash } from '../simulator/random.ts'
import { GROUPS, Server } from '../simulator/server.ts'
import { h } from './cases.ts'

// React keeps fallbacks for 300 ms of real time. It takes over the timers when it is loaded.
vi.hoisted(() => {
  const { setTimeout: real } = globalThis
  globalThis.setTimeout = ((run: () => void, delay?: number) => real(run, Math.min(delay ?? 0, 1))) as never
})

const KINDS = ['detail', 'detailDLE', 'list', 'listDLE', 'deferred', 'several'] as const

/** The target of a panel: a record, or several, or the list of a group or of all. */
interface Panel {
  readonly kind: (typeof KINDS)[number]
  readonly id: string
  readonly group: string | undefined
}

/** The result of a reader. */
interface Shown {
  readonly endpoint: any
  readonly args: object
  readonly data: unknown
  readonly loading: boolean
}

type Step = readonly [
  action: 'open' | 'go' | 'close' | 'create' | 'patch' | 'move' | 'delete' | 'invalidate' | 'pass',
  which: number,
  how: number,
  /** An update of the screen is a transition, a mutation optimistic. */
  isSoft: boolean,
  /** Tasks of React that run before the next step. */
  turns: number,
]

/** After so many tasks React has nothing to do. */
const IDLE = 30
/** So many panels are on the screen at most. */
const PLACES = 4
/** A request reaches the server after so many milliseconds: the server does everything in the order in which it was sent. */
const WAY = 10

/** One page: a store, a screen, and a server whose responses take their time. */
class Session {
  readonly clock = new VirtualClock()
  readonly server: Server
  readonly api: Api
  readonly store: Store
  readonly host: HTMLElement = document.createElement('div')
  readonly faults: string[] = []
  requests = 0
  open = 0
  private readonly random
  /** Grows with every write that is sent, succeeds or fails, and with every invalidation. */
  private writes = 0
  /** The writes there were when a read was sent that nobody aborted and that did not fail. */
  private readonly reads = new Map<string, number>()
  /** How many mounted readers a URL has. */
  private readonly mounted = new Map<string, number>()
  /** The URLs of requests in flight that a component has suspended for. */
  private readonly suspended = new Set<string>()
  /** The data on the screen of the readers that never suspend. */
  private readonly screen = new Set<Shown>()
  private place: ((at: number, panel: Panel | undefined) => void) | undefined
  private readonly root

  constructor(seed: number, isStrict: boolean) {
    this.random = createRandom(hash(seed, 'session'))
    this.server = new Server(seed, {})
    this.api = createApi({ fetchResponse: this.fetchResponse } as unknown as Network, this.server)
    this.store = createStore({ clock: this.clock, random: () => this.random.next() } as never)
    const options: any = { onCaughtError: () => {}, onRecoverableError: () => {} }
    this.root = createRoot(this.host, options)
    const page = h(DataProvider, { store: this.store }, h(this.App))
    this.root.render(isStrict ? h(StrictMode, null, page) : page)
  }

  private readonly fetchResponse = (url: string, init: RequestInit = {}): Promise<Response> => {
    const { clock, server } = this
    const method = init.method ?? 'GET'
    const { pathname, searchParams } = new URL(url)
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    this.requests++
    this.open++
    if (method !== 'GET') {
      this.writes++
    } else if (this.reads.get(url) === this.writes) {
      this.faults.push(`NET-3: ${url} was requested again without need`)
    } else {
      this.reads.set(url, this.writes)
    }
    return new Promise((resolve, reject) => {
      let isOpen = true
      const end = (): boolean => {
        const wasOpen = isOpen
        isOpen = false
        if (wasOpen) {
          this.open--
        }
        if (wasOpen && method !== 'GET') {
          this.writes++
        }
        return wasOpen
      }
      init.signal?.addEventListener('abort', () => {
        if (end()) {
          if (this.mounted.get(url) || this.suspended.has(url)) {
            this.faults.push(`NET-15: ${url} was aborted while a reader needs it`)
          }
          this.reads.delete(url)
          reject(init.signal!.reason as Error)
        }
      })
      clock.setTimeout(() => {
        const { status, value } = server.handle(method, pathname, searchParams, body)
        const response = new Response(value === undefined ? null : JSON.stringify(value), {
          status,
          headers: { 'content-type': 'application/json' },
        })
        const deliver = (): void => {
          if (status >= 400) {
            this.reads.delete(url)
          }
          if (end()) {
            this.suspended.delete(url)
            const error = Object.assign(new Error(`${status}`), { status })
            if (status < 400) {
              resolve(response)
            } else {
              reject(error)
            }
          }
        }
        clock.setTimeout(deliver, this.random.below(60))
      }, WAY)
    })
  }

  private readonly App = (): ReactNode => {
    const [panels, setPanels] = useState<readonly (Panel | undefined)[]>([])
    this.place = (at, panel) =>
      setPanels((old) => Array.from({ length: PLACES }, (_, i) => (i === at ? panel : old[i])))
    return panels.map((panel, at) => panel && h('p', { key: at, id: `${at}` }, this.panel(panel)))
  }

  private panel(panel: Panel): ReactNode {
    const { kind, id, group } = panel
    const isDetail = kind === 'detail' || kind === 'deferred'
    const inside =
      kind === 'detail'
        ? h(this.Detail, { id })
        : kind === 'deferred'
          ? h(this.Deferred, { id })
          : kind === 'detailDLE'
            ? h(this.DetailDLE, { id })
            : kind === 'several'
              ? h(this.Several, { ids: idsIn(panel) })
              : h(kind === 'list' ? this.List : this.ListDLE, { args: group === undefined ? {} : { group } })
    return h(
      Suspense,
      { fallback: 'loading' },
      h(
        ErrorBoundary<Error>,
        { fallbackComponent: Failed, ...(isDetail && { resetKeys: [id] }) },
        h('i', null, inside),
      ),
    )
  }

  private readonly Detail = ({ id }: { id: string }): ReactNode => text(this.useData(this.api.get, { id }))
  private readonly Deferred = ({ id }: { id: string }): ReactNode =>
    text(this.useData(this.api.get, { id: useDeferredValue(id) }))
  private readonly DetailDLE = ({ id }: { id: string }): ReactNode => this.useDLE(text, this.api.get, { id })
  private readonly Several = ({ ids }: { ids: readonly string[] }): ReactNode => {
    const { get } = this.api
    const all: any = useDLEAll(ids.map((id) => [get, { id }] as const))
    this.useMounted(ids.map((id) => get.url({ id })))
    return all.map((one: any) => stateOf(text, one)).join()
  }
  private readonly List = ({ args }: { args: object }): ReactNode => idsOf(this.useData(this.api.list, args))
  private readonly ListDLE = ({ args }: { args: object }): ReactNode => this.useDLE(idsOf, this.api.list, args)

  private useData(endpoint: any, args: object): any {
    const url = endpoint.url(args)
    try {
      const data: any = useSuspense(endpoint, args)
      this.useMounted([url])
      return data
    } catch (thrown) {
      if (thrown instanceof Promise) {
        this.suspended.add(url)
      }
      throw thrown
    }
  }

  private useDLE(show: (data: any) => string, endpoint: any, args: object): string {
    const result: any = useDLE(endpoint, args)
    const { data, loading } = result
    this.useMounted([endpoint.url(args)])
    useEffect(() => {
      const shown = { endpoint, args, data, loading }
      this.screen.add(shown)
      return () => void this.screen.delete(shown)
    })
    return stateOf(show, result)
  }

  private useMounted(urls: readonly string[]): void {
    useEffect(() => {
      const count = (by: number): void =>
        urls.forEach((url) => this.mounted.set(url, (this.mounted.get(url) ?? 0) + by))
      count(1)
      return () => count(-1)
    }, [urls.join()])
  }

  take([action, which, how, isSoft]: Step, panels: (Panel | undefined)[]): void {
    const { api, server, store } = this
    const mutations = isSoft ? api.optimistic : api.plain
    // Often the same few, so that panels share data.
    const id = server.known[which % (which < 700 ? 3 : server.known.length)]!
    const group = GROUPS[how % GROUPS.length]!
    const send = (endpoint: any, ...args: any[]): void => {
      ;(store.controller as any).fetch(endpoint, ...args).catch(() => {})
    }
    const put = (panel: Panel | undefined): void => {
      panels[how % PLACES] = panel
      const update = (): void => this.place!(how % PLACES, panel)
      return isSoft ? startTransition(update) : update()
    }
    switch (action) {
      case 'open':
        return put({ kind: KINDS[Math.floor(how / PLACES) % KINDS.length]!, id, group: GROUPS[which % 3] })
      case 'go': {
        const panel = panels[how % PLACES]
        return panel && put({ ...panel, id, group: GROUPS[which % 3] })
      }
      case 'close':
        return put(undefined)
      case 'create':
        return send(mutations.push, {}, { title: server.uniqueText('new'), body: '', group, author: 'p1' })
      case 'patch':
        return send(mutations.patch, { id }, { title: server.uniqueText('title') })
      case 'move':
        return send(mutations.move, { id }, { group })
      case 'delete':
        return send(mutations.delete, { id })
      case 'invalidate':
        this.writes++
        return void (store.controller as any).invalidate(...(isSoft ? [api.get, { id }] : [api.list, { group }]))
      case 'pass':
        return undefined
    }
  }

  /** Once React has nothing to do, the data on the screen is that of the store, unless it has to be fetched again. */
  check(): void {
    for (const { endpoint, args, data, loading } of this.screen) {
      const stored: any = this.store.controller.getResponse(endpoint, args)
      const isShown = !loading && stored.data !== undefined && stored.expiryStatus !== ExpiryStatus.Invalid
      if (isShown && stored.data !== data) {
        this.faults.push(`HK-9: the data of ${endpoint.url(args)} has changed, and the screen has not`)
      }
    }
  }

  /** Its data on the server. */
  expected(panel: Panel): string {
    if (panel.kind.startsWith('list')) {
      return idsOf(this.server.listIds('todos', panel.group ?? null).map((id) => ({ id })))
    }
    return idsIn(panel)
      .map((id) => this.server.rows.get(id))
      .map((row) => (row ? text(row) : 'failed'))
      .join()
  }

  shown(at: number): string {
    const place = this.host.querySelector(`[id="${at}"]`)
    return place ? visible(place) : 'nothing'
  }

  /** Runs timers up to then, and between them some tasks of React. */
  async pass(milliseconds: number, turns: number): Promise<void> {
    const until = this.clock.time + milliseconds
    while (this.clock.runNext(until)) {
      await turn(turns)
    }
    this.clock.time = until
    await turn(turns)
  }

  async rest(): Promise<void> {
    for (let i = 0; i < 20; i++) {
      await turn(10)
      // React's own timers.
      await new Promise((done) => setTimeout(done, 1))
      await this.pass(200, 3)
    }
  }

  async end(): Promise<void> {
    this.root.unmount()
    await this.rest()
  }
}

/** The records of a panel. */
function idsIn({ kind, id, group }: Panel): readonly string[] {
  return kind === 'several' && group !== undefined ? ['1', id] : [id]
}

function stateOf(show: (data: any) => string, { data, loading, error }: any): string {
  return loading ? 'loading' : error ? 'failed' : show(data)
}

function text({ title, group }: { title?: string; group?: string }): string {
  return `${title}/${group}`
}

/** Where a record stands that was moved, only the server tells. */
function idsOf(items: unknown): string {
  return `[${(items as { id: string }[])
    .map(({ id }) => id)
    .toSorted()
    .join()}]`
}

function Failed(): ReactNode {
  return 'failed'
}

/** The text that a user sees: React hides what waits behind a fallback. */
function visible(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) {
    return node.textContent ?? ''
  }
  return (node as HTMLElement).style?.display === 'none' ? '' : [...node.childNodes].map(visible).join('')
}

/** So many tasks; none: only what is queued as microtasks. */
async function turn(count: number): Promise<void> {
  for (let i = 0; i < 10; i++) {
    await Promise.resolve()
  }
  for (let i = 0; i < count; i++) {
    await new Promise((done) => setImmediate(done))
  }
}

async function play(steps: readonly Step[], seed: number, isStrict: boolean): Promise<string[]> {
  const session = new Session(seed, isStrict)
  const panels: (Panel | undefined)[] = []
  await turn(10)
  for (const step of steps) {
    session.take(step, panels)
    await turn(step[4])
    if (step[4] === IDLE) {
      session.check()
    }
    await session.pass(step[0] === 'pass' ? step[1] % 80 : step[1] % 12, step[4])
  }
  await session.rest()
  const { faults } = session
  for (const [at, panel] of panels.entries()) {
    const shown = session.shown(at)
    const expected = panel ? session.expected(panel) : 'nothing'
    if (shown !== expected) {
      faults.push(`HK-9: ${panel?.kind} shows ${shown}, the server has ${expected}`)
    }
  }
  if (session.open > 0) {
    faults.push(`NET-15: ${session.open} requests are open at rest`)
  }
  const { requests } = session
  await session.end()
  await session.pass(600_000, 1)
  await (session.store.controller as any).invalidateAll({ testKey: () => true })
  await session.pass(600_000, 1)
  if (session.requests > requests) {
    faults.push(`NET-15: ${session.requests - requests} requests were sent without a reader`)
  }
  return faults
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(
    fc.constantFrom(
      ...(['open', 'open', 'go', 'close', 'create', 'patch', 'move', 'delete', 'invalidate', 'pass', 'pass'] as const),
    ),
    fc.nat(999),
    fc.nat(999),
    fc.boolean(),
    fc.constantFrom(0, 0, 1, 2, IDLE),
  ),
  { minLength: 4, maxLength: 30 },
)

test('RCT-6 RCT-8 HK-9 HK-10 NET-3 NET-15 property: panels come and go at any time, and at rest the screen is what the server has', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  // Time flies, so that React yields after each component.
  let time = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (time += 3))
  const property = fc.asyncProperty(steps, fc.nat(99), fc.boolean(), async (all, seed, isStrict) => {
    expect(await play(all, seed, isStrict)).toEqual([])
  })
  // A fault that is planted into the sources has to be found, but need not be small.
  const isPlanted = process.env['RESTITCH_FAULT'] !== undefined
  await fc.assert(property, { numRuns: isPlanted ? 1000 : cases(240), endOnFailure: isPlanted })
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
