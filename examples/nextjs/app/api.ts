// Used by server components and in the browser alike: `restitch` itself knows nothing of React.
import { Entity, resource } from 'restitch'

export class Post extends Entity {
  id = ''
  title = ''
  static key = 'Post'
}

export const PostResource = resource({
  urlPrefix: process.env.NEXT_PUBLIC_API ?? 'http://localhost:4000',
  path: '/posts/:id',
  schema: Post,
  // A change shows before its response arrives.
  optimistic: true,
})
