import { afterEach, expect, test, vi } from 'vitest'
import { Endpoint } from './Endpoint.ts'
import { START, type StartOptions } from './start.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const never = (): Promise<never> => new Promise(() => {})

function begin(endpoint: unknown, args: unknown[] = [], options?: StartOptions): Promise<unknown> {
  return (endpoint as { [START](args: unknown[], options?: StartOptions): Promise<unknown> })[START](args, options)
}

/** A clock that is wound by hand. */
function createClock() {
  const timers = new Map<number, { run(): void; delay: number }>()
  return {
    timers,
    setTimeout(run: () => void, delay: number): number {
      timers.set(timers.size + 1, { run, delay })
      return timers.size
    },
    clearTimeout: (timer: unknown): unknown => timers.delete(timer as number),
    ring: (): void => timers.forEach(({ run }) => run()),
  }
}

test('NET-18 START is a registered symbol and runs the endpoint', async () => {
  expect(START).toBe(Symbol.for('restitch.start'))
  expect(await begin(new Endpoint(async (n: number) => n + 1), [1])).toBe(2)
})

test('NET-18 a signal that has fired before sends nothing', async () => {
  const fetch = vi.fn(async () => 1)
  await expect(begin(new Endpoint(fetch), [], { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  })
  const reason = new Error('mine')
  await expect(new Endpoint(fetch, { signal: AbortSignal.abort(reason) })()).rejects.toBe(reason)
  expect(fetch).not.toHaveBeenCalled()
})

test('NET-18 a function that ignores its signal is left behind', async () => {
  const controller = new AbortController()
  const work = begin(new Endpoint(never), [], { signal: controller.signal })
  controller.abort()
  await expect(work).rejects.toMatchObject({ name: 'AbortError' })
})

test('NET-18 a plain function finds the signal of its call in this.signal', async () => {
  const seen: (AbortSignal | undefined)[] = []
  const endpoint = new Endpoint(async function (this: { signal?: AbortSignal | undefined }) {
    seen.push(this.signal)
    await null
    seen.push(this.signal)
  })
  const controller = new AbortController()
  await begin(endpoint, [], { signal: controller.signal })
  await endpoint()
  expect(seen.map((given) => given instanceof AbortSignal)).toEqual([true, false, false, false])
  const outer = new Endpoint(async () => endpoint(), { signal: controller.signal })
  await outer()
  expect(seen[4]).toBeUndefined()
  controller.abort()
  expect(seen[0]!.aborted).toBe(false)
})

test('NET-18 a call that starts another one finds its own signal again', async () => {
  const inner = new Endpoint(async () => 1, { name: 'inner' })
  let signal: AbortSignal | undefined
  const outer = new Endpoint(
    function (this: any) {
      const work = inner()
      signal = this.signal
      return work
    },
    { name: 'outer' },
  )
  await begin(outer, [], { signal: new AbortController().signal })
  expect(signal).toBeInstanceOf(AbortSignal)
})

test('NET-18 a platform that gives no reason for an abort gets an AbortError', async () => {
  const listeners: ((event: object) => void)[] = []
  const signal = {
    aborted: false,
    addEventListener: (_: string, listener: (event: object) => void) => listeners.push(listener),
    removeEventListener: () => {},
  }
  const work = begin(new Endpoint(never), [], { signal: signal as never })
  listeners.forEach((listener) => listener({ target: signal }))
  await expect(work).rejects.toMatchObject({ name: 'AbortError' })
})

test.each([
  ['its own timeout', { timeout: 50 }, { timeout: 99 }, 50],
  ['the default of the manager', {}, { timeout: 99 }, 99],
])('NET-18 FET-5 %s ends a call', async (_, own, passed, delay) => {
  const clock = createClock()
  let signal: AbortSignal | undefined
  const endpoint = new Endpoint(
    function (this: any) {
      signal = this.signal
      return never()
    },
    { name: 'slow', ...own },
  )
  const work = begin(endpoint, [], { ...passed, clock })
  expect([...clock.timers.values()]).toMatchObject([{ delay }])
  clock.ring()
  const error: any = await work.catch((caught: unknown) => caught)
  expect(error).toMatchObject({ name: 'TimeoutError', status: 500, code: 'transport' })
  expect(error).toBeInstanceOf(Error)
  expect(error.message).toMatch(`"slow []" got no response within its timeout of ${delay} ms`)
  expect(signal!.aborted).toBe(true)
})

test.each([0, undefined, Infinity, 2 ** 31, Number.NaN, -5])('NET-18 a timeout of %s is none', async (timeout) => {
  const clock = createClock()
  // Looked at while the call is open: afterwards no timer is left in any case.
  const fetch = async (): Promise<number> => clock.timers.size
  expect(await begin(new Endpoint(fetch, { timeout }), [], { clock })).toBe(0)
  expect(await begin(new Endpoint(fetch, { timeout: 5 }), [], { clock })).toBe(1)
})

test('NET-18 the timer is stopped when the call has settled, and is looked up at call time', async () => {
  vi.useFakeTimers()
  const fast = new Endpoint(async () => 1, { name: 'fast', timeout: 50 })
  expect(await fast()).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
  const slow = new Endpoint(never, { name: 'slow', timeout: 50 })()
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(50)
  await expect(slow).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('G-4 without AbortController plain calls work, and a timeout still settles the promise', async () => {
  const clock = createClock()
  vi.stubGlobal('AbortController', undefined)
  expect(await new Endpoint(async () => 1)()).toBe(1)
  const work = begin(new Endpoint(never, { name: 'slow', timeout: 5 }), [], { clock })
  clock.ring()
  await expect(work).rejects.toMatchObject({ name: 'TimeoutError' })
})

test.each<[string, unknown[]]>([
  ['the only argument', ['optimistic-3-0']],
  ['a parameter', [{ id: 'optimistic-3-0' }]],
  ['a field of the body', [{ id: '1' }, { postId: 'optimistic-12-4' }]],
  ['a number in the field of an id', [{ todoId: -196_608.5 }]],
])('OPT-9 a temporary id is not sent: %s', async (_, args) => {
  let calls = 0
  const endpoint: any = new Endpoint(async (..._args: unknown[]) => ++calls, { name: 'send' })
  await expect(endpoint(...args)).rejects.toMatchObject({ code: 'pending-id', status: 404 })
  expect(calls).toBe(0)
})

test.each<[unknown[]]>([
  [[{ q: 'optimistic-view' }]],
  [[{ id: 'optimistic-view' }]],
  [[{ id: -3.5 }]],
  [[{ id: '1' }, { balance: -70_000.5 }]],
])('OPT-9 what only looks like a temporary id is sent: %j', async (args) => {
  const endpoint: any = new Endpoint(async (..._args: unknown[]) => 1, { name: 'send' })
  expect(await endpoint(...args)).toBe(1)
})
