// Builds the example with the package as it would be published, compiled ahead of time, and looks at it over HTTP and in Chromium.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'
import { installAll, installPacked } from '../../scripts/pack.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const home = join(here, '../..')
const EVIL = '</script><script>globalThis.broken = true</script>'
const run = (args, cwd = here) => execFileSync(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })

if (!process.argv.includes('--built')) {
  run(['scripts/build.mjs'], home)
}
if (!existsSync(join(here, 'node_modules/@angular/build'))) {
  installAll(here, '--ignore-scripts')
}
installPacked(here)

if (!process.argv.includes('--compiled')) {
  console.log('ng build')
  run([join(here, 'node_modules/@angular/cli/bin/ng.js'), 'build'])
}
const { origin, stop } = await start()
try {
  await renders(origin)
  await keepsApart(origin)
  await hydrates(origin)
} finally {
  stop()
}

/** The page has its data, and the state that Angular transfers. */
async function renders(origin) {
  const html = await (await fetch(origin)).text()
  assert(html.includes('Water the plants</a>'), 'the list is in the page')
  assert(!html.includes('<script>globalThis.broken'), 'data cannot end its script')
  assert((await (await fetch(`${origin}/tasks/9`)).text()).includes('There is no such task</p>'))
  console.log('rendered on the server')
}

/** Each of many pages at a time has its own data, and no other. */
async function keepsApart(origin) {
  const titles = { 1: 'Water the plants', 2: 'Call Ann', 3: 'Book a table' }
  const ids = Array.from({ length: 24 }, (_, index) => (index % 3) + 1)
  const pages = await Promise.all(ids.map(async (id) => (await fetch(`${origin}/tasks/${id}`)).text()))
  for (const [index, html] of pages.entries()) {
    const found = Object.keys(titles).filter((id) => html.includes(titles[id]))
    assert.deepEqual(found, [String(ids[index])], 'no data of another request')
  }
  console.log(`${ids.length} pages at a time, none crossed`)
}

/** The browser hydrates without a request; lists, details, mutations, pages and a stream agree from then on. */
async function hydrates(origin) {
  const executablePath = await findChromium()
  if (!executablePath) {
    return console.log('no Chromium: skipped')
  }
  const { chromium } = createRequire(join(home, 'package.json'))('playwright')
  const browser = await chromium.launch({ executablePath, args: LAUNCH_ARGS })
  try {
    const page = await browser.newPage()
    const faults = []
    const sent = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) {
        faults.push(message.text())
      }
    })
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/api/') && !/events|visits/.test(pathname)) {
        sent.push(`${request.method()} ${pathname}${search}`)
      }
    })
    const answered = (method) => page.waitForResponse((response) => response.request().method() === method)
    const link = (name) => page.getByRole('link', { name })
    // The stream and the polls begin when the page is hydrated.
    const polled = page.waitForResponse((response) => response.url().endsWith('/api/visits'))
    await page.goto(`${origin}/tasks/1`)
    await polled
    assert.equal(await page.evaluate(() => globalThis.broken), undefined)
    assert.deepEqual(sent, [], 'the browser fetches nothing again')

    // An error of the server is one of the page: it is not fetched again at once.
    const again = page.waitForResponse((response) => response.url().endsWith('/api/visits'))
    await page.goto(`${origin}/tasks/9`)
    await again
    await page.getByRole('alert').waitFor()
    assert.deepEqual(sent, [], 'the error is in the state')

    await link('All tasks').click()
    await link('Call Ann').waitFor()
    assert.equal((await page.locator('li').nth(3).textContent()).trim(), EVIL)
    assert.deepEqual(sent.splice(0), ['GET /api/tasks'], 'one GET for the navigation')
    // A record that the list brought opens without a request.
    await link('Book a table').click()
    await page.getByRole('heading', { name: 'Book a table' }).waitFor()
    const patched = answered('PATCH')
    await page.getByLabel('Title').fill('Book two tables')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('heading', { name: 'Book two tables' }).waitFor()
    await patched
    await link('All tasks').click()
    await link('Book two tables').waitFor()
    assert.deepEqual(sent.splice(0), ['PATCH /api/tasks/3'], 'a mutation shows on both pages without a GET')

    await link('Open').click()
    await link('Call Ann').waitFor({ state: 'detached' })
    assert.deepEqual(sent.splice(0), ['GET /api/tasks?done=false'])
    const done = answered('PATCH')
    await page.getByLabel('Water the plants').click()
    await link('Water the plants').waitFor({ state: 'detached' })
    await done
    await page.getByLabel('New task').fill('Feed the cat')
    await page.getByRole('button', { name: 'Add' }).click()
    await link('Feed the cat').waitFor()
    assert.deepEqual(sent.splice(0), ['PATCH /api/tasks/1', 'POST /api/tasks'], 'lists follow their filters')

    // Refused: the optimistic title is taken back.
    await link('Book two tables').click()
    await page.getByLabel('Title').fill('')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByText('Not saved').waitFor()
    await page.getByRole('heading', { name: 'Book two tables' }).waitFor()
    assert.match(faults.splice(0).join(), /^Failed to load resource: .* 422/)
    sent.length = 0
    await page.getByRole('button', { name: 'Delete' }).click()
    await link('Feed the cat').waitFor()
    assert.equal(await link('Book two tables').count(), 0)
    assert.deepEqual(sent.splice(0), ['DELETE /api/tasks/3'], 'what was deleted is not fetched again')

    await link('Activity').click()
    await page.getByText('Event 20', { exact: true }).waitFor()
    for (const text of ['Event 40', 'Event 50', 'That is all.']) {
      await page.mouse.wheel(0, 5_000)
      await page.getByText(text, { exact: true }).waitFor()
    }
    assert.deepEqual(sent.splice(0), [
      'GET /api/activity',
      'GET /api/activity?cursor=20',
      'GET /api/activity?cursor=40',
    ])

    // Another browser changes a task; the stream brings it.
    await link('All tasks').click()
    await link('Call Ann').waitFor()
    await fetch(`${origin}/api/tasks/2`, { method: 'PATCH', body: JSON.stringify({ title: 'Call Bob' }) })
    await link('Call Bob').waitFor()
    const visits = () => page.locator('footer').textContent()
    const before = await visits()
    await page.waitForFunction((text) => document.querySelector('footer').textContent !== text, before)
    assert.deepEqual(sent, [])
    assert.deepEqual(faults, [], 'the console is empty')
    console.log('hydrated, and all pages agree')
  } finally {
    await browser.close()
  }
}

async function start() {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const server = spawn(process.execPath, ['dist/app/server/server.mjs'], {
    cwd: here,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const end = Date.now() + 120_000
  for (;;) {
    assert(server.exitCode === null && Date.now() < end, 'the server did not start')
    const status = await fetch(origin).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) {
      return { origin, stop: () => server.kill() }
    }
    await new Promise((done) => setTimeout(done, 200))
  }
}

async function freePort() {
  const server = createServer()
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address()
  server.close()
  return port
}
