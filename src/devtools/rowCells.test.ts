import { expect, test } from 'vitest'
import { varyingArgs } from './rowCells.ts'

const list = (key: string, keyArgs: object): any => ({ table: { key }, list: { keyArgs } })

test('PNL-2 the arguments by which lists differ are found for each table', () => {
  const lists = [
    list('[Todo]', { limit: 5, done: true }),
    list('[Todo]', { limit: 5, done: false }),
    list('[Todo]', { limit: 5, done: false, page: 2 }),
    list('[User]', { limit: 5 }),
  ]
  expect(varyingArgs(lists)).toEqual(
    new Map([
      ['[Todo]', new Set(['done', 'page'])],
      ['[User]', new Set()],
    ]),
  )
})
