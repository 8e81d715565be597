import type { Response } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findRepeats, startDemo, type Demo, type Visit } from './demo.ts'

interface Issue {
  id: string
  key: string
  title: string
  status: string
  revision: number
  commentCount: number
}
interface List {
  items: Issue[]
  total: number
}

/** A busy machine takes its time. */
const WAIT = { timeout: 60_000, interval: 50 }

let demo: Demo
let visit: Visit
/** The lines that the console must contain, in part: none, unless the test has a request refused. */
let expected: string[] = []
/** Lines that depend on timing. */
let tolerated: RegExp | undefined
beforeAll(async () => {
  demo = await startDemo()
})
afterAll(() => demo.close())
afterEach(async () => {
  const complaints = visit.complaints.filter((line) => !tolerated?.test(line))
  const wanted = expected.map((part) => expect.stringContaining(part))
  expected = []
  tolerated = undefined
  await visit.close()
  expect(complaints).toEqual(wanted)
})

test('sign in and out: nothing of the user remains', async () => {
  visit = await demo.open('/people', { signedIn: false })
  const { page } = visit
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await visit.settle()
  expect(visit.requests.toSorted()).toEqual(['GET /api/session', 'GET /api/welcome'])
  await page.getByLabel('E-mail').fill('nobody@example.com')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('does not belong to a user').waitFor()
  expected = [`422 (Unprocessable Entity) (${demo.origin}/api/session)`]

  await page.getByLabel('E-mail').fill('mia.okafor@example.com')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'People' }).waitFor()
  await visit.settle()
  await page.getByRole('button', { name: 'Account of Mia Okafor' }).click()
  // A poll, or the stream, may reach the server after the sign-out and before the page knows of it.
  tolerated = /401 \(Unauthorized\)/
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.getByText('Product manager').count()).toBe(0)

  // By token, as another user; the address is still the one from before.
  await page.getByText('Access token').click()
  await page.getByLabel('E-mail').fill('ben.carter@example.com')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Account of Ben Carter' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Account of Ben Carter' }).waitFor()
})

test('project statistics', async () => {
  await show('/projects/1/stats')
  await visit.page.getByRole('heading', { name: 'Rename project Web app' }).waitFor()
})

test('a visit to an earlier screen fetches nothing', async () => {
  await show('/stats')
  const { page, requests } = visit
  await page.getByRole('link', { name: 'Issues', exact: true }).click()
  await page.getByRole('list').first().waitFor()
  await visit.settle()
  const before = requests.length
  await page.getByRole('link', { name: 'Statistics', exact: true }).click()
  await page.getByRole('button', { name: 'Rename project Web app' }).waitFor()
  await visit.settle()
  expect(requests.slice(before)).toEqual([])
})

test('what is not there says so', async () => {
  visit = await demo.open('/no/such/page')
  const { page } = visit
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  await visit.settle()
  await page.evaluate(() => history.pushState(null, '', '/issues/999999'))
  await page.getByRole('alert').getByText('Not found').first().waitFor()
  await visit.settle()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  // The browser's own lines about requests.
  const asked = visit.requests.filter((request) => request.includes('/issues/999999'))
  expect(new Set(asked).size).toBe(asked.length)
  expected = asked.map(() => '404 (Not Found)')
})

test('board: a card that is moved is there at once, and the server agrees', async () => {
  await show('/projects/2')
  const { page } = visit
  const [from, to] = [page.getByRole('region', { name: 'To do' }), page.getByRole('region', { name: 'In review' })]
  const card = from.getByRole('article').first()
  const title = await card.getByRole('link').innerText()
  const key = (await card.getByText(/^MOB-\d+$/).innerText()).trim()
  const counts = async () => [await count(from), await count(to)]
  const [todo = 0, review = 0] = await counts()

  await demo.break({ latency: 1500 })
  const [a, b] = [await card.boundingBox(), await to.getByRole('article').first().boundingBox()]
  if (!a || !b) {
    throw new Error('There is no card to drag')
  }
  await page.mouse.move(a.x + 60, a.y + 12)
  await page.mouse.down()
  await page.mouse.move(b.x + 60, b.y + 10, { steps: 8 })
  await page.mouse.up()
  await to.getByText(title, { exact: true }).first().waitFor()
  expect(await counts()).toEqual([todo - 1, review + 1])
  await demo.break()
  await visit.settle()
  expect(await counts()).toEqual([todo - 1, review + 1])
  const { items } = await demo.api<List>('GET', '/issues?project=2&status=review&sort=rank&limit=15')
  expect(items.map((issue) => issue.key)).toContain(key)
  const shown = await to
    .getByRole('article')
    .getByText(/^MOB-\d+$/)
    .allInnerTexts()
  expect(shown.slice(0, 15)).toEqual(items.map((issue) => issue.key).slice(0, shown.length))
})

