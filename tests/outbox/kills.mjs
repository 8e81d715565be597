// Kills a real Chromium while its page writes, one to three times, and starts it again on the same profile:
// node tests/outbox/kills.mjs --runs 500 [--from 1] [--spoil keys|memory]
//
// A change is owed when it was on the screen 300 ms before its page was killed. At the end the server has carried out each change that is owed,
// none twice, those of a record in their order, and the screen shows what the server has.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { chromium } from 'playwright'
import { findChromium } from '../../scripts/chromium.mjs'

const option = (name, usual) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? usual : Number(process.argv[at + 1])
}
const spoilAt = process.argv.indexOf('--spoil')
/** Plants a fault: no keys, or no disk. Then a run without faults is a failure. */
const SPOIL = spoilAt < 0 ? '' : process.argv[spoilAt + 1]
const RUNS = option('--runs', 1)
const FROM = option('--from', 1)
const executable = await findChromium()
const RECORDS = ['1', '2', '3']
/** Milliseconds for which a change has been on the screen when it is owed. */
const OWED = 300
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const outfile = '.cache/outbox/kill-app.js'
await build({
  entryPoints: ['tests/outbox/killApp.ts'],
  outfile,
  bundle: true,
  format: 'iife',
  conditions: ['restitch-source'],
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'error',
})
const { readFileSync } = await import('node:fs')
const script = readFileSync(outfile)

/** A number that follows from a seed. */
function generator(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The API: it loses requests and responses, fails, and knows the keys of requests. */
function createApi(roll) {
  const log = new Map(RECORDS.map((id) => [id, []]))
  const known = new Map()
  const api = { log, isCalm: false, requests: 0 }
  const taskOf = (id) => ({
    id,
    log: log
      .get(id)
      .map((mark) => `${mark} `)
      .join(''),
  })
  const carryOut = (id, { mark }) => {
    log.get(id).push(mark)
    return { status: 200, body: taskOf(id) }
  }
  const answer = async (request, response) => {
    const send = (status, body, type = 'application/json') => {
      response.writeHead(status, { 'content-type': type, connection: 'close' })
      response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
    }
    const [, , , id] = request.url.split('/')
    if (request.url === '/') {
      return send(200, '<!doctype html><script src="/app.js"></script>', 'text/html')
    }
    if (request.url === '/app.js') {
      return send(200, script, 'text/javascript')
    }
    if (request.method === 'GET') {
      return request.url.startsWith('/api') ? send(200, id ? taskOf(id) : RECORDS.map(taskOf)) : send(404, '{}')
    }
    api.requests++
    const fate = api.isCalm ? 1 : roll()
    if (fate < 0.12) {
      return request.socket.destroy()
    }
    let text = ''
    for await (const chunk of request) {
      text += chunk
    }
    if (fate < 0.2) {
      return send(fate < 0.16 ? 500 : 429, {})
    }
    if (fate < 0.24) {
      return send(200, '<html>Sign in to the wifi</html>', 'text/html')
    }
    const key = request.headers['idempotency-key']
    const made = (key && known.get(key)) ?? carryOut(id, JSON.parse(text))
    if (key) {
      known.set(key, made)
    }
    await wait(api.isCalm ? 0 : roll() * 80)
    return fate < 0.36 ? request.socket.destroy() : send(made.status, made.body)
  }
  const server = createServer((request, response) => void answer(request, response))
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(Object.assign(api, { server, url: `http://127.0.0.1:${server.address().port}/` })),
    ),
  )
}

