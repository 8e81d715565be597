import { beforeAll, expect, test } from 'vitest'
import { runServer } from './runServer.ts'

interface Page {
  readonly html: string
  readonly calls: string
}
let pages: Record<'list' | 'failed' | 'timeout' | 'aborted', Page>
beforeAll(async () => {
  pages = await runServer('tests/angular/serverCases.ts')
})

const textOf = (html: string): string =>
  /<app-root[\s\S]*<\/app-root>/
    .exec(html)![0]
    .replace(/<[^>]*>/g, ' ')
    .trim()

test('SIG-14 a page of Angular waits for components that appear when data has arrived, and polls nothing', () => {
  const { html, calls } = pages.list
  expect(textOf(html).split(/ {2,}/)).toEqual(['title 1', 'title 2', 'title 1'])
  expect(calls).toBe('1,2')
  expect(html).toContain('id="ng-state"')
  expect(html).toContain('restitch')
})

test('SIG-14 a request that fails is an error in the page and in its state', () => {
  const { html, calls } = pages.failed
  expect(textOf(html)).toBe('no such todo')
  expect(/ng-state.*no such todo/.test(html)).toBe(true)
  expect(calls).toBe('gone')
})

test.each(['timeout', 'aborted'] as const)('SIG-14 a page of Angular is sent as it is: %s', (name) => {
  const { html, calls } = pages[name]
  expect(textOf(html)).toBe('loading')
  expect(calls).toBe('late')
  // The state knows nothing of it: the browser sends the request.
  expect(html).not.toContain('late')
})
