import { beforeEach, expect, test } from 'vitest'
import { createServer, signIn, type Server } from './testing.ts'

interface Event {
  id?: string
  event?: string
  data: { kind?: string; value?: { id: string; title?: string }; id?: string; created?: boolean }
}

let server: Server
beforeEach(async () => {
  server = await createServer({ test: true })
})

test('every client receives every write, in order, with its changes', async () => {
  const [one, two] = [await open(), await open(await signIn(server.app, 'ben.carter@example.com'))]
  const issue = await server.ask<{ id: string }>('POST', '/api/issues', 201, { title: 'New', project: '1' })
  await server.ask('PATCH', `/api/issues/${issue.id}`, 200, { title: 'Newer' })
  await server.ask('PATCH', `/api/issues/${issue.id}`, 200, { status: 'done' })
  await server.ask('PATCH', '/api/people/3', 200, { name: 'Amara' })
  const comment = await server.ask<{ id: string }>('POST', `/api/issues/${issue.id}/comments`, 201, { body: 'Hi' })
  await server.ask('DELETE', `/api/comments/${comment.id}`, 204)
  await server.ask('POST', '/api/graphql', 200, { query: 'mutation { renameProject(id: "2", name: "Apps") { id } }' })
  await server.ask('DELETE', `/api/issues/${issue.id}`, 204)

  const expected = [
    ['ready', undefined, undefined],
    ['set', 'issue', true],
    ['set', 'project', undefined],
    ['set', 'issue', undefined],
    ['set', 'issue', undefined],
    ['set', 'project', undefined],
    ['set', 'person', undefined],
    ['set', 'comment', true],
    ['set', 'issue', undefined],
    ['delete', 'comment', undefined],
    ['set', 'issue', undefined],
    ['set', 'project', undefined],
    ['delete', 'issue', undefined],
    ['set', 'project', undefined],
  ]
  for (const stream of [one, two]) {
    const events = await stream.take(expected.length)
    expect(events.map(({ event, data }) => [event, data.kind, data.created])).toEqual(expected)
    const ids = events.map(({ id }) => Number(id))
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(events[3]?.data.value).toMatchObject({ id: issue.id, title: 'Newer' })
    expect(events[12]?.data).toEqual({ kind: 'issue', id: issue.id })
  }
})

test('a refused write is not sent', async () => {
  const stream = await open()
  await server.ask('PATCH', '/api/issues/1', 422, { title: '' })
  await server.ask('PATCH', '/api/issues/1', 409, { title: 'x', revision: 77 })
  await server.ask('PATCH', '/api/issues/1', 200, { title: 'Told' })
  expect((await stream.take(2))[1]?.data.value?.title).toBe('Told')
})

test('a client that reconnects receives the events it missed, in their current state', async () => {
  const [ready] = await (await open()).take(1)
  await server.ask('PATCH', '/api/issues/1', 200, { title: 'A' })
  await server.ask('PATCH', '/api/issues/1', 200, { title: 'B' })
  await server.ask('DELETE', '/api/issues/2', 204)
  const events = await (await open(undefined, ready?.id)).take(5)
  expect(events.map(({ event, data }) => [event, data.kind, data.value?.title ?? data.id])).toEqual([
    ['set', 'issue', 'B'],
    ['set', 'issue', 'B'],
    ['delete', 'issue', '2'],
    ['set', 'project', undefined],
    ['ready', undefined, undefined],
  ])
  const [nothing] = await (await open(undefined, events[3]?.id)).take(1)
  expect(nothing).toEqual({ id: events[3]?.id, event: 'ready', data: {} })
})

test.each(['0', '17', '999999999999999', 'nonsense', '-1', ''])(
  'a client that was away too long gets a "lost" event: %j',
  async (lastId) => {
    const [event] = await (await open(undefined, lastId)).take(1)
    expect(event?.event).toBe('lost')
  },
)

test('new data is a loss for streams from before, open or not', async () => {
  const stream = await open()
  const [ready] = await stream.take(1)
  await server.ask('PATCH', '/api/issues/1', 200, { title: 'A' })
  await server.ask('POST', '/api/faults/reset-data', 204)
  expect((await stream.take(2)).map(({ event }) => event)).toEqual(['set', 'lost'])
  expect((await (await open(undefined, ready?.id)).take(1))[0]?.event).toBe('lost')
})

test('the ticker ticks every second, and a comment keeps the line open', async () => {
  const stream = await open()
  await stream.take(1)
  await server.clock.advance(3000)
  const ticks = await stream.take(3)
  expect(ticks.map(({ event }) => event)).toEqual(['ticker', 'ticker', 'ticker'])
  expect(ticks.map(({ data }) => (data as { at?: string }).at)).toEqual([
    '2026-03-04T12:00:01.000Z',
    '2026-03-04T12:00:02.000Z',
    '2026-03-04T12:00:03.000Z',
  ])
  await server.clock.advance(13_000)
  await stream.take(13)
  expect(stream.seen()).toContain(': still here\n')
})

test('signing out ends the streams of that session only', async () => {
  const token = await signIn(server.app)
  const [own, other] = [await open(token), await open()]
  await server.app.request('/api/session', { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })
  expect((await own.rest()).map(({ event }) => event)).toEqual(['ready'])
  await server.ask('PATCH', '/api/issues/1', 200, { title: 'A' })
  expect(await other.take(2)).toHaveLength(2)
  await server.ask('POST', '/api/faults/sign-out', 204)
  expect(await other.rest()).toEqual([])
})

test('a stream without a reader is closed', async () => {
  const stream = await open()
  await server.clock.advance(6000 * 1000)
  expect((await stream.rest()).length).toBeLessThan(5000)
})

async function open(token?: string, lastId?: string) {
  const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId }
  if (token !== undefined) {
    headers.authorization = `Bearer ${token}`
  }
  const response = await server.send('GET', '/api/events', undefined, headers)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = (response.body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  let all = ''
  return { take, rest, seen: () => all }

  async function take(count: number): Promise<Event[]> {
    const events: Event[] = []
    while (events.length < count) {
      const end = text.indexOf('\n\n')
      if (end < 0) {
        const { done, value } = await reader.read()
        if (done) {
          return events
        }
        text += value
        all += value
        continue
      }
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const fields = lines.map((line) => line.split(/: (.*)/s) as [string, string])
      const { data, ...rest } = Object.fromEntries(fields) as Record<string, string>
      if (data !== undefined) {
        events.push({ ...rest, data: JSON.parse(data) as Event['data'] })
      }
    }
    return events
  }

  function rest(): Promise<Event[]> {
    return take(Infinity)
  }
}
