// Shared by the examples of all frameworks: the API of docs/learn/1-list.md in the page, the requests to it, and modules from text.
import * as restitch from 'restitch'
import * as restitchQuery from 'restitch/query'
import { transform } from 'sucrase'

/** Marks a request with the example that sends it: all of them use the `fetch` of the page. */
const RUN = Symbol('run')
const runs = new Set()
let fetchPage

/**
 * Prepares the files of an example. `settings` may change while it runs, and `onChange` receives the state of the cache and the requests.
 * `modules` makes the modules that it may import, `compile` the code of a file that is not plain TypeScript.
 */
export function openExample(files, settings, onChange, modules, compile) {
  const run = { send }
  const api = createApi(files['fakeApi.ts'])
  const log = []
  let controller
  const describeNow = () => controller && onChange(describe(controller, log))
  const load = createLoader(
    files,
    {
      modules: { restitch: { ...restitch, ...createEndpoints(run) }, 'restitch/query': restitchQuery, ...modules },
      // `new EventSource('/api/stream')` listens to the API in the page.
      EventSource: api.EventSource,
    },
    compile,
  )

  async function send(url, init) {
    const line = { request: `${init?.method ?? 'GET'} ${url}`, status: '…' }
    log.push(line)
    try {
      const response = await respond(url, init)
      line.status = response.status
      return response
    } catch (error) {
      line.status = 'failed'
      throw error
    }
  }
  async function respond(url, init) {
    await new Promise((done) => setTimeout(done, settings.latency))
    init?.signal?.throwIfAborted()
    const isChange = init?.method && init.method !== 'GET'
    if (settings.failures === 'offline') {
      throw new TypeError('Failed to fetch')
    }
    if (settings.failures === 'all' || (settings.failures === 'changes' && isChange)) {
      return Response.json({ message: 'The server fails' }, { status: 503 })
    }
    return api.respond(url.slice('/api'.length), init)
  }

  const timer = setInterval(describeNow, 100)
  const stop = () => {
    clearInterval(timer)
    endFetch(run)
  }
  startFetch(run)
  return {
    load,
    stop,
    watch: (given) => (controller = given),
    changeTask: () => api.changeTask(),
    isIdle: () => log.every(({ status }) => status !== '…'),
  }
}

/** The endpoints of one example, whose requests say that they are its own. */
function createEndpoints(run) {
  class RestEndpoint extends restitch.RestEndpoint {
    fetchResponse(input, init) {
      return super.fetchResponse(input, { ...init, [RUN]: run })
    }
  }
  return { RestEndpoint, resource: (options) => restitch.resource({ Endpoint: RestEndpoint, ...options }) }
}

function startFetch(run) {
  if (runs.size === 0) {
    fetchPage = globalThis.fetch
    globalThis.fetch = (input, init) =>
      runs.has(init?.[RUN]) ? init[RUN].send(String(input), init) : fetchPage(input, init)
  }
  runs.add(run)
}

function endFetch(run) {
  if (runs.delete(run) && runs.size === 0) {
    globalThis.fetch = fetchPage
  }
}

/** Evaluates `files` as modules that may import each other, and `modules` by name. */
function createLoader(files, { modules, ...globals }, compile = (text) => text) {
  const loaded = {}
  return function load(path) {
    if (loaded[path]) {
      return loaded[path]
    }
    const exports = (loaded[path] = {})
    const require = (name) => {
      if (modules[name]) {
        return modules[name]
      }
      const base = `src/${name.replace(/^\.\//, '')}`
      const found = [base, `${base}.ts`, `${base}.tsx`].find((candidate) => files[candidate] !== undefined)
      if (!found) {
        throw new Error(`${path} imports "${name}", which the playground does not have`)
      }
      return load(found)
    }
    // The page has no element for `createRoot`: the one of the playground takes its place.
    const page = { getElementById: () => null }
    const names = ['require', 'exports', ...Object.keys(globals), ...(path === 'src/main.tsx' ? ['document'] : [])]
    // The reader's own code, in the reader's own page.
    // oxlint-disable-next-line typescript/no-implied-eval
    new Function(...names, toScript(compile(files[path], path), path))(
      require,
      exports,
      ...Object.values(globals),
      page,
    )
    return exports
  }
}

function toScript(text, path) {
  try {
    const { code } = transform(text, {
      transforms: ['typescript', 'jsx', 'imports'],
      jsxRuntime: 'automatic',
      production: true,
      disableESTransforms: true,
      filePath: path,
    })
    return code
  } catch (error) {
    throw new Error(String(error.message).replace(/^Error transforming /, ''), { cause: error })
  }
}

/** The API of the first page of Learn, as functions of a page without a server. It begins with new data. */
function createApi(text) {
  let handle
  const load = createLoader({ 'fakeApi.ts': text.replace(/LATENCY = \d+/, 'LATENCY = 0') }, { modules: {} })
  load('fakeApi.ts')
    .fakeApi()
    .configureServer({ middlewares: { use: (_path, handler) => (handle = handler) } })

  const respond = (url, { method = 'GET', body } = {}) =>
    new Promise((done) => {
      let status
      const response = {
        writeHead(given) {
          status = given
          return response
        },
        end: (json) => done(new Response(status === 204 ? null : json, { status, headers: JSON_HEADERS })),
      }
      void handle(createRequest(method, url, body), response)
    })

  class EventSource {
    constructor(url) {
      this.request = createRequest('GET', url.slice('/api'.length))
      const write = (text) => this.onmessage?.({ data: text.replace(/^data: /, '').trim() })
      void handle(this.request, { writeHead() {}, write })
    }

    close() {
      this.request.close()
    }
  }

  // Another user does this, so it is not a request of the example.
  async function changeTask() {
    const tasks = await (await respond('/tasks')).json()
    const { id, done } = tasks[Math.floor(Math.random() * tasks.length)]
    await respond(`/tasks/${id}`, { method: 'PATCH', body: JSON.stringify({ done: !done }) })
  }
  return { respond, EventSource, changeTask }
}

function createRequest(method, url, body) {
  const listeners = []
  return {
    method,
    url,
    on: (_event, listener) => void listeners.push(listener),
    close: () => listeners.forEach((listener) => listener()),
    [Symbol.asyncIterator]: () => (body ? [body] : [])[Symbol.iterator](),
  }
}

const JSON_HEADERS = { 'content-type': 'application/json' }

function describe(controller, log) {
  const { entities, optimistic } = controller.getState()
  const tables = Object.entries(entities).map(([name, rows]) => ({
    name,
    rows: Object.entries(rows).map(([pk, row]) => [pk, typeof row === 'symbol' ? 'deleted' : JSON.stringify(row)]),
  }))
  return { tables, pending: optimistic.length, requests: log.map(({ request, status }) => `${status}  ${request}`) }
}
