import { Reply, serveRoutes, type ApiRequest, type Route } from './shared/api.ts'
import type { Api } from './shared/config.ts'

export interface GitHubApi extends Api {
  /** Ends the current access token, as time does. */
  expire(): void
  /** Makes all tokens invalid, as an owner can at any time. */
  revoke(): void
}

const PAGE = 5
const VIEWER = { id: 1, login: 'mona', name: 'Mona Lisa' }
const OTHERS = [
  { id: 2, login: 'hubert' },
  { id: 3, login: 'cleo' },
]
const REPOS = ['anvil', 'rocket', 'catapult'].map((name, index) => ({
  id: index + 1,
  name,
  full_name: `acme/${name}`,
  owner: { id: 10, login: 'acme' },
  description: `A small ${name}`,
  stargazers_count: 30 - index * 10,
}))

/** A part of the API of GitHub, with one difference: the search wraps its results twice. The code to sign in with is `secret`. */
export function createApi(): GitHubApi {
  // Each refresh token is good for one refresh.
  let access: string | undefined
  let refresh: string | undefined
  let lastToken = 0
  let lastReaction = 1
  const reactions = [{ id: 1, content: 'heart', user: OTHERS[0], issue: 12 }]
  const issues = Array.from({ length: 12 }, (_, index) => ({
    id: 112 - index,
    number: 12 - index,
    title: `Problem number ${12 - index}`,
    user: OTHERS[index % 2],
    state: 'open',
  }))

  const routes: Record<string, Route> = {
    'GET /api/search/repositories': ({ query }) => {
      const items = REPOS.filter(({ name }) => name.includes(query.get('q') ?? ''))
      return { data: { total_count: items.length, items } }
    },
    'GET /api/repos/:owner/:name': ({ params }) => ({
      ...findRepo(params),
      topics: ['physics', 'comedy'],
      subscribers_count: 4,
    }),
    'GET /api/repos/:owner/:name/issues': ({ params, query }) => {
      const page = Number(query.get('page') ?? 1)
      const url = `/api/repos/${findRepo(params).full_name}/issues`
      const hasNext = page * PAGE < issues.length
      const link = hasNext ? { link: `<${url}?page=${page + 1}>; rel="next", <${url}?page=3>; rel="last"` } : {}
      return new Reply(200, issues.slice((page - 1) * PAGE, page * PAGE), link)
    },
    'GET /api/repos/:owner/:name/issues/:number': ({ params }) => ({
      ...findIssue(params),
      body: `What to do about number ${params.number}?`,
    }),
    'GET /api/repos/:owner/:name/issues/:number/reactions': ({ params }) =>
      reactions.filter(({ issue }) => issue === findIssue(params).number),
    'POST /api/repos/:owner/:name/issues/:number/reactions': ({ params, body }) => {
      const reaction = { id: ++lastReaction, content: body.content, user: VIEWER, issue: findIssue(params).number }
      reactions.push(reaction)
      return new Reply(201, reaction)
    },
    'DELETE /api/repos/:owner/:name/issues/:number/reactions/:id': ({ params }) => {
      reactions.splice(
        reactions.findIndex(({ id }) => id === Number(params.id)),
        1,
      )
      return new Reply(204)
    },
    'GET /api/repos/:owner/:name/events': ({ params }) => {
      const repo = findRepo(params).name
      return [
        { id: '3', type: 'PushEvent', actor: OTHERS[0], payload: { ref: 'main', size: 2 } },
        { id: '2', type: 'IssuesEvent', actor: OTHERS[1], payload: { action: 'opened', issue: issues[0] } },
        { id: '1', type: 'WatchEvent', actor: VIEWER, payload: { action: 'started', repo } },
      ]
    },
    'POST /api/graphql': ({ body: { query } }) => {
      const nodes = REPOS.slice(0, 2).map(({ id, full_name }) => ({ id, fullName: full_name }))
      return String(query).includes('viewer')
        ? { data: { viewer: { ...VIEWER, repositories: { totalCount: 2, nodes } } } }
        : { errors: [{ message: 'Unknown query' }] }
    },
  }
  return {
    middleware: serveRoutes({
      'POST /api/login': ({ body }) => {
        if (body.code !== 'secret') {
          throw new Reply(401, { message: 'Bad credentials' })
        }
        return createTokens()
      },
      'POST /api/refresh': ({ body }) => {
        if (!refresh || body.refresh_token !== refresh) {
          throw new Reply(401, { message: 'Bad credentials' })
        }
        return createTokens()
      },
      ...Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, protect(route)])),
    }),
    expire() {
      access = undefined
    },
    revoke() {
      access = refresh = undefined
    },
  }

  function createTokens() {
    lastToken += 1
    access = `access-${lastToken}`
    refresh = `refresh-${lastToken}`
    return { access_token: access, refresh_token: refresh, expires_in: 28_800 }
  }

  function protect(route: Route): Route {
    return (request: ApiRequest) => {
      if (!access || request.headers.authorization !== `Bearer ${access}`) {
        throw new Reply(401, { message: 'Bad credentials' })
      }
      return route(request)
    }
  }

  function findRepo({ owner, name }: Record<string, string>) {
    return orMissing(REPOS.find(({ full_name }) => full_name === `${owner}/${name}`))
  }

  function findIssue({ number }: Record<string, string>) {
    return orMissing(issues.find((issue) => issue.number === Number(number)))
  }
}

function orMissing<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Reply(404, { message: 'Not Found' })
  }
  return value
}
