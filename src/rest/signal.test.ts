import { afterEach, expect, test, vi } from 'vitest'
import { START, type StartOptions } from '../endpoint/start.ts'
import { RestEndpoint } from './RestEndpoint.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const never = (): Promise<never> => new Promise(() => {})

function begin(endpoint: unknown, args: unknown[] = [], options?: StartOptions): Promise<unknown> {
  return (endpoint as { [START](args: unknown[], options?: StartOptions): Promise<unknown> })[START](args, options)
}

/** A signal that lists its listeners. */
function createSignal() {
  const controller = new AbortController()
  const { signal } = controller
  let listeners = 0
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...args: any[]) => {
    listeners++
    ;(addEventListener as any).apply(signal, args)
  }
  signal.removeEventListener = (...args: any[]) => {
    listeners--
    ;(removeEventListener as any).apply(signal, args)
  }
  return { signal, abort: (reason?: unknown) => controller.abort(reason), listeners: () => listeners }
}

test.each(['options', 'endpoint', 'requestInit', 'getRequestInit'])(
  'NET-18 FET-4 the signal of %s ends the request, and no listener stays',
  async (where) => {
    const source = createSignal()
    const given: AbortSignal[] = []
    const endpoint = new RestEndpoint({
      path: '/a',
      ...(where === 'endpoint' && { signal: source.signal }),
      ...(where === 'requestInit' && { requestInit: { signal: source.signal } }),
      ...(where === 'getRequestInit' && { getRequestInit: async () => ({ signal: source.signal }) }),
      fetchResponse: (_: string, init: RequestInit) => {
        given.push(init.signal!)
        return new Promise((_, reject) => {
          init.signal!.addEventListener('abort', () => reject(init.signal!.reason as Error))
        })
      },
    })
    const other = new AbortController()
    const options = where === 'options' ? { signal: source.signal } : { signal: other.signal }
    const work = begin(endpoint, [], options)
    await vi.waitFor(() => expect(given).toHaveLength(1))
    source.abort()
    const error = await work.catch((caught: unknown) => caught)
    expect(error).toBe(source.signal.reason)
    expect(error).toMatchObject({ name: 'AbortError' })
    expect(Object.hasOwn(error as object, 'status')).toBe(false)
    expect(given[0]!.aborted).toBe(true)
    expect(other.signal.aborted).toBe(false)
    expect(source.listeners()).toBe(0)
  },
)

test('NET-18 a call that has ended leaves no listener on a long-lived signal', async () => {
  const [own, base, late] = [createSignal(), createSignal(), createSignal()]
  let go: ((init: RequestInit) => void) | undefined
  const endpoint = new RestEndpoint({
    path: '/a',
    signal: own.signal,
    requestInit: { signal: base.signal },
    getRequestInit: () => new Promise((done) => (go = done)),
    fetchResponse: vi.fn(never),
  })
  await expect(begin(endpoint, [], { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  expect([own.listeners(), base.listeners()]).toEqual([0, 0])
  const controller = new AbortController()
  const work = begin(endpoint, [], { signal: controller.signal })
  controller.abort()
  await expect(work).rejects.toMatchObject({ name: 'AbortError' })
  go!({ signal: late.signal })
  await vi.waitFor(() => expect(endpoint.fetchResponse).toHaveBeenCalled())
  expect([own.listeners(), base.listeners(), late.listeners()]).toEqual([0, 0, 0])
})

test('RE-8 fetch that is called directly passes the signal on as well', async () => {
  const { signal } = new AbortController()
  const given: unknown[] = []
  const endpoint = new RestEndpoint({
    path: '/a',
    signal,
    fetchResponse: async (_: string, init: RequestInit) => (given.push(init.signal), Response.json(1)),
  })
  await endpoint.fetch()
  expect(given).toEqual([signal])
})

test('NET-18 two calls at a time have a signal each', async () => {
  const given: AbortSignal[] = []
  const endpoint = new RestEndpoint({
    path: '/a/:id',
    async getRequestInit() {
      await null
      return {}
    },
    fetchResponse: (_: string, init: RequestInit) => {
      given.push(init.signal!)
      return never()
    },
  })
  const [first, second] = [new AbortController(), new AbortController()]
  const one = begin(endpoint, [{ id: 1 }], { signal: first.signal })
  const two = begin(endpoint, [{ id: 2 }], { signal: second.signal })
  await vi.waitFor(() => expect(given).toHaveLength(2))
  second.abort()
  await expect(two).rejects.toMatchObject({ name: 'AbortError' })
  expect(given.map(({ aborted }) => aborted)).toEqual([false, true])
  first.abort()
  await expect(one).rejects.toMatchObject({ name: 'AbortError' })
})

test('NET-18 a request whose time ran out while its headers were made is not sent', async () => {
  let ring = (): void => {}
  const clock = { setTimeout: (run: () => void) => (ring = run), clearTimeout: () => {} }
  let go: ((headers: object) => void) | undefined
  const sent = vi.fn(async (_: string, init: RequestInit) => {
    init.signal!.throwIfAborted()
    return Response.json(1)
  })
  const endpoint = new RestEndpoint({
    path: '/a',
    timeout: 5,
    getHeaders: () => new Promise((done) => (go = done as never)),
  })
  vi.stubGlobal('fetch', sent)
  const work = begin(endpoint, [], { clock })
  ring()
  await expect(work).rejects.toMatchObject({ name: 'TimeoutError' })
  go!({})
  await vi.waitFor(() => expect(sent).toHaveBeenCalled())
  await expect(sent.mock.results[0]!.value).rejects.toBeDefined()
})
