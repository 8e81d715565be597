import { createStore, Entity, resource } from 'restitch'
import { expect, test, vi } from 'vitest'

/** A resource with a server that sends ids as numbers, and what is warned of. */
function open(schema: object = {}): { getList: any; Ticket: any; controller: any; warned: string[] } {
  class Ticket extends Entity {
    id = ''
    price = 0
    open = false
    owner: string | null = null
    parent: string | null = ''
    tags: string[] = []
    static override key = 'Ticket'
    static override schema = schema as never
  }
  const warned: string[] = []
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warned.push(text))
  const row = { id: 5, price: '12.5', open: 1, owner: 7, parent: null, tags: 'x', other: 3 }
  const getList = resource({ path: '/tickets/:id', schema: Ticket }).getList.extend({
    fetchResponse: () => Promise.resolve(Response.json([row, { ...row, id: 6 }])),
  })
  return { getList, Ticket, controller: createStore().controller, warned }
}

test('ENT-45 development warns once per class and field of a type that differs from that of the default', async () => {
  const { getList, controller, warned } = open()
  await controller.fetch(getList)
  await controller.fetch(getList)
  expect(warned).toEqual([
    expect.stringMatching(
      /^"id" of Ticket is declared as a string, but it is the number 5 at \[0\] of GET \/tickets\. .*Convert it: static schema = \{ id: String \}\./,
    ),
    expect.stringMatching(
      /^"price" of Ticket is declared as a number, but it is the string "12.5".*\{ price: Number \}/,
    ),
    expect.stringMatching(/^"open" of Ticket is declared as a boolean, but it is the number 1.*\{ open: Boolean \}/),
  ])
})

test('ENT-45 ENT-20 a field that the class converts is not warned of; a value that is set has no endpoint', async () => {
  const { getList, Ticket, controller, warned } = open({ id: String, price: Number, open: (value: unknown) => value })
  const [ticket] = await controller.fetch(getList)
  expect([ticket.id, ticket.price, ticket.open, warned]).toEqual(['5', 12.5, 1, []])
  class Other extends Ticket {
    static schema = {}
    static key = 'Other'
  }
  await controller.set(Other, { id: 1 }, { id: 1 })
  expect(warned).toEqual([expect.stringContaining('"id" of Other is declared as a string, but it is the number 1. ')])
})
