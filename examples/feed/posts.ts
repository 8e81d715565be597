import { Collection, Entity, resource } from 'restitch'
import { withBatch } from 'restitch/batch'

export class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}

export class Post extends Entity {
  id = ''
  title = ''
  author = User.fromJS()
  likes = 0
  liked = false
  /** Missing in the feed: only `Posts.get` has it. */
  body = ''
  static override key = 'Post'
  static override schema = { author: User }
}

export const Posts = resource({
  path: '/api/posts/:id',
  schema: Post,
  body: {} as { title: string; body: string },
  paginationField: 'cursor',
  optimistic: true,
})
  .extend({
    getList: {
      // { posts: [...], next_cursor: '15' }
      schema: { posts: new Collection([Post]), next_cursor: '' },
      getNextPage: (response: { next_cursor: string | null }) => response.next_cursor,
    },
  })
  .extend('like', {
    path: '/api/posts/:id/like',
    method: 'PUT',
    body: undefined,
    // The expected response. It is shown at once and rolled back if the request fails.
    getOptimisticResponse(snapshot, { id }) {
      const post = snapshot.get(Post, { id })
      if (!post) {
        throw snapshot.abort
      }
      // The post may have been fetched after the server had counted this like.
      return { id, liked: true, likes: post.likes + (post.liked ? 0 : 1) }
    },
  })
  .extend('unlike', {
    path: '/api/posts/:id/like',
    method: 'DELETE',
    getOptimisticResponse(snapshot, { id }) {
      const post = snapshot.get(Post, { id })
      if (!post) {
        throw snapshot.abort
      }
      return { id, liked: false, likes: post.likes - (post.liked ? 1 : 0) }
    },
  })

export class Comment extends Entity {
  id = ''
  text = ''
  authorId = ''
  static override key = 'Comment'
}

export const Comments = resource({ path: '/api/posts/:postId/comments/:id', schema: Comment })

/** Authors that are shown together are fetched with one request: `/api/users?ids=u1,u2`. Those of the feed are there already. */
export const Users = resource({ path: '/api/users/:id', schema: User }).extend(({ get }) => ({
  get: withBatch(get, { param: 'ids', max: 50 }),
}))
