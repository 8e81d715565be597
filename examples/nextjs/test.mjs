// Runs the example with the package as it would be published, as a production build and in development,
// and looks at it over HTTP and in Chromium.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'
import { installAll, installPacked } from '../../scripts/pack.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const home = join(here, '../..')
const EVIL = '</script><script>globalThis.broken = true</script>'
const run = (command, args, cwd = here) => execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })

if (!process.argv.includes('--built')) {
  run(process.execPath, ['scripts/build.mjs'], home)
}
if (!existsSync(join(here, 'node_modules/next'))) {
  installAll(here)
}
installPacked(here)

const asked = []
const titles = new Map()
const afterHalfASecond = () => new Promise((done) => setTimeout(done, 500))
let slow = afterHalfASecond
const api = await listen((request, response) => {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-allow-methods', '*')
  response.setHeader('access-control-allow-headers', '*')
  const id = request.url.split('/').pop()
  const answer = () =>
    response
      .writeHead(id === 'missing' ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ id, title: titles.get(id) ?? `Title of <${id}> ${EVIL}` }))
  if (request.method !== 'OPTIONS') {
    asked.push({ id, method: request.method, isBrowser: request.headers.origin !== undefined })
  }
  if (request.method === 'OPTIONS') {
    response.end()
  } else if (request.method === 'PATCH') {
    void readBody(request)
      .then(({ title }) => titles.set(id, title))
      .then(answer)
  } else if (id === 'slow') {
    void slow().then(answer)
  } else {
    answer()
  }
})
const env = { NEXT_PUBLIC_API: api.origin, NEXT_TELEMETRY_DISABLED: '1' }
const next = join(here, 'node_modules/next/dist/bin/next')
console.log('next build')
await build()
prerenders()

try {
  for (const mode of ['start', 'dev']) {
    console.log(`next ${mode}`)
    slow = afterHalfASecond
    titles.clear()
    const { origin, stop } = await start(mode)
    try {
      await streams(origin)
      await keepsApart(origin)
      await survives(origin)
      await hydrates(origin, mode === 'dev')
      await takesOver(origin)
      await navigates(origin)
    } finally {
      stop()
    }
  }
} finally {
  api.close()
}

/** The build fetches from the API of this process. */
async function build() {
  const options = { cwd: here, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } }
  const [status] = await once(spawn(process.execPath, [next, 'build'], options), 'exit')
  assert.equal(status, 0, 'next build')
}

/** A static shell has everything that is the same for all, and nothing of the requests that a prerender has left. */
function prerenders() {
  const html = readFileSync(join(here, '.next/server/app/about.html'), 'utf8')
  const [, body] = html.replace(/<script.*?<\/script>/gs, '').split('<body>')
  for (const text of ['Title of &lt;intro&gt;', 'This text is in the static shell.', 'The post is loading']) {
    assert(body.includes(text), `the static shell has "${text}": ${body}`)
  }
  assert(!html.includes('data-restitch'), 'the static shell has no data')
  console.log('prerendered the static shell')
}

/** Quick parts and their data arrive before slow ones. */
async function streams(origin) {
  const parts = []
  const response = await fetch(`${origin}/?user=u1`)
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    parts.push(part)
  }
  const html = parts.join('')
  assert(html.includes('Title of &lt;intro&gt;'), 'a server component uses restitch')
  const quick = html.indexOf('id="post-quick"')
  const slow = html.indexOf('id="post-slow"')
  assert(quick > 0 && slow > quick, 'the quick part comes first')
  const data = [...html.matchAll(/<script type="application\/json" data-restitch="[^"]*"[^>]*>(.*?)<\/script>/gs)]
  assert(data.length >= 2, `data comes with each part (${data.length})`)
  const [first] = data
  assert(
    first.index < quick && first[1].includes('quick') && !first[1].includes('\\u003cslow'),
    'data comes before its part',
  )
  assert(
    data.every(([, text]) => !/[<>&]/.test(text)),
    'data is escaped',
  )
  assert(!html.includes('<script>globalThis.broken'), 'data cannot end its script')
  assert(parts.length > 1, 'the page is streamed')
  console.log(`streamed in ${parts.length} parts, ${data.length} of them with data`)
}

/** Each of many pages at a time has the data of its own user. */
async function keepsApart(origin) {
  const users = Array.from({ length: 100 }, (_, i) => `user-${i}`)
  const pages = await Promise.all(users.map(async (user) => (await fetch(`${origin}/?user=${user}`)).text()))
  for (const [i, html] of pages.entries()) {
    assert.deepEqual([...new Set(html.match(/user-\d+/g))], [users[i]], 'no data of another user')
  }
  console.log(`${users.length} pages at a time, none crossed`)
}

/** A request that fails does not end the server. */
async function survives(origin) {
  await (await fetch(`${origin}/?user=missing`)).text()
  assert.equal((await fetch(`${origin}/?user=u1`)).status, 200)
}

