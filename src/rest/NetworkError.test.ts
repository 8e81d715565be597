import { expect, test } from 'vitest'
import { isRestitchError } from '../base/errors.ts'
import { NetworkError } from './NetworkError.ts'

function answer(init: ResponseInit, url: string): Response {
  return Object.defineProperty(new Response('body', init), 'url', { value: url })
}

test.each([
  [{ status: 404, statusText: 'Not Found' }, 'http://x/a', 'http://x/a: Not Found'],
  [{ status: 503, statusText: '' }, 'http://x/a', "http://x/a: Status not 'ok': 503"],
  [{ status: 500, statusText: 'Oops' }, '', '/asked: Oops'],
])('FET-2 message of %o from %s', (init, url, message) => {
  const response = answer(init, url)
  const error = new NetworkError(response, '/asked', 'GET')
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({ name: 'NetworkError', status: init.status, message, url: '/asked', method: 'GET' })
  expect(error.response).toBe(response)
  expect('refused' in error).toBe(false)
  expect(JSON.parse(JSON.stringify(error))).toEqual({ name: 'NetworkError', status: init.status, message, url })
})

test('FET-2 G-8 an app may make one from a Response alone; it is no error of the library', async () => {
  const error = new NetworkError(answer({ status: 400 }, 'http://x/a'))
  expect(error.url).toBe('http://x/a')
  expect(await error.response.text()).toBe('body')
  expect(isRestitchError(error)).toBe(false)
})
