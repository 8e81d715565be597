import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createStore, RestEndpoint } from 'restitch'

const here = dirname(fileURLToPath(import.meta.url))
/** `expiresAt` of data that is about to be fetched again. */
const STALE = 1
/** Far more than any wait of the library. A hang fails, however busy the machine is. */
const PATIENCE = 120_000

/**
 * Starts a server, mounts the lists of an app and does its writes. After each, every list has to be what a fresh GET returns. Returns how
 * many were not.
 */
export async function check(name, describe) {
  const server = spawn(process.execPath, [join(here, `${fileName(name)}.mjs`)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  try {
    const lines = createInterface({ input: server.stdout })
    const [origin] = await Promise.race([
      once(lines, 'line'),
      once(server, 'exit').then(() => Promise.reject(new Error(`${name} did not start`))),
    ])
    return await run(name, describe, origin)
  } finally {
    server.kill()
  }
}

async function run(name, describe, origin) {
  const sent = { pending: 0, gets: 0 }
  class Counting extends RestEndpoint {
    urlPrefix = origin
    async fetchResponse(url, init) {
      sent.pending += 1
      sent.gets += init.method === 'GET' ? 1 : 0
      try {
        return await super.fetchResponse(url, init)
      } finally {
        sent.pending -= 1
      }
    }
  }
  const { lists, writes } = describe(Counting)
  const store = createStore()
  const shown = []
  for (const [label, endpoint, args, hasPages = false] of lists) {
    const view = store.view(endpoint, args)
    view.subscribe(() => {})
    await view.promise()
    const pages = hasPages ? (await readPages(endpoint, args)).slice(1) : []
    for (const { page, pageArgs } of pages) {
      await store.controller.fetch(page, ...pageArgs)
    }
    shown.push({ label, endpoint, args, view, hasPages })
  }
  let failed = 0
  const total = { writes: 0, gets: 0 }
  const settle = () => untilQuiet(() => sent.pending === 0 && shown.every(({ view }) => view.read().expiresAt > STALE))
  for (const [label, write] of [['nothing', () => undefined], ...writes]) {
    await settle()
    sent.gets = 0
    await write(store.controller)
    await settle()
    total.writes += 1
    total.gets += sent.gets
    for (const one of shown) {
      const isPlain = Object.keys(one.args).every((name) => name === 'author')
      const [data, fresh] = [one.view.read().data, await readFresh(one)].map((value) =>
        isPlain ? inKeyOrder(value) : value,
      )
      const fault = difference(data, fresh)
      if (fault) {
        failed += 1
        console.log(`${name}: after ${label}, the list ${one.label} is not that of a fresh GET: ${fault}`)
      }
    }
  }
  shown.length = 0
  store.stop()
  console.log(`${name}: ${lists.length} lists, ${total.writes} writes, ${total.gets} GETs, ${failed} wrong lists`)
  return failed
}

/** A list, with all its pages, past the store. */
async function readFresh({ endpoint, args, hasPages }) {
  const pages = hasPages ? await readPages(endpoint, args) : [{ value: await endpoint(args) }]
  const { value } = pages.at(-1)
  const [name] = Object.entries(value).find(([, member]) => Array.isArray(member)) ?? []
  return hasPages ? { ...value, [name]: pages.flatMap((page) => page.value[name]) } : value
}

/** The responses of a list and of each of its pages, and how to fetch them. */
async function readPages(endpoint, args) {
  const pages = [{ page: endpoint, pageArgs: [args], value: await endpoint(args) }]
  for (;;) {
    const { value, pageArgs } = pages.at(-1)
    const next = endpoint.getNextPage(value, ...pageArgs)
    if (!next) {
      return pages
    }
    const isArgs = Array.isArray(next)
    const page = isArgs ? endpoint.paginated(() => [args]) : endpoint.getPage
    const nextArgs = isArgs ? next : [{ ...args, [endpoint.paginationField]: next }]
    pages.push({ page, pageArgs: nextArgs, value: await page(...nextArgs) })
  }
}

/** Where nothing sorts a list, a record that joins it stands at its end until the list is fetched again. */
function inKeyOrder(value) {
  const compare = (a, b) => (String(a.id) < String(b.id) ? -1 : 1)
  const sort = (member) => (Array.isArray(member) ? [...member].sort(compare) : member)
  return Array.isArray(value)
    ? sort(value)
    : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sort(member)]))
}

/** Where the value that is shown lacks what the server says; fields that the server does not send may have any value. */
function difference(shown, fresh, path = '') {
  if (typeof fresh !== 'object' || fresh === null) {
    return shown === fresh ? undefined : `${path || 'it'} is ${JSON.stringify(shown)}, not ${JSON.stringify(fresh)}`
  }
  if (Array.isArray(fresh) && shown?.length !== fresh.length) {
    const keys = (items) => JSON.stringify(items?.map((item) => item.id ?? item._id))
    return `${path || 'it'} has ${keys(shown)}, not ${keys(fresh)}`
  }
  for (const name of Object.keys(fresh)) {
    const fault = difference(shown?.[name], fresh[name], `${path}.${name}`)
    if (fault) {
      return fault
    }
  }
  return undefined
}

/** Requests follow a write after pauses of the library's own choice, so its state is looked at until nothing is to come. */
async function untilQuiet(isQuiet) {
  const end = performance.now() + PATIENCE
  for (let calm = 0; calm < 3; calm = isQuiet() ? calm + 1 : 0) {
    if (performance.now() > end) {
      throw new Error('The store does not come to rest.')
    }
    await new Promise((done) => setTimeout(done, 5))
  }
}

function fileName(name) {
  return name.replace(/[A-Z\d]/g, (letter) => `-${letter.toLowerCase()}`)
}
