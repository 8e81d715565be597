// Progress where there is no XMLHttpRequest: downloads are counted while they are read.
import { gzipSync } from 'node:zlib'
import { createStore, RestEndpoint } from 'restitch'
import { createAuth } from 'restitch/auth'
import { type Progress, withProgress } from 'restitch/progress'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Answer, json, openServer, redirect, send, type TestServer } from '../server.ts'

let server: TestServer
let other: TestServer
beforeAll(async () => {
  server = await openServer()
  other = await openServer()
})
afterAll(() => Promise.all([server.close(), other.close()]))
afterEach(() => {
  vi.unstubAllGlobals()
})

const TEXT = 'x'.repeat(300_000)
const open = (options: object = {}) => {
  const seen: Progress[] = []
  const get = new RestEndpoint({ urlPrefix: server.origin, path: '/file', content: 'text', ...options } as {
    path: '/file'
    content: 'text'
  })
  return { seen, get, counted: withProgress(get, (progress) => seen.push(progress)) }
}

test('PRG-1 a download is counted, up to its length', async () => {
  server.answer(send(TEXT, { 'content-type': 'text/plain', 'content-length': String(TEXT.length) }))
  const { seen, counted } = open()
  expect(await counted()).toBe(TEXT)
  expect(seen.at(-1)).toEqual({ phase: 'download', loaded: TEXT.length, total: TEXT.length, percent: 100 })
  expect(seen.map(({ loaded }) => loaded)).toEqual(seen.map(({ loaded }) => loaded).sort((a, b) => a - b))
  expect(seen.every(({ percent }) => percent! >= 0 && percent! <= 100)).toBe(true)
})

test('PRG-1 a compressed or chunked download has no total', async () => {
  server.answer(send(gzipSync(TEXT), { 'content-type': 'text/plain', 'content-encoding': 'gzip' }))
  const { seen, counted } = open()
  expect(await counted()).toBe(TEXT)
  expect(seen.at(-1)).toEqual({ phase: 'download', loaded: TEXT.length, total: undefined, percent: undefined })
})

test('PRG-2 it is the same endpoint: key, store, JSON, errors, redirects', async () => {
  server.answer(json({ id: '1' }))
  const { seen, get, counted } = open({ content: undefined })
  expect(counted.key()).toBe(get.key())
  expect(await createStore().controller.fetch(counted)).toEqual({ id: '1' })
  expect(seen.length).toBeGreaterThan(0)
  server.answer(json({ message: 'no' }, 422))
  await expect(counted()).rejects.toMatchObject({ name: 'NetworkError', status: 422, body: { message: 'no' } })
  server.answer((request, response) =>
    (request.url === '/file' ? redirect(302, '/there') : json({ at: request.url }))(request, response),
  )
  expect(await counted.extend({ getHeaders: () => ({ 'X-A': '1' }) } as object)()).toEqual({ at: '/there' })
  server.answer(redirect(302, `${other.origin}/there`))
  const secret = counted.extend({ getHeaders: () => ({ 'X-A': '1' }) } as object)
  await expect(secret()).rejects.toMatchObject({ code: 'redirect-origin' })
})

const BROKEN: Record<string, Answer> = {
  'a connection that is cut': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': String(TEXT.length) })
    response.write(TEXT.slice(0, 1_000), () => response.socket?.destroy())
  },
  'a connection that is refused': (_, response) => response.socket?.destroy(),
}
test.each(Object.entries(BROKEN))('PRG-3 %s is a transport failure', async (_, answer) => {
  server.answer(answer)
  await expect(open().counted()).rejects.toMatchObject({ code: 'transport', status: 500 })
})

test('PRG-3 an abort ends the download', async () => {
  server.answer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).write(TEXT)
  })
  const { get } = open()
  const aborter = new AbortController()
  const counted = withProgress(get.extend({ signal: aborter.signal }), () => aborter.abort())
  await expect(counted()).rejects.toMatchObject({ name: 'AbortError' })
})

test('PRG-3 a listener that throws is reported, and loses nothing', async () => {
  const reported: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
  server.answer(send('abc', { 'content-type': 'text/plain' }))
  const counted = withProgress(open().get, () => {
    throw new Error('mine')
  })
  expect(await counted()).toBe('abc')
  expect(reported).toMatchObject([{ message: 'mine' }])
})

test('PRG-4 a class of endpoints keeps its part: the token is refreshed, and the request is sent again', async () => {
  const auth = createAuth({
    origins: [server.origin],
    load: () => ({ accessToken: 'old' }),
    refresh: () => ({ accessToken: 'new' }),
  })
  const seen: Progress[] = []
  const upload = new auth.Endpoint({ urlPrefix: server.origin, path: '/files', method: 'POST', body: {} as object })
  server.answer((request, response) =>
    (request.headers.authorization === 'Bearer new' ? json({ id: '7' }) : json({}, 401))(request, response),
  )
  expect(await withProgress(upload, (progress) => seen.push(progress))({ a: 1 })).toEqual({ id: '7' })
  expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
  expect(seen.at(-1)).toMatchObject({ phase: 'download', percent: undefined })
})
