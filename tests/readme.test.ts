import { readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { bundle } from './bundle.ts'

afterEach(() => vi.restoreAllMocks())

test('the example of the README runs as it stands', async () => {
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? []
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    const body = init?.body ? JSON.parse(init.body as string) : {}
    if (init?.method === 'POST') {
      return Response.json({ id: 3, ...body }, { status: 201 })
    }
    if (init?.method === 'PATCH') {
      return Response.json({ id: 1, title: 'Write', ...body })
    }
    return Response.json([
      { id: 1, title: 'Write', done: false },
      { id: 2, title: 'Test', done: false },
    ])
  })
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  await import(`data:text/javascript;base64,${Buffer.from(await bundle(code, 'development')).toString('base64')}`)
  expect(log.mock.calls).toEqual([[['Write', 'Test']], [['Write', 'Test', 'Ship it']], [['Test', 'Ship it']]])
  expect(fetch.mock.calls.map(([url, init]) => `${init?.method} ${String(url)}`)).toEqual([
    'GET https://api.test/todos?done=false',
    'POST https://api.test/todos',
    'PATCH https://api.test/todos/1',
  ])
})
