// The server of the programme: it loses requests and responses, fails, refuses, and knows the keys of requests.
import { createServer } from 'node:http'

/** The tasks that each user has from the beginning. */
export const FIRST = ['1', '2', '3']

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Of a plain server: requests are lost, then some get a 500, then responses are lost, and all others are carried out. */
function plainFate(roll) {
  return roll < 0.1 ? 0 : roll < 0.15 ? 0.14 : roll < 0.3 ? 0.3 : 1
}

/**
 * | member      | is                                                                                   |
 * | ----------- | ------------------------------------------------------------------------------------ |
 * | `logs`      | the marks that were carried out, by user and task                                    |
 * | `tasks`     | the tasks of a user                                                                  |
 * | `arrivals`  | the changes that have arrived, with their fates                                      |
 * | `strangers` | the marks that were sent as another user                                             |
 * | `refused`   | the marks that were refused, or crossed the change of another client                 |
 * | `counts`    | how requests have ended                                                              |
 * | `isCalm`    | everything works                                                                     |
 */
export function createApi(roll, script, isPlain) {
  const users = new Map()
  const known = new Map()
  const counts = {}
  const count = (what) => (counts[what] = (counts[what] ?? 0) + 1)
  let last = 0
  const api = { users, arrivals: [], strangers: [], refused: new Set(), counts, isCalm: false }
  const of = (user) => {
    if (!users.has(user)) {
      users.set(
        user,
        FIRST.map((name) => ({ id: `${user}${name}`, name, marks: [], seen: [], isDeleted: false })),
      )
    }
    return users.get(user)
  }
  const bodyOf = ({ id, name, marks }) => ({ id, name, log: marks.map((mark) => `${mark} `).join('') })
  api.tasks = (user) =>
    of(user)
      .filter(({ isDeleted }) => !isDeleted)
      .map(bodyOf)

  const refuse = (status, mark) => {
    api.refused.add(mark)
    count(String(status))
    return { status, body: { message: `Refused with ${status}` } }
  }

  const carryOut = (method, user, id, { mark, log = '', name, id: own }) => {
    if (mark[0] !== user[0]) {
      api.strangers.push(mark)
    }
    const all = of(user)
    if (method === 'POST') {
      const made = { id: (isPlain && own) || `s${++last}`, name, marks: [mark], isDeleted: false }
      all.push(made)
      return { status: 201, body: bodyOf(made) }
    }
    const task = all.find((one) => one.id === id && !one.isDeleted)
    if (!task) {
      return refuse(404, mark)
    }
    if (method === 'PATCH' && task.marks.some((one) => one.startsWith('o') && !log.includes(`${one} `))) {
      return refuse(roll() < 0.5 ? 409 : 412, mark)
    }
    task.marks.push(mark)
    task.isDeleted = method === 'DELETE'
    count('carried out')
    return { status: 200, body: method === 'DELETE' ? { id } : bodyOf(task) }
  }

  /** Another client changes a task. */
  const meddle = (user) => {
    const alive = of(user).filter(({ isDeleted }) => !isDeleted)
    if (alive.length > 0) {
      count('changes of other clients')
      alive[Math.floor(roll() * alive.length)].marks.push(`o${++last}`)
    }
  }

  const write = async (request, response, send) => {
    const url = new URL(request.url, 'http://api')
    const user = request.headers['x-user']
    const fate = api.isCalm ? 1 : isPlain ? plainFate(roll()) : roll()
    if (fate < 0.1) {
      count('request lost')
      return request.socket.destroy()
    }
    let text = ''
    for await (const chunk of request) {
      text += chunk
    }
    if (!user || fate < 0.12) {
      api.arrivals.push({ mark: text, status: 401, at: Date.now() })
      count('401')
      return send(401, {})
    }
    if (fate < 0.18) {
      const status = fate < 0.15 ? 500 : 429
      count(String(status))
      return send(status, {}, 'application/json', status === 429 ? { 'retry-after': '1' } : {})
    }
    if (fate < 0.21) {
      count('page of a portal')
      return send(fate < 0.195 ? 200 : 403, '<html>Sign in to the wifi</html>', 'text/html')
    }
    const body = text ? JSON.parse(text) : { mark: url.searchParams.get('mark') }
    const key = request.headers['idempotency-key']
    let made = key && known.get(key)
    const isKnown = Boolean(made)
    if (!made) {
      made = fate < 0.24 ? refuse(422, body.mark) : carryOut(request.method, user, url.pathname.split('/')[3], body)
      if (!api.isCalm && !isPlain && roll() < 0.08) {
        meddle(user)
      }
    }
    if (key && made.status < 300) {
      known.set(key, made)
    }
    api.arrivals.push({ mark: body.mark, key, isKnown, status: made.status, at: Date.now(), isLost: fate < 0.36 })
    await wait(api.isCalm ? 0 : roll() * 80)
    if (fate < 0.36) {
      count('response lost')
      return request.socket.destroy()
    }
    return send(made.status, made.body)
  }

  const respond = async (request, response) => {
    const send = (status, body, type = 'application/json', headers = {}) => {
      response.writeHead(status, { 'content-type': type, connection: 'close', ...headers })
      response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
    }
    const { pathname } = new URL(request.url, 'http://api')
    if (pathname === '/') {
      return send(200, '<!doctype html><script src="/app.js"></script>', 'text/html')
    }
    if (pathname === '/app.js') {
      return send(200, script, 'text/javascript')
    }
    if (!pathname.startsWith('/api')) {
      return send(404, {})
    }
    if (request.method !== 'GET') {
      return write(request, response, send)
    }
    const user = request.headers['x-user']
    const id = pathname.split('/')[3]
    const all = user ? api.tasks(user) : []
    const one = all.find((task) => task.id === id)
    return user ? send(id && !one ? 404 : 200, id ? (one ?? {}) : all) : send(401, {})
  }
  const server = createServer((request, response) => void respond(request, response).catch(() => {}))
  api.close = () => {
    server.closeAllConnections()
    server.close()
  }
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(Object.assign(api, { url: `http://127.0.0.1:${server.address().port}/` })),
    ),
  )
}
