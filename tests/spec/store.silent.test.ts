// Data that was wrong or gone without a request or an error. Every request is sent, and the server of the test responds.
import { createStore, Entity, GCPolicy, Query, resource } from 'restitch'
import { describe, expect, test } from 'vitest'
import { TestClock } from '../../src/testing/TestClock.ts'

class Author extends Entity {
  id = ''
  name = ''
  static override key = 'Author'
}

class Post extends Entity {
  id = ''
  title = ''
  author: Author | undefined = undefined
  static override key = 'Post'
  static override schema = { author: Author }
}

describe('what is held by hand', () => {
  const rows = (): object[] => [{ id: '1', title: 'a', author: { id: '7', name: 'Ann' } }]
  const open = (): { store: ReturnType<typeof createStore>; Posts: any; clock: TestClock } => {
    const clock = new TestClock()
    const store = createStore({ clock, gcPolicy: new GCPolicy({ intervalMS: 5_000 }) })
    const fetchResponse = (_url: unknown, { method, body }: RequestInit): Promise<Response> =>
      Promise.resolve(
        Response.json(
          method === 'POST' ? { id: '2', author: { id: '8', name: 'Bob' }, ...JSON.parse(body as string) } : rows(),
        ),
      )
    const Posts: any = resource({ path: '/posts/:id', schema: Post, fetchResponse } as never)
    return { store, Posts, clock }
  }

  test.each(['endpoint', 'list', 'query'])(
    'GC-2 CTL-16 countRef() of an %s holds a record that has joined it since, and all it shows',
    async (kind) => {
      const { store, Posts, clock } = open()
      const { controller } = store
      await controller.fetch(Posts.getList)
      const target: any = {
        endpoint: Posts.getList,
        list: Posts.getList.schema,
        query: new Query(Posts.getList.schema),
      }[kind]
      const read = (): any =>
        kind === 'endpoint' ? controller.getResponse(target, {}) : controller.getQueryMeta(target, {})
      const release = read().countRef()
      await clock.pass(45_000)
      await controller.fetch(Posts.create, { title: 'b' })
      await clock.pass(200_000)
      expect(read().data.map(({ title, author }: Post) => [title, author?.name])).toEqual([
        ['a', 'Ann'],
        ['b', 'Bob'],
      ])
      release()
      await clock.pass(200_000)
      expect(store.getState().entities).toEqual({})
      store.stop()
    },
  )

  test('GC-2 a query that throws while it is held holds what it has read', async () => {
    const { store, Posts, clock } = open()
    const { controller } = store
    await controller.fetch(Posts.getList)
    const query = new Query(Posts.getList.schema, (posts: any) => {
      if (posts.length > 1) {
        throw new Error('of the app')
      }
      return posts
    })
    controller.getQueryMeta(query, {}).countRef()
    await controller.fetch(Posts.create, { title: 'b' })
    await clock.pass(400_000)
    expect(Object.keys(store.getState().entities['Post']!)).toEqual(['1', '2'])
    store.stop()
  })
})
