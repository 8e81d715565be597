import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Locator, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startDemo, type Demo, type Visit } from './demo.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const IS_FULL = process.env.RESTITCH_EFFORT === 'full'
const PICTURES = fileURLToPath(new URL('../screenshots/', import.meta.url))
const SCREENS = {
  dashboard: '/dashboard',
  issues: '/issues?status=open',
  issue: '/issues/5000',
  board: '/projects/1',
  activity: '/projects/1/activity',
  'project-stats': '/projects/1/stats',
  people: '/people',
  search: '/search?q=floor',
  nothing: '/search?q=zzzzz',
  stats: '/stats',
  large: '/large',
  'not-found': '/no/such/page',
}
const PANELS = { code: 'Code', outbox: 'Outbox', 'break-it': 'Break it' }
const TABS = ['Records', 'Lists', 'Endpoints', 'Requests', 'Timeline', 'Renders', 'Outbox', 'Network']

let demo: Demo
beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true })
  demo = await startDemo()
})
afterAll(() => demo.close())

describe('can be used by all, light and dark:', () => {
  let visit: Visit
  beforeAll(async () => {
    visit = await demo.open('/people', { signedIn: false })
  })
  afterAll(() => visit.close())
  afterEach(() => expect(visit.complaints).toEqual([]))

  test('the sign-in', async () => {
    const { page } = visit
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await look(visit, 'sign-in')
    await page.getByLabel('E-mail').fill('mia.okafor@example.com')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'People' }).waitFor()
  })

  test.each(Object.entries(SCREENS))('%s', async (name, path) => {
    await show(visit, path)
    await look(visit, name)
  })

  test('the tour', async () => {
    await show(visit, '/projects/1')
    await visit.page.getByRole('button', { name: 'Start the tour' }).click()
    await look(visit, 'tour', visit.page.getByRole('region', { name: 'Tour' }))
    await visit.page.getByRole('button', { name: 'Skip the tour' }).click()
  })

  test.each(Object.entries(PANELS))('the panel %s', async (name, label) => {
    await show(visit, '/people')
    const button = visit.page.getByRole('button', { name: label, exact: true })
    await button.click()
    await look(visit, name, visit.page.getByRole('complementary', { name: label }))
    await button.click()
  })

  describe('the devtools,', () => {
    let panel: Locator
    beforeAll(async () => {
      await show(visit, '/people')
      await visit.page.getByRole('button', { name: 'Open the restitch devtools' }).click()
      panel = visit.page.getByRole('dialog', { name: 'restitch devtools' })
    })
    afterAll(() => panel.getByRole('button', { name: 'Close' }).click())

    test.each(TABS)('%s', async (name) => {
      await panel.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
      const row = panel.getByRole('listbox').getByRole('option').first()
      if ((await row.count()) > 0) {
        await row.click()
      }
      await look(visit, `devtools-${name.toLowerCase()}`, panel)
    })
  })
})

describe('on a phone', () => {
  let visit: Visit
  beforeAll(async () => {
    const viewport = { width: 390, height: 844 }
    visit = await demo.open('/people', { viewport, isMobile: true, hasTouch: true })
  })
  afterAll(() => visit.close())

  test.each(Object.entries(SCREENS))('%s fits', async (name, path) => {
    await show(visit, path)
    await takePicture(visit.page, `${name}-phone`)
    const width = await visit.page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(390)
    const account = await visit.page.getByRole('button', { name: /^Account of/ }).boundingBox()
    expect(account!.x + account!.width).toBeLessThanOrEqual(390)
  })

  test('the devtools fit', async () => {
    await show(visit, '/people')
    const { page } = visit
    await page.getByRole('button', { name: 'Open the restitch devtools' }).click()
    const panel = page.getByRole('dialog', { name: 'restitch devtools' })
    await panel.getByRole('listbox').getByRole('option').first().click()
    await takePicture(page, 'devtools-phone')
    const { x, width } = (await panel.boundingBox())!
    expect([x, width]).toEqual([0, 390])
  })
})

