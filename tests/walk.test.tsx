// @vitest-environment happy-dom
// Follows one response from NetworkManager to the hook that shows it. A change of the way changes this file.
import { h, show, TestClock } from './react/cases.ts'
import { Session } from 'node:inspector'
import type { ReactNode } from 'react'
import { createStore, Entity, getDefaultManagers, RestEndpoint } from 'restitch'
import { useSuspense } from 'restitch/react'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'

const { stackTraceLimit } = Error
let processed: string[]
let created: string[]

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
  static override process(input: any, ...rest: readonly any[]): any {
    processed ??= stack()
    return Reflect.apply(Entity.process, this, [input, ...rest])
  }
  constructor() {
    super()
    created = stack()
  }
}
const getUser = new RestEndpoint({ path: '/users/:id', schema: User })

beforeEach(() => {
  Error.stackTraceLimit = 100
  processed = undefined as never
  vi.stubGlobal('fetch', async (url: string) => Response.json({ id: url.split('/').at(-1), name: 'Ann' }))
})
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit
  vi.unstubAllGlobals()
})

test('a response goes from the manager to the record', async () => {
  const { controller } = open()
  await controller.fetch(getUser, { id: '1' })
  const first = processed.findLastIndex((frame) => frame.includes('NetworkManager'))
  const way = processed.slice(0, first + 1).filter((frame) => !DEVELOPMENT.test(frame))
  expect(filesOf(way.toReversed())).toEqual([
    'managers/NetworkManager',
    'controller/Controller',
    'client/createStore',
    'managers/NetworkManager',
    'managers/SubscriptionManager',
    'controller/Core',
    'requests/settle',
    'requests/applyResponse',
    'writing/normalize',
    'writing/visit',
    'writing/visitRecord',
  ])
  expect(way.length).toBeLessThanOrEqual(FRAMES)
})

test('a hook reads the record', async () => {
  const store = open()
  await store.controller.setResponse(getUser, { id: '1' }, { id: '1', name: 'Ann' })
  const Name = (): ReactNode => useSuspense(getUser, { id: '1' }).name
  const screen = await show(h(Name), { clock: new TestClock(), store })
  expect(screen.text()).toBe('Ann')
  const way = created.slice(0, created.findIndex((frame) => frame.includes('useSuspense')) + 1)
  expect(filesOf(way.toReversed()).slice(0, 6)).toEqual([
    'react/hooks/useSuspense',
    'react/reader',
    'binding/Reader',
    'views/SharedView',
    'requests/read',
    'reading/denormalize',
  ])
})

test('a fetch enters few files and functions', async () => {
  const { controller } = open()
  await controller.fetch(getUser, { id: '1' })
  const session = new Session()
  session.connect()
  const post = (method: string, options?: object): Promise<any> =>
    new Promise((resolve, reject) => {
      session.post(method, options, (error, result) => (error ? reject(error) : resolve(result)))
    })
  await post('Profiler.enable')
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await post('Profiler.takePreciseCoverage')
  await controller.fetch(getUser, { id: '2' })
  const { result } = await post('Profiler.takePreciseCoverage')
  session.disconnect()
  const isEntered = ({ functionName, ranges }: any): boolean => functionName !== '' && ranges[0].count > 0
  const entered: number[] = result
    .filter(({ url }: any) => url.includes('/src/') && !url.includes('/cases') && !DEVELOPMENT.test(url))
    .map(({ functions }: any) => functions.filter(isEntered).length)
    .filter((count: number) => count > 0)
  expect(entered.length).toBeLessThanOrEqual(FILES)
  expect(entered.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(FUNCTIONS)
})

/** Code of development builds only. */
const DEVELOPMENT = /\/(explain|advice)\/|\/(checkRow|fieldTypes|hotReload|refuse)\./

// The current numbers. The goals are 11, 42 and 150.
const FRAMES = 11
const FILES = 59
const FUNCTIONS = 198

function open(): ReturnType<typeof createStore> {
  return createStore({ managers: getDefaultManagers({ devToolsManager: null }) })
}

/** The frames above the caller, the innermost first. */
function stack(): string[] {
  return new Error('here').stack!.split('\n').slice(3)
}

/** The source files of frames, without those that follow themselves. */
function filesOf(frames: readonly string[]): string[] {
  const files = frames.map((frame) => /\/src\/([\w/]+)\.ts/.exec(frame)?.[1]).filter((file) => file !== undefined)
  return files.filter((file, at) => file !== files[at - 1])
}
