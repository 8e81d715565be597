import type { IncomingMessage, ServerResponse } from 'node:http'

const USERS = ['mona', 'hubert'].map((login, index) => ({ id: index + 1, login, node_id: login, type: 'User' }))

/** A small part of GitHub's API, in memory. `requests` has the lines of all requests. */
export function createApi(): {
  readonly requests: string[]
  readonly handle: (request: IncomingMessage, response: ServerResponse, next: () => void) => void
} {
  const requests: string[] = []
  const labels = [
    { id: 1, node_id: 'l1', url: '', name: 'bug', color: 'ff0000', default: true, description: null },
    { id: 2, node_id: 'l2', url: '', name: 'idea', color: '00ff00', default: false, description: null },
  ]
  const issues = Array.from({ length: 5 }, (_, index) => ({
    ...common(index + 1),
    number: index + 1,
    title: `Problem ${index + 1}`,
    state: 'open',
    user: USERS[index % 2],
    labels: [labels[index % 2]],
    comments: 0,
    locked: false,
    assignee: null,
    milestone: null,
    closed_at: null,
  }))
  const comments = [{ ...common(1), body: 'Me too', user: USERS[1], issue_number: 1 }]

  return {
    requests,
    handle(request, response, next) {
      const url = new URL(request.url ?? '/', 'http://localhost')
      const prefix = '/api/repos/acme/anvil/'
      if (!url.pathname.startsWith(prefix)) {
        next()
        return
      }
      requests.push(`${request.method} ${url.pathname.slice(prefix.length)}${url.search}`)
      let text = ''
      request.on('data', (chunk) => (text += String(chunk)))
      request.on('end', () => {
        const path = url.pathname.slice(prefix.length).split('/').map(decodeURIComponent)
        const body = text === '' ? {} : (JSON.parse(text) as Record<string, string>)
        const value = answer(request.method ?? 'GET', path, Number(url.searchParams.get('page') ?? 1), body)
        const hasNext = path.length === 1 && path[0] === 'issues' && url.searchParams.get('page') === null
        response.writeHead(value === undefined ? 404 : 200, {
          'content-type': 'application/json',
          ...(hasNext && { link: `<http://localhost${url.pathname}?page=2>; rel="next"` }),
        })
        response.end(JSON.stringify(value ?? { message: 'Not Found' }))
      })
    },
  }

  function answer(method: string, path: string[], page: number, body: Record<string, string>): unknown {
    const [kind, key, inner] = path
    const issue = issues.find(({ number }) => number === Number(key))
    switch (`${method} ${kind} ${key === undefined ? '' : 'item'} ${inner ?? ''}`.trim().replaceAll(/\s+/g, ' ')) {
      case 'GET issues':
        return issues.slice((page - 1) * 3, page * 3)
      case 'GET issues item':
        return issue
      case 'PATCH issues item':
        return Object.assign(issue!, body)
      case 'GET issues item comments':
        return comments.filter(({ issue_number }) => issue_number === issue?.number)
      case 'POST issues item comments': {
        const comment = {
          ...common(comments.length + 1),
          body: body['body']!,
          user: USERS[0],
          issue_number: issue!.number,
        }
        comments.push(comment)
        return comment
      }
      case 'GET labels':
        return labels
      case 'PATCH labels item': {
        const label = labels.find(({ name }) => name === key)!
        return Object.assign(label, { name: body['new_name'] })
      }
      case 'POST labels': {
        const label = { ...labels[0]!, id: labels.length + 1, node_id: 'l3', name: body['name']! }
        labels.push(label)
        return label
      }
      default:
        return undefined
    }
  }
}

/** Fields that issues and comments have. */
function common(id: number): Record<string, unknown> & { id: number } {
  const created = '2030-01-01T00:00:00Z'
  return {
    id,
    node_id: `n${id}`,
    url: '',
    html_url: '',
    repository_url: '',
    labels_url: '',
    comments_url: '',
    events_url: '',
    issue_url: '',
    created_at: created,
    updated_at: created,
  }
}
