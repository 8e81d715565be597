import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldErrors } from './fieldErrors.ts'

const of = (body: unknown, status = 422): unknown => Object.assign(new Error('no'), { status, body })
const parsed = z
  .object({
    title: z.string().min(1, 'A title is required'),
    items: z.array(z.object({ count: z.number('No number') })),
  })
  .safeParse({ title: '', items: [{ count: 1 }, { count: 'x' }] }).error!
const zodErrors = { title: ['A title is required'], 'items.1.count': ['No number'] }
const both = { title: ['is too short', 'is taken'], age: ['must be positive'] }

test.each<[string, unknown, object]>([
  [
    'RFC 9457: pointers',
    {
      type: 'https://api.test/invalid',
      title: 'Your request is not valid.',
      errors: [
        { detail: 'must be positive', pointer: '#/age' },
        { detail: 'is too short', pointer: '#/address/zip~1code' },
        { detail: 'the whole of it', pointer: '#' },
      ],
    },
    { age: ['must be positive'], 'address.zip/code': ['is too short'], '': ['the whole of it'] },
  ],
  [
    'RFC 7807: invalid_params',
    { title: 'Invalid', 'invalid-params': [{ name: 'age', reason: 'must be positive' }] },
    { age: ['must be positive'] },
  ],
  [
    'Rails',
    { errors: { title: ['is too short', 'is taken'], age: ['must be positive'], base: ['is locked'] } },
    { ...both, '': ['is locked'] },
  ],
  ['Rails, without a wrapper', { title: ['is too short', 'is taken'], age: ['must be positive'] }, both],
  [
    'Laravel',
    {
      message: 'The title is taken. (and 1 more error)',
      errors: { title: ['is too short', 'is taken'], 'items.0.name': ['is required'] },
    },
    { title: both.title, 'items.0.name': ['is required'] },
  ],
  [
    'Django REST framework',
    { title: ['is too short', 'is taken'], age: ['must be positive'], non_field_errors: ['starts after it ends'] },
    { ...both, '': ['starts after it ends'] },
  ],
  [
    'Django REST framework, nested',
    { address: { city: ['is required'] }, items: [{}, { name: ['is required'] }], tags: { '0': ['is too long'] } },
    { 'address.city': ['is required'], 'items.1.name': ['is required'], 'tags.0': ['is too long'] },
  ],
  ['a text per field', { errors: { title: 'A title is required' } }, { title: ['A title is required'] }],
  [
    'ASP.NET',
    {
      title: 'One or more validation errors occurred.',
      status: 400,
      errors: { Title: ['is required'], '$.due': ['no date'] },
      traceId: 'x',
    },
    { Title: ['is required'], due: ['no date'] },
  ],
  [
    'FastAPI',
    { detail: [{ type: 'missing', loc: ['body', 'items', 0, 'name'], msg: 'Field required', input: {} }] },
    { 'items.0.name': ['Field required'] },
  ],
  [
    'JSON:API',
    {
      errors: [
        { status: '422', source: { pointer: '/data/attributes/title' }, title: 'Invalid', detail: 'is too short' },
        { source: { pointer: '/data/relationships/author' }, title: 'is missing' },
        { source: { parameter: 'sort' }, detail: 'is unknown' },
        { source: { pointer: '/data' }, detail: 'is locked' },
      ],
    },
    { title: ['is too short'], author: ['is missing'], sort: ['is unknown'], '': ['is locked'] },
  ],
  [
    'Symfony',
    { violations: [{ propertyPath: 'items[0].name', message: 'is required' }] },
    { 'items.0.name': ['is required'] },
  ],
  [
    'express-validator',
    { errors: [{ type: 'field', value: '', msg: 'is required', path: 'title', location: 'body' }] },
    { title: ['is required'] },
  ],
  [
    'class-validator',
    { message: [{ property: 'title', constraints: { isNotEmpty: 'is required' } }], statusCode: 400 },
    { title: ['is required'] },
  ],
  [
    'NestJS',
    { statusCode: 400, message: ['title should not be empty'], error: 'Bad Request' },
    { '': ['title should not be empty'] },
  ],
  [
    'Mongoose',
    { errors: { title: { name: 'ValidatorError', message: 'is required', path: 'title' } } },
    { title: ['is required'] },
  ],
  ['zod: issues', { issues: parsed.issues }, zodErrors],
  ['zod: the error in an envelope', { success: false, error: { name: 'ZodError', issues: parsed.issues } }, zodErrors],
  ['zod: the error as JSON', { success: false, error: { name: 'ZodError', message: parsed.message } }, zodErrors],
  [
    'zod: flattened',
    { formErrors: ['is locked'], fieldErrors: { title: ['A title is required'] } },
    { '': ['is locked'], title: ['A title is required'] },
  ],
  ['zod: formatted', { _errors: [], title: { _errors: ['A title is required'] } }, { title: ['A title is required'] }],
  [
    'WordPress',
    {
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): title, age',
      data: {
        status: 400,
        params: { title: 'is too short', age: 'must be positive' },
        details: { title: { code: 'rest_too_short', message: 'is too short', data: null } },
      },
    },
    { title: ['is too short'], age: ['must be positive'] },
  ],
  [
    'WordPress: details alone',
    {
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): title',
      data: { status: 400, details: { title: { code: 'rest_too_short', message: 'is too short', data: null } } },
    },
    { title: ['is too short'] },
  ],
  [
    'WordPress: parameters that are missing',
    {
      code: 'rest_missing_callback_param',
      message: 'Missing parameter(s): title',
      data: { status: 400, params: ['title'] },
    },
    { title: ['Missing parameter(s): title'] },
  ],
  [
    'Django REST framework: a field called data',
    { data: { params: ['is required'] } },
    { 'data.params': ['is required'] },
  ],
  ['Rails: a field called data', { data: ['is required'] }, { data: ['is required'] }],
  [
    'Feathers',
    {
      name: 'BadRequest',
      message: 'validation failed',
      code: 400,
      className: 'bad-request',
      data: [
        { instancePath: '/age', keyword: 'minimum', params: { limit: 1 }, message: 'must be positive' },
        { instancePath: '', keyword: 'required', params: { missingProperty: 'title' }, message: 'is required' },
      ],
      errors: {},
    },
    { age: ['must be positive'], title: ['is required'] },
  ],
  [
    'Ajv',
    [
      { instancePath: '/items/0', keyword: 'required', params: { missingProperty: 'name' }, message: 'is required' },
      { instancePath: '', params: { additionalProperty: 'extra' }, message: 'is too much' },
      { instancePath: '', keyword: 'oneOf', params: {}, message: 'is wrong' },
    ],
    { 'items.0.name': ['is required'], extra: ['is too much'], '': ['is wrong'] },
  ],
  [
    'Directus',
    {
      errors: [
        { message: 'has to be unique', extensions: { code: 'RECORD_NOT_UNIQUE', collection: 'posts', field: 'title' } },
        { message: 'is required', extensions: { code: 'FAILED_VALIDATION', field: 'age', path: [], type: 'nnull' } },
        { message: 'is locked', extensions: { code: 'FORBIDDEN' } },
      ],
    },
    { title: ['has to be unique'], age: ['is required'], '': ['is locked'] },
  ],
  ['texts alone', { errors: ['Title is too short'] }, { '': ['Title is too short'] }],
])('FLD-1 %s', (_, body, expected) => {
  expect(fieldErrors(of(body))).toEqual(expected)
})

