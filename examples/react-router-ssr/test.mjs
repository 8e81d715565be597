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
const bin = (name) => join(here, 'node_modules', name)
const router = bin('@react-router/dev/bin.js')

const env = { ...process.env }
if (!process.argv.includes('--built')) {
  run(process.execPath, ['scripts/build.mjs'], home)
}
if (!existsSync(bin('react-router'))) {
  installAll(here)
}
installPacked(here)

let notes = []
/** Every request that the API has received: "GET /notes?user=Ann" by the server, with " (browser)" by the browser. */
let asked = []
/** How many requests have ended before their response. */
let left = 0
const api = await listen(async (request, response) => {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-allow-methods', '*')
  response.setHeader('access-control-allow-headers', '*')
  if (request.method === 'OPTIONS') {
    response.end()
    return
  }
  asked.push(`${request.method} ${request.url}${request.headers.origin === undefined ? '' : ' (browser)'}`)
  const { pathname, searchParams } = new URL(request.url, 'http://api.test')
  const [, , id] = pathname.split('/')
  const user = searchParams.get('user')
  if (user === 'patient') {
    response.on('close', () => (left += 1))
    return
  }
  const body = ['POST', 'PATCH'].includes(request.method) ? await readBody(request) : undefined
  const note = notes.find((one) => one.id === id)
  if (request.method === 'POST') {
    notes.push({ id: String(notes.length + 1), ...body })
  } else if (request.method === 'PATCH') {
    Object.assign(note, body)
  }
  const list = [{ id: `own-${user}`, title: `Only for ${user}`, user }, ...notes.filter((one) => one.user === user)]
  const value = request.method === 'POST' ? notes.at(-1) : id ? note : list
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
})
env.VITE_API = api.origin
console.log('react-router build')
run(process.execPath, [router, 'typegen'])
run(process.execPath, [bin('typescript/bin/tsc'), '-p', '.'])
run(process.execPath, [router, 'build'])

try {
  for (const mode of ['start', 'dev']) {
    console.log(`react-router ${mode}`)
    notes = [{ id: '1', title: 'First', user: 'Ann' }]
    const { origin, stop } = await start(mode)
    try {
      await keepsApart(origin)
      await aborts(origin)
      await hydrates(origin)
    } finally {
      stop()
    }
  }
} finally {
  api.close()
}

/** Each page has the data of its own user, fetched once. */
async function keepsApart(origin) {
  asked = []
  const users = Array.from({ length: 30 }, (_, i) => `user-${i}`)
  const pages = await Promise.all(users.map(async (user) => (await fetch(`${origin}/?user=${user}`)).text()))
  for (const [i, html] of pages.entries()) {
    assert(html.includes(`>Only for ${users[i]}</a>`), 'the page has the data')
    assert.deepEqual([...new Set(html.match(/user-\d+/g))], [users[i]], 'no data of another user')
  }
  assert.equal(asked.length, users.length, 'one request for each page')
  console.log(`${users.length} pages at a time, none crossed`)
}

/** A user who leaves ends the requests of the page. */
async function aborts(origin) {
  asked = []
  left = 0
  const aborter = new AbortController()
  const response = await fetch(`${origin}/?user=patient`, { signal: aborter.signal })
  await response.body.getReader().read()
  await until(() => asked.length === 1, 'the page fetches')
  aborter.abort()
  await until(() => left === 1, 'the request was aborted')
  console.log('a user who leaves ends the requests of the page')
}

/** The browser fetches nothing that came with the page, and shows what actions change. */
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
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(String(error)))
    const shows = (...titles) =>
      until(
        async () => JSON.stringify(await page.locator('li').allTextContents()) === JSON.stringify(titles),
        `the list shows ${titles}`,
      )
    asked = []
    await page.goto(`${origin}/?user=Ann`)
    await page.waitForFunction(() =>
      Object.keys(document.querySelector('form')).some((key) => key.startsWith('__react')),
    )
    await shows('Only for Ann', 'First')
    assert.deepEqual(asked, ['GET /notes?user=Ann'], 'the server fetches once, the browser nothing')

    await page.getByLabel('Title').fill('Second')
    await page.getByRole('button', { name: 'Add' }).click()
    await shows('Only for Ann', 'First', 'Second')
    assert.deepEqual(asked.slice(1), ['POST /notes', 'GET /notes?user=Ann (browser)'], 'the list is fetched once')

    asked = []
    await page.getByRole('link', { name: 'Second' }).click()
    await page.getByRole('button', { name: 'Add a !' }).click()
    await page.getByRole('heading', { name: 'Second!' }).waitFor()
    await page.getByRole('link', { name: 'All notes' }).click()
    await shows('Only for Ann', 'First', 'Second!')
    assert.deepEqual(asked, ['PATCH /notes/2 (browser)'], 'a navigation fetches nothing that is there')
    assert.deepEqual(faults, [])
    console.log('hydrated in Chromium without a request')
  } finally {
    await browser.close()
  }
}

async function until(holds, text) {
  const end = Date.now() + 60_000
  while (!(await holds())) {
    assert(Date.now() < end, text)
    await new Promise((done) => setTimeout(done, 20))
  }
}

async function readBody(request) {
  let text = ''
  for await (const part of request.setEncoding('utf8')) {
    text += part
  }
  return JSON.parse(text)
}

function run(command, args, cwd = here) {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], env })
}

async function start(mode) {
  const { port, close } = await listen(() => {})
  close()
  const args =
    mode === 'dev'
      ? [router, 'dev', '--host', '127.0.0.1', '--port', String(port)]
      : [bin('@react-router/serve/bin.js'), 'build/server/index.js']
  const server = spawn(process.execPath, args, {
    cwd: here,
    // Its children, which compile in development, end with it.
    detached: true,
    env: { ...env, PORT: String(port), HOST: '127.0.0.1' },
  })
  let said = ''
  server.stdout.on('data', (text) => (said += text))
  server.stderr.on('data', (text) => (said += text))
  const origin = `http://127.0.0.1:${port}`
  const isUp = async () => {
    assert.equal(server.exitCode, null, said)
    return fetch(`${origin}/notes/1`).then(
      (response) => response.text(),
      () => false,
    )
  }
  await until(isUp, `the server starts: ${said}`)
  return { origin, stop: () => process.kill(-Number(server.pid)) }
}

function listen(respond) {
  const server = createServer(respond)
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      resolve({ port, origin: `http://127.0.0.1:${port}`, close: () => server.close() })
    }),
  )
}
