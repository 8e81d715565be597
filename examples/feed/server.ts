import { Reply, serveRoutes } from './shared/api.ts'
import type { Api } from './shared/config.ts'

interface Post {
  id: string
  title: string
  author: { id: string; name: string }
  likes: number
  liked: boolean
  body: string
}

const PAGE = 10
const AUTHORS = ['Ada Byron', 'Grace Hopper', 'Alan Turing'].map((name, index) => ({ id: `u${index + 1}`, name }))
const READERS = ['Edsger Dijkstra', 'Barbara Liskov'].map((name, index) => ({ id: `u${index + 4}`, name }))
const ME = { id: 'u9', name: 'You' }
const USERS = [...AUTHORS, ...READERS, ME]
const COMMENTS = [
  { text: 'I was there.', authorId: 'u4' },
  { text: 'Prove it.', authorId: 'u5' },
  // This user has left.
  { text: 'So was I.', authorId: 'u8' },
  { text: 'Thank you.', authorId: 'u4' },
]

/** A feed, newest first. Pages are found by a cursor, and their posts have no body. */
export function createApi(): Api {
  const posts: Post[] = Array.from({ length: 25 }, (_, index) => ({
    id: String(25 - index),
    title: `Post number ${25 - index}`,
    author: AUTHORS[index % AUTHORS.length]!,
    likes: index,
    liked: false,
    body: `This is the whole text of post number ${25 - index}.`,
  }))
  let lastId = posts.length

  return {
    middleware: serveRoutes({
      'GET /api/posts': ({ query }) => {
        const cursor = query.get('cursor')
        const start = cursor ? posts.findIndex(({ id }) => id === cursor) + 1 : 0
        const page = posts.slice(start, start + PAGE)
        const hasMore = start + PAGE < posts.length
        return { posts: page.map(({ body: _, ...summary }) => summary), next_cursor: hasMore ? page.at(-1)?.id : null }
      },
      'POST /api/posts': ({ body: { title, body } }) => {
        if (!title.trim()) {
          throw new Reply(422, { message: 'A post needs a title' })
        }
        const post = { id: String(++lastId), title, body, author: ME, likes: 0, liked: false }
        posts.unshift(post)
        return new Reply(201, post)
      },
      'GET /api/posts/:id': ({ params }) => find(params.id),
      'GET /api/posts/:id/comments': ({ params }) =>
        COMMENTS.map(({ text, authorId }, index) => ({ id: `${find(params.id).id}-${index + 1}`, text, authorId })),
      'GET /api/users': ({ query }) => {
        const ids = new Set(query.get('ids')?.split(','))
        return USERS.filter(({ id }) => ids.has(id))
      },
      'GET /api/users/:id': ({ params }) => {
        const user = USERS.find(({ id }) => id === params.id)
        return user ?? new Reply(404, { message: 'This user does not exist' })
      },
      'PUT /api/posts/:id/like': ({ params }) => like(find(params.id), true),
      'DELETE /api/posts/:id/like': ({ params }) => like(find(params.id), false),
    }),
  }

  function find(id: string | undefined): Post {
    const post = posts.find((other) => other.id === id)
    if (!post) {
      throw new Reply(404, { message: 'This post does not exist' })
    }
    return post
  }

  function like(post: Post, liked: boolean): object {
    post.likes += Number(liked) - Number(post.liked)
    post.liked = liked
    return { id: post.id, likes: post.likes, liked }
  }
}
