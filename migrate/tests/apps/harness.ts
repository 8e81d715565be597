import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync } from 'node:fs'
import { cleanup, configure, render } from '@testing-library/react'
import axios from 'axios'
import { createElement, type ComponentType } from 'react'
import { afterEach, beforeEach, describe, vi } from 'vitest'

export interface Call {
  readonly method: string
  readonly path: string
  readonly search: URLSearchParams
  readonly body: any
  readonly headers: { readonly [name: string]: string | string[] | undefined }
}

export type Api = (call: Call) => { status?: number; body?: unknown } | undefined

configure({ asyncUtilTimeout: 20_000 })

/** Runs tests with an app as it was written, as the codemod leaves it, and as a person has finished it. */
export function describeApp(name: string, createApi: () => Api, tests: (open: () => Promise<Call[]>) => void): void {
  // The published versions of data-client do not load together in a test: only the converted app runs.
  const stages = name.startsWith('data-client') ? ['after'] : ['before', 'after']
  const finished = `./${name}/finished`
  if (existsSync(new URL(finished, import.meta.url).pathname)) {
    stages.push('finished')
  }
  describe.each(
    [
      ['before', `./${name}/src/App`],
      ['after', `../../.cache/apps/${name}/src/App`],
      ['finished', `../../.cache/apps/${name}-finished/src/App`],
    ].filter(([stage]) => stages.includes(stage)),
  )(`${name}, %s`, (_stage, app) => {
    let server: Server
    let calls: Call[]
    const nativeFetch = globalThis.fetch

    beforeEach(async () => {
      vi.resetModules()
      calls = []
      const api = createApi()
      server = createServer((request, response) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => chunks.push(chunk))
        request.on('end', () => {
          const { pathname, searchParams } = new URL(request.url, 'http://localhost')
          const text = Buffer.concat(chunks).toString()
          const head = {
            'access-control-allow-origin': '*',
            'access-control-allow-headers': '*',
            'access-control-allow-methods': '*',
          }
          if (request.method === 'OPTIONS') {
            response.writeHead(204, head).end()
            return
          }
          const call = {
            method: request.method!,
            path: pathname,
            search: searchParams,
            body: text === '' ? undefined : JSON.parse(text),
            headers: request.headers,
          }
          calls.push(call)
          const { status = 200, body } = api(call) ?? { status: 404, body: { message: 'Not found' } }
          response
            .writeHead(status, { ...head, 'content-type': 'application/json' })
            .end(body === undefined ? undefined : JSON.stringify(body))
        })
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      // The copy of a response that happy-dom has received is empty, so a response is made of what was received.
      const fetchWhole = async (url: string, init?: RequestInit): Promise<Response> => {
        const response = await nativeFetch(url, init)
        const body = await response.text()
        return new Response(response.status === 204 ? null : body, {
          status: response.status,
          headers: { 'content-type': 'application/json' },
        })
      }
      globalThis.fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
        const to = (url: string): string => url.replace('https://api.test', origin)
        if (typeof input === 'string' || input instanceof URL) {
          return fetchWhole(to(String(input)), init)
        }
        // A request that was built by the library, with its body read once.
        const { method, headers } = input
        const text = await input.clone().text()
        return fetchWhole(to(input.url), { method, headers, ...(text === '' ? {} : { body: text }) })
      }
      axios.defaults.adapter = 'fetch'
      axios.defaults.env = { ...axios.defaults.env, fetch: globalThis.fetch } as never
    })

    afterEach(async () => {
      cleanup()
      globalThis.fetch = nativeFetch
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })

    tests(async () => {
      const path = new URL(app, import.meta.url).pathname
      const file = existsSync(`${path}.tsx`) ? `${path}.tsx` : `${path}.jsx`
      const { App } = (await import(/* @vite-ignore */ file)) as { App: ComponentType }
      render(createElement(App))
      return calls
    })
  })
}
