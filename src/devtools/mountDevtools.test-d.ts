import { expectTypeOf, test } from 'vitest'
import { Entity } from '../kinds/Entity.ts'
import { resource } from '../rest/resource.ts'
import { openDevtools } from './mountDevtools.ts'

class Todo extends Entity {
  id = ''
  title = ''
}
const TodoResource = resource({ path: '/todos/:id', schema: Todo })

test('a target comes with its arguments', () => {
  openDevtools()
  openDevtools(Todo, { id: '5' })
  openDevtools(TodoResource.get, { id: '5' })
  openDevtools(TodoResource.getList)
  // @ts-expect-error The path has a parameter.
  openDevtools(TodoResource.get)
  // @ts-expect-error There is no such field.
  openDevtools(Todo, { name: 'a' })
  expectTypeOf<ReturnType<typeof openDevtools>>().toBeVoid()
})
