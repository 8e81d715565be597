import { readFileSync } from 'node:fs'
import * as restitch from 'restitch'
import { expect, test } from 'vitest'
import { catchError } from '../../src/testing/outcomes.ts'
import { bundle, runAlone } from '../bundle.ts'

const APP = `import * as restitch from 'restitch'; globalThis.restitch = restitch`
// Globals that every platform with fetch has.
const PLATFORM = { fetch, Headers, Request, Response, URLSearchParams }

test('G-1 exports the names that api/restitch.txt records', () => {
  const [names = ''] = readFileSync('api/restitch.txt', 'utf8').split('\n\n')
  expect(Object.keys(restitch).toSorted()).toEqual(names.split('\n'))
})

test('G-2 G-4 works without eval, where the platform has fetch and URLSearchParams and not much else', async () => {
  const fetch = async (url: string, init: RequestInit) => Response.json({ url, method: init.method, body: init.body })
  const world = runAlone(await bundle(APP), { ...PLATFORM, fetch })
  const { RestEndpoint } = world['restitch'] as typeof restitch
  const addUser = new RestEndpoint({
    urlPrefix: 'https://api.test',
    path: '/users/:group',
    method: 'POST',
    searchParams: {} as { sure: boolean },
  })
  expect(await addUser({ group: 'a b', sure: true }, { name: 'Ann' })).toEqual({
    url: 'https://api.test/users/a%20b?sure=true',
    method: 'POST',
    body: '{"name":"Ann"}',
  })
})

test('G-3 contacts no host until it is called', async () => {
  const sent: unknown[] = []
  const code = await bundle(APP)
  const { RestEndpoint } = runAlone(code, { ...PLATFORM, fetch: (url: unknown) => sent.push(url) })['restitch']
  new RestEndpoint({ urlPrefix: 'https://api.test', path: '/users/:id' }).key({ id: 5 })
  expect(sent).toEqual([])
  // The link of errors to their explanation is the only address in the bundle.
  expect(code.match(/https?:\/\/[\w.-]+/g)).toEqual(['https://unpkg.com'])
})

test.each([
  [
    'development',
    (code: string) =>
      new RegExp(`^Missing parameters: id.*\\[${code}\\] https://unpkg.com/restitch/docs/errors.md#${code}$`),
  ],
  ['production', (code: string) => new RegExp(`^${code}: .*id`)],
] as const)('G-6 G-8 an error in %s has a code, a subject and a page', async (mode, message) => {
  // In a browser the bundler has written the mode into the text, and there is no `process`.
  const { RestEndpoint, isRestitchError } = runAlone(await bundle(APP, mode), PLATFORM)['restitch']
  const getUser = new RestEndpoint({ path: '/users/:id' })
  const error = catchError(() => getUser.url({}))
  expect(isRestitchError(error)).toBe(true)
  expect(error).toMatchObject({
    name: 'RestitchError',
    page: `https://unpkg.com/restitch/docs/errors.md#${error.code}`,
  })
  expect(error.message).toMatch(message(error.code))
})

test('G-7 development and production make the same of the same input', async () => {
  const seen = []
  for (const mode of ['development', 'production'] as const) {
    const sent: unknown[] = []
    const fetch = async (url: string, init: RequestInit) => {
      sent.push([url, init.method, init.body, init.headers])
      return Response.json({ id: 5, tags: ['a'] }, { status: url.endsWith('/6') ? 404 : 200 })
    }
    const { RestEndpoint } = runAlone(await bundle(APP, mode), { ...PLATFORM, fetch })['restitch']
    const getUser = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/users/:id' })
    const update = getUser.extend({ method: 'PATCH' })
    const fault = await getUser({ id: 6 }).catch((error: unknown) => error)
    const results = [await getUser({ id: 5, b: 1, a: null }), await update({ id: 5 }, { name: 'Ann' }), fault.toJSON()]
    seen.push(JSON.stringify([sent, results, getUser.key({ id: 5 }), update.testKey('PATCH https://api.test/users/5')]))
  }
  expect(seen[0]).toBe(seen[1])
})

test.each([new Error('x'), new TypeError('x'), { code: 'x' }, { code: 'ENOENT', page: 'x' }, null, undefined, 'x', 0])(
  'G-8 %s is no error of the library',
  (value) => expect(restitch.isRestitchError(value)).toBe(false),
)
