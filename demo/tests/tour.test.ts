import type { Locator } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDemo, type Demo } from './demo.ts'

let demo: Demo

async function expectFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((found) => found === document.activeElement)).toBe(true)
}
beforeAll(async () => {
  demo = await startDemo()
})
afterAll(() => demo.close())

test('the front door leads a guest to the board; the tour counts one PATCH, no refetch and three lists', async () => {
  const visit = await demo.open('/', { signedIn: false })
  const { page, requests } = visit
  const tour = page.getByRole('region', { name: 'Tour' })
  await page.getByRole('heading', { level: 1, name: 'Web app' }).waitFor()
  await visit.settle()
  const lists = requests.filter((request) => request.startsWith('GET /api/issues?'))
  // It takes the focus when it starts: its first button is one Tab away.
  await expectFocus(tour)
  await page.keyboard.press('Tab')
  await expectFocus(tour.getByRole('button', { name: 'Move a card for me' }))

  let before = requests.length
  await tour.getByRole('button', { name: 'Move a card for me' }).click()
  await tour.getByText('lists updated: To do, Done, Open issues').waitFor()
  expect((await tour.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/1 PATCH \/issues\/\d+ 0 refetches 3 lists updated/)
  const moved = requests.slice(before)
  expect(moved).toEqual([expect.stringMatching(/^PATCH \/api\/issues\/\d+$/)])

  // The same again, as a client does it that refetches each list after a write.
  before = requests.length
  await tour.getByRole('button', { name: 'Compare with a classic client' }).click()
  const row = tour.getByRole('row', { name: 'Requests' })
  await row.waitFor()
  expect(requests.slice(before).toSorted()).toEqual([...lists, ...moved].toSorted())
  expect(await row.getByRole('cell').allInnerTexts()).toEqual(['1', String(1 + lists.length)])
  const next = tour.getByRole('button', { name: 'Use it in your app' })
  await expectFocus(next)

  // A panel that the tour opens gives the focus back to the tour.
  const more = tour.getByRole('button', { name: 'Show the code' })
  await more.focus()
  await page.keyboard.press('Enter')
  await expectFocus(page.getByRole('heading', { level: 2, name: 'Code' }))
  await page.keyboard.press('Escape')
  await expectFocus(more)

  // A reload continues the tour.
  await page.reload()
  await row.waitFor()
  await next.click()
  await tour.getByText('npm install restitch').waitFor()
  await expectFocus(tour.getByRole('button', { name: 'Finish the tour' }))
  await page.keyboard.press('Enter')
  await tour.waitFor({ state: 'detached' })
  await expectFocus(page.getByRole('button', { name: 'Start the tour' }))
  // It does not come back by itself.
  for (const go of [() => page.reload(), () => page.goto(demo.origin)]) {
    await go()
    await page.getByRole('heading', { level: 1, name: 'Web app' }).waitFor()
    expect(await tour.count()).toBe(0)
  }
  await page.getByRole('button', { name: 'Start the tour' }).click()
  await expectFocus(tour)
  expect(visit.complaints).toEqual([])
  await visit.close()
})

test('the comparison counts its own move, not a later one', async () => {
  const visit = await demo.open('/', { signedIn: false, isBroken: true })
  const { page } = visit
  const tour = page.getByRole('region', { name: 'Tour' })
  await page.getByRole('heading', { level: 1, name: 'Web app' }).waitFor()
  await visit.settle()
  await tour.getByRole('button', { name: 'Move a card for me' }).click()
  const compare = tour.getByRole('button', { name: 'Compare with a classic client' })
  await compare.waitFor()
  await demo.break({ offline: true })
  await compare.click()
  await tour.getByText('the move waits in the outbox').waitFor()
  await demo.break()
  const counts = tour.getByRole('row', { name: 'Requests' }).getByRole('cell')
  await counts.first().waitFor()
  const compared = await counts.allInnerTexts()
  expect(Number(compared[1])).toBeGreaterThan(5)
  await visit.settle()
  const before = visit.requests.length
  await moveFirst()
  await expect.poll(() => visit.requests.length).toBeGreaterThan(before)
  await visit.settle()
  expect(await counts.allInnerTexts()).toEqual(compared)
  await visit.close()

  async function moveFirst(): Promise<void> {
    const card = page.getByRole('region', { name: 'To do' }).getByRole('article').first()
    await card.getByRole('button', { name: /^Move/ }).click()
    await page.getByRole('menuitem', { name: 'In review' }).click()
  }
})

test('a skipped tour stays away; it is the first thing in the content', async () => {
  const visit = await demo.open('/', { signedIn: false })
  const { page } = visit
  const tour = page.getByRole('region', { name: 'Tour' })
  await page.getByRole('heading', { level: 1, name: 'Web app' }).waitFor()
  await visit.settle()
  await page.getByRole('link', { name: 'Skip to content' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expectFocus(tour.getByRole('button', { name: 'Move a card for me' }))
  await tour.getByRole('button', { name: 'Skip the tour' }).click()
  await page.goto(demo.origin)
  await page.getByRole('heading', { level: 1, name: 'Web app' }).waitFor()
  await visit.settle()
  expect(await tour.count()).toBe(0)
  await visit.close()
})

test('“Look into the store” shows the moved card, with the names of components; the poll of the faults is no request of the app', async () => {
  const visit = await demo.open('/', { signedIn: false })
  const { page } = visit
  await page.getByRole('heading', { level: 1, name: 'Web app' }).waitFor()
  await visit.settle()
  const title = await page.getByRole('region', { name: 'To do' }).getByRole('link').first().innerText()
  await page.getByRole('button', { name: 'Move a card for me' }).click()
  await page.getByRole('button', { name: 'Look into the store' }).click()
  const panel = page.getByRole('dialog', { name: 'restitch devtools' })
  expect(await panel.getByRole('listbox').getByRole('option', { selected: true }).innerText()).toContain(title)
  expect(await panel.getByRole('region', { name: 'Explanation' }).innerText()).toMatch(
    /Shown by\s+\d+ readers: .*Cards/,
  )
  await panel.getByRole('tab', { name: /^Renders/ }).click()
  const names = await panel.getByRole('listbox', { name: 'Components' }).getByRole('option').allInnerTexts()
  expect(names.map((name) => /^\w+/.exec(name)![0])).toEqual(expect.arrayContaining(['Cards', 'Head', 'App']))
  await panel.getByRole('tab', { name: /^Requests/ }).click()
  const requests = panel.getByRole('listbox', { name: 'Requests' }).getByRole('option')
  await requests.filter({ hasText: '/api/issues?' }).last().click()
  expect(await panel.getByRole('region', { name: 'Explanation' }).innerText()).toContain('A reader needed it')
  await panel.getByLabel('Search requests').fill('fault')
  await expect.poll(() => requests.count()).toBe(0)
  expect(visit.complaints).toEqual([])
  await visit.close()
})

test('a link to a project signs a guest in; after a sign-out it asks who you are', async () => {
  const visit = await demo.open('/projects/2', { signedIn: false, isBroken: true })
  const { page } = visit
  await page.getByRole('heading', { level: 1, name: 'Mobile apps' }).waitFor()
  expect(await page.getByRole('region', { name: 'Tour' }).count()).toBe(0)
  await visit.settle()
  await page.getByRole('button', { name: 'Account of Mia Okafor' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await visit.close()
})

test('dragging by keyboard announces titles and columns', async () => {
  const visit = await demo.open('/projects/2')
  const { page } = visit
  await visit.settle()
  const backlog = page.getByRole('region', { name: 'Backlog' })
  const title = await backlog.getByRole('link').first().innerText()
  const said = page.locator('[id^="DndLiveRegion"]')
  const grip = backlog.getByRole('button', { name: /^Drag/ }).first()
  await grip.focus()
  expect(await grip.getAttribute('aria-label')).toContain(title)
  await page.keyboard.press('Enter')
  await expect.poll(() => said.innerText()).toBe(`Picked up “${title}”, in Backlog.`)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => said.innerText()).toMatch(/^Over To do, before “.+”\.$/)
  await page.keyboard.press('Enter')
  await expect.poll(() => said.innerText()).toMatch(/^Dropped “.+”: To do, before “.+”\.$/)
  expect(await said.innerText()).toContain(title)
  await visit.settle()
  expect(visit.complaints).toEqual([])
  await visit.close()
})

test('on a phone the panels leave the board and the buttons of the tour visible', async () => {
  const viewport = { width: 390, height: 844 }
  const visit = await demo.open('/', { viewport, isMobile: true, hasTouch: true, signedIn: false })
  const { page } = visit
  await page.getByRole('heading', { level: 1, name: 'Web app' }).waitFor()
  await visit.settle()
  const tour = page.getByRole('region', { name: 'Tour' })
  const next = tour.getByRole('button', { name: 'Move a card for me' })
  for (const [open, close, panel] of [
    ['Open the restitch devtools', 'Close', page.getByRole('dialog', { name: 'restitch devtools' })],
    ['Break it', 'Close Break it', page.getByRole('complementary', { name: 'Break it' })],
  ] as const) {
    await page.getByRole('button', { name: open, exact: true }).click()
    await expect.poll(async () => (await panel.boundingBox())!.y).toBeGreaterThanOrEqual(844 / 2 - 1)
    const board = (await page.locator('.board').boundingBox())!
    const [{ y: top }, { y: end }] = [(await tour.boundingBox())!, (await panel.boundingBox())!]
    // The first card is there, above the tour, which is above the panel.
    const card = (await page.locator('.card').first().boundingBox())!
    expect({ open, room: top - card.y }).toEqual({ open, room: expect.toSatisfy((room: number) => room > 60) })
    expect(board.y + board.height).toBeLessThanOrEqual(top)
    const button = (await next.boundingBox())!
    expect(button.y + button.height).toBeLessThanOrEqual(end)
    await page.getByRole('button', { name: close, exact: true }).click()
  }
  await visit.close()
})

test('panels close with Escape, and the focus returns; the first Tab skips to the content', async () => {
  const visit = await demo.open('/people')
  const { page } = visit
  await visit.settle()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  expect(await page.getByRole('main').evaluate((main) => main === document.activeElement)).toBe(true)

  for (const name of ['Code', 'Break it']) {
    const button = page.getByRole('button', { name, exact: true })
    await button.click()
    await page.getByRole('complementary', { name }).getByRole('button').first().focus()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 2, name }).waitFor({ state: 'detached' })
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
  }
  expect(visit.complaints).toEqual([])
  await visit.close()
})

test('the tour shows the move that it makes, also on a phone', async () => {
  const options = { viewport: { width: 390, height: 844 }, reducedMotion: 'no-preference', signedIn: false } as const
  const visit = await demo.open('/', options)
  const { page } = visit
  await page.getByRole('heading', { level: 1, name: 'Web app' }).waitFor()
  await visit.settle()
  const top = async () => (await page.locator('.board').boundingBox())!.y
  const before = await top()
  // The flight is short: a busy machine may look too late.
  await page.evaluate(() => {
    const note = () => document.querySelector('.card-flying') && (document.body.dataset.flew = 'true')
    new MutationObserver(note).observe(document.body, { childList: true })
  })
  await page.getByRole('button', { name: 'Move a card for me' }).click()
  await page.getByText('What just happened').waitFor()
  expect(await page.evaluate(() => document.body.dataset.flew)).toBe('true')
  expect(await page.locator('.card-flying').count()).toBe(0)
  const done = (await page.getByRole('region', { name: 'Done' }).boundingBox())!
  expect(done.x).toBeGreaterThanOrEqual(0)
  expect(done.x + done.width).toBeLessThanOrEqual(390)
  expect(await top()).toBe(before)
  await page.getByRole('button', { name: 'Compare with a classic client' }).click()
  const requests = page.getByRole('row', { name: 'Requests' }).getByRole('cell')
  await requests.first().waitFor()
  expect(await requests.allInnerTexts()).toEqual(['1', expect.stringMatching(/^[6-9]$/)])
  expect(visit.complaints).toEqual([])
  await visit.close()
})

test('the board shows all columns at 1280 px', async () => {
  const visit = await demo.open('/projects/2')
  await visit.settle()
  const box = await visit.page.getByRole('region', { name: 'Done' }).boundingBox()
  expect(box!.x + box!.width).toBeLessThanOrEqual(1280)
  await visit.close()
})

test('each screen shows the lines behind it', async () => {
  const visit = await demo.open('/people')
  const { page } = visit
  await page.getByRole('button', { name: 'Code', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Code' })
  for (const path of [
    '/dashboard',
    '/issues',
    '/issues/5000',
    '/projects/1',
    '/projects/1/activity',
    '/stats',
    '/search',
  ]) {
    await page.evaluate((path) => history.pushState(null, '', path), path)
    await visit.settle()
    const excerpts = await panel.locator('pre').allInnerTexts()
    // None is cut off in the middle of a statement.
    expect({ path, cut: excerpts.filter((excerpt) => /[({]$/.test(excerpt.trim())) }).toEqual({ path, cut: [] })
    const code = excerpts.join('\n')
    expect({ path, code }).toEqual({ path, code: expect.stringMatching(/use\w+\(|resource\(|Endpoint\(/) })
    // As many lines as it says, and none of them is wrapped.
    const said = (await panel.getByText(/lines of this screen/).innerText()).match(/\d+/g)!.map(Number)
    expect({ path, lines: said[0]! + said[1]! }).toEqual({ path, lines: code.split('\n').length })
    const heights = await panel.locator('pre').evaluateAll((blocks) =>
      blocks.map((block) => {
        const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(block)
        return Math.round(
          (block.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom)) /
            Number.parseFloat(lineHeight),
        )
      }),
    )
    expect({ path, heights }).toEqual({ path, heights: excerpts.map((excerpt) => excerpt.split('\n').length) })
    expect(said[0]).toBeLessThan(30)
  }
  await visit.close()
})
