import { beforeAll, describe, expect, test } from 'vitest'
import { createServer, JSON_TYPE, signIn, type Server } from './testing.ts'

interface Rec {
  id: string
  revision: number
  [field: string]: unknown
}

const BOUNDARY = 'between-the-parts-of-this-form'

function makeForm(disposition: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\ntext\r\n--${BOUNDARY}--\r\n`
}

let server: Server
beforeAll(async () => {
  server = await createServer()
})

describe('session', () => {
  const credentials = { email: 'mia.okafor@example.com', password: 'demo' }

  test('by cookie: signs in, returns the current user, signs out', async () => {
    const { app } = server
    const signedIn = await post('/api/session', { ...credentials, kind: 'cookie' })
    expect(signedIn.status).toBe(201)
    const cookie = signedIn.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^session=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax$/)
    const session = (await signedIn.json()) as Rec
    expect(session).toMatchObject({ kind: 'cookie', person: { name: 'Mia Okafor' } })
    expect(session).not.toHaveProperty('accessToken')

    const headers = { cookie: cookie.split(';')[0] ?? '' }
    expect(await (await app.request('/api/session', { headers })).json()).toEqual(session)
    expect((await app.request('/api/people', { headers })).status).toBe(200)
    expect((await app.request('/api/session', { method: 'DELETE', headers })).status).toBe(204)
    expect(await (await app.request('/api/session', { headers })).json()).toBeNull()
    expect((await app.request('/api/session', { method: 'DELETE', headers })).status).toBe(401)
    expect((await app.request('/api/people', { headers })).status).toBe(401)
  })

  test('by access token', async () => {
    const { accessToken, ...session } = (await (
      await post('/api/session', { ...credentials, kind: 'token' })
    ).json()) as Rec & { accessToken: string }
    const headers = { authorization: `Bearer ${accessToken}` }
    expect(await (await server.app.request('/api/session', { headers })).json()).toEqual(session)
    expect((await server.app.request('/api/session', { method: 'DELETE', headers })).status).toBe(204)
    expect(await (await server.app.request('/api/session', { headers })).json()).toBeNull()
    expect((await server.app.request('/api/people', { headers })).status).toBe(401)
  })

  test.each([
    [{ ...credentials, password: 'no' }, { password: 'is wrong' }],
    [{ ...credentials, email: 'nobody@example.com' }, { email: 'does not belong to a user' }],
    [{}, { email: 'is required', password: 'is required' }],
    [{ ...credentials, kind: 'magic' }, { kind: 'must be one of cookie, token' }],
  ])('refuses %j', async (body, fields) => {
    const response = await post('/api/session', body)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ fields })
  })

  test.each([
    undefined,
    'Bearer',
    'Bearer nonsense',
    'Basic bWlhOmRlbW8=',
    `Bearer ${'x'.repeat(5000)}`,
    "Bearer ' OR 1=1 --",
  ])('everything else is closed to %s', async (authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    for (const path of ['issues', 'issues/1', 'people', 'events', 'attachments/1/file', 'nothing']) {
      expect((await server.app.request(`/api/${path}`, { headers })).status).toBe(401)
    }
    for (const path of ['welcome', 'avatars/1', 'faults']) {
      expect((await server.app.request(`/api/${path}`, { headers })).status).toBe(200)
    }
  })

  test('the welcome shows whom to sign in as', async () => {
    const { people } = (await (await server.app.request('/api/welcome')).json()) as { people: Rec[] }
    expect(people).toHaveLength(12)
    expect(Object.keys(people[0] ?? {})).toEqual(['id', 'name', 'email', 'avatar'])
  })

  function post(path: string, body: object): Promise<Response> {
    return Promise.resolve(server.app.request(path, { method: 'POST', body: JSON.stringify(body), headers: JSON_TYPE }))
  }
})

describe('people', () => {
  test('come as a list and one by one', async () => {
    const people = await server.ask<Rec[]>('GET', '/api/people')
    expect(people).toHaveLength(12)
    expect(await server.ask('GET', `/api/people/${people[0]?.id}`)).toEqual(people[0])
    await server.ask('GET', '/api/people/999', 404)
    await server.ask('GET', '/api/people/me', 404)
  })

  test('have a picture of their initials, at an address that changes with them', async () => {
    const { id, avatar } = await create({ name: '<b> "Ö', email: 'picture@example.com' })
    const response = await server.app.request(String(avatar))
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(await response.text()).toContain('&#60;&#34;</text>')
    expect((await server.ask('PATCH', `/api/people/${id}`, 200, { name: 'Ab Cd' })).avatar).not.toBe(avatar)
    expect((await server.app.request('/api/avatars/999')).status).toBe(404)
  })

  test('are renamed everywhere', async () => {
    const { items } = await server.ask<{ items: Rec[] }>('GET', '/api/issues?assignee=2&limit=1')
    await server.ask('PATCH', '/api/people/2', 200, { name: 'Jonas W.' })
    const issue = await server.ask('GET', `/api/issues/${items[0]?.id}`)
    expect(issue.assignee).toMatchObject({ id: '2', name: 'Jonas W.', revision: 2 })
  })

  test('are created and deleted, unless they have issues', async () => {
    const { id } = await create({ name: 'Guest', email: 'Guest@Example.com' })
    expect(await server.ask('GET', `/api/people/${id}`)).toMatchObject({ email: 'guest@example.com', revision: 1 })
    await server.ask('DELETE', `/api/people/${id}`, 204)
    await server.ask('DELETE', `/api/people/${id}`, 404)
    await server.ask('DELETE', '/api/people/1', 409)
  })

  test('have each an address of their own', async () => {
    const { id } = await create({ name: 'Once', email: 'once@example.com' })
    const body = { name: 'Twice', email: 'ONCE@example.com' }
    expect(await server.ask('POST', '/api/people', 422, body)).toMatchObject({ fields: { email: 'is taken' } })
    await server.ask('PATCH', '/api/people/1', 422, { email: 'once@example.com' })
    await server.ask('PATCH', `/api/people/${id}`, 200, { email: 'once@example.com' })
  })

  test('an edit of a revision that is gone is a conflict', async () => {
    const { id } = await create({ name: 'Rev', email: 'rev@example.com' })
    await server.ask('PATCH', `/api/people/${id}`, 200, { role: 'One', revision: 1 })
    await server.ask('PATCH', `/api/people/${id}`, 409, { role: 'Two', revision: 1 })
    await server.ask('PATCH', `/api/people/${id}`, 200, { role: 'Three' })
    await server.ask('PATCH', '/api/people/999', 404, { role: 'Four' })
  })

  function create(body: object): Promise<Rec> {
    return server.ask<Rec>('POST', '/api/people', 201, body)
  }
})

describe('projects', () => {
  test('come with their lead and their counters', async () => {
    const projects = await server.ask<Rec[]>('GET', '/api/projects')
    expect(projects).toHaveLength(6)
    for (const project of projects) {
      expect(await server.ask('GET', `/api/projects/${project.id}`)).toEqual(project)
      const all = await server.ask('GET', `/api/issues?project=${project.id}&limit=1`)
      const open = await server.ask('GET', `/api/issues?project=${project.id}&status=open&limit=1`)
      expect([project.issueCount, project.openCount]).toEqual([all.total, open.total])
      expect(project.lead).toHaveProperty('name')
    }
  })

  test('can be edited', async () => {
    expect(await server.ask('PATCH', '/api/projects/1', 200, { lead: '3', name: 'Web' })).toMatchObject({
      name: 'Web',
      lead: { id: '3' },
      revision: 2,
    })
    await server.ask('PATCH', '/api/projects/1', 409, { name: 'X', revision: 1 })
    await server.ask('PATCH', '/api/projects/1', 422, { lead: '77' })
    await server.ask('PATCH', '/api/projects/77', 404, { name: 'X' })
    await server.ask('GET', '/api/projects/77', 404)
  })

  test('their activity comes in pages that link to each other', async () => {
    const seen: string[] = []
    let path: string | undefined = '/api/projects/1/activity?limit=30'
    let total = 0
    while (path !== undefined) {
      const response = await server.send('GET', path)
      seen.push(...((await response.json()) as Rec[]).map(({ id }) => id))
      total = Number(response.headers.get('x-total-count'))
      path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    }
    expect(seen).toHaveLength(total)
    expect(new Set(seen).size).toBe(total)
    const second = await server.send('GET', '/api/projects/1/activity?limit=30&page=2')
    expect(second.headers.get('link')).toContain('page=1&limit=30>; rel="prev"')
    const [entry] = (await second.json()) as Rec[]
    expect(entry).toMatchObject({ person: { name: expect.any(String) }, issue: { key: expect.any(String) } })
    expect(await server.ask('GET', '/api/projects/1/activity?page=999')).toEqual([])
    await server.ask('GET', '/api/projects/77/activity', 404)
    await server.ask('GET', '/api/projects/1/activity?page=0', 422)
  })

  test('labels and the ticker are there', async () => {
    expect(await server.ask<Rec[]>('GET', '/api/labels')).toHaveLength(12)
    const before = await server.ask<{ history: number[]; minutes: number }>('GET', '/api/ticker')
    expect(before).toMatchObject({ id: 'build', at: '2026-03-04T12:00:00.000Z' })
    expect(before.history).toHaveLength(60)
    expect(before.history.at(-1)).toBe(before.minutes)
    await server.clock.advance(1000)
    const after = await server.ask<{ history: number[] }>('GET', '/api/ticker')
    expect(after.history.slice(0, -1)).toEqual(before.history.slice(1))
  })
})

describe('comments', () => {
  test('are written, edited and deleted by their author, and counted', async () => {
    const count = async () => (await server.ask('GET', '/api/issues/7')).commentCount as number
    const before = await count()
    const comment = await server.ask<Rec>('POST', '/api/issues/7/comments', 201, { body: ' Hello ' })
    expect(comment).toMatchObject({ issue: '7', body: 'Hello', author: { id: '1' }, revision: 1 })
    expect(await count()).toBe(before + 1)
    expect(await server.ask<Rec[]>('GET', '/api/issues/7/comments')).toContainEqual(comment)
    expect(await server.ask('PATCH', `/api/comments/${comment.id}`, 200, { body: 'Bye' })).toMatchObject({
      revision: 2,
    })
    await server.ask('PATCH', `/api/comments/${comment.id}`, 409, { body: 'Bye', revision: 1 })

    const headers = { authorization: `Bearer ${await signIn(server.app, 'ben.carter@example.com')}`, ...JSON_TYPE }
    const path = `/api/comments/${comment.id}`
    expect((await server.app.request(path, { method: 'PATCH', headers, body: '{"body":"x"}' })).status).toBe(403)
    expect((await server.app.request(path, { method: 'DELETE', headers })).status).toBe(403)
    await server.ask('DELETE', path, 204)
    await server.ask('DELETE', path, 404)
    expect(await count()).toBe(before)
  })

  test.each(['', '  ', 'x'.repeat(5001), 'a\0b', '\uD800', 5, null])('refuses %j', async (body) => {
    await server.ask('POST', '/api/issues/7/comments', 422, { body })
  })

  test('need an issue', async () => {
    await server.ask('GET', '/api/issues/9999/comments', 404)
    await server.ask('POST', '/api/issues/9999/comments', 404, { body: 'x' })
  })
})

describe('attachments', () => {
  test('go up and come down as they were', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256)
    const record = (await (
      await upload(new File([bytes], 'Übersicht (1).bin', { type: 'image/x-test' }))
    ).json()) as Rec
    expect(record).toMatchObject({
      issue: '7',
      name: 'Übersicht (1).bin',
      type: 'image/x-test',
      size: 70_000,
      by: { id: '1' },
    })
    const file = await server.send('GET', String(record.url))
    expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''%C3%9Cbersicht%20%281%29.bin")
    expect(file.headers.get('content-length')).toBe('70000')
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes)
    expect(await server.ask<Rec[]>('GET', '/api/issues/7/attachments')).toContainEqual(record)
    await server.ask('DELETE', `/api/attachments/${record.id}`, 204)
    await server.ask('DELETE', `/api/attachments/${record.id}`, 404)
    expect((await server.send('GET', String(record.url))).status).toBe(404)
  })

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\evil.exe', 'evil.exe'],
    ['..', 'file'],
    ['a\r\nset-cookie: x=1', 'aset-cookie: x=1'],
    ['"; filename=x', '"; filename=x'],
    [`${'n'.repeat(500)}.txt`, `${'n'.repeat(116)}.txt`],
  ])('the name %j becomes %j', async (given, name) => {
    const response = await upload(new File(['x'], given))
    expect(response.status).toBe(201)
    const record = (await response.json()) as Rec
    // The form itself escapes quotes and line ends on the way.
    expect(decodeURIComponent(String(record.name)).replace(/[\r\n]/g, '')).toBe(name)
    const disposition = (await server.send('GET', String(record.url))).headers.get('content-disposition')
    expect(disposition).toMatch(/^attachment; filename\*=UTF-8''[\w%.!~-]+$/)
  })

  test('10 MB are allowed, and no byte more', async () => {
    const limit = 10 * 1024 * 1024
    expect((await upload(new File([new Uint8Array(limit)], 'a'))).status).toBe(201)
    expect((await upload(new File([new Uint8Array(limit + 1)], 'a'))).status).toBe(413)
    expect((await upload(new File([new Uint8Array(limit + 100_000)], 'a'))).status).toBe(413)
  })

  test.each([
    ['application/json', '{}', 415],
    ['multipart/form-data', 'x', 415],
    [`multipart/form-data; boundary=${BOUNDARY}`, 'nonsense', 400],
    [`multipart/form-data; boundary=${BOUNDARY}`, makeForm('name="file"'), 422],
    [`multipart/form-data; boundary=${BOUNDARY}`, makeForm('name="other"; filename="a"'), 422],
  ])('%s with %j gives %i', async (type, body, status) => {
    const headers = { 'content-type': type, authorization: `Bearer ${await signIn(server.app)}` }
    const response = await server.app.request('/api/issues/7/attachments', { method: 'POST', headers, body })
    expect(response.status).toBe(status)
  })

  test('need an issue', async () => {
    expect((await upload(new File(['x'], 'a'), 9999)).status).toBe(404)
    await server.ask('GET', '/api/issues/9999/attachments', 404)
  })

  async function upload(file: File, issue = 7): Promise<Response> {
    const body = new FormData()
    body.set('file', file)
    const headers = { authorization: `Bearer ${await signIn(server.app)}` }
    return server.app.request(`/api/issues/${issue}/attachments`, { method: 'POST', body, headers })
  }
})

describe('graphql', () => {
  const stats = `{ projectStats(id: "1") { id name open done byStatus { status count }
    byPerson { person { id name avatar } open done } weekly { week opened closed } } }`

  test('counts what the other routes show', async () => {
    const project = await server.ask('GET', '/api/projects/1')
    const { data } = await server.ask<{ data: { projectStats: Rec & { open: number; done: number } } }>(
      ...(['POST', '/api/graphql', 200, { query: stats }] as const),
    )
    const { open, done, byStatus, byPerson, weekly } = data.projectStats
    expect([open, open + done]).toEqual([project.openCount, project.issueCount])
    expect((byStatus as { count: number }[]).reduce((sum, { count }) => sum + count, 0)).toBe(project.issueCount)
    expect(byPerson).toContainEqual({
      person: expect.objectContaining({ id: expect.any(String), avatar: expect.any(String) }),
      open: expect.any(Number),
      done: expect.any(Number),
    })
    expect(weekly).toHaveLength(12)
  })

  test('lists projects, and gives null for one that is not there', async () => {
    const query = 'query Q($id: ID!) { projects { id key color } projectStats(id: $id) { id } }'
    const body = { query, variables: { id: '99' }, operationName: 'Q' }
    const { data } = await server.ask<{ data: { projects: object[] } }>('POST', '/api/graphql', 200, body)
    expect(data.projects).toHaveLength(6)
    expect(data).toMatchObject({ projectStats: null })
  })

  test('renames a project', async () => {
    const query = 'mutation($id: ID!, $name: String!) { renameProject(id: $id, name: $name) { id name } }'
    const rename = (id: string, name: string) =>
      server.ask('POST', '/api/graphql', 200, { query, variables: { id, name } })
    expect(await rename('2', ' Apps ')).toEqual({ data: { renameProject: { id: '2', name: 'Apps' } } })
    expect(await server.ask('GET', '/api/projects/2')).toMatchObject({ name: 'Apps', revision: 2 })
    expect(await rename('99', 'x')).toEqual({ data: { renameProject: null } })
    expect(await rename('2', ' ')).toMatchObject({
      errors: [{ extensions: { status: 422, fields: { name: 'must not be empty' } } }],
    })
  })

  test.each([
    [{ query: '{' }, 400],
    [{ query: '{ nothing }' }, 400],
    [{ query: `{ ${'projects { id } '.repeat(1200)} }` }, 400],
    [{ query: `{ projectStats(id: ${'['.repeat(9000)}) { id } }` }, 400],
    [{ query: '' }, 422],
    [{ query: 5 }, 422],
    [{}, 422],
    [[], 422],
    [{ query: '{ projects { id } }', variables: 5 }, 422],
    [{ query: '{ projects { id } }', variables: [] }, 422],
    [{ query: 'query($id: ID!) { projectStats(id: $id) { id } }', variables: {} }, 200],
    [{ query: 'query A { projects { id } } query B { projects { id } }' }, 200],
  ])('%j gives %i', async (body, status) => {
    await server.ask('POST', '/api/graphql', status, body)
  })
})
