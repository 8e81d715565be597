import { expect, test } from 'vitest'
import { resource } from '../rest/resource.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { topTablesOf } from './topTables.ts'

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
  ['a list', getList.schema, ['Post', '[Post]']],
  ['a record in an envelope', { data: Post, person: { of: Person } }, ['Person', 'Post']],
  ['a record that is deleted', new Invalidate(Post), ['Post']],
  ['a record beside other members', { data: Post, message: '', next: null }, ['Post']],
  ['nothing', undefined, []],
  ['null', null, []],
])('RES-12 the tables at the top level of %s', (_, schema, tables) => {
  expect([...topTablesOf(schema).keys()].sort()).toEqual(tables)
})
