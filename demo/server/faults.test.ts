import type { AddressInfo } from 'node:net'
import { serve, type ServerType } from '@hono/node-server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createServer, JSON_TYPE, signIn, type Server } from './testing.ts'

let server: Server
beforeEach(async () => {
  server = await createServer({ test: true })
})

test('nothing goes wrong by itself', async () => {
  expect(await server.ask('GET', '/api/faults')).toEqual({
    latency: 0,
    jitter: 0,
    errorRate: 0,
    offline: false,
    reorder: false,
    slowBody: false,
  })
})

test('faults end with the visit, unless a window comes back or is still open', async () => {
  await server.ask('PUT', '/api/faults', 200, { latency: 500 })
  await server.ask('POST', '/api/faults/leave', 204)
  await server.clock.advance(5_000)
  await server.ask('GET', '/api/faults')
  await server.clock.advance(60_000)
  expect(await server.ask('GET', '/api/faults')).toMatchObject({ latency: 500 })
  await server.ask('POST', '/api/faults/leave', 204)
  await server.clock.advance(12_000)
  expect(await server.ask('GET', '/api/faults')).toMatchObject({ latency: 0 })
})

test('latency comes before the work', async () => {
  await server.ask('PUT', '/api/faults', 200, { latency: 500 })
  const sleeping = server.clock.sleeping()
  const answer = server.ask('PATCH', '/api/issues/1', 200, { title: 'Late' })
  expect(await sleeping).toBe(500)
  expect(readTitle()).not.toBe('Late')
  await server.clock.advance(500)
  expect(await answer).toMatchObject({ title: 'Late' })
})

test.each([
  [{ jitter: 800 }, 800],
  [{ reorder: true }, 1000],
])('%j comes after the work', async (fault, longest) => {
  await server.ask('PUT', '/api/faults', 200, fault)
  const sleeping = server.clock.sleeping()
  const answer = server.ask('PATCH', '/api/issues/1', 200, { title: 'Done' })
  const held = await sleeping
  expect(held).toBeGreaterThan(0)
  expect(held).toBeLessThanOrEqual(longest)
  expect(readTitle()).toBe('Done')
  await server.clock.advance(longest)
  await answer
})

test('responses overtake each other', async () => {
  await server.ask('PUT', '/api/faults', 200, { reorder: true, seed: 7 })
  const order: number[] = []
  const sleeping = server.clock.sleeping(6)
  const asked = [1, 2, 3, 4, 5, 6].map((id) => server.ask('GET', `/api/issues/${id}`).then(() => order.push(id)))
  await sleeping
  await server.clock.advance(1000)
  await Promise.all(asked)
  expect(order).not.toEqual([1, 2, 3, 4, 5, 6])
  expect([...order].sort()).toEqual([1, 2, 3, 4, 5, 6])
})

test('errors come before the work, at the requested rate, the same for the same seed', async () => {
  const run = async () => {
    await server.ask('PUT', '/api/faults', 200, { errorRate: 0.2, seed: 3 })
    const statuses: number[] = []
    for (let at = 0; at < 300; at++) {
      const before = readTitle()
      const response = await server.send('PATCH', '/api/issues/1', { title: `Title ${at}` })
      statuses.push(response.status)
      expect(readTitle()).toBe(response.status === 200 ? `Title ${at}` : before)
      if (response.status !== 200) {
        expect([null, '1']).toContain(response.headers.get('retry-after'))
      }
    }
    return statuses
  }
  const statuses = await run()
  const failed = statuses.filter((status) => status !== 200)
  expect(failed.length).toBeGreaterThan(40)
  expect(failed.length).toBeLessThan(80)
  expect(new Set(failed)).toEqual(new Set([500, 503]))
  expect(await run()).toEqual(statuses)
})

test('the switches themselves always work, and need no session', async () => {
  const { app } = server
  const put = (body: object) =>
    app.request('/api/faults', { method: 'PUT', body: JSON.stringify(body), headers: JSON_TYPE })
  expect((await put({ latency: 1000, errorRate: 1 })).status).toBe(200)
  expect(await (await app.request('/api/faults')).json()).toMatchObject({ latency: 1000, errorRate: 1, jitter: 0 })
  expect((await put({ latency: 0, errorRate: 0 })).status).toBe(200)
})

