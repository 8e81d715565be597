import { expect, test } from 'vitest'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { isPage, pageEndpoint, previousPageEndpoint } from './paginate.ts'

class Todo extends Entity {
  id = ''
  static override key = 'Todo'
}
const options = { path: '/todos', schema: new Collection([Todo]) } as const
const args = [{ group: 'x' }]

test('PAG-5 the pages of a list have its own endpoint of pages, where it has one', () => {
  const named = new RestEndpoint({ ...options, paginationField: 'page' })
  expect(pageEndpoint(named, args)).toBe(named.getPage)
})

test('PAG-5 without a name for the page, its responses belong to the list of the given arguments', () => {
  const getTodos: any = new RestEndpoint(options)
  const page = pageEndpoint(getTodos, args)
  expect([isPage(page), isPage(getTodos)]).toEqual([true, false])
  expect(page.key({ group: 'x', after: '9' })).toBe(getTodos.key({ group: 'x' }))
  expect([page.schema.isPage, page.schema.isBefore]).toEqual([true, undefined])
})

test('PAG-9 pages before a list stand in front of it', () => {
  const before = previousPageEndpoint(new RestEndpoint(options), args)
  expect([before.schema.isPage, before.schema.isBefore]).toEqual([true, true])
})
