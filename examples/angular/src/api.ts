import type { IncomingMessage, ServerResponse } from 'node:http'

interface Task {
  readonly id: string
  title: string
  done: boolean
}

const TITLES = ['Water the plants', 'Call Ann', 'Book a table', '</script><script>globalThis.broken = true</script>']
let tasks: Task[] = TITLES.map((title, index) => ({ id: String(index + 1), title, done: index === 1 }))
let lastId = tasks.length
let visits = 0
const PAGE = 20
const MOST = 50
const listeners = new Set<ServerResponse>()

/** A REST API for tasks, with pages of what has happened, and a stream of changes. */
export async function serveApi(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (!pathname.startsWith('/api/')) {
    return false
  }
  const [, , name, id] = pathname.split('/')
  if (name === 'events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('\n')
    listeners.add(response)
    response.on('close', () => listeners.delete(response))
    return true
  }
  const [status, body] =
    name === 'tasks'
      ? serveTasks(request.method ?? 'GET', id, searchParams, await readBody(request))
      : name === 'visits'
        ? [200, { count: ++visits }]
        : name === 'activity'
          ? [200, pageOf(Number(searchParams.get('cursor')))]
          : [404, { message: 'No such address' }]
  response.writeHead(status, { 'content-type': 'application/json' }).end(status === 204 ? '' : JSON.stringify(body))
  return true
}

function serveTasks(
  method: string,
  id: string | undefined,
  filter: URLSearchParams,
  body: Partial<Task>,
): [status: number, body: unknown] {
  const done = filter.get('done')
  if (id === undefined) {
    if (method !== 'POST') {
      return [200, tasks.filter((task) => done === null || String(task.done) === done)]
    }
    const task = { id: String(++lastId), title: String(body.title), done: false }
    tasks.push(task)
    return [201, task]
  }
  const task = tasks.find((one) => one.id === id)
  if (!task) {
    return [404, { message: 'There is no such task' }]
  }
  if (method === 'DELETE') {
    tasks = tasks.filter((one) => one !== task)
    return [204, undefined]
  }
  if (method === 'PATCH' && body.title === '') {
    return [422, { message: 'A task needs a title' }]
  }
  if (method === 'PATCH' || method === 'PUT') {
    Object.assign(task, body)
    listeners.forEach((listener) => listener.write(`data: ${JSON.stringify(task)}\n\n`))
  }
  return [200, task]
}

function pageOf(start: number): object {
  const ids = Array.from({ length: Math.min(PAGE, MOST - start) }, (_, index) => start + index + 1)
  const next = start + PAGE
  return { items: ids.map((id) => ({ id: String(id), text: `Event ${id}` })), next: next < MOST ? String(next) : null }
}

async function readBody(request: IncomingMessage): Promise<Partial<Task>> {
  let text = ''
  for await (const part of request) {
    text += String(part)
  }
  return text === '' ? {} : (JSON.parse(text) as Partial<Task>)
}