test('issue list: filters, counters and endless scrolling', async () => {
  await show('/issues?project=3&sort=createdAt')
  const { page } = visit
  const region = page.getByRole('region', { name: 'Issues' })
  const { items, total } = await demo.api<List>('GET', '/issues?project=3&sort=createdAt&limit=100')
  expect(await readTab('All')).toBe(total)
  expect(await region.getByRole('listitem').first().getByRole('link').innerText()).toBe(items[0]?.title)

  // To the hundredth row, which is on the third page.
  for (let at = 0; at < 12 && !(await region.getByText(items[99]?.key ?? '', { exact: true }).count()); at++) {
    await region.evaluate((element) => element.scrollBy(0, 500))
    await visit.settle()
  }
  await region.getByText(items[99]?.key ?? '', { exact: true }).waitFor()
  expect(findRepeats(visit.requests)).toEqual([])

  await page.getByRole('tab', { name: /^To do/ }).click()
  await page.getByLabel('Title, key or text contains').fill('plan')
  await visit.settle()
  const found = await demo.api<List>('GET', '/issues?project=3&status=todo&q=plan&sort=createdAt')
  await expect.poll(() => readTab('To do'), WAIT).toBe(found.total)
  expect(await region.getByRole('listitem').count()).toBeLessThanOrEqual(found.total)
  await page.getByLabel('Title, key or text contains').fill('no issue says this')
  await page.getByText('No matching issues').waitFor()

  async function readTab(name: string): Promise<number> {
    return Number((await page.getByRole('tab', { name: new RegExp(`^${name}`) }).innerText()).replace(/\D/g, ''))
  }
})

test('issue list: a change of status moves all counters', async () => {
  await show('/issues?project=4&status=todo')
  const { page } = visit
  const tabs = async () => (await page.getByRole('tab').allInnerTexts()).map((text) => Number(text.replace(/\D/g, '')))
  const before = await tabs()
  const row = page.getByRole('listitem').first()
  const title = await row.getByRole('link').innerText()
  await row.getByRole('button', { name: /^Status of/ }).click()
  await page.getByRole('menuitem', { name: 'Done' }).click()
  await visit.settle()
  const [all = 0, open = 0, backlog = 0, todo = 0, doing = 0, review = 0, done = 0] = before
  // Only the server knows which statuses are open.
  await expect.poll(tabs).toEqual([all, open - 1, backlog, todo - 1, doing, review, done + 1])
  expect(await page.getByRole('listitem').first().getByRole('link').innerText()).not.toBe(title)
})

