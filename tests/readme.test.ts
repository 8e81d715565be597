import { readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { bundle } from './bundle.ts'

afterEach(() => vi.restoreAllMocks())

test('the example of the README runs as it stands', async () => {
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? []
  const fetch = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async (url) =>
      Response.json(
        url === 'https://api.github.com/repos/nodejs/node'
          ? { full_name: 'nodejs/node', stargazers_count: 7 }
          : { names: ['javascript'] },
      ),
    )
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  await import(`data:text/javascript;base64,${Buffer.from(await bundle(code, 'development')).toString('base64')}`)
  expect(log.mock.calls).toEqual([['nodejs/node has 7 stars'], [['javascript']]])
  expect(fetch.mock.calls.map(([url]) => url)).toEqual([
    'https://api.github.com/repos/nodejs/node',
    'https://api.github.com/repos/nodejs/node/topics',
  ])
})
