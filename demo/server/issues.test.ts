import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRandom } from './random.ts'
import { createServer, NOW, type Server } from './testing.ts'

interface Issue {
  id: string
  key: string
  title: string
  status: string
  priority: number
  estimate: number
  rank: number
  dueOn: string | null
  createdAt: string
  updatedAt: string
  revision: number
  project: string
  assignee: { id: string } | null
  author: { id: string }
  labels: { id: string }[]
}
interface Page {
  items: Issue[]
  total: number
  next: string | null
}

let server: Server
beforeAll(async () => {
  server = await createServer()
})

describe('one issue', () => {
  test('is created with what was given, and numbered in its project', async () => {
    const project = await server.ask('GET', '/api/projects/3')
    const first = await create({ title: ' New ', project: '3' })
    const dueOn = '2026-05-01'
    const fields = { body: 'b', status: 'doing', priority: 3, estimate: 5, rank: 1.5, dueOn }
    const second = await create({ title: 'Full', project: '3', assignee: '4', labels: ['2', '1', '2'], ...fields })
    expect(first).toMatchObject({ title: 'New', project: '3', status: 'backlog', priority: 0, assignee: null })
    expect(first).toMatchObject({
      body: '',
      labels: [],
      estimate: 0,
      dueOn: null,
      author: { id: '1' },
      commentCount: 0,
    })
    expect(second).toMatchObject({ ...fields, assignee: { id: '4' }, revision: 1 })
    expect(second.labels.map(({ id }) => id)).toEqual(['2', '1'])
    const [name, number] = first.key.split('-')
    expect(second.key).toBe(`${name}-${Number(number) + 1}`)
    expect(await server.ask('GET', `/api/issues/${second.id}`)).toEqual(second)
    expect(await server.ask('GET', '/api/projects/3')).toMatchObject({ issueCount: Number(project.issueCount) + 2 })
  })

  test('a number is never used again', async () => {
    const first = await create({ title: 'a', project: '5' })
    await server.ask('DELETE', `/api/issues/${first.id}`, 204)
    await server.ask('GET', `/api/issues/${first.id}`, 404)
    await server.ask('DELETE', `/api/issues/${first.id}`, 404)
    const second = await create({ title: 'b', project: '5' })
    expect(second.key).not.toBe(first.key)
    expect(second.id).not.toBe(first.id)
  })

  test('PATCH changes what it names; PUT sets the rest back', async () => {
    const issue = await create({ title: 'a', project: '1', body: 'text', priority: 2, labels: ['1'], assignee: '2' })
    await server.clock.advance(5000)
    const patched = await server.ask<Issue>('PATCH', `/api/issues/${issue.id}`, 200, { title: 'b', assignee: null })
    expect(patched).toEqual({ ...issue, title: 'b', assignee: null, revision: 2, updatedAt: expect.any(String) })
    expect(patched.updatedAt > issue.updatedAt).toBe(true)
    const put = await server.ask<Issue>('PUT', `/api/issues/${issue.id}`, 200, { title: 'c' })
    expect(put).toMatchObject({ title: 'c', body: '', priority: 0, labels: [], rank: issue.rank, revision: 3 })
  })

  test('the whole record can be sent back, with ids instead of records', async () => {
    const issue = await server.ask<Issue>('GET', '/api/issues/20')
    const ids = { assignee: issue.assignee?.id ?? null, labels: issue.labels.map(({ id }) => id) }
    const { updatedAt: _, revision: __, ...rest } = issue
    expect(await server.ask('PUT', '/api/issues/20', 200, { ...issue, ...ids })).toMatchObject(rest)
  })

  test('a revision that is gone is a conflict, and nothing is changed', async () => {
    const issue = await create({ title: 'a', project: '1' })
    await server.ask('PATCH', `/api/issues/${issue.id}`, 200, { title: 'b', revision: 1 })
    const conflict = await server.ask('PATCH', `/api/issues/${issue.id}`, 409, { title: 'c', revision: 1 })
    expect(conflict.message).toContain('revision 2')
    await server.ask('PUT', `/api/issues/${issue.id}`, 409, { title: 'c', revision: 1 })
    expect(await server.ask('GET', `/api/issues/${issue.id}`)).toMatchObject({ title: 'b' })
  })

  test('an ETag saves the body until something changes, also what is nested', async () => {
    const first = await server.send('GET', '/api/issues/30')
    const etag = first.headers.get('etag') ?? ''
    const ask = () => server.send('GET', '/api/issues/30', undefined, { 'if-none-match': etag })
    const same = await ask()
    expect([same.status, await same.text()]).toEqual([304, ''])
    const { author } = (await first.json()) as Issue
    await server.ask('PATCH', `/api/people/${author.id}`, 200, { name: 'Somebody Else' })
    expect((await ask()).status).toBe(200)
  })

  test('If-Match refuses a write to a record that has changed', async () => {
    const { id } = await create({ title: 'a', project: '1' })
    const path = `/api/issues/${id}`
    const etag = (await server.send('GET', path)).headers.get('etag') ?? ''
    const write = (method: string, tag: string, body?: object) => server.send(method, path, body, { 'if-match': tag })
    const first = await write('PATCH', etag, { title: 'b' })
    expect(first.status).toBe(200)
    const second = await write('PATCH', etag, { title: 'c' })
    expect([second.status, await second.json()]).toEqual([412, { message: expect.stringContaining('revision 2') }])
    expect((await write('PUT', etag, { title: 'c' })).status).toBe(412)
    expect((await write('DELETE', etag)).status).toBe(412)
    // Weak tags never match, and the response to a write has the tag of the next one.
    const next = first.headers.get('etag') ?? ''
    expect((await write('PATCH', `W/${next}`, { title: 'd' })).status).toBe(412)
    expect((await write('PATCH', `"x", ${next}`, { title: 'd' })).status).toBe(200)
    expect((await write('PATCH', '*', { title: 'e' })).status).toBe(200)
    expect(await server.ask('GET', path)).toMatchObject({ title: 'e', revision: 4 })
  })

  test.each(['/api/people/3', '/api/projects/2'])('If-Match of %s', async (path) => {
    const etag = (await server.send('GET', path)).headers.get('etag') ?? ''
    const write = (name: string) => server.send('PATCH', path, { name }, { 'if-match': etag })
    expect((await write('One')).status).toBe(200)
    expect((await write('Two')).status).toBe(412)
    expect(await server.ask('GET', path)).toMatchObject({ name: 'One' })
  })

  test.each([
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(201) }, 'title'],
    [{ title: ['a'] }, 'title'],
    [{ title: 'a\0' }, 'title'],
    [{ status: 'later' }, 'status'],
    [{ status: true }, 'status'],
    [{ priority: '3' }, 'priority'],
    [{ priority: 5 }, 'priority'],
    [{ priority: 1.5 }, 'priority'],
    [{ assignee: 2 }, 'assignee'],
    [{ assignee: '99' }, 'assignee'],
    [{ assignee: true }, 'assignee'],
    [{ assignee: { id: '2' } }, 'assignee'],
    [{ labels: '1' }, 'labels'],
    [{ labels: ['99'] }, 'labels'],
    [{ labels: [[]] }, 'labels'],
    [{ labels: Array(13).fill('1') }, 'labels'],
    [{ rank: null }, 'rank'],
    [{ rank: 1e300 }, 'rank'],
    [{ dueOn: '2026-02-30' }, 'dueOn'],
    [{ dueOn: 'tomorrow' }, 'dueOn'],
    [{ dueOn: 20_260_101 }, 'dueOn'],
    [{ project: '6' }, 'project'],
    [{ project: '99' }, 'project'],
    [{ revision: 'x' }, 'revision'],
    [{ nonsense: 1 }, 'nonsense'],
    [JSON.parse('{"__proto__": 1}') as object, '__proto__'],
    [{ constructor: 1 }, 'constructor'],
  ])('PATCH %j complains about %s', async (body, field) => {
    const before = await server.ask('GET', '/api/issues/1')
    const { fields } = await server.ask<{ fields: object }>('PATCH', '/api/issues/1', 422, body)
    expect(Object.keys(fields)).toEqual([field])
    expect(await server.ask('GET', '/api/issues/1')).toEqual(before)
  })

  test('every wrong field is named at once', async () => {
    const { fields } = await server.ask('POST', '/api/issues', 422, { title: '', priority: 9 })
    expect(fields).toEqual({
      title: 'must not be empty',
      priority: 'must be a number from 0 to 4',
      project: 'is required',
    })
  })
})

