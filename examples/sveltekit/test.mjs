// Runs the example with the package as it would be published, as a production build and in development,
// and looks at it over HTTP and in Chromium.
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
const vite = join(here, 'node_modules/vite/bin/vite.js')
const run = (args, cwd = here) => execFileSync(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })

if (!process.argv.includes('--built')) {
  run(['scripts/build.mjs'], home)
}
if (!existsSync(join(here, 'node_modules/@sveltejs/kit'))) {
  installAll(here, '--ignore-scripts')
}
installPacked(here)

console.log('vite build')
run([vite, 'build', '--logLevel', 'error'])
run([join(here, 'node_modules/svelte-check/bin/svelte-check'), '--tsconfig', './tsconfig.json', '--fail-on-warnings'])
for (const mode of ['start', 'dev']) {
  console.log(`sveltekit ${mode}`)
  const { origin, stop } = await start(mode)
  try {
    await renders(origin)
    await keepsApart(origin)
    await hydrates(origin)
  } finally {
    stop()
  }
}

/** The page has the data of its loaders, and the state at its end. */
async function renders(origin) {
  const html = await (await fetch(origin)).text()
  assert(html.includes('Water the plants</a>'), 'the list is in the page')
  assert(!html.includes('<script>globalThis.broken'), 'data cannot end its script')
  assert.equal((await fetch(`${origin}/tasks/9`)).status, 404)
  console.log('rendered on the server')
}

/** Each of many pages at a time has its own data, and no other. */
async function keepsApart(origin) {
  const titles = { 1: 'Water the plants', 2: 'Call Ann', 3: 'Book a table' }
  const ids = Array.from({ length: 99 }, (_, index) => (index % 3) + 1)
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
      if (pathname.startsWith('/api/')) {
        sent.push(`${request.method()} ${pathname}${search}`)
      }
    })
    const answered = (method) => page.waitForResponse((response) => response.request().method() === method)
    // A click before the page is hydrated would load another page.
    const visit = async (path) => {
      await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' })
    }
    await visit('/tasks/1')
    assert.equal(await page.evaluate(() => globalThis.broken), undefined)
    assert.deepEqual(sent, [], 'the browser fetches nothing again')

    await page.getByRole('link', { name: 'All tasks' }).click()
    await page.getByRole('link', { name: 'Call Ann' }).waitFor()
    assert.equal(
      await page
        .locator('li')
        .nth(3)
        .textContent()
        .then((text) => text.trim()),
      EVIL,
    )
    assert.deepEqual(sent.splice(0), ['GET /api/tasks'], 'one GET for the navigation')
    // A record that the list brought opens without a request, and so does the list.
    await page.getByRole('link', { name: 'Book a table' }).click()
    await page.getByRole('heading', { name: 'Book a table' }).waitFor()
    const patched = answered('PATCH')
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
    const posted = answered('POST')
    await page.getByLabel('New task').fill('Buy milk')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('link', { name: 'Buy milk' }).waitFor()
    await posted
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await page.getByRole('link', { name: 'Call Ann' }).waitFor()
    await page.getByRole('link', { name: 'Buy milk' }).waitFor()
    assert.deepEqual(sent.splice(0), ['POST /api/tasks'], 'both lists have the new task')
    assert.deepEqual(faults, [])
    console.log('hydrated in Chromium without a request; one GET for each navigation at most')
  } finally {
    await browser.close()
  }
}

async function start(mode) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const args = mode === 'dev' ? [vite, 'dev', '--port', String(port), '--strictPort'] : ['build/index.js']
  const server = spawn(process.execPath, args, {
    cwd: here,
    // Its children, which compile in development, end with it.
    detached: true,
    env: { ...process.env, PORT: String(port), ORIGIN: origin },
  })
  let said = ''
  server.stdout.on('data', (text) => (said += text))
  server.stderr.on('data', (text) => (said += text))
  const end = Date.now() + 120_000
  for (;;) {
    assert(server.exitCode === null && Date.now() < end, `sveltekit ${mode} did not start: ${said}`)
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
