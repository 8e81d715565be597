import { Collection, resource } from 'restitch'
import { getActivity } from './activity.ts'
import { ApiEndpoint, Versioned } from './api.ts'
import { Person } from './people.ts'

export class Comment extends Versioned {
  issue = ''
  author = Person.fromJS()
  body = ''
  createdAt = new Date(0)
  static override key = 'Comment'
  static override schema = { author: Person, createdAt: Date }
}

/** The comments of an issue: one list, whether it is read by its endpoint or as `issue.comments`. */
export const commentsOfIssue = new Collection([Comment], {
  argsKey: ({ issue }: { issue: string }) => ({ issue }),
  nestKey: ({ id }: { id: string }) => ({ issue: id }),
})

export const CommentResource = resource({
  path: '/issues/:issue/comments/:id',
  schema: Comment,
  // `author` shows who writes until the server says so.
  body: {} as { body: string; author?: string; createdAt?: string },
  Endpoint: ApiEndpoint,
  optimistic: true,
  mutationsExpire: [getActivity],
}).extend({
  getList: { schema: commentsOfIssue },
  partialUpdate: { path: '/comments/:id' },
  delete: { path: '/comments/:id', retry: (failures: number) => failures < 2 },
})
