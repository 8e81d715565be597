// Runs the code of an example in the page, against the API of docs/learn/1-list.md. It is loaded when a reader runs the first one.
import * as React from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import { createRoot } from 'react-dom/client'
import * as restitch from 'restitch'
import * as restitchReact from 'restitch/react'
import { transform } from 'sucrase'
import firstPage from '../../learn/1-list.md?raw'

const MODULES = { react: React, 'react/jsx-runtime': jsxRuntime, restitch, 'restitch/react': restitchReact }
const [, API] = /```ts\n(\/\/ fakeApi\.ts\n[\s\S]*?)```/.exec(firstPage)
const fetchPage = globalThis.fetch

/** Runs the default export of `code` inside `element`. `settings` may change while it runs. Returns a function that ends it. */
export function runExample(code, element, settings, onChange) {
  const { default: App } = evaluate(code)
  const store = restitch.createStore()
  const respond = createApi()
  const log = []
  globalThis.fetch = async (input, init) => {
    const url = String(input)
    if (!url.startsWith('/api')) {
      return fetchPage(input, init)
    }
    const entry = { request: `${init?.method ?? 'GET'} ${url}`, status: '…' }
    log.push(entry)
    await new Promise((done) => setTimeout(done, settings.latency))
    init?.signal?.throwIfAborted()
    const isFailing = settings.failing && init?.method && init.method !== 'GET'
    const response = isFailing
      ? Response.json({ message: 'The server refuses all changes' }, { status: 503 })
      : await respond(url.slice('/api'.length), init)
    entry.status = response.status
    return response
  }
  const root = createRoot(element)
  const { DataProvider, AsyncBoundary } = restitchReact
  const app = jsxRuntime.jsx(AsyncBoundary, { fallback: 'Loading…', children: jsxRuntime.jsx(App, {}) })
  root.render(jsxRuntime.jsx(DataProvider, { store, children: app }))
  const timer = setInterval(() => onChange(describe(store, log)), 100)
  return () => {
    clearInterval(timer)
    root.unmount()
    store.stop()
    globalThis.fetch = fetchPage
  }
}

function evaluate(code) {
  const { code: script } = transform(code, {
    transforms: ['typescript', 'jsx', 'imports'],
    jsxRuntime: 'automatic',
    production: true,
    disableESTransforms: true,
  })
  const exports = {}
  const require = (name) => {
    if (!MODULES[name]) {
      throw new Error(`The playground has no module "${name}"`)
    }
    return MODULES[name]
  }
  // The reader's own code, in the reader's own page.
  // oxlint-disable-next-line typescript/no-implied-eval
  new Function('require', 'exports', script)(require, exports)
  return exports
}

/** The API of the first page, as a function from a request to a response. It begins with new data. */
function createApi() {
  let handle
  const { fakeApi } = evaluate(API.replace(/LATENCY = \d+/, 'LATENCY = 0'))
  fakeApi().configureServer({ middlewares: { use: (_path, handler) => (handle = handler) } })
  return (url, { method = 'GET', body } = {}) =>
    new Promise((done) => {
      let status
      const request = { method, url, on() {}, [Symbol.asyncIterator]: () => (body ? [body] : [])[Symbol.iterator]() }
      const response = {
        writeHead(given) {
          status = given
          return response
        },
        write() {},
        end: (text) => done(new Response(status === 204 ? null : text, { status, headers: JSON_HEADERS })),
      }
      void handle(request, response)
    })
}

const JSON_HEADERS = { 'content-type': 'application/json' }

function describe(store, log) {
  const { entities, optimistic } = store.getState()
  const records = Object.entries(entities).flatMap(([table, rows]) =>
    Object.entries(rows).map(
      ([pk, row]) => `${table} ${pk}  ${typeof row === 'symbol' ? 'deleted' : JSON.stringify(row)}`,
    ),
  )
  return { records, pending: optimistic.length, requests: log.map(({ request, status }) => `${status}  ${request}`) }
}