test('with the keyboard alone: sign in, move a card, edit and comment on an issue', async () => {
  const visit = await demo.open('/people', { signedIn: false })
  const { page } = visit
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await tabTo(page, /^E-mail$/)
  await page.keyboard.type('mia.okafor@example.com')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
  await page.evaluate(() => history.pushState(null, '', '/projects/6'))
  await page.getByRole('region', { name: 'To do' }).getByRole('article').first().waitFor()
  await visit.settle()

  const todo = page.getByRole('region', { name: 'To do' })
  const key = await todo
    .getByText(/^DOC-\d+$/)
    .first()
    .innerText()
  await tabTo(page, new RegExp(`^Move ${key} to…$`))
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'In progress' }).waitFor()
  for (let at = 0; at < 6 && !(await readFocus(page)).startsWith('In progress'); at++) {
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'In progress' }).getByText(key, { exact: true }).waitFor()
  await visit.settle()

  // The focus goes with the card.
  expect(await readFocus(page)).toBe(`Move ${key} to…`)
  const card = page.getByRole('article').filter({ has: page.getByText(key, { exact: true }) })
  const title = await card.getByRole('link').innerText()
  await page.keyboard.press('Shift+Tab')
  expect(await readFocus(page)).toBe(title)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await visit.settle()
  await tabTo(page, /^Title:/)
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Written without a mouse')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Written without a mouse' }).waitFor()
  // The focus is where it was, and goes on from there.
  expect(await readFocus(page)).toMatch(/^Title:/)
  await tabTo(page, /^New comment$/)
  await page.keyboard.type('No mouse at all')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByRole('article').filter({ hasText: 'No mouse at all' }).first().waitFor()
  expect(visit.complaints).toEqual([])
  await visit.close()
})

async function show(visit: Visit, path: string): Promise<void> {
  await visit.settle()
  await visit.page.evaluate((path) => history.pushState(null, '', path), path)
  await visit.page.getByRole('heading', { level: 1 }).first().waitFor()
  await visit.settle()
}

let looks = 0

/**
 * Finds no barrier on the screen, or in a part of it. A release looks at both themes and takes pictures; else every second
 * look is at the dark theme.
 */
async function look(visit: Visit, name: string, part = visit.page.locator('html')): Promise<void> {
  const { page } = visit
  await part.waitFor()
  await visit.settle()
  const theme = looks++ % 2 === 0 ? 'light' : 'dark'
  for (const colorScheme of IS_FULL ? (['dark', 'light'] as const) : ([theme] as const)) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`[data-mantine-color-scheme="${colorScheme}"]`).first().waitFor()
    await takePicture(page, `${name}-${colorScheme}`)
    expect({ colorScheme, barriers: await findBarriers(page, part) }).toEqual({ colorScheme, barriers: [] })
  }
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (IS_FULL) {
    await page.screenshot({ path: `${PICTURES}${name}.png` })
  }
}

async function findBarriers(page: Page, part: Locator): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.addScriptTag({ path: AXE })
  }
  // Only violations are reported, and style sheets are not loaded again.
  const options: RunOptions = { resultTypes: ['violations'], preload: false }
  const { violations } = await part.evaluate(
    (element, options) =>
      (window as unknown as { axe: { run(element: Element, options: RunOptions): Promise<AxeResults> } }).axe.run(
        element,
        options,
      ),
    options,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html }) => html.slice(0, 150))
          .join(' | ')} (${nodes.length})`,
    )
}

/** Presses Tab until what has the focus is called so. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let at = 0; at < 250; at++) {
    if (name.test(await readFocus(page))) {
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name}`)
}

function readFocus(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null
    const label = (element as HTMLInputElement | null)?.labels?.[0]?.innerText
    return element?.ariaLabel ?? label ?? element?.innerText ?? ''
  })
}
