import { expect, test } from 'vitest'
import { resource } from '../rest/resource.ts'
import { Entity } from '../schema/Entity.ts'
import { tablesOf } from './tablesOf.ts'

class Person extends Entity {
  id = ''
  static override key = 'Person'
}
class Post extends Entity {
  id = ''
  author: Person = Person.fromJS()
  static override key = 'Post'
  static override schema: { author: typeof Person } = { author: Person }
}
const { getList } = resource({ path: '/posts/:id', schema: Post, paginationField: 'page' })

test.each([
  ['a list', getList.schema],
  ['a page of it', getList.getPage.schema],
])('NET-3 the tables that %s names', (_, schema) => {
  expect([...tablesOf(schema)].sort()).toEqual(['Person', 'Post', '[Post]'])
})
