// Runs recipes of docs/guide/auth.md, as they are printed, against a fake `fetch`.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { countBlocks, loadBlock, type Reply, type Sent, serve } from './guideBlocks.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('auth: the token of a login is sent, and is not in the store', async () => {
  const { logIn, logOut, UserResource, controller } = await loadBlock('auth', 1, 'controller')
  const requests = serve(({ url }) => [200, url.endsWith('/login') ? { token: 'secret' } : { id: '1', name: 'Ann' }])
  await logIn('ann', 'password')
  await controller.fetch(UserResource.get, { id: '1' })
  expect(Object.keys(controller.getState().endpoints)).toEqual(['GET https://api.test/users/1'])
  await logOut()
  await controller.fetch(UserResource.get, { id: '1' })
  expect(requests.map(({ headers }) => headers.get('Access-Token'))).toEqual([null, 'secret', null])
})

describe('auth: a token that expires', () => {
  const ids = ['1', '2', '3']
  const stored = new Map<string, string>()
  const load = async () => {
    stored.set('session', '{"accessToken":"old","refreshToken":"r"}')
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => stored.set(name, value),
      removeItem: (name: string) => stored.delete(name),
    })
    const assign = vi.fn()
    vi.stubGlobal('location', { assign })
    vi.resetModules()
    const module = await loadBlock('auth', 5)
    return { ...module, assign, fetch: module.store.controller.fetch }
  }
  const user = ({ url, headers }: Sent): Reply =>
    headers.get('Authorization') === 'Bearer new' ? [200, { id: url.at(-1), name: 'Ann' }] : [401]

  test('three requests share one refresh, and all succeed', async () => {
    const { Users, fetch } = await load()
    const requests = serve((sent) =>
      sent.url.endsWith('/refresh')
        ? [200, { accessToken: 'new', refreshToken: `${sent.body.refreshToken}+` }]
        : user(sent),
    )
    const users = await Promise.all(ids.map((id) => fetch(Users.get, { id })))
    expect(users.map(({ id }: any) => id)).toEqual(ids)
    expect(requests.length).toBe(7)
    expect(JSON.parse(stored.get('session')!)).toMatchObject({ accessToken: 'new', refreshToken: 'r+' })
  })

  test('a refused refresh signs out; signing in starts again', async () => {
    const { Users, fetch, assign, signIn } = await load()
    serve((sent) => (sent.url.endsWith('/login') ? [200, { accessToken: 'new', refreshToken: 'r' }] : user(sent)))
    await expect(fetch(Users.get, { id: '1' })).rejects.toMatchObject({ code: 'signed-out', reason: 'refused' })
    await vi.waitFor(() => expect(assign).toHaveBeenCalledWith('/login?reason=refused'))
    // The lease of the refresh ends with it.
    await vi.waitFor(() => expect(stored.size).toBe(0))
    await signIn('ann', 'password')
    expect(await fetch(Users.get, { id: '1' })).toMatchObject({ id: '1' })
  })

  test('with a cookie, the first token is requested', async () => {
    const { auth } = await loadBlock('auth', countBlocks('auth', '### The refresh token is in a cookie'))
    const requests = serve((sent) => (sent.url.endsWith('/refresh') ? [200, { accessToken: 'new' }] : user(sent)))
    const getUser = new auth.Endpoint({ urlPrefix: 'https://api.test', path: '/users/:id' })
    expect(await getUser({ id: '1' })).toEqual({ id: '1', name: 'Ann' })
    expect(requests.map(({ url }) => url)).toEqual(['https://api.test/refresh', 'https://api.test/users/1'])
  })
})
