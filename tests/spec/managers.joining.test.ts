// Which request a fetch joins after a mutation whose outcome nobody knows.
import { createStore, Entity, resource } from 'restitch'
import { expect, test } from 'vitest'
import { TestClock } from '../../src/testing/TestClock.ts'

class Ticket extends Entity {
  id = ''
  title = ''
  static override key = 'Ticket'
}

test.each([
  ['empty', () => new Response(null, { status: 204 })],
  ['only a key', () => Response.json({ id: '1' })],
  ['a failure', () => new Response('', { status: 500 })],
  ['a lost connection', () => Promise.reject(new TypeError('Failed to fetch'))],
])(
  'NET-3 RES-12 RES-15 F1 a fetch does not join a read that was sent before a mutation of a record that is not stored: %s',
  async (_name, respond) => {
    let title = 'old'
    const gets: (() => void)[] = []
    const fetchResponse = async (_url: string, { method }: RequestInit): Promise<Response> => {
      if (method === 'GET') {
        const response = Response.json({ id: '1', title })
        await new Promise<void>((done) => gets.push(done))
        return response
      }
      title = 'new'
      const response = await respond()
      if (response.status === 500) {
        throw Object.assign(new Error('down'), { status: 500 })
      }
      return response
    }
    const Tickets: any = resource({ path: '/tickets/:id', schema: Ticket }).extend({
      get: { fetchResponse },
      update: { fetchResponse, process: (value: any) => value },
    } as never)
    const { controller } = createStore({ clock: new TestClock() })
    const turn = (): Promise<void> => new Promise((done) => setImmediate(done))
    const first = controller.fetch(Tickets.get, { id: '1' })
    await turn()
    await controller.fetch(Tickets.update, { id: '1' }, { title: 'new' }).catch(() => {})
    const second = controller.fetch(Tickets.get, { id: '1' })
    await turn()
    expect(gets).toHaveLength(2)
    gets.forEach((done) => done())
    await first
    expect(await second).toMatchObject({ title: 'new' })
  },
)
