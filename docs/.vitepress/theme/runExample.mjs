// Runs the files of an example in the page, against the API of docs/learn/1-list.md. It is loaded when a reader runs the first one.
import * as React from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import * as reactClient from 'react-dom/client'
import * as restitch from 'restitch'
import * as restitchReact from 'restitch/react'
import * as restitchTest from 'restitch/test/browser'
import { transform } from 'sucrase'

/** Marks a request with the example that sends it: all of them use the `fetch` of the page. */
const RUN = Symbol('run')
const runs = new Set()
let fetchPage

/**
 * Runs `src/main.tsx` of `files`, or renders the default export of `entry`, inside `element`. `settings` may change while it runs.
 * `onChange` receives the state of the cache and the requests, `onError` what no boundary of the example has caught.
 */
export function runExample(files, entry, element, settings, onChange, onError) {
  const run = { send }
  const api = createApi(files['fakeApi.ts'])
  const log = []
  const roots = []
  let controller
  const describeNow = () => controller && onChange(describe(controller, log))

  // The provider of the example, which also shows its cache to the page.
  function DataProvider(props) {
    const spy = jsxRuntime.jsx(Spy, { children: props.children })
    return jsxRuntime.jsx(restitchReact.DataProvider, { ...props, devButton: null, children: spy })
  }
  function Spy({ children }) {
    controller = restitchReact.useController()
    return children
  }
  function createRoot() {
    const root = reactClient.createRoot(element, { onUncaughtError: onError })
    roots.push(root)
    return root
  }
  const load = createLoader(files, {
    modules: {
      react: React,
      'react/jsx-runtime': jsxRuntime,
      'react-dom/client': { ...reactClient, createRoot },
      restitch: { ...restitch, ...createEndpoints(run) },
      'restitch/react': { ...restitchReact, DataProvider },
      'restitch/test/browser': restitchTest,
    },
    // `new EventSource('/api/stream')` listens to the API in the page.
    EventSource: api.EventSource,
  })

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
    roots.forEach((root) => root.unmount())
    endFetch(run)
  }
  startFetch(run)
  let App
  try {
    App = load(entry).default
  } catch (error) {
    stop()
    throw error
  }
  if (entry !== 'src/main.tsx') {
    const { AsyncBoundary } = restitchReact
    const app = jsxRuntime.jsx(AsyncBoundary, {
      fallback: 'Loading…',
      errorComponent: Failed,
      children: jsxRuntime.jsx(App, {}),
    })
    createRoot().render(jsxRuntime.jsx(DataProvider, { children: app }))
  }
  // A failed request is shown in the app, with a way out; a mistake in the code is not part of it.
  function Failed({ error, resetErrorBoundary }) {
    const isRequest = settings.failures !== 'none' || ('status' in error && error.name !== 'RestitchError')
    React.useEffect(() => {
      if (!isRequest) {
        onError(error)
      }
    }, [])
    const retry = jsxRuntime.jsx('button', { onClick: resetErrorBoundary, children: 'Try again' })
    return isRequest && jsxRuntime.jsxs('p', { role: 'alert', children: [error.message, ' ', retry] })
  }

  return { stop, changeTask: () => api.changeTask(), isIdle: () => log.every(({ status }) => status !== '…') }
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
function createLoader(files, { modules, ...globals }) {
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
    new Function(...names, compile(files[path], path))(require, exports, ...Object.values(globals), page)
    return exports
  }
}

function compile(text, path) {
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
