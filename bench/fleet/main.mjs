// One client of a fleet and the server as it is at each moment. See bench/fleet.mjs.
import { createRandom, hash } from '../../tests/simulator/random.ts'
import * as restitch from './apps/restitch.mjs'
import * as rtk from './apps/rtk.mjs'
import * as swr from './apps/swr.mjs'
import * as tanstack from './apps/tanstack.mjs'

/** `Todo 1` is on the sorted list and the detail of everybody. */
export const APPS = {
  restitch,
  spread: { startClient: (client) => restitch.startClient({ ...client, spread: 10_000 }) },
  tanstack,
  swr,
  rtk,
}

const ORIGIN = 'http://fleet.test'
const POLL = 10_000
/** A server is down, or refuses, from then on: all clients have loaded and polled by then. */
export const CAUSE = 60_000
const MINUTE = 60_000
/** Milliseconds after which an EventSource connects again. */
const RECONNECT = 3_000

/**
 * The events of each scenario. `loads`: milliseconds within which the clients load; `until`: when it ends; `answer(time)`: an error of the server; `isDown(time)`: no live connection is
 * accepted; `drops`: live connections end at CAUSE; `event`: a message at CAUSE; `every`: another one after so many milliseconds, again and again; `hidden`: the share of the pages that cannot be seen
 * from CAUSE - 1,000 on.
 */
export const SCENARIOS = {
  quiet: { until: 2 * MINUTE },
  event: { until: CAUSE + 30_000, event: true },
  hidden: { until: CAUSE + 30_000, event: true, hidden: 0.8 },
  deploy: { until: CAUSE + 30_000, drops: true },
  outage: {
    until: 5 * MINUTE,
    drops: true,
    answer: (time) => isWithin(time, MINUTE) && { status: 503 },
    isDown: (time) => isWithin(time, MINUTE),
  },
  limitSeconds: {
    until: 3 * MINUTE,
    answer: (time) => isWithin(time, 30_000) && { status: 429, after: Math.ceil((CAUSE + 30_000 - time) / 1_000) },
  },
  limitDate: {
    until: 3 * MINUTE,
    answer: (time) => isWithin(time, 30_000) && { status: 429, after: new Date(EPOCH + CAUSE + 30_000).toUTCString() },
  },
  reload: { loads: 1_000, until: 3 * MINUTE },
  hour: { until: CAUSE + 60 * MINUTE, event: true, every: 30_000 },
  hiddenHour: { until: CAUSE + 60 * MINUTE, event: true, every: 30_000, hidden: 1 },
  burst: { until: CAUSE + 5 * MINUTE, event: true, every: 1_000 },
}
const EPOCH = 1_700_000_000_000

function isWithin(time, length) {
  return time >= CAUSE && time < CAUSE + length
}

