import { expect, test } from 'vitest'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { createDriver } from '../testing/drivers.ts'
import { endpoint } from '../testing/endpoints.ts'
import { receiveWritten } from './receiveWritten.ts'

class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}

test('ST-8 records of another tab that the app fails on leave the store as it was', () => {
  let isFailing = false
  const order = (): undefined => {
    if (isFailing) {
      throw new Error('no order')
    }
  }
  const paged = endpoint('/todos', new Collection([Todo], { order }), { getNextPage: () => 2, paginationField: 'page' })
  const driver = createDriver()
  const { store } = driver
  driver.open(paged, [{ title: 'a' }]).answer([{ id: '1', title: 'a' }])
  driver.open(endpoint('/todo', Todo), [{ id: '2' }]).answer({ id: '2', title: 'b' })
  const row = store.tables.records('Todo').row('2')
  isFailing = true
  const meta = { ...row.meta!, sent: ++store.reached, at: ++store.reached, kind: 'set' as const }
  const receive = (): unknown =>
    receiveWritten([[row, { id: '2', title: 'a' }]], { tables: store.tables, args: [], meta, isWrite: true })
  expect(receive).toThrow('no order')
  expect(row.patch).toBeUndefined()
})
