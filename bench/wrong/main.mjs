// One user and one server, with the network of the simulator: the same steps for every library. See bench/wrong.mjs.
import { createElement, memo, useLayoutEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { NetworkError } from 'restitch'
import { VirtualClock } from '../../tests/simulator/clock.ts'
import { Network } from '../../tests/simulator/network.ts'
import { createRandom, hash } from '../../tests/simulator/random.ts'
import { Server } from '../../tests/simulator/server.ts'
import * as apollo from './apps/apollo.mjs'
import * as restitch from './apps/restitch.mjs'
import * as rtk from './apps/rtk.mjs'
import * as swr from './apps/swr.mjs'
import * as tanstack from './apps/tanstack.mjs'

export const APPS = { restitch, tanstack, swr, rtk, apollo }

const ORIGIN = 'http://sim'
export const NETWORKS = {
  slow: { outcomes: { ok: 1 }, latency: 400 },
  unreliable: { outcomes: { ok: 8, lost: 1, lostResponse: 1, down: 1 }, reads: { ok: 1 }, latency: 400 },
}
const LISTS = [{}, { group: 'a' }, { group: 'b' }, { sort: 'title' }]
/** So many steps of the user, and then everybody waits until nothing happens any more. */
const BURST = 10
const STEPS = 100
const QUIET = 6_000

export async function play(name, network, seed) {
  const random = createRandom(hash(seed, 'wrong', network))
  const clock = new VirtualClock()
  const server = new Server(seed, {})
  // `rests`, `looks`: screens that were compared with the server at rest, and between two steps while no change was in flight; `wrong`, `late`: those
  // that differed. `lost`: a title that the user wrote was on the screen, an older one took its place, and the change had not failed.
  const counts = { steps: 0, rests: 0, wrong: 0, looks: 0, late: 0, lost: 0, reads: 0, changes: 0 }
  /** Titles in the order in which the server received them. */
  const written = [...server.rows.values()].map(({ title }) => title)
  server.onChange = ({ row }) => {
    const { title } = row ?? {}
    if (title !== undefined && !written.includes(title)) {
      written.push(title)
    }
  }
  /** Titles whose request failed. */
  const failed = new Set()
  const net = new Network(clock, server, seed, NETWORKS[network], {
    sent: ({ method }) => void (method === 'GET' ? counts.reads++ : counts.changes++),
    served() {},
    delivered({ body }, reply) {
      if (body?.title !== undefined && !(reply && reply.status < 300)) {
        failed.add(body.title)
      }
    },
    aborted() {},
    retryAfter() {},
  })
  const timers = { setTimeout, clearTimeout, requestAnimationFrame, now: Date.now }
  const later = (run, delay = 0) => clock.setTimeout(run, delay)
  const stopTimer = (timer) => clock.clearTimeout(timer)
  Object.assign(globalThis, {
    setTimeout: later,
    clearTimeout: stopTimer,
    requestAnimationFrame: (run) => later(run, 16),
  })
  Date.now = () => clock.now()

  const send = async (method, path, body) => {
    const init = { method, ...(body && { body: JSON.stringify(body) }) }
    const response = await net.fetchResponse(ORIGIN + path, init).catch((error) => {
      throw error instanceof NetworkError
        ? Object.assign(new Error(`${error.status}`), { status: error.status })
        : error
    })
    const text = await response.text()
    return text === '' ? undefined : JSON.parse(text)
  }
  const app = APPS[name].createApp({ fetch: net.fetchResponse, origin: ORIGIN, send })

  const ignore = () => {}
  const screens = new Map()
  /** The title of each record on each screen, the last one that the user had written. */
  const seen = new Map()
  let actions
  let setMounted = () => {}

  function note(screen, items) {
    screens.set(screen, items)
    for (const { id, title } of items ?? []) {
      const key = `${screen} ${id}`
      const before = seen.get(key)
      if (before !== undefined && before !== title && !failed.has(before)) {
        const [old, now] = [written.indexOf(before), written.indexOf(title)]
        // A title that the server has not received yet is newer than all others.
        if (now >= 0 && (old < 0 || now < old)) {
          counts.lost++
        }
      }
      seen.set(key, title)
    }
  }
  const List = memo(({ index }) => {
    const list = app.useList(LISTS[index])
    useLayoutEffect(() => note(`list ${index}`, list))
    return null
  })
  const Detail = memo(({ id }) => {
    const todo = app.useDetail(id)
    useLayoutEffect(() => note(`detail ${id}`, todo && [todo]))
    return null
  })
  function Screens() {
    const [mounted, set] = useState(['list 0', 'list 1'])
    actions = app.useActions()
    setMounted = set
    return mounted.map((screen) => {
      const [kind, id] = screen.split(' ')
      return kind === 'list'
        ? createElement(List, { key: screen, index: Number(id) })
        : createElement(Detail, { key: screen, id: id })
    })
  }
  let mounted = ['list 0', 'list 1']
  const show = (next) => {
    for (const screen of mounted.filter((one) => !next.includes(one))) {
      screens.delete(screen)
      for (const key of seen.keys()) {
        if (key.startsWith(`${screen} `)) {
          seen.delete(key)
        }
      }
    }
    mounted = next
    setMounted(next)
  }

  const differs = (screen) => {
    const [kind, id] = screen.split(' ')
    const args = LISTS[Number(id)]
    const ids = kind === 'list' ? server.listIds('todos', args.group ?? null, args) : server.rows.has(id) ? [id] : null
    // Without an argument for the order, any order is right.
    const sort = (texts) => (kind === 'list' && args.sort ? texts : texts.toSorted())
    const text = (items) =>
      JSON.stringify(items ? sort(items.map((one) => `${one.id} ${one.title} ${one.group}`)) : null)
    return text(screens.get(screen)) !== text(ids && ids.map((one) => server.rows.get(one)))
  }
  const drain = async () => {
    for (let i = 0; i < 8; i++) {
      await new Promise((done) => setImmediate(done))
    }
  }
  const pass = async (time) => {
    const until = clock.time + time
    await drain()
    while (clock.runNext(until)) {
      await drain()
    }
    clock.time = until
  }
  const attempt = (run) => {
    Promise.resolve().then(run).catch(ignore)
  }
  const act = (step) => {
    const ids = [...server.rows.keys()]
    const title = `own${step}-${seed}`
    const what = ids.length < 3 ? 'create' : random.weigh({ rename: 4, move: 3, create: 1, remove: 1, look: 3 })
    const id = ids.length > 0 ? random.pick(ids) : ''
    const group = random.pick(['a', 'b'])
    // Each library has the same luck with its changes.
    const method = { rename: 'PATCH', move: 'PATCH', create: 'POST', remove: 'DELETE', look: '' }[what]
    net.next = { tag: undefined, seed: hash(seed, network, step), method }
    if (what === 'rename') {
      attempt(() => actions.change(id, { title }))
    } else if (what === 'move') {
      attempt(() => actions.change(id, { group }))
    } else if (what === 'create') {
      attempt(() => actions.create({ title, group }))
    } else if (what === 'remove') {
      attempt(() => actions.remove(id))
    } else {
      const lists = LISTS.map((_, index) => `list ${index}`).filter(() => random.chance(0.5))
      show([...lists, `detail ${id}`])
    }
  }

  const root = createRoot(document.createElement('div'), { onUncaughtError() {}, onCaughtError() {} })
  process.on('unhandledRejection', ignore)
  try {
    root.render(createElement(app.Provider, null, createElement(Screens)))
    await pass(2_000)
    for (let step = 1; step <= STEPS; step++) {
      act(step)
      counts.steps++
      await pass(random.chance(0.2) ? 1_500 : random.below(250))
      if (![...net.open].some(({ method }) => method !== 'GET')) {
        const shown = mounted.filter((screen) => screens.get(screen) !== undefined)
        counts.looks += shown.length
        counts.late += shown.filter(differs).length
      }
      if (step % BURST === 0) {
        net.heal()
        await pass(QUIET)
        while (net.open.size > 0) {
          await pass(QUIET)
        }
        counts.rests += mounted.length
        counts.wrong += mounted.filter(differs).length
        net.conditions = NETWORKS[network]
      }
    }
    return counts
  } finally {
    root.unmount()
    await pass(1_000)
    app.stop?.()
    process.off('unhandledRejection', ignore)
    const { now, ...rest } = timers
    Object.assign(globalThis, rest)
    Date.now = now
  }
}
