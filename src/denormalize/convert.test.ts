import { expect, test } from 'vitest'
import { convert } from './unvisit.ts'
import { queryNode } from './query.ts'

const node: any = Object.assign(queryNode({}, []), { source: { key: 'User', pk: '1' } })

test('ENT-20 a value that is converted already stays the same object', () => {
  const date = new Date(0)
  expect(convert(Date, date, node, 'at')).toBe(date)
})
