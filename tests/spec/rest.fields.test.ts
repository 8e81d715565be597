// Errors of a form, as they come from a server that refuses, breaks off or speaks of something else.
import { createStore, Entity, fieldErrors, resource } from 'restitch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Answer, json, openServer, send, type TestServer } from '../server.ts'

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}

let server: TestServer
beforeAll(async () => {
  server = await openServer()
})
afterAll(() => server.close())

const open = () => {
  const { controller } = createStore()
  const Users = resource({ urlPrefix: server.origin, path: '/users/:id', schema: User }).extend({
    create: { validateBody: z.object({ name: z.string().min(2, 'is too short') }) },
  })
  const create = (name: string): Promise<unknown> =>
    controller.fetch(Users.create, { name }).catch((caught: unknown) => caught)
  return { create }
}
const problem = { 'content-type': 'application/problem+json' }
const errors = JSON.stringify({ title: 'No', errors: [{ pointer: '#/name', detail: 'is taken' }] })

test.each<[string, Answer, object]>([
  ['a problem', send(errors, problem, 422), { name: ['is taken'] }],
  ['a conflict', json({ errors: { name: ['is taken'] } }, 409), { name: ['is taken'] }],
  ['a map without a wrapper', json({ name: ['is taken'] }, 400), { name: ['is taken'] }],
  ['JSON that says it is text', send(errors, { 'content-type': 'text/plain' }, 400), { name: ['is taken'] }],
  ['JSON that breaks off', send(errors.slice(0, 40), problem, 422), {}],
  [
    'a body shorter than its length',
    (_, response) => {
      response.writeHead(422, { ...problem, 'content-length': '500' })
      response.write(errors, () => response.socket?.destroy())
    },
    { name: ['is taken'] },
  ],
  ['a page', send('<h1>errors</h1>', { 'content-type': 'text/html' }, 400), {}],
  ['a huge body', json({ errors: { name: ['x'.repeat(70_000)] } }, 422), {}],
  ['no body', send('', {}, 422), {}],
  ['a server that is down', json({ errors: { name: ['is taken'] } }, 500), {}],
  ['a response that cannot be used', json({ errors: { name: ['is taken'] } }), {}],
])('FLD-1 FLD-2 %s', async (_, answer, expected) => {
  server.answer(answer)
  const error = await open().create('Ann')
  expect(error).toBeInstanceOf(Error)
  expect(fieldErrors(error)).toEqual(expected)
})

test('FLD-3 a body that is refused before it is sent', async () => {
  server.answer(json({}))
  expect(fieldErrors(await open().create('A'))).toEqual({ name: ['is too short'] })
  expect(server.received).toEqual([])
})
