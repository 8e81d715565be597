import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startDemo, type Demo, type Visit } from './demo.ts'

interface Issue {
  id: string
  key: string
  title: string
  body: string
  status: string
  commentCount: number
}

const WAIT = { timeout: 60_000, interval: 50 }

let demo: Demo
let visit: Visit
beforeAll(async () => {
  demo = await startDemo()
})
afterAll(() => demo.close())
afterEach(async () => {
  await demo.break()
  await visit.close()
  expect(visit.complaints.filter((line) => !/412|ERR_FAILED/.test(line))).toEqual([])
})

test('a reload in the tunnel: the board is there, and so are the writes that wait; they are sent once', async () => {
  visit = await open('/projects/2')
  const { page, requests } = visit
  await visit.settle()
  const card = column(page, 'To do').getByRole('article').first()
  const title = await card.getByRole('link').innerText()
  const id = await card.getAttribute('data-issue')
  await stored(page)
  await demo.break({ offline: true })
  await card.getByRole('button', { name: /^Move/ }).click()
  await page.getByRole('menuitem', { name: 'Done' }).click()
  const moved = column(page, 'Done').getByRole('article').filter({ hasText: title })
  await moved.getByText('In the outbox').waitFor()

  await page.reload()
  await moved.getByText('In the outbox').waitFor()
  await page.getByRole('link', { name: 'Web app' }).waitFor()
  await page.getByRole('button', { name: 'Outbox, 1 unsent' }).click()
  const panel = page.getByRole('complementary', { name: 'Outbox' })
  await panel
    .getByRole('article', { name: /move to Done$/ })
    .getByText(/^Sent .* without a response$/)
    .waitFor()
  await panel.getByText(/^This browser keeps [\d,]+ rows/).waitFor()

  requests.length = 0
  await demo.break()
  await panel.getByText('Nothing waits: the server has every change.').waitFor()
  expect(await demo.api('GET', `/issues/${id}`)).toMatchObject({ status: 'done', revision: 2 })
  await page.getByRole('button', { name: 'Outbox', exact: true }).waitFor()
})

test('two windows, one queue: both show a write that waits, and one of them sends it', async () => {
  visit = await open('/projects/4')
  const { page } = visit
  await visit.settle()
  const other = await page.context().newPage()
  const writes: string[] = []
  page.context().on('requestfinished', (request) => request.method() === 'PATCH' && writes.push(request.url()))
  await other.goto(`${demo.origin}/projects/4`)
  const card = column(page, 'Backlog').getByRole('article').first()
  const title = await card.getByRole('link').innerText()
  const there = column(other, 'In review').getByRole('article').filter({ hasText: title })
  await column(other, 'Backlog').getByRole('article').filter({ hasText: title }).waitFor()
  await demo.break({ offline: true })
  await card.getByRole('button', { name: /^Move/ }).click()
  await page.getByRole('menuitem', { name: 'In review' }).click()
  await there.getByText('In the outbox').waitFor()
  await demo.break()
  await Promise.all([page, other].map((one) => one.getByRole('button', { name: 'Outbox', exact: true }).waitFor()))
  await there.waitFor()
  expect(writes).toHaveLength(1)
  await other.close()
})

test('the outbox has a conflict to solve: both versions are shown, and a merged one is sent', async () => {
  visit = await open('/issues/4985')
  const { page } = visit
  await visit.settle()
  const write = `${demo.origin}/api/issues/4985`
  await page.route(write, (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
  await page.getByRole('button', { name: /^Description:/ }).click()
  await visit.settle()
  await page.getByRole('textbox', { name: 'Description' }).fill('Mine')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByRole('button', { name: 'Outbox, 1 unsent' }).click()
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await demo.api('PATCH', '/issues/4985', { body: 'Theirs' })
  await page.unroute(write)
  const panel = page.getByRole('complementary', { name: 'Outbox' })
  // It may be sent by itself before.
  await panel
    .getByRole('button', { name: 'Send now' })
    .click({ timeout: 2_000 })
    .catch(() => {})
  const decide = panel.getByRole('region', { name: 'To decide' })
  await decide.getByText('Theirs', { exact: true }).waitFor()
  expect(await decide.getByLabel('Your version').inputValue()).toBe('Mine')
  await decide.getByLabel('Your version').fill('Both')
  await decide.getByRole('button', { name: 'Save my version' }).click()
  await panel.getByText('Nothing waits').waitFor()
  await expect.poll(() => demo.api<Issue>('GET', '/issues/4985'), WAIT).toMatchObject({ body: 'Both' })
})

test('a comment that is written offline has its real id afterwards', async () => {
  visit = await open('/issues/4986')
  const { page } = visit
  await visit.settle()
  await demo.break({ offline: true })
  await page.getByLabel('New comment').fill('From the tunnel')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  const said = page.getByRole('article').filter({ hasText: 'From the tunnel' })
  await said.waitFor()
  await page.getByRole('button', { name: 'Outbox, 1 unsent' }).waitFor()
  await page.reload()
  await said.waitFor()
  await demo.break()
  await said.getByRole('button', { name: 'Delete', disabled: false }).click()
  await said.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Outbox', exact: true }).waitFor()
})

test('when the server has ended the session, the sign-in says so, and a new visit begins as a guest', async () => {
  visit = await open('/projects/3')
  const { page } = visit
  await visit.settle()
  await stored(page)
  await page.getByRole('button', { name: 'Break it' }).click()
  await page.getByRole('button', { name: /401 now/ }).click()
  await page.getByText('Your session has ended').waitFor()
  await page.getByRole('button', { name: /^Amara Singh/ }).click()
  await column(page, 'To do').getByRole('article').first().waitFor()
  await stored(page)
  // The browser still has the data of the user, and the server no session.
  await page.goto('about:blank')
  await demo.api('POST', '/faults/sign-out')
  await page.goto(`${demo.origin}/projects/3`)
  await column(page, 'To do').getByRole('article').first().waitFor()
  await demo.signIn()
})

function open(path: string): Promise<Visit> {
  return demo.open(path, { isBroken: true })
}

function column(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true })
}

/** Resolves when the database has the rows of the screen. */
async function stored(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Outbox', exact: true }).click()
  await page.getByText(/^This browser keeps [\d,]{3,} rows/).waitFor()
  await page.keyboard.press('Escape')
}
