import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildServer } from '../start.mjs'
import { JSON_TYPE } from './testing.ts'

// Here, where the server finds its packages.
const BUILT = new URL('../.cache/server-test/', import.meta.url).pathname
let folder: string
let child: ChildProcess | undefined
let printed = ''

// One set of data for all: to seed it takes a while.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'demo-main-'))
  mkdirSync(join(folder, 'page'))
  writeFileSync(join(folder, 'page/index.html'), 'the page')
  await buildServer(BUILT)
})
afterEach(() => stop('SIGKILL'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the seed is complete and quick', async () => {
  const begun = performance.now()
  const origin = await start()
  // Two seconds of its own; the machine may be busy with other things.
  expect(performance.now() - begun).toBeLessThan(30_000)
  const headers = await signIn(origin)
  const { total } = (await (await fetch(`${origin}/api/issues?limit=1`, { headers })).json()) as { total: number }
  expect(total).toBe(5000)
  const files = (await (await fetch(`${origin}/api/issues/5000/attachments`, { headers })).json()) as { size: number }[]
  expect(Math.max(...files.map(({ size }) => size))).toBeGreaterThan(3_000_000)
})

test('what was confirmed is there after the process was killed', async () => {
  let origin = await start()
  const headers = await signIn(origin)
  const written: string[] = []
  for (let round = 0; round < 3; round++) {
    for (let at = 0; at < 5; at++) {
      const body = JSON.stringify({ title: `Issue ${round}.${at}`, project: '1' })
      const response = await fetch(`${origin}/api/issues`, { method: 'POST', headers, body })
      written.push(((await response.json()) as { id: string }).id)
    }
    const form = new FormData()
    form.set('file', new File([`round ${round}`], 'a.txt'))
    const { 'content-type': _, ...rest } = headers
    await fetch(`${origin}/api/issues/${written.at(-1)}/attachments`, { method: 'POST', headers: rest, body: form })
    await stop('SIGKILL')
    origin = await start()
    for (const id of written) {
      expect((await fetch(`${origin}/api/issues/${id}`, { headers })).status).toBe(200)
    }
    const files = await (await fetch(`${origin}/api/issues/${written.at(-1)}/attachments`, { headers })).json()
    expect(files).toMatchObject([{ name: 'a.txt', size: 7 }])
  }
})

test('it serves page and API on one port, and an interrupt stops it', async () => {
  const origin = await start()
  expect(await (await fetch(origin)).text()).toBe('the page')
  expect((await fetch(`${origin}/api/welcome`)).status).toBe(200)
  expect((await fetch(`${origin}/api/faults/reset-data`, { method: 'POST' })).status).toBe(401)
  const headers = await signIn(origin)
  const events = await fetch(`${origin}/api/events`, { headers })
  await stop('SIGINT')
  expect(child?.exitCode).toBe(0)
  await events.text().catch(() => {})
  expect(printed).toBe(`The demo is at ${origin.replace('127.0.0.1', 'localhost')}\n`)
})

test('--reset starts again', async () => {
  let origin = await start()
  let headers = await signIn(origin)
  const body = JSON.stringify({ name: 'Changed' })
  await fetch(`${origin}/api/people/1`, { method: 'PATCH', headers, body })
  await stop('SIGTERM')
  origin = await start()
  expect(await (await fetch(`${origin}/api/people/1`, { headers })).json()).toMatchObject({ name: 'Changed' })
  await stop('SIGTERM')
  origin = await start('--reset')
  headers = await signIn(origin)
  expect(await (await fetch(`${origin}/api/people/1`, { headers })).json()).toMatchObject({ name: 'Mia Okafor' })
})

test('a port that was chosen is used or refused', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  await expect(start('--port', String(port))).rejects.toThrow(`Port ${port} is taken`)
  await expect(start('--port', 'abc')).rejects.toThrow('--port needs a number')
  await expect(start('--unknown')).rejects.toThrow('--unknown')
  taken.close()
})

function start(...args: string[]): Promise<string> {
  const port = args.includes('--port') ? [] : ['--port', '0']
  const folders = ['--data', join(folder, 'data'), '--page', join(folder, 'page')]
  const started = (child = spawn(process.execPath, [join(BUILT, 'main.js'), ...folders, ...port, ...args]))
  printed = ''
  return new Promise((done, fail) => {
    let errors = ''
    started.stderr.on('data', (data) => (errors += data))
    started.stdout.on('data', (data) => {
      printed += data
      const address = /http:\/\/localhost(:\d+)/.exec(printed)
      if (address) {
        done(`http://127.0.0.1${address[1]}`)
      }
    })
    started.on('close', (code) => fail(new Error(`ended with ${code}: ${errors}`)))
  })
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) {
    return
  }
  const closed = once(child, 'close')
  child.kill(signal)
  await closed
}

async function signIn(origin: string): Promise<Record<string, string>> {
  const body = JSON.stringify({ email: 'mia.okafor@example.com', password: 'demo', kind: 'token' })
  const response = await fetch(`${origin}/api/session`, { method: 'POST', headers: JSON_TYPE, body })
  const { accessToken } = (await response.json()) as { accessToken: string }
  return { authorization: `Bearer ${accessToken}`, ...JSON_TYPE }
}