/** The browser takes the page over, early parts early, without a request. */
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
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(String(error)))
    asked.length = 0
    let letGo
    const told = new Promise((done) => (letGo = done))
    slow = () => told
    await page.goto(`${origin}/?user=u1`, { waitUntil: 'commit' })
    await edit(page, 'quick')
    assert(await page.getByText('slow is loading').isVisible(), 'the quick part works while the slow one is loading')
    letGo()
    await edit(page, 'slow')
    assert((await page.locator('#post-quick span').textContent()).startsWith(`Title of <quick> ${EVIL}!`))
    assert.equal(await page.evaluate(() => globalThis.broken), undefined)
    assert.deepEqual(
      asked.filter(({ isBrowser, method }) => isBrowser && method !== 'PATCH'),
      [],
      'the browser fetches nothing again',
    )
    assert(titles.get('quick').endsWith('!') && titles.get('slow').endsWith('!'), 'edits reach the server')
    assert.equal(await page.getByRole('button', { name: 'Open the restitch devtools' }).count(), isDev ? 1 : 0)
    assert.deepEqual(faults, [])
    console.log(`taken over in Chromium without a request${isDev ? ', with the devtools' : ''}`)
  } finally {
    await browser.close()
  }
}

/** A prerendered page fetches in the browser; a Server Action leaves a right screen. */
async function takesOver(origin) {
  const executablePath = await findChromium()
  if (!executablePath) {
    return
  }
  slow = afterHalfASecond
  const { chromium } = createRequire(join(home, 'package.json'))('playwright')
  const browser = await chromium.launch({ executablePath, args: LAUNCH_ARGS })
  try {
    const page = await browser.newPage()
    const faults = []
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(String(error)))
    await page.goto(`${origin}/about`)
    await page.getByText('Title of <about>').waitFor()
    await page.goto(`${origin}/?user=u1`)
    await page.getByText('Title of <slow>').waitFor()
    await page.getByLabel('New title of quick').fill('Renamed by an action')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.locator('#post-quick').getByText('Renamed by an action').waitFor()
    assert.equal(titles.get('quick'), 'Renamed by an action')
    assert.deepEqual(faults, [])
    console.log('a prerendered page, and a Server Action, leave a right screen')
  } finally {
    await browser.close()
  }
}

/** A navigation sends one GET for what the store does not have; what a mutation has changed shows on the other page. */
async function navigates(origin) {
  const executablePath = await findChromium()
  if (!executablePath) {
    return
  }
  const { chromium } = createRequire(join(home, 'package.json'))('playwright')
  const browser = await chromium.launch({ executablePath, args: LAUNCH_ARGS })
  try {
    const page = await browser.newPage()
    const faults = []
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(String(error)))
    const sent = () => asked.splice(0).flatMap(({ isBrowser, method, id }) => (isBrowser ? `${method} ${id}` : []))
    const link = (name) => page.getByRole('link', { name }).filter({ visible: true }).click()
    const titleOf = (id) => visible(page, `#post-${id} span`).textContent()
    await page.goto(`${origin}/?user=u1`)
    await visible(page, '#post-slow').waitFor()
    await edit(page, 'quick')
    const title = await titleOf('quick')
    sent()
    await link('More posts')
    await visible(page, '#post-more').waitFor()
    assert.equal(await titleOf('quick'), title, 'the change of the page before')
    assert.deepEqual(sent(), ['GET more'], 'one GET for the navigation')
    await edit(page, 'quick')
    await edit(page, 'more')
    await link('Back')
    await visible(page, '#post-slow').waitFor()
    assert.equal(await titleOf('quick'), titles.get('quick'), 'the change of the page before')
    await link('More posts')
    await visible(page, '#post-more').waitFor()
    assert.equal(await titleOf('more'), titles.get('more'))
    assert.deepEqual(
      sent().filter((one) => one.startsWith('GET')),
      [],
      'the store has all of it',
    )
    assert.deepEqual(faults, [])
    console.log('one GET for a navigation, and changes show without another')
  } finally {
    await browser.close()
  }
}

/** Next keeps the pages that were left, hidden. */
function visible(page, selector) {
  return page.locator(selector).filter({ visible: true })
}

/** A button does nothing before its part of the page is taken over. */
async function edit(page, id) {
  const [button, title] = ['button', 'span'].map((tag) => visible(page, `#post-${id} ${tag}`))
  const before = await title.textContent()
  const end = Date.now() + 20_000
  do {
    assert(Date.now() < end, `"${id}" was taken over`)
    await button.click()
  } while ((await title.textContent()) === before)
  // Each click is one PATCH; the last one has been stored when the server has as many.
  while (titles.get(id) !== (await title.textContent())) {
    assert(Date.now() < end, `the edit of "${id}" was stored`)
  }
}

async function readBody(request) {
  let text = ''
  for await (const part of request.setEncoding('utf8')) {
    text += part
  }
  return JSON.parse(text)
}

async function start(mode) {
  const port = await freePort()
  const server = spawn(process.execPath, [next, mode, '-p', String(port)], {
    cwd: here,
    // Its children, which compile in development, end with it.
    detached: true,
    env: { ...process.env, ...env },
  })
  await new Promise((resolve, reject) => {
    let said = ''
    const look = (text) => (said += text).includes('Ready') && resolve()
    server.stdout.on('data', look)
    server.stderr.on('data', look)
    server.on('exit', () => reject(new Error(`next ${mode} ended: ${said}`)))
  })
  return { origin: `http://localhost:${port}`, stop: () => process.kill(-Number(server.pid)) }
}

async function freePort() {
  const { port, close } = await listen(() => {})
  close()
  return port
}

function listen(answer) {
  const server = createServer(answer)
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      resolve({ port, origin: `http://127.0.0.1:${port}`, close: () => server.close() })
    }),
  )
}
