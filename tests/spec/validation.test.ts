import { type } from 'arktype'
import { isRestitchError, RestEndpoint } from 'restitch'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { json, openServer, type TestServer } from '../server.ts'

let server: TestServer

beforeAll(async () => {
  server = await openServer()
})
afterAll(() => server.close())

const make = (options: object): any => new RestEndpoint({ urlPrefix: server.origin, path: '/user/:id', ...options })

// Each of them turns the text of `born` into a number, and refuses a name that is too short.
const SCHEMAS = [
  [
    'zod',
    z.object({ name: z.string().min(2), born: z.string().transform(Number) }),
    z.object({ name: z.string().min(2), born: z.string().transform(async (text) => Number(text)) }),
  ],
  [
    'valibot',
    v.object({ name: v.pipe(v.string(), v.minLength(2)), born: v.pipe(v.string(), v.transform(Number)) }),
    v.objectAsync({
      name: v.pipe(v.string(), v.minLength(2)),
      born: v.pipeAsync(
        v.string(),
        v.transformAsync(async (text) => Number(text)),
      ),
    }),
  ],
  ['arktype', type({ name: 'string >= 2', born: 'string.integer.parse' }), undefined],
] as const

const GOOD = { name: 'Ann', born: '1999' }
const BAD = { name: 'A', born: '1999' }
const OUT = { name: 'Ann', born: 1999 }

test.each(SCHEMAS)('VALID-1 VALID-3 VALID-4 VALID-6 validateResponse of %s', async (_, schema) => {
  const endpoint = make({ validateResponse: schema, process: (value: object) => ({ ...value, seen: true }) })
  server.answer(json(GOOD))
  expect(await endpoint({ id: 1 })).toEqual({ ...OUT, seen: true })
  server.answer(json(BAD))
  const error = await endpoint({ id: 1 }).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'validate-response', status: 400, refused: true, response: BAD })
  expect(error.issues).toHaveLength(1)
  expect(error.issues[0].message).toBeTypeOf('string')
  expect(error.message).toMatch(`"GET ${server.origin}/user/1" was refused by its schema at "name": `)
  expect(isRestitchError(error)).toBe(true)
  expect(endpoint.errorPolicy(error)).toBe('soft')
  server.answer(json(null))
  await expect(endpoint({ id: 1 })).rejects.toMatchObject({ code: 'validate-response', response: null })
})

test.each(SCHEMAS.flatMap(([name, , later]) => (later ? [[name, later] as const] : [])))(
  'VALID-4 VALID-7 %s, asynchronous: a response waits for it, a body does not',
  async (_, schema) => {
    const endpoint = make({ validateResponse: schema })
    server.answer(json(GOOD))
    expect(await endpoint({ id: 1 })).toEqual(OUT)
    server.answer(json(BAD))
    await expect(endpoint({ id: 1 })).rejects.toMatchObject({ code: 'validate-response', status: 400, response: BAD })
    server.answer(json({}))
    const update = make({ method: 'PUT', validateBody: schema })
    const error = await update({ id: 1 }, GOOD).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ status: 400, issues: [] })
    expect(['validate-async', 'validate-body']).toContain(error.code)
    expect(server.received).toEqual([])
  },
)

test.each(SCHEMAS)('VALID-5 VALID-6 validateBody of %s', async (_, schema) => {
  const seen: unknown[] = []
  const update = make({
    method: 'PUT',
    validateBody: schema,
    process: (value: unknown, ...args: unknown[]) => (seen.push(...args), value),
  })
  server.answer(json({}))
  await update({ id: 1 }, GOOD)
  expect(JSON.parse(server.last.body.toString())).toEqual(OUT)
  expect(seen).toEqual([{ id: 1 }, GOOD])
  server.answer(json({}))
  const error = await update({ id: 1 }, BAD).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'validate-body', status: 400, refused: true })
  expect(error.issues).toHaveLength(1)
  expect(error.message).toMatch(`"PUT ${server.origin}/user/1" was refused by its schema at "name": `)
  expect(server.received).toEqual([])
})
