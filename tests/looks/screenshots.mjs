// `npm run screenshots` takes a picture of every screen that a visitor sees, light, dark and on a phone: .cache/screenshots.
// `-- demo`, `-- devtools` or `-- site` takes one part; `-- --built` takes the site as it was built last.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startDemo } from './startDemo.mjs'

const FOLDER = '.cache/screenshots'
const DESK = { viewport: { width: 1440, height: 900 } }
const LOOKS = {
  light: { ...DESK, colorScheme: 'light' },
  dark: { ...DESK, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
}
const SITE_PORT = 4790
const SITE = {
  home: '',
  'learn-1': 'learn/1-list',
  'learn-4': 'learn/4-update',
  'learn-9': 'learn/9-live',
  playground: 'playground',
  comparison: 'guide/comparison',
  pages: 'guide/pages',
  mutations: 'guide/mutations',
  resource: 'api/resource',
  examples: 'examples/README',
  'example-crud': 'examples/crud',
}
const SCREENS = {
  dashboard: '/dashboard',
  issues: '/issues?status=open',
  issue: '/issues/5000',
  activity: '/projects/1/activity',
  people: '/people',
  search: '/search?q=floor',
  stats: '/stats',
}

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
let count = 0
const demo = await startDemo()
try {
  for (const [look, options] of Object.entries(LOOKS)) {
    if (wanted.length === 0 || wanted.includes('demo')) {
      await takeDemo(look, options)
    }
    if (wanted.length === 0 || wanted.includes('devtools')) {
      await takeDevtools(look, options)
    }
  }
  if (wanted.length === 0 || wanted.includes('site')) {
    await takeSite()
  }
} finally {
  await demo.close()
}
console.log(`${count} pictures are in ${FOLDER}`)

/** The way of a visitor: the tour, the panels, faults, the sign-in, and all screens. */
async function takeDemo(look, options) {
  const context = await demo.browser.newContext({ ...options, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const button = (name) => page.getByRole('button', { name })
  const take = (name) => takePicture(page, `demo-${name}-${look}`)
  await page.goto(demo.origin)
  await page.locator('.card').nth(20).waitFor()
  await take('tour-1-welcome')
  await button('Move a card for me').click()
  await page.getByText('What just happened').waitFor()
  await take('tour-2-effects')
  await button('Compare with a classic client').click()
  await page.getByText('The same move, twice').waitFor()
  await take('tour-3-comparison')
  await button('Use it in your app').click()
  await take('tour-4-end')
  await button('Finish the tour').click()
  for (const panel of ['Code', 'Break it']) {
    await page.getByRole('button', { name: panel, exact: true }).click()
    await page
      .getByRole('complementary', { name: panel })
      .getByRole('group')
      .or(page.locator('aside pre'))
      .first()
      .waitFor()
    await take(panel === 'Code' ? 'code' : 'break-it')
    await button(`Close ${panel}`).click()
  }
  await demo.setFaults({ latency: 4_000 })
  await page.getByRole('banner').getByRole('button', { name: /^Slow/ }).waitFor()
  await page.getByRole('region', { name: 'To do' }).getByRole('button', { name: /^Move/ }).first().click()
  await page.getByRole('menuitem', { name: 'In progress' }).click()
  await page.getByText('Saving…').first().waitFor()
  await take('slow-and-saving')
  await demo.setFaults({ offline: true })
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Offline/ })
    .waitFor()
  await page.evaluate(() => history.pushState(null, '', '/people'))
  await page.getByText('This could not be loaded').waitFor()
  await take('offline')
  await demo.setFaults({})
  for (const [name, path] of Object.entries(SCREENS)) {
    await page.goto(demo.origin + path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root'))
    await take(name)
  }
  await page.goto(`${demo.origin}/issues/4999`)
  await page.getByRole('region', { name: 'Comments' }).waitFor()
  await Promise.all([
    page.waitForResponse(`${demo.origin}/api/issues/4999`),
    page.getByRole('button', { name: /^Description:/ }).click(),
  ])
  await page.request.patch(`${demo.origin}/api/issues/4999`, { data: { body: `Written in ${look} by another user.` } })
  await page.getByRole('textbox', { name: 'Description' }).fill('Written at the same time.')
  await button('Save').click()
  await page.getByText('Another user has changed this description').waitFor()
  await take('conflict')
  await button('Keep theirs').click()
  await page.getByRole('button', { name: 'Break it', exact: true }).click()
  await button(/401 now/).click()
  await page.getByText('Your session has ended').waitFor()
  await take('sign-in-after-401')
  await context.close()
}

/** Each tab of the devtools, with its first row selected. */
async function takeDevtools(look, options) {
  const context = await demo.browser.newContext({ ...options, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(demo.origin)
  await page.locator('.card').nth(20).waitFor()
  await page.getByRole('button', { name: 'Move a card for me' }).click()
  await page.getByText('What just happened').waitFor()
  await page.getByRole('button', { name: 'Skip the tour' }).click()
  await page.getByRole('button', { name: 'Open the restitch devtools' }).click()
  const panel = page.getByRole('dialog', { name: 'restitch devtools' })
  for (const name of ['Records', 'Lists', 'Endpoints', 'Requests', 'Timeline', 'Renders', 'Network']) {
    await panel.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
    const row = panel.getByRole('listbox').getByRole('option').first()
    if ((await row.count()) > 0) {
      await takePicture(page, `devtools-${name.toLowerCase()}-list-${look}`)
      // Of requests, one that changed something.
      await (name === 'Requests' ? panel.getByRole('option', { name: /PATCH/ }).first() : row).click()
      await panel.locator('.details h3').waitFor()
    }
    await takePicture(page, `devtools-${name.toLowerCase()}-${look}`)
  }
  const place = panel.getByLabel('Place of the devtools')
  if (await place.isVisible()) {
    await panel.getByRole('tab', { name: /^Records/ }).click()
    for (const dock of ['right', 'float']) {
      await place.selectOption(dock)
      await takePicture(page, `devtools-${dock}-${look}`)
    }
    const [own] = await Promise.all([page.waitForEvent('popup'), place.selectOption('window')])
    await own.getByRole('tab', { name: /^Requests/ }).click()
    await own.locator('.details h3').waitFor()
    await takePicture(own, `devtools-window-${look}`)
  }
  await context.close()
}

async function takeSite() {
  const { serveSite } = await import('../site/serveSite.mjs')
  if (!process.argv.includes('--built')) {
    execFileSync(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build'], { cwd: 'docs', stdio: 'pipe' })
  }
  const site = await serveSite(SITE_PORT)
  for (const [look, options] of Object.entries(LOOKS)) {
    const context = await demo.browser.newContext(options)
    const page = await context.newPage()
    for (const [name, path] of Object.entries(SITE)) {
      await page.goto(`${site.origin}/${path}`, { waitUntil: 'load' })
      if (name === 'home' || name === 'playground') {
        await page.getByText('Open (4)').first().waitFor()
      }
      // Whole pages, apart from those that run apps as they scroll.
      await takePicture(page, `site-${name}-${look}`, !['home', 'playground'].includes(name))
    }
    await context.close()
  }
  site.close()
}

async function takePicture(page, name, fullPage = false) {
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage })
  count += 1
}
