import { Collection, Entity, resource, Union } from 'restitch'
import { GitHubEndpoint, gql } from './session.ts'

export class User extends Entity {
  id = 0
  login = ''
  static override key = 'User'
}

export class Repo extends Entity {
  id = 0
  name = ''
  fullName = ''
  owner = User.fromJS()
  description = ''
  stargazersCount = 0
  // Searches leave these out.
  topics: string[] = []
  subscribersCount = 0
  static override key = 'Repo'
  static override schema = { owner: User }
}

export class Issue extends Entity {
  id = 0
  number = 0
  title = ''
  user = User.fromJS()
  state = ''
  body = ''
  static override key = 'Issue'
  static override schema = { user: User }
}

export class Reaction extends Entity {
  id = 0
  content = ''
  user = User.fromJS()
  static override key = 'Reaction'
  static override schema = { user: User }
}

abstract class RepoEvent extends Entity {
  id = ''
  actor = User.fromJS()
}
export class PushEvent extends RepoEvent {
  type = 'PushEvent' as const
  payload = { ref: '', size: 0 }
  static override key = 'PushEvent'
  static override schema = { actor: User }
}
export class IssuesEvent extends RepoEvent {
  type = 'IssuesEvent' as const
  payload = { action: '', issue: Issue.fromJS() }
  static override key = 'IssuesEvent'
  static override schema = { actor: User, payload: { issue: Issue } }
}
export class WatchEvent extends RepoEvent {
  type = 'WatchEvent' as const
  static override key = 'WatchEvent'
  static override schema = { actor: User }
}

export const getViewer = gql.query(
  `{ viewer { id: databaseId login name repositories(first: 5) { totalCount nodes { id: databaseId fullName: nameWithOwner } } } }`,
  { viewer: { id: 0, login: '', name: '', repositories: { totalCount: 0, nodes: [Repo] } } },
)

export const searchRepos = new GitHubEndpoint({
  path: '/search/repositories',
  searchParams: {} as { q: string },
  schema: { data: { items: [Repo], totalCount: 0 } },
})

export const getRepo = new GitHubEndpoint({ path: '/repos/:owner/:name', schema: Repo })

export const getEvents = new GitHubEndpoint({
  path: '/repos/:owner/:name/events',
  schema: [new Union({ PushEvent, IssuesEvent, WatchEvent }, 'type')],
})

export const getIssue = new GitHubEndpoint({ path: '/repos/:owner/:name/issues/:number', schema: Issue })

export const getIssues = new GitHubEndpoint({
  path: '/repos/:owner/:name/issues',
  schema: { issues: new Collection([Issue]), next: '' },
  paginationField: 'page',
  // The next page is in a header: `link: </issues?page=2>; rel="next"`.
  async parseResponse(response) {
    const next = /[?&]page=(\d+)[^>]*>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    return { issues: await super.parseResponse(response), next }
  },
  getNextPage: ({ next }) => next,
})

export const Reactions = resource({
  path: '/repos/:owner/:name/issues/:number/reactions/:id',
  schema: Reaction,
  body: {} as { content: string },
  Endpoint: GitHubEndpoint,
  optimistic: true,
}).extend({
  create: {
    // The request names the content alone, and the page also shows whose reaction it is.
    getOptimisticResponse: (snapshot, _params, body) => ({
      ...body,
      user: snapshot.getResponse(getViewer).data?.viewer,
    }),
  },
})