describe('lists', () => {
  test.each([
    ['project=2', (issue: Issue) => issue.project === '2'],
    ['status=todo', ({ status }: Issue) => status === 'todo'],
    ['status=open', ({ status }: Issue) => status !== 'done'],
    ['assignee=3', ({ assignee }: Issue) => assignee?.id === '3'],
    ['assignee=none', ({ assignee }: Issue) => assignee === null],
    ['author=3', ({ author }: Issue) => author.id === '3'],
    ['label=1', ({ labels }: Issue) => labels.some(({ id }) => id === '1')],
    ['priority=2', ({ priority }: Issue) => priority === 2],
    ['due=none', ({ dueOn }: Issue) => dueOn === null],
    ['due=overdue', ({ dueOn, status }: Issue) => dueOn !== null && dueOn < '2026-03-04' && status !== 'done'],
    ['due=week', ({ dueOn }: Issue) => dueOn !== null && dueOn >= '2026-03-04' && dueOn < '2026-03-11'],
    ['q=FLOOR', (issue: Issue) => /floor/i.test(`${issue.title} ${String((issue as { body?: string }).body)}`)],
    ['project=1&status=done&priority=1', (i: Issue) => i.project === '1' && i.status === 'done' && i.priority === 1],
  ])('%s', async (query, matches) => {
    const all = await walk('sort=createdAt')
    const some = await walk(query)
    expect(some.map(({ id }) => id).sort()).toEqual(
      all
        .filter(matches)
        .map(({ id }) => id)
        .sort(),
    )
    expect((await list(`${query}&limit=1`)).total).toBe(some.length)
  })

  test('signs of LIKE are only signs', async () => {
    await create({ title: '100%_\\ sure', project: '1' })
    for (const q of ['%', '_', '\\', '100%_\\']) {
      expect((await list(`q=${encodeURIComponent(q)}`)).items.map(({ title }) => title)).toEqual(['100%_\\ sure'])
    }
    expect(await server.ask('GET', `/api/search?q=${encodeURIComponent('%_')}`)).toMatchObject({ total: 1 })
  })

  test.each(['updatedAt', 'createdAt', 'priority', 'title', 'estimate', 'dueOn', 'rank'] as const)(
    'sorted by %s in both directions, the same every time',
    async (sort) => {
      const value = (issue: Issue) =>
        sort === 'dueOn' ? (issue.dueOn ?? '9999') : sort === 'title' ? issue.title.toLowerCase() : issue[sort]
      const up = await walk(`sort=${sort}&order=asc&limit=40`)
      const sorted = [...up].sort((a, b) => {
        const [x, y] = [value(a), value(b)]
        return x < y ? -1 : x > y ? 1 : Number(a.id) - Number(b.id)
      })
      expect(up.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id))
      expect(await walk(`sort=${sort}&order=asc&limit=7`)).toEqual(up)
      expect(await walk(`sort=${sort}&order=desc&limit=33`)).toEqual([...up].reverse())
    },
  )

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'sort=body',
    'order=up',
    'status=later',
    'project=x',
    'assignee=99',
    'priority=9',
    'due=soon',
    'cursor=nonsense',
    'cursor=W10',
    'nonsense=1',
    `cursor=${Buffer.from('["rank","asc",true,1]').toString('base64url')}&sort=rank&order=asc`,
    `cursor=${Buffer.from('["rank","asc",1,{}]').toString('base64url')}&sort=rank&order=asc`,
    `q=${'x'.repeat(201)}`,
    'q=%00',
  ])('%.60s is refused', async (query) => {
    await server.ask('GET', `/api/issues?${query}`, 422)
  })

  test('a cursor holds for the order it was made in', async () => {
    const { next } = await list('sort=rank&limit=3')
    await server.ask('GET', `/api/issues?sort=title&cursor=${next}`, 422)
    await server.ask('GET', `/api/issues?sort=rank&order=desc&cursor=${next}`, 422)
  })

  describe('while rows come, go and change', () => {
    beforeEach(async () => {
      server = await createServer()
    })

    test.each([1, 2, 3, 4, 5, 6])('nothing that stays is lost or comes twice (seed %i)', async (seed) => {
      const random = createRandom(seed)
      const sort = (['updatedAt', 'priority', 'title', 'dueOn', 'rank', 'estimate'] as const)[seed % 6]
      const query = `sort=${sort}&order=${random() < 0.5 ? 'asc' : 'desc'}`
      const before = (await walk(query)).map(({ id }) => id)
      const touched = new Set<string>()
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page: Page = await list(`${query}&limit=${1 + Math.floor(random() * 40)}&cursor=${cursor}`)
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.next
        for (let at = 0; at < 4; at++) {
          const id = before[Math.floor(random() * before.length)] ?? ''
          if (random() < 0.3) {
            await create({ title: `New ${at}`, project: '1', priority: 3, rank: random() * 300 })
          } else if (random() < 0.5) {
            await server.send('DELETE', `/api/issues/${id}`)
          } else {
            await server.send('PATCH', `/api/issues/${id}`, {
              title: 'M',
              priority: 4,
              estimate: 3,
              dueOn: null,
              rank: 99,
            })
          }
          touched.add(id)
        }
      }
      const stayed = before.filter((id) => !touched.has(id))
      expect(stayed.length).toBeGreaterThan(100)
      expect(seen.filter((id) => stayed.includes(id))).toEqual(stayed)
    })
  })

  test('search goes by pages and finds titles first', async () => {
    const pages: Issue[] = []
    const first = await server.ask<{ pages: number; total: number }>('GET', '/api/search?q=plan')
    for (let page = 1; page <= first.pages; page++) {
      pages.push(...(await server.ask<Page>('GET', `/api/search?q=plan&page=${page}`)).items)
    }
    expect(pages).toHaveLength(first.total)
    const inTitle = pages.map(({ title }) => /plan/i.test(title))
    expect(inTitle).toEqual([...inTitle].sort((a, b) => Number(b) - Number(a)))
    const key = pages.at(-1)?.key
    expect((await server.ask<Page>('GET', `/api/search?q=${key}`)).items[0]?.key).toBe(key)
    expect(await server.ask('GET', '/api/search')).toEqual({ items: [], page: 1, pages: 0, total: 0 })
    expect(await server.ask('GET', '/api/search?q=zzzzzz')).toMatchObject({ items: [], total: 0 })
    await server.ask('GET', '/api/search?q=a&page=-1', 422)
  })
})

test('the same seed gives the same data', async () => {
  const [one, two] = await Promise.all([createServer(), createServer()])
  for (const path of ['issues?limit=100', 'people', 'projects', 'issues/300/attachments', 'issues/300/comments']) {
    expect(await one.ask('GET', `/api/${path}`)).toEqual(await two.ask('GET', `/api/${path}`))
  }
  const { items } = await one.ask<Page>('GET', '/api/issues?limit=100')
  for (const { createdAt, updatedAt } of items) {
    expect(updatedAt >= createdAt).toBe(true)
    expect(Date.parse(updatedAt)).toBeLessThanOrEqual(NOW)
  }
})

function create(body: object): Promise<Issue> {
  return server.ask<Issue>('POST', '/api/issues', 201, body)
}

function list(query: string): Promise<Page> {
  return server.ask<Page>('GET', `/api/issues?${query}`)
}

async function walk(query: string): Promise<Issue[]> {
  const items: Issue[] = []
  let page = await list(query)
  for (;;) {
    items.push(...page.items)
    if (page.next === null) {
      return items
    }
    page = await list(`${query}&cursor=${page.next}`)
  }
}
