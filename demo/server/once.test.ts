import { expect, test } from 'vitest'
import { createServer, signIn } from './testing.ts'

const KEY = { 'idempotency-key': 'one' }

test('a write with a known key is not made again, and has the same response', async () => {
  const { send, ask } = await createServer()
  const body = { body: 'Said once' }
  const count = async () => (await ask<{ commentCount: number }>('GET', '/api/issues/1')).commentCount
  const before = await count()
  const first = await send('POST', '/api/issues/1/comments', body, KEY)
  const again = await send('POST', '/api/issues/1/comments', body, KEY)
  expect([first.status, again.status]).toEqual([201, 201])
  expect(await again.json()).toEqual(await first.json())
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
  expect(await count()).toBe(before + 1)
  // Two at the same time are one, too.
  const [one, two] = await Promise.all(
    [0, 1].map(() => send('POST', '/api/issues/1/comments', body, { 'idempotency-key': 'two' })),
  )
  expect(await two!.json()).toEqual(await one!.json())
  expect(await count()).toBe(before + 2)
  await send('POST', '/api/issues/1/comments', body, { 'idempotency-key': 'three' })
  expect(await count()).toBe(before + 3)
})

test('a refused write is looked at again, and a key belongs to one user, one request and one day', async () => {
  const { app, send, ask, clock } = await createServer()
  const patch = (fields: object, headers = {}) => send('PATCH', '/api/issues/1', fields, { ...KEY, ...headers })
  expect((await patch({ title: '' })).status).toBe(422)
  expect((await patch({ title: 'First' })).status).toBe(200)
  expect(await (await patch({ title: 'Second' })).json()).toMatchObject({ title: 'First' })
  const other = { authorization: `Bearer ${await signIn(app, 'ben.carter@example.com')}` }
  expect(await (await patch({ title: 'Third' }, other)).json()).toMatchObject({ title: 'Third' })
  expect((await send('PATCH', '/api/issues/2', { title: 'First' }, KEY)).status).toBe(200)
  expect((await send('DELETE', '/api/issues/2', undefined, KEY)).status).toBe(204)
  expect((await send('DELETE', '/api/issues/2', undefined, KEY)).status).toBe(204)
  await clock.advance(86_400_001)
  await send('PATCH', '/api/issues/1', { title: 'Fourth' }, { 'idempotency-key': 'later' })
  await patch({ title: 'Fifth' })
  expect(await ask('GET', '/api/issues/1')).toMatchObject({ title: 'Fifth' })
})
