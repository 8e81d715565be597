// Tests what the apps with loaders on a server have in common: a list of tasks, a page for each, and the same requests. Each is run with the package as it
// would be published, as a production build and in development, over HTTP and in Chromium.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { findChromium, LAUNCH_ARGS } from '../scripts/chromium.mjs'

const HOME = join(import.meta.dirname, '..')
const EVIL = '</script><script>globalThis.broken = true</script>'

/**
 * @param {{ name: string, folder: string, commands: Record<'start' | 'dev', (port: number) => string[]> }} app the commands are arguments of Node
 */
export async function testLoaders({ name, folder, commands }) {
  for (const [mode, command] of Object.entries(commands)) {
    console.log(`${name} ${mode}`)
    const { origin, stop } = await start(`${name} ${mode}`, folder, command)
    try {
      await renders(origin)
      // A server of development compiles as it goes, and the store waits for five seconds.
      await keepsApart(origin, mode === 'dev' ? 9 : 99)
      await hydrates(origin)
    } finally {
      stop()
    }
  }
}

/** The page has the data of its loaders, and the state. */
async function renders(origin) {
  const html = await (await fetch(origin)).text()
  assert(html.includes('Water the plants</a>'), 'the list is in the page')
  // In an attribute it is a text.
  assert(
    !html.replaceAll(/aria-label="[^"]*"/g, '').includes('<script>globalThis.broken'),
    'data cannot end its script',
  )
  assert.equal((await fetch(`${origin}/tasks/9`)).status, 404)
  console.log('rendered on the server')
}

/** Each of many pages at a time has its own data, and no other. */
async function keepsApart(origin, count) {
  const titles = { 1: 'Water the plants', 2: 'Call Ann', 3: 'Book a table' }
  const ids = Array.from({ length: count }, (_, index) => (index % 3) + 1)
  const pages = await Promise.all(ids.map(async (id) => (await fetch(`${origin}/tasks/${id}`)).text()))
  for (const [index, html] of pages.entries()) {
    const found = Object.keys(titles).filter((id) => html.includes(titles[id]))
    assert.deepEqual(found, [String(ids[index])], 'no data of another request')
  }
  console.log(`${ids.length} pages at a time, none crossed`)
}

/** The browser hydrates without a request; each navigation is one GET at most, and a mutation shows everywhere. */
async function hydrates(origin) {
  const executablePath = await findChromium()
  if (!executablePath) {
    return console.log('no Chromium: skipped')
  }
  const { chromium } = createRequire(join(HOME, 'package.json'))('playwright')
  const browser = await chromium.launch({ executablePath, args: LAUNCH_ARGS })
  try {
    const page = await browser.newPage()
    const { faults, sent } = watch(page)
    // A click before the page is hydrated would load another page.
    await page.goto(`${origin}/tasks/1`, { waitUntil: 'networkidle' })
    assert.equal(await page.evaluate(() => globalThis.broken), undefined)
    assert.deepEqual(sent, [], 'the browser fetches nothing again')
    await navigate(page, sent)
    await mutate(page, sent)
    assert.deepEqual(faults, [])
    console.log('hydrated in Chromium without a request; one GET for each navigation at most')
  } finally {
    await browser.close()
  }
}

function watch(page) {
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
    if (pathname.startsWith('/api/')) {
      sent.push(`${request.method()} ${pathname}${search}`)
    }
  })
  return { faults, sent }
}

async function navigate(page, sent) {
  await page.getByRole('link', { name: 'All tasks' }).click()
  await page.getByRole('link', { name: 'Call Ann' }).waitFor()
  const last = await page.locator('li').nth(3).textContent()
  assert.equal(last.trim(), EVIL)
  assert.deepEqual(sent.splice(0), ['GET /api/tasks'], 'one GET for the navigation')
  // A record that the list brought opens without a request, and so does the list.
  await page.getByRole('link', { name: 'Book a table' }).click()
  await page.getByRole('heading', { name: 'Book a table' }).waitFor()
}

async function mutate(page, sent) {
  const responseTo = (method) => page.waitForResponse((response) => response.request().method() === method)
  const patched = responseTo('PATCH')
  await page.getByLabel('Title').fill('Book two tables')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { name: 'Book two tables' }).waitFor()
  await patched
  await page.getByRole('link', { name: 'All tasks' }).click()
  await page.getByRole('link', { name: 'Book two tables' }).waitFor()
  assert.deepEqual(sent.splice(0), ['PATCH /api/tasks/3'], 'a mutation shows on both pages without a GET')

  await page.getByRole('link', { name: 'Open' }).click()
  await page.getByRole('link', { name: 'Call Ann' }).waitFor({ state: 'detached' })
  assert.deepEqual(sent.splice(0), ['GET /api/tasks?done=false'])
  const posted = responseTo('POST')
  await page.getByLabel('New task').fill('Buy milk')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('link', { name: 'Buy milk' }).waitFor()
  await posted
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await page.getByRole('link', { name: 'Call Ann' }).waitFor()
  await page.getByRole('link', { name: 'Buy milk' }).waitFor()
  assert.deepEqual(sent.splice(0), ['POST /api/tasks'], 'both lists have the new task')
}

async function start(name, cwd, command) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const server = spawn(process.execPath, command(port), {
    cwd,
    // Its children, which compile in development, end with it.
    detached: true,
    env: { ...process.env, PORT: String(port), ORIGIN: origin },
  })
  let said = ''
  server.stdout.on('data', (text) => (said += text))
  server.stderr.on('data', (text) => (said += text))
  const end = Date.now() + 120_000
  for (;;) {
    assert(server.exitCode === null && Date.now() < end, `${name} did not start: ${said}`)
    const status = await fetch(origin).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) {
      return { origin, stop: () => process.kill(-Number(server.pid)) }
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
