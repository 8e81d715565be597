// OUT-15, OUT-16: servers whose responses to changes have no ETag that a later change could send.
import { resource } from 'restitch'
import { etagEndpoint } from 'restitch/etag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Task } from '../../src/testing/TodoApi.ts'
import { OfflineApp, type Page } from './OfflineApp.ts'

const Notes: any = resource({
  urlPrefix: 'https://api.test',
  path: '/tasks/:id',
  schema: Task,
  optimistic: true,
  Endpoint: etagEndpoint(),
})
let app: OfflineApp
let page: Page

/** The `If-Match` of each change that has arrived. */
const conditions = (): (string | null)[] =>
  app.api.log.flatMap(({ line, headers }) => (line.startsWith('PATCH') ? [headers.get('if-match')] : []))

beforeEach(async () => {
  app = new OfflineApp()
  app.api.hasEtags = true
  page = await app.visit({ endpoints: { 'note.update': Notes.partialUpdate } })
})
afterEach(() => app.close())

const PROXIES: [string, (etag: string) => string | undefined][] = [
  ['none', () => undefined],
  ['a weak one', (etag) => `W/${etag}`],
]

test.each(PROXIES)(
  'OUT-15 the response to the first of two edits has %s: the second is no conflict with it',
  async (_, etagOfChange) => {
    app.api.etagFor = (etag, isRead) => (isRead ? etag : etagOfChange(etag))
    await page.fetch(Notes.get, { id: '1' })
    app.api.isOnline = false
    void page.fetch(Notes.partialUpdate, { id: '1' }, { title: 'a' })
    void page.fetch(Notes.partialUpdate, { id: '1' }, { title: 'b' })
    void page.fetch(Notes.partialUpdate, { id: '1' }, { done: true })
    await app.rest()
    app.api.isOnline = true
    await app.rest(10_000)
    expect([app.api.tasks.get('1'), page.counts]).toEqual([{ id: '1', title: 'b', done: true }, [0, 0, 0]])
    expect(conditions().map((etag) => etag !== null)).toEqual([true, false, false])
  },
)

test('OUT-16 a conflict whose record came with a weak ETag: the merged version is sent without a condition', async () => {
  await page.fetch(Notes.get, { id: '1' })
  app.api.tasks.set('1', { id: '1', title: 'theirs', done: false })
  app.api.etagFor = (etag) => `W/${etag}`
  void page.fetch(Notes.partialUpdate, { id: '1' }, { title: 'mine' })
  await app.rest()
  expect(page.sending.conflicts).toMatchObject([{ theirs: { title: 'theirs' } }])
  await page.sending.retry(page.sending.conflicts[0]!.id, { title: 'merged' })
  await app.rest()
  expect([app.api.tasks.get('1').title, page.counts]).toEqual(['merged', [0, 0, 0]])
})
