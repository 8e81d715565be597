// Runs recipes of docs/guide/auth.md, as they are printed, against a fake `fetch`.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { loadBlock, openStore, type Reply, type Sent, serve } from './guideBlocks.ts'

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
  const load = async () => {
    const module = await loadBlock('auth', 5)
    module.AuthdEndpoint.accessToken = 'old'
    return { ...module, ...openStore() }
  }
  const user = ({ url, headers }: Sent): Reply =>
    headers.get('Authorization') === 'Bearer new' ? [200, { id: url.at(-1), name: 'Ann' }] : [401]
  const countRefreshes = (requests: readonly Sent[]): number =>
    requests.filter(({ url }) => url.endsWith('/refresh')).length

  test('three requests share one refresh, and all succeed', async () => {
    const { UserResource, fetch } = await load()
    const requests = serve((sent) => (sent.url.endsWith('/refresh') ? [200, { token: 'new' }] : user(sent)))
    const users = await Promise.all(ids.map((id) => fetch(UserResource.get, { id })))
    expect(users.map(({ id }) => id)).toEqual(ids)
    expect([countRefreshes(requests), requests.length]).toEqual([1, 7])
  })

  test('a 401 that arrives after the refresh does not refresh again', async () => {
    const { UserResource, fetch } = await load()
    let release!: () => void
    const late = new Promise<void>((resolve) => (release = resolve))
    const requests = serve(async (sent) => {
      if (sent.url.endsWith('/refresh')) {
        return [200, { token: 'new' }]
      }
      if (sent.url.endsWith('/2') && sent.headers.get('Authorization') === 'Bearer old') {
        await late
      }
      return user(sent)
    })
    const second = fetch(UserResource.get, { id: '2' })
    await fetch(UserResource.get, { id: '1' })
    release()
    expect(await second).toMatchObject({ id: '2' })
    expect(countRefreshes(requests)).toBe(1)
  })

  test.each([
    ['is refused', [401] as Reply, 1, 4, ''],
    ['returns a token that is refused, too', [200, { token: 'bad' }] as Reply, 1, 7, 'bad'],
  ])('all reject with 401 if the refresh %s', async (_, reply, refreshes, all, token) => {
    const { UserResource, AuthdEndpoint, fetch } = await load()
    const requests = serve((sent) => (sent.url.endsWith('/refresh') ? reply : [401]))
    const results = await Promise.allSettled(ids.map((id) => fetch(UserResource.get, { id })))
    expect(results.map((result: any) => result.reason?.status)).toEqual([401, 401, 401])
    expect([countRefreshes(requests), requests.length]).toEqual([refreshes, all])
    expect([AuthdEndpoint.accessToken, AuthdEndpoint.refreshing]).toEqual([token, undefined])
  })

  test('an upload with progress is sent again with the new token', async () => {
    const { AuthdEndpoint, sendWithToken } = await load()
    const { sendWithProgress } = await loadBlock('uploads', 1)
    serve(() => [200, { token: 'new' }])
    const sent: [header: string, body: unknown][] = []
    class FakeRequest {
      status = 0
      response = '{"id":"1"}'
      upload: { onprogress?: (event: object) => void } = {}
      onload?: () => void
      open(): void {}
      setRequestHeader(name: string, value: string): void {
        this.status = value === 'Bearer new' ? 201 : 401
        sent.push([`${name}: ${value}`, undefined])
      }
      getResponseHeader = () => 'application/json'
      send(body: unknown): void {
        sent.at(-1)![1] = body
        this.upload.onprogress!({ loaded: 1, total: 2 })
        this.onload!()
      }
    }
    vi.stubGlobal('XMLHttpRequest', FakeRequest)
    const percents: number[] = []
    const upload = new AuthdEndpoint({ path: '/files', method: 'POST', body: {} as FormData }).extend({
      fetchResponse: (url: string, init: RequestInit) =>
        sendWithToken(
          url,
          init,
          sendWithProgress((percent: number) => percents.push(percent)),
        ),
    })
    const form = new FormData()
    expect(await upload(form)).toEqual({ id: '1' })
    expect(sent).toEqual([
      ['authorization: Bearer old', form],
      ['authorization: Bearer new', form],
    ])
    expect(percents).toEqual([50, 50])
  })

  test.each(['', 'of another user'])(
    'a refresh that ends after a sign-out does not change the token "%s"',
    async (token) => {
      const { UserResource, AuthdEndpoint, fetch } = await load()
      let release!: () => void
      const late = new Promise<void>((resolve) => (release = resolve))
      const requests = serve(async (sent) => {
        if (!sent.url.endsWith('/refresh')) {
          return [401]
        }
        await late
        return [200, { token: 'new' }]
      })
      const work = fetch(UserResource.get, { id: '1' })
      await vi.waitFor(() => expect(countRefreshes(requests)).toBe(1))
      AuthdEndpoint.accessToken = token
      release()
      await expect(work).rejects.toMatchObject({ status: 401 })
      expect([AuthdEndpoint.accessToken, AuthdEndpoint.refreshing]).toEqual([token, undefined])
    },
  )

  test('a refresh without a response keeps the session', async () => {
    const { UserResource, AuthdEndpoint, fetch } = await load()
    serve((sent) => {
      if (sent.url.endsWith('/refresh')) {
        throw new TypeError('offline')
      }
      return [401]
    })
    await expect(fetch(UserResource.get, { id: '1' })).rejects.toMatchObject({ code: 'transport', status: 500 })
    expect(AuthdEndpoint.accessToken).toBe('old')
  })
})
