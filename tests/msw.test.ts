// Runs the recipes of docs/guide/msw.md as they are printed.
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { Controller, createStore, NetworkError } from 'restitch'
import { MockController } from 'restitch/mock'
import { afterEach, expect, test } from 'vitest'
import { loadBlock } from './guideBlocks.ts'

let close = (): void => {}
afterEach(() => close())

test('fixtures as handlers', async () => {
  const { fixtures, handleFixtures, Users } = await loadBlock('msw', 0)
  const next = http.get('https://api.test/users/:id', ({ params }) =>
    HttpResponse.json({ id: params['id'], name: 'Next' }),
  )
  const server = setupServer(handleFixtures(fixtures), next)
  server.listen({ onUnhandledRequest: 'error' })
  close = () => server.close()
  const { controller } = createStore()
  expect(await controller.fetch(Users.getList)).toMatchObject([{ id: '1', name: 'Ann' }])
  expect(await controller.fetch(Users.get, { id: '1' })).toMatchObject({ name: 'Ann' })
  await expect(controller.fetch(Users.get, { id: '2' })).rejects.toMatchObject({ status: 404 })
  // The handlers after it respond to all others: another record, and a list with other arguments.
  expect(await controller.fetch(Users.get, { id: '3' })).toMatchObject({ name: 'Next' })
})

test('handlers as interceptors', async () => {
  const { interceptors, Users } = await loadBlock('msw', 1)
  const { controller } = createStore({ Controller: MockController(Controller, { fixtures: interceptors }) })
  await controller.fetch(Users.getList)
  expect(await controller.fetch(Users.create, { name: 'Bob' })).toMatchObject({ id: '2', name: 'Bob' })
  expect(await controller.fetch(Users.getList)).toMatchObject([{ name: 'Ann' }, { name: 'Bob' }])
  const error = await controller.fetch(Users.delete, { id: '1' }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(NetworkError)
  expect(error).toMatchObject({ status: 403 })
  expect(await (error as NetworkError).response?.json()).toEqual({ message: 'Not allowed' })
})
