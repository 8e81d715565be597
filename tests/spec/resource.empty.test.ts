// The promise of a mutation with an empty response.
import { createStore, Entity, resource } from 'restitch'
import { expect, test, vi } from 'vitest'

class Ticket extends Entity {
  id = ''
  title = ''
  assigneeId = ''
  static override key = 'Ticket'
}

const ticket = { id: '1', title: 'one', assigneeId: '2' }

/** A server that responds to every mutation with 204. */
function open(options: object = {}): { Tickets: any; store: ReturnType<typeof createStore>; warned: string[] } {
  const warned: string[] = []
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warned.push(text))
  const fetchResponse = (_url: string, { method }: RequestInit): Promise<Response> =>
    Promise.resolve(method === 'GET' ? Response.json(ticket) : new Response(null, { status: 204 }))
  const members = ['get', 'create', 'update'].map((name) => [name, { fetchResponse, ...(name !== 'get' && options) }])
  const Tickets = resource({ path: `/tickets/:id`, schema: Ticket }).extend(Object.fromEntries(members) as never)
  return { Tickets, store: createStore(), warned }
}

test('CTL-2 RES-12 of a record in the store it resolves to what readers see, with the fields that were sent', async () => {
  const { Tickets, store, warned } = open()
  await store.controller.fetch(Tickets.get, { id: '1' })
  const updated = await store.controller.fetch(Tickets.update, { id: '1' }, { assigneeId: '7' })
  expect(updated).toEqual(Ticket.fromJS({ ...ticket, assigneeId: '7' }))
  expect(updated).toBe(store.view(Tickets.get, { id: '1' }).read().data)
  expect(warned).toEqual([])
})

test('CTL-2 of a record that nobody knows it resolves to undefined, and development says how to declare that', async () => {
  const { Tickets, store, warned } = open()
  expect(await store.controller.fetch(Tickets.create, { title: 'new' })).toBe(undefined)
  expect(await store.controller.fetch(Tickets.update, { id: '9' }, { title: 'new' })).toBe(undefined)
  expect(warned).toEqual([
    expect.stringMatching(
      /^The response of "Ticket.create" is empty, .* resolves to undefined, .*: process: \(\) => null\.$/,
    ),
    expect.stringContaining('The response of "Ticket.update" is empty'),
  ])
})

test.each([
  ['process', { process: () => null }],
  ['parseResponse', { parseResponse: () => Promise.resolve(null) }],
])('CTL-2 an endpoint that declares it by its %s is not warned of', async (_name, options) => {
  const { Tickets, store, warned } = open(options)
  expect(await store.controller.fetch(Tickets.create, { title: 'new' })).toBe(undefined)
  expect(warned).toEqual([])
})
