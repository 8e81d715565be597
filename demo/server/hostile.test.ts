import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve, type ServerType } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createServer, type Server } from './testing.ts'

let server: Server
let listening: ServerType
let port: number
const folder = mkdtempSync(join(tmpdir(), 'demo-page-'))
// A mistake of the server is printed: none of this may cause one.
const printed = vi.spyOn(console, 'error')

beforeAll(async () => {
  const page = join(folder, 'page')
  mkdirSync(join(page, 'assets'), { recursive: true })
  writeFileSync(join(page, 'index.html'), '<!doctype html>')
  writeFileSync(join(page, 'assets/main.js'), '1')
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  server = await createServer({ page })
  await new Promise<void>((done) => {
    listening = serve({ fetch: server.app.fetch, port: 0, hostname: '127.0.0.1' }, () => done())
  })
  ;({ port } = listening.address() as AddressInfo)
})
afterAll(() => {
  if ('closeAllConnections' in listening) {
    listening.closeAllConnections()
  }
  listening.close()
  rmSync(folder, { recursive: true })
})

// Every route that takes JSON.
const WRITES = [
  ['POST', '/api/session'],
  ['PUT', '/api/faults'],
  ['POST', '/api/people'],
  ['PATCH', '/api/people/1'],
  ['PATCH', '/api/projects/1'],
  ['POST', '/api/issues'],
  ['PATCH', '/api/issues/1'],
  ['PUT', '/api/issues/1'],
  ['POST', '/api/issues/1/comments'],
  ['PATCH', '/api/comments/1'],
  ['POST', '/api/graphql'],
] as const

const deep = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)
const BODIES: [name: string, body: string, type: string, statuses: number[]][] = [
  ['no JSON', '{"title":', 'application/json', [400]],
  ['nothing', '', 'application/json', [400]],
  ['a list', '[]', 'application/json', [422]],
  ['null', 'null', 'application/json', [422]],
  ['a number', '5', 'application/json', [422]],
  ['a text', '"text"', 'application/json', [422]],
  ['NUL', '{"title":"a\\u0000b","body":"\\u0000","name":"\\u0000","query":"\\u0000"}', 'application/json', [422, 403]],
  ['raw NUL', '{"title":"\0"}', 'application/json', [400]],
  ['half a character', '{"title":"\\ud800","body":"\\ud800","name":"\\ud800"}', 'application/json', [422, 403]],
  ['wrong types', '{"title":{},"body":[],"name":1,"query":null,"email":true}', 'application/json', [422]],
  ['a prototype', '{"__proto__":{"title":"x"},"constructor":{},"toString":1}', 'application/json', [422]],
  ['unknown fields', '{"unknown":1}', 'application/json', [422]],
  ['a thousand fields', `{${Array.from({ length: 1000 }, (_, at) => `"f${at}":1`).join()}}`, 'application/json', [422]],
  ['deep lists', deep(100_000, '[', ']'), 'application/json', [422]],
  ['deep objects', `{"title":${deep(50_000, '{"a":', '}').replace(':}', ':1}')}}`, 'application/json', [422]],
  ['huge', JSON.stringify({ title: 'x'.repeat(1024 * 1024) }), 'application/json', [413]],
  ['plain text', '{"title":"a"}', 'text/plain', [415]],
  ['a form', 'title=a', 'application/x-www-form-urlencoded', [415]],
  ['XML', '<a/>', 'application/xml', [415]],
  ['nearly JSON', '{}', 'application/jsonp', [415]],
  ['invalid UTF-8 as text', '\uFFFD{', 'application/json', [400]],
]

describe.each(WRITES)('%s %s', (method, path) => {
  test.each(BODIES)('survives %s', async (_, body, type, statuses) => {
    const response = await server.send(method, path, undefined, { 'content-type': type }, body)
    expect(statuses).toContain(response.status)
    expect(await response.json()).toHaveProperty('message')
  })
})