/** Starts a browser on a profile. It is killed by its process, with everything in it. */
async function start(profile, url) {
  const child = spawn(
    executable,
    [
      '--headless',
      '--no-sandbox',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--no-first-run',
      // A browser repeats requests by itself on connections that it has opened in advance.
      '--disable-features=NetworkPrediction,Prerender2',
      '--dns-prefetch-disable',
      'about:blank',
    ],
    { detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const endpoint = await new Promise((resolve, reject) => {
    let text = ''
    child.stderr.on('data', (chunk) => {
      text += chunk
      const found = /DevTools listening on (ws:\S+)/.exec(text)
      if (found) {
        resolve(found[1])
      }
    })
    child.on('exit', () => reject(new Error(`Chromium has ended: ${text.slice(-300)}`)))
  })
  const browser = await chromium.connectOverCDP(endpoint)
  const page = browser.contexts()[0].pages()[0] ?? (await browser.contexts()[0].newPage())
  await page.goto(`${url}#${SPOIL}`)
  await page.evaluate(() => globalThis.page.load())
  const gone = new Promise((resolve) => child.on('exit', resolve))
  const kill = async () => {
    process.kill(-child.pid, 'SIGKILL')
    await gone
    await browser.close().catch(() => {})
  }
  return { page, kill }
}

/** One life of the page: it writes until it is killed. Adds to `written` what was on the screen, and when. */
async function live(profile, api, roll, written, counter) {
  const { page, kill } = await start(profile, api.url)
  const end = Date.now() + 300 + roll() * 1_500
  while (Date.now() < end) {
    const id = RECORDS[Math.floor(roll() * RECORDS.length)]
    const mark = `m${++counter.value}`
    if (await page.evaluate(([of, what]) => globalThis.page.write(of, what), [id, mark])) {
      written.push({ id, mark, at: Date.now() })
    }
    await wait(roll() * 120)
  }
  const killedAt = Date.now()
  await kill()
  return killedAt
}

/** Returns what is wrong after a run. */
async function run(seed) {
  const roll = generator(seed)
  const profile = mkdtempSync(join(tmpdir(), 'kills-'))
  const api = await createApi(roll)
  const written = []
  const owed = []
  const counter = { value: 0 }
  const faults = []
  try {
    const lives = 1 + Math.floor(roll() * 3)
    for (let life = 0; life < lives; life++) {
      const from = written.length
      const killedAt = await live(profile, api, roll, written, counter)
      owed.push(...written.slice(from).filter(({ at }) => at <= killedAt - OWED))
    }
    api.isCalm = true
    const { page, kill } = await start(profile, api.url)
    const patience = Date.now() + 60_000
    let unsent
    do {
      await wait(200)
      unsent = await page.evaluate(() => globalThis.page.unsent())
    } while (unsent.pending > 0 && Date.now() < patience)
    if (unsent.pending + unsent.failed + unsent.conflicts > 0) {
      faults.push(`left over: ${JSON.stringify(unsent)}`)
    }
    await page.evaluate(() => globalThis.page.load())
    const screen = await page.evaluate((ids) => globalThis.page.shown(ids), RECORDS)
    await kill()
    for (const id of RECORDS) {
      const done = api.log.get(id)
      const all = written.flatMap((one) => (one.id === id ? [one.mark] : []))
      const lost = owed.filter((one) => one.id === id && !done.includes(one.mark)).map(({ mark }) => mark)
      const twice = done.filter((mark, i) => done.indexOf(mark) !== i)
      const inOrder = all.filter((mark) => done.includes(mark))
      if (lost.length > 0) {
        faults.push(`record ${id} lost ${lost.join()}`)
      }
      if (twice.length > 0) {
        faults.push(`record ${id} has twice ${twice.join()}`)
      }
      if (String(done.filter((mark) => all.includes(mark))) !== String(inOrder)) {
        faults.push(`record ${id} has ${done.join()} for ${all.join()}`)
      }
      if (screen[id] !== done.map((mark) => `${mark} `).join('')) {
        faults.push(`the screen shows "${screen[id]}" for ${done.join()}`)
      }
    }
    return { faults, lives, owed: owed.length, requests: api.requests }
  } finally {
    api.server.closeAllConnections()
    api.server.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

let faulty = 0
let owed = 0
let kills = 0
for (let seed = FROM; seed < FROM + RUNS; seed++) {
  const result = await run(seed)
  owed += result.owed
  kills += result.lives
  if (result.faults.length > 0) {
    faulty++
    process.stdout.write(`run ${seed}: ${result.faults.join('; ')}\n`)
  }
}
process.stdout.write(`${RUNS} runs, ${kills} kills, ${owed} changes owed: ${faulty} runs with faults\n`)
process.exit(faulty > 0 === (SPOIL !== '') ? 0 : 1)
