import { expect, test } from 'vitest'
import { convert } from './unvisit.ts'
import { queryNode } from './query.ts'

const node: any = Object.assign(queryNode({}, []), { source: { key: 'User', pk: '1' } })

test('ENT-20 a value that is converted already stays the same object', () => {
  const date = new Date(0)
  expect(convert(Date, date, node, 'at')).toBe(date)
})

test('ENT-20 a class that was compiled to a function is constructed', () => {
  function Decimal(this: { text?: string } | undefined, text: string): void {
    if (!(this instanceof Decimal)) {
      throw new TypeError('Cannot call a class as a function')
    }
    ;(this as { text?: string }).text = text
  }
  Decimal.prototype.toString = function (this: { text: string }): string {
    return this.text
  }
  expect(String(convert(Decimal, '1.5', node, 'price'))).toBe('1.5')
  expect(convert((text: string) => `${text}!`, 'a', node, 'name')).toBe('a!')
})