test.each([
  ['POST', '/api/people/1', 405],
  ['DELETE', '/api/labels', 405],
  ['PUT', '/api/people', 405],
  ['PATCH', '/api/session', 405],
  ['GET', '/api/graphql', 405],
  ['DELETE', '/api/faults', 405],
  ['POST', '/api/events', 405],
  ['PROPFIND', '/api/issues', 405],
  ['GET', '/api', 404],
  ['GET', '/api/', 404],
  ['GET', '/api/nothing', 404],
  ['POST', '/api/nothing', 404],
  ['GET', '/api/issues/1/nothing', 404],
  ['GET', '/api/issues/', 404],
  ['GET', '/api/issues/0', 404],
  ['GET', '/api/issues/01', 404],
  ['GET', '/api/issues/-1', 404],
  ['GET', '/api/issues/1.5', 404],
  ['GET', '/api/issues/1e3', 404],
  ['GET', '/api/issues/99999999999999999999', 404],
  ['GET', '/api/issues/%00', 404],
  ['GET', '/api/issues/%E0%A4%A', 404],
  ['GET', '/api/issues/1%20OR%201=1', 404],
  ['GET', `/api/issues/${'9'.repeat(10_000)}`, 404],
  ['GET', '/api/attachments/..%2f..%2fsecret.txt/file', 404],
  ['GET', '/api/attachments/1/..%2f..', 404],
  ['HEAD', '/api/issues/1', 200],
  ['OPTIONS', '/api/issues', 405],
])('%s %s gives %i', async (method, path, status) => {
  const response = await server.send(method, path)
  expect(response.status).toBe(status)
  if (status === 405) {
    expect(response.headers.get('allow')).toMatch(/^[A-Z, ]+$/)
  }
})

test.each([
  ['/', 200],
  ['/board/1', 200],
  ['/assets/main.js', 200],
  ['/assets/missing.js', 404],
  ['/secret.txt', 404],
  ['/../secret.txt', 404],
  ['/assets/../../secret.txt', 404],
  ['/..%2fsecret.txt', 404],
  ['/%2e%2e/secret.txt', 404],
  ['/assets/..%5c..%5csecret.txt', 404],
  ['//etc/passwd', 200],
  ['/index.html%00.js', 404],
])('the page at %s gives %i and nothing secret', async (path, status) => {
  // The path goes out as it is: a client of our own would tidy it first.
  const answer = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status}`))
  expect(answer).not.toMatch(/\r\n\r\nsecret|root:/)
})

test.each([
  ['no HTTP', 'nonsense\r\n\r\n', 400],
  ['a header without end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`, 431],
  ['a length that is none', 'POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n', 400],
  [
    'a false length',
    'POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\nConnection: close\r\n\r\n{}',
    413,
  ],
  ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  [
    'chunks that are none',
    'POST /api/session HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nzz\r\n',
    400,
  ],
])('%s', async (_, request, status) => {
  expect(await sendRaw(request)).toMatch(new RegExp(`^HTTP/1.1 ${status}`))
})

test('a body of endless chunks is cut off', async () => {
  const chunk = `10000\r\n${'x'.repeat(0x1_0000)}\r\n`
  const head =
    'POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
  expect(await sendRaw(head + chunk.repeat(40))).toMatch(/^HTTP\/1.1 413/)
})

test('a client that disconnects in the middle does not disturb others', async () => {
  for (const end of [
    'POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a',
    'GET /api/ev',
  ]) {
    await new Promise<void>((done) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(end, () => socket.destroy()))
      socket.on('close', () => done())
    })
  }
  expect((await fetch(`http://127.0.0.1:${port}/api/welcome`)).status).toBe(200)
})

test('afterwards all is as it was, and no mistake was printed', async () => {
  expect(printed).not.toHaveBeenCalled()
  const other = await createServer()
  for (const path of ['issues?limit=100&sort=createdAt', 'people', 'projects', 'labels', 'issues/1/comments']) {
    expect(await server.ask('GET', `/api/${path}`)).toEqual(await other.ask('GET', `/api/${path}`))
  }
})

function sendRaw(request: string): Promise<string> {
  return new Promise((done) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('data', (data) => {
      answer += data
      // The rest of what was cut off stays unsaid.
      if (answer.startsWith('HTTP/1.1 413')) {
        socket.destroy()
      }
    })
    socket.on('error', () => {})
    socket.on('close', () => done(answer))
  })
}