test('new issue: what the server does not like is said at its field', async () => {
  await show('/issues')
  const { page } = visit
  await page.getByRole('button', { name: 'New issue' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('x'.repeat(201))
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('at most 200 characters').waitFor()
  await dialog.getByText('is required').waitFor()
  expected = [`422 (Unprocessable Entity) (${demo.origin}/api/issues)`]
  await dialog.getByLabel('Title').fill('Written by a test')
  await dialog.getByRole('combobox', { name: 'Project' }).click()
  await page.getByRole('option', { name: 'Platform' }).click()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Written by a test' }).waitFor()
  const { total } = await demo.api<List>('GET', '/issues?q=Written+by+a+test&project=5')
  expect(total).toBe(1)
})

test('issue: inline edit, relations, comments', async () => {
  await show('/issues/4990')
  const { page } = visit
  await page.getByRole('button', { name: /^Title:/ }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('A better title')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'A better title' }).waitFor()
  await page.getByRole('combobox', { name: 'Assignee' }).click()
  await page.getByRole('option', { name: 'Hana Kobayashi' }).click()
  await visit.settle()
  expect(await demo.api('GET', '/issues/4990')).toMatchObject({
    title: 'A better title',
    assignee: { name: 'Hana Kobayashi' },
  })

  const comments = page.getByRole('region', { name: 'Comments' })
  const before = await comments.getByRole('article').count()
  await comments.getByLabel('New comment').fill('Said by a test')
  await comments.getByRole('button', { name: 'Comment', exact: true }).click()
  await comments.getByText('Said by a test').waitFor()
  await visit.settle()
  await comments.getByRole('heading', { name: `Comments (${before + 1})` }).waitFor()
  expect((await demo.api<Issue>('GET', '/issues/4990')).commentCount).toBe(before + 1)
  const own = comments.getByRole('article').filter({ hasText: 'Said by a test' })
  await own.getByRole('button', { name: 'Delete' }).click()
  await own.waitFor({ state: 'detached' })
  await expect.poll(async () => (await demo.api<Issue>('GET', '/issues/4990')).commentCount, WAIT).toBe(before)
})

test('issue: an edit of the description starts from the version of the server, which sends it only if it has changed', async () => {
  await show('/issues/4980')
  const { page } = visit
  // Its comments, which have arrived since, are part of the issue: the first look is a whole one.
  await page.getByRole('button', { name: /^Description:/ }).click()
  await visit.settle()
  await page.keyboard.press('Escape')
  const opened = answersTo(page, 'GET', '/api/issues/4980')
  await page.getByRole('button', { name: /^Description:/ }).click()
  expect((await opened).status()).toBe(304)
  const saved = answersTo(page, 'PATCH', '/api/issues/4980')
  await page.getByRole('textbox', { name: 'Description' }).fill('Written by a test')
  await page.getByRole('button', { name: 'Save' }).click()
  const etag = (await opened).request().headers()['if-none-match']
  expect((await saved).request().headers()['if-match']).toBe(etag)
  await page.getByText('Written by a test').waitFor()
  await visit.settle()
  expect(await demo.api('GET', '/issues/4980')).toMatchObject({ body: 'Written by a test', revision: 2 })

  // A comment makes another version of the issue, but not of its description.
  await page.getByRole('button', { name: /^Description:/ }).click()
  await visit.settle()
  await demo.api('POST', '/issues/4980/comments', { body: 'In between' })
  await page.getByText('In between').waitFor()
  await page.getByRole('textbox', { name: 'Description' }).fill('Written twice')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Written twice').waitFor()
  await expect.poll(() => demo.api('GET', '/issues/4980'), WAIT).toMatchObject({ body: 'Written twice', revision: 3 })
  await visit.settle()
  expect(await page.getByRole('alert').count()).toBe(0)
  expected = ['412 (Precondition Failed)']
})

test('issue: two users write the same description, and the second one sees both', async () => {
  await show('/issues/4981')
  const { page } = visit
  const conflict = page.getByRole('alert', { name: 'Another user has changed this description' })
  const write = async (text: string) => {
    await page.getByRole('textbox', { name: 'Description' }).fill(text)
    await page.getByRole('button', { name: 'Save' }).click()
  }
  await page.getByRole('button', { name: /^Description:/ }).click()
  await visit.settle()
  await demo.api('PATCH', '/issues/4981', { body: 'Theirs' })
  await write('Mine')
  await conflict.getByText('Theirs', { exact: true }).waitFor()
  expect(await conflict.getByLabel('Your version').inputValue()).toBe('Mine')
  expect(await demo.api('GET', '/issues/4981')).toMatchObject({ body: 'Theirs', revision: 2 })

  // Both are merged by hand, and another change in between is a conflict again.
  await demo.api('PATCH', '/issues/4981', { body: 'Theirs again' })
  await conflict.getByLabel('Your version').fill('Mine and theirs')
  await conflict.getByRole('button', { name: 'Save my version' }).click()
  await conflict.getByText('Theirs again').waitFor()
  expect(await conflict.getByLabel('Your version').inputValue()).toBe('Mine and theirs')
  await conflict.getByRole('button', { name: 'Save my version' }).click()
  await page.getByRole('button', { name: /^Description: Mine and theirs/ }).waitFor()
  await visit.settle()
  expect(await demo.api('GET', '/issues/4981')).toMatchObject({ body: 'Mine and theirs', revision: 4 })

  await page.getByRole('button', { name: /^Description:/ }).click()
  await visit.settle()
  await demo.api('PATCH', '/issues/4981', { body: 'The last word' })
  await write('Not sent')
  await conflict.getByRole('button', { name: 'Keep theirs' }).click()
  const text = page.getByRole('button', { name: /^Description: The last word/ })
  await text.and(page.locator(':focus')).waitFor()
  expect(await demo.api('GET', '/issues/4981')).toMatchObject({ body: 'The last word', revision: 5 })
  // None where the event of the other change came first.
  tolerated = /412 \(Precondition Failed\)/
})

test('statistics and activity are stale after a change of an issue, without any event', async () => {
  visit = await demo.open('/people')
  const { page } = visit
  tolerated = /api\/events/
  await page.route('**/api/events', (route) => route.abort())
  await page.goto(`${demo.origin}/projects/5/stats`)
  const open = page.getByText(/^[\d,]+ open$/).first()
  const before = Number((await open.innerText()).replace(/\D/g, ''))
  await page.getByRole('tab', { name: 'Activity' }).click()
  await page.getByText(/^30 of [\d,]+ entries$/).waitFor()
  await page.getByRole('tab', { name: 'Board' }).click()
  await visit.settle()
  const card = page.getByRole('region', { name: 'To do' }).getByRole('article').first()
  const key = (await card.getByText(/^[A-Z]+-\d+$/).innerText()).trim()
  await card.getByRole('button', { name: /^Move / }).click()
  await page.getByRole('menuitem', { name: 'Done' }).click()
  await visit.settle()
  await page.getByRole('tab', { name: 'Statistics' }).click()
  await page
    .getByText(`${before - 1} open`)
    .first()
    .waitFor()
  await page.getByRole('tab', { name: 'Activity' }).click()
  await page
    .getByRole('link', { name: new RegExp(`^${key} `) })
    .first()
    .waitFor()
  await page.unroute('**/api/events')
})

test('attachments go up and come down, with progress', async () => {
  await show('/issues/5000')
  const { page } = visit
  const files = page.getByRole('region', { name: 'Attachments' })
  await demo.break({ slowBody: true })
  const download = page.waitForEvent('download')
  await files.getByRole('button', { name: 'Download full-trace.log' }).click()
  await files.getByRole('progressbar', { name: 'Download of full-trace.log' }).waitFor()
  expect((await download).suggestedFilename()).toBe('full-trace.log')
  await demo.break({ latency: 500 })
  const input = files.locator('input[type=file]').or(page.locator('input[type=file]')).first()
  await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.alloc(200_000, 'a') })
  // At 0 % it has no width, and counts as hidden.
  await files.getByRole('progressbar', { name: 'Upload' }).waitFor({ state: 'attached' })
  await demo.break()
  await files.getByText('notes.txt').waitFor()
  await visit.settle()
  const list = await demo.api<{ name: string; size: number }[]>('GET', '/issues/5000/attachments')
  expect(list.at(-1)).toMatchObject({ name: 'notes.txt', size: 200_000 })
})

