import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startDemo, type Demo, type Visit } from './demo.ts'

interface Issue {
  id: string
  key: string
  title: string
  status: string
  priority: number
}
interface List {
  items: Issue[]
  total: number
}

/** A machine may be busy. */
const WAIT = { timeout: 60_000, interval: 50 }

let demo: Demo
let visits: Visit[] = []
beforeAll(async () => {
  demo = await startDemo()
})
afterAll(() => demo.close())
afterEach(async () => {
  await demo.break()
  const complaints = visits.flatMap((visit) => visit.complaints)
  await Promise.all(visits.map((visit) => visit.close()))
  visits = []
  expect(complaints).toEqual([])
})

test('two windows see each other', async () => {
  // A board of the same project as the issue, so that both show it.
  const fields = { status: 'backlog', rank: -5 }
  const { project } = await demo.api<{ project: string }>('PATCH', '/issues/4980', fields)
  const [one, two] = await Promise.all([open('/issues/4980'), open(`/projects/${project}`)])
  await Promise.all([one.settle(), two.settle()])
  const { page } = two
  const backlog = page.getByRole('region', { name: 'Backlog' })
  await edit(one, 'Seen in the other window')
  await backlog.getByRole('link', { name: 'Seen in the other window' }).waitFor()

  // The other way round, and between columns.
  await backlog.getByRole('article').first().getByRole('button', { name: /^Move/ }).click()
  await page.getByRole('menuitem', { name: 'In review' }).click()
  await one.page.waitForFunction(() =>
    Array.from(document.querySelectorAll('input'), (input) => input.value).includes('In review'),
  )
  // Records that are created or deleted elsewhere appear and disappear.
  const { id } = await demo.api<Issue>('POST', '/issues', { ...fields, title: 'Made elsewhere', project, rank: -9 })
  await backlog.getByRole('link', { name: 'Made elsewhere' }).waitFor()
  await demo.api('DELETE', `/issues/${id}`)
  await backlog.getByRole('link', { name: 'Made elsewhere' }).waitFor({ state: 'detached' })
})

