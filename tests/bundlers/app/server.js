// A small API in the process: the routes the program calls. It counts requests, so that the log shows what was sent.
const todos = [
  { id: 1, title: 'Paint', status: 'open', author: { id: 'a', name: 'Ann' } },
  { id: 2, title: 'Sand', status: 'open', author: { id: 'b', name: 'Bea' } },
  { id: 3, title: 'Varnish', status: 'done', author: { id: 'a', name: 'Ann' } },
]
const posts = Array.from({ length: 7 }, (_, at) => ({ id: `p${at + 1}`, title: `Post ${at + 1}` }))
const FIXED = {
  events: [
    { type: 'comment', id: 'c1', text: 'Nice' },
    { type: 'like', id: 'l1', by: 'Bea' },
  ],
  values: { x: { id: 'p1', title: 'Renamed' } },
  number: 5,
  object: { a: 1 },
}

/** What was sent, as `METHOD path body`. */
export const requests = []

let refusals = Promise.resolve()

/** Holds refusals back until the returned function is called, so that responses settle in the same order everywhere. */
export function holdRefusals() {
  let release
  refusals = new Promise((resolve) => (release = resolve))
  return release
}

/** Takes the place of `fetch`. */
export async function respond(input, init = {}) {
  const url = new URL(String(input?.url ?? input))
  const method = init.method ?? 'GET'
  const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
  requests.push([method, url.pathname + url.search, ...(body === undefined ? [] : [JSON.stringify(body)])].join(' '))
  const [status, value] = route(method, url, body)
  if (status === 422) {
    await refusals
  }
  return new Response(value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value), {
    status,
    headers: { 'content-type': typeof value === 'string' ? 'text/html' : 'application/json' },
  })
}

function route(method, { pathname, searchParams }, body) {
  const [, name, id] = pathname.split('/')
  if (name === 'todos') {
    return routeTodo(method, id, searchParams, body)
  }
  if (name === 'posts' && method === 'DELETE') {
    return [200, { id }]
  }
  if (name === 'posts') {
    const from = Number(searchParams.get('cursor') ?? 0)
    return [
      200,
      { posts: posts.slice(from, from + 3), next: from + 3 < posts.length ? String(from + 3) : '', total: 7 },
    ]
  }
  if (Object.hasOwn(FIXED, name)) {
    return [200, FIXED[name]]
  }
  if (name === 'graphql') {
    return body.variables?.id === 'nobody'
      ? [200, { data: null, errors: [{ message: 'No such user', path: ['user'] }] }]
      : [200, { data: { user: { id: body.variables.id, name: 'Ann', todos: todos.slice(0, 2) } } }]
  }
  return name === 'broken' ? [500, '<h1>Oops</h1>'] : [404, { message: 'Not found' }]
}

function routeTodo(method, id, searchParams, body) {
  if (id === undefined) {
    if (method === 'POST') {
      const made = { id: todos.length + 1, status: 'open', author: { id: 'b', name: 'Bea' }, ...body }
      todos.push(made)
      return [201, made]
    }
    const status = searchParams.get('status')
    return [200, todos.filter((todo) => status === null || todo.status === status)]
  }
  const todo = todos.find((one) => String(one.id) === id)
  if (!todo) {
    return [404, { message: 'Not found' }]
  }
  if (body?.title === '') {
    return [422, { message: 'A title is required' }]
  }
  if (method === 'DELETE') {
    todos.splice(todos.indexOf(todo), 1)
    return [204, undefined]
  }
  return [200, Object.assign(todo, body)]
}