test.each<[string, unknown]>([
  ['no error', undefined],
  ['a text', 'no'],
  ['an error without a status', new Error('no')],
  ['a message alone', of({ message: 'Bad request', code: 'E_BAD', error: 'bad' }, 400)],
  ['a problem without fields', of({ type: 'about:blank', title: 'Bad Request', detail: 'No', status: 400 }, 400)],
  ['a body that is text', of('<html>errors</html>', 400)],
  ['a body that is null', of(null, 400)],
  ['a 404', of({ errors: { title: ['is required'] } }, 404)],
  ['a 500', of({ errors: { title: ['is required'] } }, 500)],
  ['a response that was refused', Object.assign(of({ errors: { title: ['x'] } }, 400) as object, { refused: true })],
  ['messages that are no messages', of({ errors: { title: [5, null, true], age: null } })],
  ['a ZodError that is no JSON', of({ name: 'ZodError', message: '[{' })],
])('FLD-2 %s has no fields', (_, error) => {
  expect(fieldErrors(error)).toEqual({})
})

test('FLD-3 the issues of a validator have the same form', () => {
  expect(fieldErrors(Object.assign(new Error('no'), { status: 400, refused: true, issues: parsed.issues }))).toEqual(
    zodErrors,
  )
  const issues = [{ message: 'is required', path: [{ key: 'items' }, { key: 0 }] }, { message: 'is locked' }]
  expect(fieldErrors(Object.assign(new Error('no'), { issues }))).toEqual({
    'items.0': ['is required'],
    '': ['is locked'],
  })
})

test('FLD-4 a shape of your own comes first; where it finds nothing, the common ones follow', () => {
  const read = (body: { faults?: { on: string; text: string }[] }) =>
    body.faults?.map(({ on, text }) => [on, text] as const)
  expect(fieldErrors(of({ faults: [{ on: 'title', text: 'is taken' }], errors: { age: ['x'] } }), read)).toEqual({
    title: ['is taken'],
  })
  expect(fieldErrors(of({ errors: { age: ['x'] } }), read)).toEqual({ age: ['x'] })
})

test('FLD-5 hostile bodies do no harm', () => {
  const errors = fieldErrors(of(JSON.parse('{"errors":{"__proto__":["a"],"constructor":["b"],"toString":["c"]}}')))
  expect(Object.keys(errors).sort()).toEqual(['__proto__', 'constructor', 'toString'])
  expect([({} as any).a, fieldErrors(undefined)['constructor']]).toEqual([undefined, undefined])
  let deep: object = { errors: ['end'] }
  for (let i = 0; i < 5_000; i++) {
    deep = i % 2 ? { error: deep } : { x: [deep] }
  }
  expect(fieldErrors(of(deep))).toEqual({})
  expect(fieldErrors(of({ errors: { title: ['a', 'a', 'b'] } }))).toEqual({ title: ['a', 'b'] })
})