test('latency: the edit shows at once, and polls never flip it back', async () => {
  const { page, requests, settle } = await open('/people')
  await settle()
  await demo.break({ latency: 300, jitter: 700 })
  await page.getByRole('button', { name: /^Name: Oskar Lindqvist/ }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Oskar Late')
  await page.evaluate(watchFor, ['Oskar Late', 'Oskar Lindqvist'] as const)
  const polls = () => requests.filter((request) => request === 'GET /api/people').length
  // One is sent before the edit, and its response arrives after it.
  const before = polls()
  await expect.poll(polls, WAIT).toBeGreaterThan(before)
  await page.keyboard.press('Enter')
  await page.getByText('Oskar Late').waitFor()
  await expect.poll(polls, WAIT).toBeGreaterThan(before + 2)
  expect(await page.evaluate(() => document.body.dataset.flipped)).toBe('false')
  expect(await demo.api('GET', '/people/6')).toMatchObject({ name: 'Oskar Late' })
})

test('errors: what failed is taken back, and said; stale data stay', async () => {
  const visit = await open('/people', true)
  const { page } = visit
  await visit.settle()
  await demo.break({ errorRate: 1 })
  await page.getByRole('button', { name: /^Name: Priya Raman/ }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Never')
  await page.keyboard.press('Enter')
  await page.getByText('Change rolled back').waitFor()
  // The typed text is not lost; Escape restores the old name.
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Never')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Name: Priya Raman/ }).waitFor()
  // A screen that was not loaded says so, and loads once the server works.
  await page.getByRole('link', { name: 'Statistics', exact: true }).click()
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).first().waitFor()
  await demo.break()
  await page.getByRole('button', { name: 'Rename project Web app' }).waitFor()
})

test('faults show in the header, and failed screens load once they end', async () => {
  const visit = await open('/projects/2', true)
  const { page } = visit
  await visit.settle()
  await page.getByRole('button', { name: 'Break it', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Break it' })
  await panel.getByRole('button', { name: /^Train tunnel/ }).click()
  await panel.getByRole('status').getByText('Offline').waitFor()
  await page.keyboard.press('Escape')
  const main = page.getByRole('main')
  for (const screen of ['People', 'Statistics']) {
    await page.getByRole('link', { name: screen, exact: true }).click()
    await main.getByText('The server cannot be reached.').first().waitFor()
  }
  expect(await main.getByText('Failed to fetch').count()).toBe(0)
  await page.getByRole('button', { name: /^Offline/ }).click()
  await panel.getByRole('button', { name: /^Far away/ }).click()
  await page.getByRole('banner').getByRole('button', { name: /^Slow/ }).waitFor()
  await page.getByRole('button', { name: 'Rename project Web app' }).waitFor()
  await panel.getByRole('button', { name: /^No faults/ }).click()
  await page.getByRole('banner').getByRole('button', { name: /^Slow/ }).waitFor({ state: 'detached' })
})

test('a card that waits for the server says so, until the response arrives', async () => {
  const visit = await open('/projects/5')
  const { page } = visit
  await visit.settle()
  await demo.break({ latency: 5_000 })
  await page.getByRole('region', { name: 'To do' }).getByRole('button', { name: /^Move/ }).first().click()
  await page.getByRole('menuitem', { name: 'Done' }).click()
  const card = page.getByRole('region', { name: 'Done' }).getByRole('article').filter({ hasText: 'Saving…' })
  await card.waitFor()
  await card.waitFor({ state: 'detached' })
})

test('offline: loaded data stays, a move waits in the outbox; afterwards the stream delivers the missed events', async () => {
  const visit = await open('/projects/3', true)
  const { page } = visit
  await visit.settle()
  const todo = page.getByRole('region', { name: 'To do' })
  const first = todo.getByRole('article').first()
  const title = await first.getByRole('link').innerText()
  await demo.break({ offline: true })
  await first.getByRole('button', { name: /^Move/ }).click()
  await page.getByRole('menuitem', { name: 'Done' }).click()
  const done = page.getByRole('region', { name: 'Done' })
  await done.getByRole('article').filter({ hasText: title }).getByText('In the outbox').waitFor()
  expect(await demo.api<List>('GET', '/issues?project=3&status=todo&limit=1').catch(() => 'offline')).toBe('offline')
  await demo.break()
  await page.getByRole('button', { name: 'Outbox', exact: true }).waitFor()
  const { items } = await demo.api<List>('GET', '/issues?project=3&status=todo&sort=rank&limit=1')
  await demo.api('PATCH', `/issues/${items[0]?.id}`, { title: 'Changed while you were away' })
  await todo.getByRole('link', { name: 'Changed while you were away' }).waitFor()
})

test('offline, statistics that are not loaded are one message; loaded ones stay', async () => {
  const visit = await open('/projects/1/stats', true)
  const { page } = visit
  const bar = page.getByRole('img', { name: /^By status/ })
  await bar.waitFor()
  await visit.settle()
  await demo.break({ offline: true })
  await page.getByRole('link', { name: 'Statistics', exact: true }).click()
  const alert = page.getByRole('main').getByRole('alert')
  await alert.first().waitFor()
  await expect.poll(() => page.getByText('Not loaded.').count()).toBe(5)
  expect(await alert.count()).toBe(1)
  expect(await bar.count()).toBe(1)
  // Once the page knows of it, it loads again by itself.
  await page.getByRole('button', { name: /^Offline/ }).waitFor()
  await demo.break()
  await expect.poll(() => page.getByText('Not loaded.').count(), { timeout: 60_000 }).toBe(0)
  expect(await alert.count()).toBe(0)
  await visit.settle()
})

test('offline while a move is pending: statistics are right once the stream is back', async () => {
  const visit = await open('/projects/3/stats', true)
  const { page } = visit
  await visit.settle()
  const done = async (): Promise<number> =>
    Number(
      (
        await page
          .getByText(/^[\d,]+ done$/)
          .first()
          .innerText()
      ).replace(/\D/g, ''),
    )
  await page.getByRole('tab', { name: 'Board' }).click()
  await visit.settle()
  const card = page.getByRole('region', { name: 'To do' }).getByRole('article').first()
  // The response is held back until the server is offline; a slow server may not even have done the write.
  await demo.break({ jitter: 20_000, seed: 7 })
  await card.getByRole('button', { name: /^Move/ }).click()
  await page.getByRole('menuitem', { name: 'Done' }).click()
  await expect.poll(() => visit.requests.some((request) => request.startsWith('PATCH')), WAIT).toBe(true)
  await demo.break({ offline: true })
  await page.getByRole('tab', { name: 'Statistics' }).click()
  await page
    .getByText(/^[\d,]+ done$/)
    .first()
    .waitFor()
  await demo.break()
  const query = '{ projectStats(id: "3") { done } }'
  const { data } = await demo.api<{ data: { projectStats: { done: number } } }>('POST', '/graphql', { query })
  await expect.poll(done, WAIT).toBe(data.projectStats.done)
})

test('reordered responses: three quick edits end with the last', async () => {
  const visit = await open('/issues/4970')
  await visit.settle()
  await demo.break({ reorder: true, seed: 11 })
  for (const title of ['First try', 'Second try', 'Third try']) {
    await edit(visit, title)
  }
  await visit.settle()
  await visit.page.getByRole('heading', { level: 1, name: 'Third try' }).waitFor()
  await demo.break()
  expect(await demo.api('GET', '/issues/4970')).toMatchObject({ title: 'Third try' })
})

test('reordered responses: a comment that the stream delivers before its response is never shown twice', async () => {
  const visit = await open('/issues/4960')
  const { page } = visit
  await visit.settle()
  await demo.break({ reorder: true, seed: 3 })
  await page.evaluate(countArticles, 'Said once')
  await page.getByLabel('New comment').fill('Said once')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  const said = page.getByRole('article').filter({ hasText: 'Said once' })
  // Its Delete button works once the response is there; "sending…" may be gone before the test looks.
  await said.getByRole('button', { name: 'Delete', disabled: false }).waitFor()
  // The message is there, too: what the other window says after it is.
  await demo.api('POST', '/issues/4960/comments', { body: 'Said elsewhere' })
  await page.getByRole('article').filter({ hasText: 'Said elsewhere' }).waitFor()
  await visit.settle()
  expect(await page.evaluate(() => document.body.dataset.most)).toBe('1')
  expect(await said.count()).toBe(1)
})

test('slow bodies: skeletons, then the screen', async () => {
  const visit = await open('/stats')
  await visit.settle()
  await demo.break({ slowBody: true })
  await visit.page.getByRole('link', { name: 'People', exact: true }).click()
  await visit.page.locator('main .mantine-Skeleton-root').first().waitFor()
  await visit.settle()
  expect(await visit.page.getByRole('button', { name: /^Name:/ }).count()).toBe(12)
})

test('the panel moves the switches of the server, and 401 now leads to the sign-in', async () => {
  const visit = await open('/people', true)
  const { page } = visit
  await visit.settle()
  await page.getByRole('button', { name: 'Break it' }).click()
  const panel = page.getByRole('complementary', { name: 'Break it' })
  await panel.getByRole('switch', { name: 'Slow bodies' }).click()
  await panel.getByRole('switch', { name: 'Reorder responses' }).click()
  await panel.getByRole('slider', { name: 'Latency' }).press('ArrowRight')
  await panel.getByText('Latency 100 ms · Reorder responses · Slow bodies').waitFor()
  expect(await demo.api('GET', '/faults')).toMatchObject({ latency: 100, reorder: true, slowBody: true })
  await panel.getByRole('button', { name: /^Train tunnel/ }).click()
  await panel.getByRole('status').getByText('Offline').waitFor()
  await panel.getByRole('button', { name: /^No faults/ }).click()
  await panel.getByText('The server works normally').waitFor()
  expect(await demo.api('GET', '/faults')).toMatchObject({ latency: 0, offline: false })
  await visit.settle()
  const before = visit.requests.length
  await panel.getByRole('button', { name: /401 now/ }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByText('Your session has ended').waitFor()
  await visit.settle()
  const after = visit.requests.slice(before)
  expect(after.filter((request) => request.endsWith('/session'))).toEqual(['GET /api/session'])
  expect(await page.getByText('Amara Singh, ').count()).toBe(0)
  await demo.signIn()
})

test('the devtools show the store, say why, and break requests of this window alone', async () => {
  const visit = await open('/people', true)
  const { page } = visit
  await visit.settle()
  await page.getByRole('button', { name: 'Open the restitch devtools' }).click()
  const panel = page.getByRole('dialog', { name: 'restitch devtools' })
  const show = (name: string): Promise<void> => panel.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
  await panel.getByLabel('Table of records').selectOption('Person')
  await panel.getByLabel('Search records').fill('amara')
  await panel.getByRole('listbox').getByText('Amara Singh').click()
  await panel.getByRole('heading', { name: /^Person/ }).waitFor()
  await show('Endpoints')
  await panel.getByLabel('Search endpoints').fill('/api/people')
  await panel.getByRole('listbox').getByText('GET /api/people').first().click()
  await panel.getByText(/It is fresh for another/).waitFor()
  await show('Network')
  await panel.getByRole('button', { name: 'Offline' }).click()
  await show('Timeline')
  await panel.getByLabel('Kind of action').selectOption('Errors')
  await panel.getByRole('listbox').getByText('GET /api/people').first().waitFor()
  expect(await page.getByText('Amara Singh').count()).toBeGreaterThan(0)
  await show('Network')
  await panel.getByRole('button', { name: 'Off', exact: true }).click()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
})

async function open(path: string, isBroken = false): Promise<Visit> {
  const visit = await demo.open(path, { isBroken })
  visits.push(visit)
  return visit
}

async function edit({ page }: Visit, title: string): Promise<void> {
  await page.getByRole('button', { name: /^Title:/ }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

/** Notes on the page how many articles had a text at once, at most. */
function countArticles(text: string): void {
  const observer = new MutationObserver(() => {
    const articles = Array.from(document.querySelectorAll('article'), ({ innerText }) => innerText)
    const count = articles.filter((article) => article.includes(text)).length
    const { dataset } = document.body
    if (count > Number(dataset.most ?? 0)) {
      dataset.most = String(count)
    }
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
}

/** Notes on the page whether the old text came back once the new one was there. */
function watchFor([wanted, old]: readonly [string, string]): void {
  const { dataset } = document.body
  dataset.flipped = 'false'
  let isThere = false
  const observer = new MutationObserver(() => {
    const { innerText } = document.body
    isThere ||= innerText.includes(wanted)
    if (isThere && innerText.includes(old)) {
      dataset.flipped = 'true'
    }
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
}