test('people: a new name is everywhere at once', async () => {
  await show('/people')
  const { page, requests } = visit
  await page.getByRole('button', { name: /^Name: Nora Haugen/ }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Nora Renamed')
  await page.keyboard.press('Enter')
  await visit.settle()
  const before = requests.length
  await page.getByRole('link', { name: 'Help centre' }).click()
  await page.getByTitle('Nora Renamed').first().waitFor()
  await visit.settle()
  expect(await page.getByTitle('Nora Haugen').count()).toBe(0)
  // The list may have been polled once more on the way; no user is fetched again.
  expect(requests.slice(before).filter((request) => request.startsWith('GET /api/people/'))).toEqual([])
})

test('dashboard: numbers, and a ticker that lives by polling and by the stream', async () => {
  await show('/dashboard')
  const { page } = visit
  const { total } = await demo.api<List>('GET', '/issues?status=review&limit=1')
  await page.getByText(total.toLocaleString('en-US'), { exact: true }).first().waitFor()
  const chart = page.getByRole('img', { name: /Build minutes of the last/ })
  const first = await chart.getAttribute('aria-label')
  await page.waitForFunction((old) => !document.querySelector(`[aria-label="${old}"]`), first)
  await page.getByText('Streamed').click()
  await chart.waitFor()
  const second = await chart.getAttribute('aria-label')
  await page.waitForFunction((old) => !document.querySelector(`[aria-label="${old}"]`), second)
})

test('large board: a change of one of 100,000 rows looks at one record in each query', async () => {
  visit = await demo.open('/large')
  const { page } = visit
  const changes = page.getByRole('region', { name: 'Changes' })
  await changes.getByRole('button', { name: 'Change one row' }).click()
  await changes.getByText(/^1 of 100,000 rows changed/).waitFor()
  const looked = async () => Number((await changes.locator('b').innerText()).replace(/\D/g, ''))
  expect(await looked()).toBeLessThanOrEqual(4)
  await changes.getByRole('button', { name: 'Change 1,000 rows' }).click()
  await changes.getByText(/^1,000 of 100,000 rows changed/).waitFor()
  expect(await looked()).toBeLessThanOrEqual(4_000)
  await page.getByLabel('Search tasks').fill('room 4711')
  const tasks = page.getByRole('region', { name: /^[\d,]+ tasks$/ }).getByRole('listitem')
  await expect.poll(() => tasks.count(), WAIT).toBeLessThan(20)
  expect(await tasks.first().innerText()).toContain('in room 4711')
})

test('search: the old results stay until the new ones are there, and the last text wins', async () => {
  await show('/search?q=floor')
  const { page } = visit
  const results = page.getByRole('main').getByRole('link')
  expect(await results.count()).toBeGreaterThan(5)
  await demo.break({ reorder: true })
  const box = page.getByLabel('Search all issues')
  await box.fill('calendar')
  expect(await results.count()).toBeGreaterThan(5)
  await box.fill('badge')
  await demo.break()
  await visit.settle()
  await page.waitForFunction(() => !document.querySelector('[aria-label="Searching"]'))
  for (const text of (await results.allInnerTexts()).slice(0, 5)) {
    expect(text.toLowerCase()).toContain('badge')
  }
  // The address may change without typing.
  await page.evaluate(() => history.pushState(null, '', '/search?q=zzzzz'))
  await page.getByText('No results for “zzzzz”').waitFor()
  expect(await box.inputValue()).toBe('zzzzz')
})

test('activity: pages by link headers', async () => {
  await show('/projects/3/activity')
  const { page } = visit
  await page.getByText(/^30 of [\d,]+ entries$/).waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText(/^60 of [\d,]+ entries$/).waitFor()
})

test('statistics: renamed by GraphQL, seen by REST', async () => {
  await show('/stats')
  const { page } = visit
  await page.getByRole('button', { name: 'Rename project Insights' }).click()
  await page.getByRole('textbox').last().fill('Numbers')
  await page.keyboard.press('Enter')
  await page.getByRole('navigation').getByText('Numbers').waitFor()
  await visit.settle()
  expect(await demo.api('GET', '/projects/4')).toMatchObject({ name: 'Numbers' })
})

/** Opens a screen in a fresh page. It sends no request twice. */
async function show(path: string): Promise<void> {
  visit = await demo.open(path)
  await visit.page.getByRole('heading', { level: 1 }).first().waitFor()
  await visit.settle()
  expect(visit.requests.length).toBeGreaterThan(1)
  // That screen polls.
  const polled = path === '/people' ? 'GET /api/people' : undefined
  expect(findRepeats(visit.requests).filter((request) => request !== polled)).toEqual([])
}

/** Resolves to the next response to such a request. */
function answersTo(page: Visit['page'], method: string, path: string): Promise<Response> {
  return page.waitForResponse(
    (response) => response.request().method() === method && new URL(response.url()).pathname === path,
  )
}

async function count(column: ReturnType<Visit['page']['getByRole']>): Promise<number> {
  return Number((await column.locator('.mantine-Badge-label').first().innerText()).replace(/\D/g, ''))
}
