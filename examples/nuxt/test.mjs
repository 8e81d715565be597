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
// Nuxt says so when a page with an asynchronous setup is left, with or without this library.
const OF_NUXT = /^\[Vue warn\]: Slot "default" invoked outside of the render function[\s\S]*<RouterView/
const nuxt = join(here, 'node_modules/nuxt/bin/nuxt.mjs')
const env = { ...process.env, NUXT_TELEMETRY_DISABLED: '1' }
const run = (command, args, cwd = here) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], env })

if (!process.argv.includes('--built')) {
  run(process.execPath, ['scripts/build.mjs'], home)
}
if (!existsSync(join(here, 'node_modules/nuxt'))) {
  installAll(here, '--ignore-scripts')
}
installPacked(here)

console.log('nuxt build')
run(process.execPath, [nuxt, 'build'])
run(process.execPath, [join(here, 'node_modules/vue-tsc/bin/vue-tsc.js'), '-b', '--noEmit'])
for (const mode of ['start', 'dev']) {
  console.log(`nuxt ${mode}`)
  const { origin, stop } = await start(mode)
  try {
    await renders(origin)
    await keepsApart(origin)
    await hydrates(origin, mode === 'dev')
  } finally {
    stop()
  }
}

/** The page has the data of its components, and the state in the payload of Nuxt. */
async function renders(origin) {
  const html = await (await fetch(origin)).text()
  assert(html.includes('Water the plants</a>') && html.includes('<p>3 open</p>'), 'the list is in the page')
  assert(!html.includes('<script>globalThis.broken'), 'data cannot end its script')
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

/** The browser hydrates the page without a request or a mismatch; then the app works. */
async function hydrates(origin, isDev) {
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
      if (['error', 'warning'].includes(message.type()) && !OF_NUXT.test(message.text())) {
        faults.push(message.text())
      }
    })
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/')) {
        sent.push(`${request.method()} ${pathname}`)
      }
    })
    const isHydrated = () => page.waitForFunction(() => globalThis.useNuxtApp?.().isHydrating === false)
    const answered = (method) => page.waitForResponse((response) => response.request().method() === method)
    await page.goto(origin)
    await isHydrated()
    await page.getByText('3 open').waitFor()
    assert.equal(await page.locator('li').nth(3).textContent(), EVIL)
    assert.equal(await page.evaluate(() => globalThis.broken), undefined)
    assert.deepEqual(sent, [], 'the browser fetches nothing again')

    const patched = answered('PATCH')
    await page.getByLabel('Water the plants').click()
    await page.getByText('2 open').waitFor()
    await patched
    const posted = answered('POST')
    await page.getByLabel('New task').fill('Buy milk')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('3 open').waitFor()
    await posted
    // A record that the list brought opens without a request.
    await page.getByRole('link', { name: 'Call Ann' }).click()
    await page.getByRole('heading', { name: 'Call Ann' }).waitFor()
    assert.deepEqual(sent.splice(0), ['PATCH /api/tasks/1', 'POST /api/tasks'])
    const renamed = answered('PATCH')
    await page.getByLabel('Done').click()
    await renamed
    await page.getByRole('link', { name: 'All tasks' }).click()
    await page.getByText('4 open').waitFor()
    assert.deepEqual(sent.splice(0), ['PATCH /api/tasks/2'], 'a mutation shows on both pages without a GET')
    const devtools = page.getByRole('button', { name: 'Open the restitch devtools' })
    await (isDev && devtools.waitFor())
    assert.equal(await devtools.count(), isDev ? 1 : 0)

    // From a page whose store has no list: a navigation is one GET.
    await page.goto(`${origin}/tasks/3`)
    await isHydrated()
    await page.getByRole('link', { name: 'All tasks' }).click()
    await page.getByText('4 open').waitFor()
    assert.deepEqual(sent.splice(0), ['GET /api/tasks'], 'one GET for the navigation')

    assert.deepEqual(faults, [])
    // An error comes with the page, too. It expires soon, and is then requested again.
    await page.goto(`${origin}/tasks/9`)
    await page.getByRole('alert').getByText('There is no such task').waitFor()
    console.log('hydrated in Chromium without a request or a mismatch')
  } finally {
    await browser.close()
  }
}

async function start(mode) {
  const port = await freePort()
  const args = mode === 'dev' ? [nuxt, 'dev', '--no-fork', '--port', String(port)] : ['.output/server/index.mjs']
  const server = spawn(process.execPath, args, {
    cwd: here,
    // Its children, which compile in development, end with it.
    detached: true,
    env: { ...env, PORT: String(port) },
  })
  let said = ''
  server.stdout.on('data', (text) => (said += text))
  server.stderr.on('data', (text) => (said += text))
  const origin = `http://localhost:${port}`
  const end = Date.now() + 120_000
  for (;;) {
    assert(server.exitCode === null && Date.now() < end, `nuxt ${mode} did not start: ${said}`)
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
