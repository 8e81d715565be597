import { describe, expect, test } from 'vitest'
import { convert } from './unvisit.ts'
import { queryNode } from './query.ts'

const node: any = Object.assign(queryNode({}, []), { source: { key: 'User', pk: '1' } })

describe('ENT-20 a function that is called is constructed only if it says that it has to be', () => {
  test.each([
    ['a TypeError of its own', new TypeError('raw.at is not a function'), 1],
    ['another error with such a text', new Error("it cannot be invoked without 'new'"), 1],
    ['a constructor', new TypeError("Class constructor Moment cannot be invoked without 'new'"), 2],
  ])('%s', (_case, error, calls) => {
    let count = 0
    function converter(): never {
      count++
      throw error
    }
    expect(() => convert(converter, 'raw', node, 'at')).toThrow('convert-failed')
    expect(count).toBe(calls)
  })
})

test('ENT-20 a value that is converted already stays the same object', () => {
  const date = new Date(0)
  expect(convert(Date, date, node, 'at')).toBe(date)
})