test.each([
  { latency: -1 },
  { latency: '5' },
  { latency: 1e9 },
  { errorRate: 2 },
  { offline: 1 },
  { seed: -1 },
  { seed: 1.5 },
  { what: 1 },
  [],
  null,
])('PUT %j is refused', async (body) => {
  await server.ask('PUT', '/api/faults', 422, body)
})

test('sign-out forgets every session', async () => {
  const token = await signIn(server.app, 'ben.carter@example.com')
  expect((await server.app.request('/api/faults/sign-out', { method: 'POST' })).status).toBe(204)
  await server.ask('GET', '/api/people', 401)
  const headers = { authorization: `Bearer ${token}` }
  expect((await server.app.request('/api/people', { headers })).status).toBe(401)
})

test('data is only seeded again where that is allowed, and users stay signed in', async () => {
  await server.ask('PATCH', '/api/people/1', 200, { name: 'Changed' })
  await server.ask('POST', '/api/faults/reset-data', 204)
  expect(await server.ask('GET', '/api/people/1')).toMatchObject({ name: 'Mia Okafor', revision: 1 })
  const { ask } = await createServer()
  await ask('POST', '/api/faults/reset-data', 404)
})

describe('on a socket', () => {
  let listening: ServerType
  let origin: string
  let headers: Record<string, string>
  beforeEach(async () => {
    await new Promise<void>((done) => {
      listening = serve({ fetch: server.app.fetch, port: 0, hostname: '127.0.0.1' }, () => done())
    })
    origin = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
    headers = { authorization: `Bearer ${await signIn(server.app)}` }
  })
  afterEach(() => {
    if ('closeAllConnections' in listening) {
      listening.closeAllConnections()
    }
    listening.close()
  })

  test('offline: no response arrives, nothing is done, streams end; then the server is back', async () => {
    const events = await fetch(`${origin}/api/events`, { headers })
    await server.ask('PUT', '/api/faults', 200, { offline: true })
    expect(await events.text()).toContain('event: ready')
    const body = JSON.stringify({ title: 'Lost' })
    const write = fetch(`${origin}/api/issues/1`, { method: 'PATCH', headers: { ...headers, ...JSON_TYPE }, body })
    await expect(write).rejects.toThrow('fetch failed')
    expect(readTitle()).not.toBe('Lost')
    await server.ask('PUT', '/api/faults', 200, { offline: false })
    expect((await fetch(`${origin}/api/issues/1`, { headers })).status).toBe(200)
  })

  test('offline while a response is on its way: the work is done, and the client receives nothing', async () => {
    await server.ask('PUT', '/api/faults', 200, { jitter: 1000 })
    const sleeping = server.clock.sleeping()
    const body = JSON.stringify({ title: 'Done' })
    const write = fetch(`${origin}/api/issues/1`, { method: 'PATCH', headers: { ...headers, ...JSON_TYPE }, body })
    const failed = write.catch((error: Error) => error.message)
    await sleeping
    await server.ask('PUT', '/api/faults', 200, { offline: true })
    await server.clock.advance(1000)
    expect(await failed).toBe('fetch failed')
    expect(readTitle()).toBe('Done')
  })

  test('slow bodies come in pieces and are whole', async () => {
    const whole = await (await fetch(`${origin}/api/issues?limit=100`, { headers })).text()
    await server.ask('PUT', '/api/faults', 200, { slowBody: true })
    const response = await fetch(`${origin}/api/issues?limit=100`, { headers })
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(whole)))
    const ticking = setInterval(() => void server.clock.advance(100), 1)
    let text = ''
    let pieces = 0
    const decoder = new TextDecoder()
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece, { stream: true })
      pieces += 1
    }
    clearInterval(ticking)
    expect(text).toBe(whole)
    expect(pieces).toBeGreaterThan(5)
  })

  test('slow bodies leave empty responses and streams alone', async () => {
    await server.ask('PUT', '/api/faults', 200, { slowBody: true })
    expect((await fetch(`${origin}/api/session`, { headers })).status).toBe(200)
    const { body } = await fetch(`${origin}/api/events`, { headers })
    expect(new TextDecoder().decode((await body?.getReader().read())?.value)).toContain('ready')
    expect((await fetch(`${origin}/api/issues/1`, { method: 'DELETE', headers })).status).toBe(204)
  })
})

function readTitle(): unknown {
  return server.db.get('SELECT title FROM issues WHERE id = 1')?.title
}
