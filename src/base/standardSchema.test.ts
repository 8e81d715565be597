import { expect, test, vi } from 'vitest'
import { rejectionOf } from '../testing/outcomes.ts'
import { isRestitchError } from './errors.ts'
import { type StandardSchemaV1, validate } from './standardSchema.ts'

const subject = (): string => 'GET /a'

function schemaOf(ask: (value: unknown) => unknown, version = 1): StandardSchemaV1 {
  return { '~standard': { version, vendor: 'test', validate: ask } } as never
}

test('VALID-1 a function with the member is a schema, and no schema takes any value', () => {
  const asFunction = Object.assign(
    () => 'not called',
    schemaOf(() => ({ value: 'out' })),
  )
  expect(validate(asFunction, 'in', 'validate-response', subject)).toBe('out')
  expect(validate(undefined, 'in', 'validate-response', subject)).toBe('in')
})

test.each([
  ['another version', schemaOf(() => ({ value: 1 }), 2)],
  ['no schema at all', { parse: () => 1 }],
  ['a plain function', () => ({ value: 1 })],
])('VALID-1 VALID-8 %s is a failure that says so', async (_, schema) => {
  const error = await rejectionOf(() => validate(schema, 1, 'validate-response', subject))
  expect(error).toMatchObject({ code: 'validate-response', status: 400, issues: [], refused: true })
  expect(error['cause']).toBeInstanceOf(TypeError)
})

test('VALID-4 the output replaces the value, now or later', async () => {
  expect(
    validate(
      schemaOf(() => ({ value: 'out' })),
      'in',
      'validate-response',
      subject,
    ),
  ).toBe('out')
  expect(
    await validate(
      schemaOf(async () => ({ value: 'later' })),
      'in',
      'validate-response',
      subject,
    ),
  ).toBe('later')
})

const ISSUES = [
  { message: 'too short', path: ['list', 0, { key: 'name' }] },
  { message: 'second' },
  { message: 'third' },
]

test.each([
  ['sync', schemaOf(() => ({ issues: ISSUES }))],
  ['async', schemaOf(async () => ({ issues: ISSUES }))],
])('VALID-6 a refused response, %s', async (_, schema) => {
  const value = { list: [{ name: '' }] }
  const error = await rejectionOf(() => validate(schema, value, 'validate-response', subject))
  expect(error).toMatchObject({ name: 'RestitchError', code: 'validate-response', status: 400, refused: true })
  expect(error['issues']).toBe(ISSUES)
  expect(error['response']).toBe(value)
  expect(error.message).toMatch('"GET /a" was refused by its schema at "list.0.name": too short (and 2 more).')
  expect(isRestitchError(error)).toBe(true)
})

test.each([
  ['a field', [{ message: 'A title is required', path: ['title'] }], 'POST /a at title: A title is required'],
  ['the whole body', [{ message: 'Dates overlap' }, { message: 'second' }], 'POST /a: Dates overlap'],
])('VALID-6 in production the message names the first issue, too: of %s', async (_, issues, text) => {
  vi.resetModules()
  vi.doMock('./env.ts', () => ({ DEV: false }))
  const production = await import('./standardSchema.ts')
  const schema = schemaOf(() => ({ issues }))
  const error = await rejectionOf(() => production.validate(schema, {}, 'validate-body', () => 'POST /a'))
  vi.doUnmock('./env.ts')
  expect(error.message).toBe(`validate-body: ${text}`)
})

test.each([
  ['validate-body', undefined],
  ['validate-entity', 'in'],
  ['validate-response', 'in'],
] as const)('VALID-6 %s: only responses carry the checked value', async (code, response) => {
  const error = await rejectionOf(() =>
    validate(
      schemaOf(() => ({ issues: [{ message: 'no' }] })),
      'in',
      code,
      subject,
    ),
  )
  expect(error).toMatchObject({ code, response })
  expect(error.message).toMatch('"GET /a" was refused by its schema: no.')
})

test.each(['validate-body', 'validate-entity'] as const)('VALID-7 %s may not wait', async (code) => {
  const schema = schemaOf(async () => {
    throw new Error('must not surface as unhandled')
  })
  const error = await rejectionOf(() => validate(schema, 1, code, subject))
  expect(error).toMatchObject({ code: 'validate-async', status: 400, issues: [], refused: true })
})

test.each([
  [
    'throws',
    schemaOf(() => {
      throw new RangeError('oops')
    }),
  ],
  ['rejects', schemaOf(() => Promise.reject(new RangeError('oops')))],
])('VALID-8 a schema that %s is a failure', async (_, schema) => {
  const error = await rejectionOf(() => validate(schema, 1, 'validate-response', subject))
  expect(error).toMatchObject({ code: 'validate-response', status: 400, issues: [], refused: true })
  expect(error['cause']).toBeInstanceOf(RangeError)
  expect(error.message).toMatch('oops')
})

test.each([
  ['says nothing', schemaOf(() => undefined)],
  ['says nothing later', schemaOf(async () => undefined)],
  ['has issues and names none', schemaOf(() => ({ issues: [] }))],
  ['throws nothing', schemaOf(() => Promise.reject())],
])('VALID-6 VALID-8 a schema that %s is a failure too, and is not called asynchronous', async (_, schema) => {
  const error = await rejectionOf(() => validate(schema, 1, 'validate-response', subject))
  expect(error).toMatchObject({ code: 'validate-response', status: 400, issues: [], refused: true })
  expect(error.message).toMatch('"GET /a" was refused by its schema, which does not say why.')
})