/** Clients know nothing of each other, so each is played alone; `count` receives what it sends: 'GET' or 'connection', and when. */
export async function play(app, scenario, seed, number, count) {
  const { startClient } = APPS[app]
  const {
    loads = POLL,
    until,
    answer = () => false,
    isDown = () => false,
    drops,
    event,
    every = Infinity,
    hidden = 0,
  } = SCENARIOS[scenario]
  const luck = createRandom(hash(seed, 'fleet', number))
  const clock = createClock()
  const originals = { setTimeout, clearTimeout, setInterval, clearInterval, fetch, requestAnimationFrame }
  const { now } = Date
  const mathRandom = Math.random
  const globals = {
    setTimeout: (run, delay, ...args) => clock.setTimeout(() => run(...args), delay),
    clearTimeout: (timer) => clock.clearTimeout(timer),
    requestAnimationFrame: (run) => clock.setTimeout(run, 16),
    fetch: send,
  }
  globals.setInterval = (run, delay) => {
    const timer = {}
    const again = () => {
      timer.id = clock.setTimeout(again, delay)
      run()
    }
    timer.id = clock.setTimeout(again, delay)
    return timer
  }
  globals.clearInterval = (timer) => clock.clearTimeout(timer?.id)
  Object.assign(globalThis, globals)
  Date.now = () => EPOCH + clock.time
  Math.random = luck.next
  let isHidden = false
  Object.defineProperty(document, 'visibilityState', {
    get: () => (isHidden ? 'hidden' : 'visible'),
    configurable: true,
  })
  const delays = createRandom(hash(seed, 'delays', number))
  const latency = () => 20 + delays.next() * 100

  /** The live connections that are open: functions that end them, and that send a message over them. */
  const links = new Set()

  function send(url, { signal } = {}) {
    count('GET', clock.time)
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      const half = latency() / 2
      clock.setTimeout(() => {
        const refusal = answer(clock.time)
        const headers = { 'content-type': 'application/json', ...(refusal.after && { 'retry-after': refusal.after }) }
        const response = refusal
          ? new Response('{}', { status: refusal.status, headers })
          : new Response(JSON.stringify(bodyOf(new URL(url))), { headers })
        clock.setTimeout(() => resolve(response), half)
      }, half)
    })
  }

  async function get(path) {
    const response = await fetch(ORIGIN + path)
    if (!response.ok) {
      throw Object.assign(new Error(`${response.status}`), { status: response.status })
    }
    return response.json()
  }

  /** The events of the server as a response. */
  function fetchEvents(url, { signal }) {
    count('connection', clock.time)
    return new Promise((resolve, reject) => {
      clock.setTimeout(() => {
        if (signal.aborted) {
          return reject(signal.reason)
        }
        if (isDown(clock.time)) {
          return resolve(new Response('', { status: 503 }))
        }
        const body = new ReadableStream({
          start(stream) {
            const link = {
              end: () => links.delete(link) && stream.close(),
              send: (data) => stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(data)}\n\n`)),
            }
            links.add(link)
            signal.addEventListener('abort', () => links.delete(link))
          },
        })
        resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
      }, latency())
    })
  }

  /** An EventSource: it connects again three seconds after it was lost. */
  function connect({ onEvent, onReconnect }) {
    let timer
    let wasOpen = false
    let isOver = false
    const open = () => {
      count('connection', clock.time)
      timer = clock.setTimeout(() => {
        const again = () => {
          timer = clock.setTimeout(open, RECONNECT)
        }
        if (isDown(clock.time)) {
          return again()
        }
        const link = { end: () => links.delete(link) && !isOver && again(), send: onEvent }
        links.add(link)
        if (wasOpen) {
          onReconnect()
        }
        wasOpen = true
      }, latency())
    }
    open()
    return () => {
      isOver = true
      clock.clearTimeout(timer)
    }
  }

  const drain = async () => {
    for (let i = 0; i < DRAINS; i++) {
      await new Promise((done) => setImmediate(done))
    }
  }
  const pass = async (end) => {
    await drain()
    while (clock.runNext(end)) {
      await drain()
    }
    clock.time = end
  }

  try {
    await pass(luck.next() * loads)
    const client = { origin: ORIGIN, get, fetchEvents, connect, pollFrequency: POLL, random: luck.next }
    const stop = startClient(client)
    if (luck.next() < hidden) {
      clock.setTimeout(
        () => {
          isHidden = true
          document.dispatchEvent(new window.Event('visibilitychange', { bubbles: true }))
        },
        CAUSE - 1_000 - clock.time,
      )
    }
    const happen = () => {
      for (const link of drops || event ? [...links] : []) {
        if (drops) {
          link.end()
        } else {
          link.send({ id: '1', title: `changed at ${clock.time}` })
        }
      }
      if (clock.time + every < until) {
        clock.setTimeout(happen, every)
      }
    }
    clock.setTimeout(happen, CAUSE - clock.time)
    await pass(until)
    stop()
    count = () => {}
    await pass(until + 100)
  } finally {
    Object.assign(globalThis, originals)
    Date.now = now
    Math.random = mathRandom
  }
}

/** Turns of the event loop after which nothing happens any more without a timer. */
const DRAINS = Number(process.env.FLEET_DRAINS ?? 4)

function bodyOf({ pathname }) {
  const rows = [1, 2, 3].map((number) => ({ id: `${number}`, title: `title ${number}` }))
  return pathname === '/status' ? { ok: true } : pathname === '/todos' ? rows : rows[0]
}

/** Timers in the order of their time. A client has a handful of them. */
function createClock() {
  const timers = new Map()
  let last = 0
  return {
    time: 0,
    setTimeout(run, delay) {
      timers.set(++last, { at: this.time + Math.max(0, delay || 0), run })
      return last
    },
    clearTimeout: (timer) => void timers.delete(timer),
    runNext(until) {
      let first
      for (const [number, { at }] of timers) {
        if (at <= until && (first === undefined || at < timers.get(first).at)) {
          first = number
        }
      }
      if (first === undefined) {
        return false
      }
      const { at, run } = timers.get(first)
      timers.delete(first)
      this.time = Math.max(this.time, at)
      run()
      return true
    },
  }
}
