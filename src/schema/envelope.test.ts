import { expect, test } from 'vitest'
import { Post, User } from '../testing/entities.ts'
import { envelopeOf, wrap } from './envelope.ts'

const ring: Record<string, unknown> = { data: User }
ring['self'] = ring
const deep = { meta: { page: 0 }, body: { user: User } }

test.each<[name: string, schema: unknown, path: readonly string[] | undefined]>([
  ['a record', User, []],
  ['an envelope', { data: User, message: '' }, ['data']],
  ['an envelope in an envelope', deep, ['body', 'user']],
  ['two records', { user: User, post: Post }, undefined],
  ['no record', { message: '' }, undefined],
  ['an envelope that contains itself', ring, ['data']],
])('ROP-5 the record in a response is found: %s', (_name, schema, path) => {
  expect(envelopeOf(schema)).toEqual({ schema: path && User, path: path ?? [] })
})

test('ROP-5 an expected record stands in the envelope of the response', () => {
  expect(wrap(deep, { id: '1' })).toEqual({ body: { user: { id: '1' } } })
  expect(wrap(User, { id: '1' })).toEqual({ id: '1' })
})
