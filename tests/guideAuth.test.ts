// Runs the recipe of docs/guide/auth.md for a token that expires, as it is printed, against a fake `fetch`.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { loadBlock, openStore, type Reply, type Sent, serve } from './guideBlocks.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('auth: a token that expires', () => {
  const ids = ['1', '2', '3']
  const load = async () => {
    const { UserResource, AuthdEndpoint } = await loadBlock('auth', 5, 'AuthdEndpoint')
    AuthdEndpoint.accessToken = 'old'
    return { UserResource, AuthdEndpoint, ...openStore() }
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
