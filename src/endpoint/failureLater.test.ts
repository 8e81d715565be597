import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import * as later from './loadFailureLater.ts'

// As in a browser, where the code for responses that cannot be used is a chunk of its own, and redirects are hidden.
const { loadFailure } = vi.hoisted(() => ({ loadFailure: vi.fn() }))
vi.mock('#failure', () => ({ loadFailure }))
vi.mock('#follow', () => import('./followNever.ts'))

const getUser: any = new RestEndpoint({
  urlPrefix: 'https://api.test',
  path: '/user',
  schema: {},
  getHeaders: (headers: object) => ({ ...headers, 'Access-Token': 'secret' }),
})

beforeEach(() => {
  loadFailure.mockImplementation(later.loadFailure)
})
afterEach(() => {
  vi.unstubAllGlobals()
  loadFailure.mockReset()
})

const respond = (response: Response, url = 'https://api.test/user', redirected = false): void => {
  Object.defineProperties(response, { url: { value: url }, redirected: { value: redirected } })
  vi.stubGlobal('fetch', async () => response)
}

test('FET-8 a response that can be used loads nothing', async () => {
  respond(Response.json({ name: 'Ann' }))
  expect(await getUser()).toEqual({ name: 'Ann' })
  respond(new Response(null))
  expect(await getUser()).toBeNull()
  const untyped = new Response(new TextEncoder().encode('1.2.3'))
  respond(untyped)
  expect(await getUser.extend({ schema: undefined })()).toBe('1.2.3')
  expect(loadFailure).not.toHaveBeenCalled()
})

test('FET-8 the first that failed does, and its error has the body', async () => {
  respond(Response.json({ message: 'No such user' }, { status: 404 }))
  await expect(getUser()).rejects.toMatchObject({ status: 404, message: 'No such user' })
})

test('FET-8 where it cannot be loaded, the error has no body', async () => {
  loadFailure.mockRejectedValue(new TypeError('Failed to fetch a module'))
  respond(Response.json({ message: 'No such user' }, { status: 404, statusText: 'Not Found' }))
  await expect(getUser()).rejects.toMatchObject({
    name: 'NetworkError',
    status: 404,
    message: '404 Not Found',
    body: undefined,
  })
})

test.each([
  ['https://api.test/other', false],
  ['https://evil.test/user', true],
])('FET-6 FET-8 a redirect to %s is refused: %s', async (url, isRefused) => {
  respond(Response.json({ name: 'Ann' }), url, true)
  if (isRefused) {
    await expect(getUser()).rejects.toMatchObject({ code: 'redirect-origin', refused: true })
  } else {
    expect(await getUser()).toEqual({ name: 'Ann' })
  }
})

test('FET-6 FET-8 where its origin cannot be checked, a redirected response is rejected', async () => {
  loadFailure.mockRejectedValue(new TypeError('Failed to fetch a module'))
  respond(Response.json({ name: 'Ann' }), 'https://api.test/other', true)
  await expect(getUser()).rejects.toMatchObject({ code: 'transport' })
})

test.each<[string, string, object | unknown[]]>([
  ['[5]', 'text/plain', [5]],
  ['<html>', 'text/html', { code: 'response-text', status: 404, refused: true, body: '<html>' }],
  ['x', 'image/png', { code: 'response-binary', status: 400, refused: true }],
])('PAR-9 PAR-10 FET-8 %s of the type %s', async (body, type, outcome) => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  respond(new Response(body, { headers: { 'content-type': type } }))
  await expect(getUser().catch((error: unknown) => error)).resolves.toMatchObject(outcome)
})

test('FET-8 text and binary content without a schema load it, and are rejected without it', async () => {
  const getText = getUser.extend({ schema: undefined })
  respond(new Response('1.2.3', { headers: { 'content-type': 'text/plain' } }))
  expect(await getText()).toBe('1.2.3')
  respond(new Response('x', { headers: { 'content-type': 'image/png' } }))
  expect(await getText()).toMatchObject({ size: 1 })
  loadFailure.mockRejectedValue(new TypeError('Failed to fetch a module'))
  respond(new Response('1.2.3', { headers: { 'content-type': 'text/plain' } }))
  await expect(getText()).rejects.toThrow('Failed to fetch a module')
  // An explicit content needs no code that looks at the type.
  respond(new Response('1.2.3', { headers: { 'content-type': 'text/plain' } }))
  expect(await getText.extend({ content: 'text' })()).toBe('1.2.3')
})
