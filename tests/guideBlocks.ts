import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Controller, createStore } from 'restitch'
import { vi } from 'vitest'

// Test files run at the same time.
const FOLDER = resolve('.cache/guides', process.env['VITEST_POOL_ID'] ?? '')

/** The module of the `index`th code block of a guide. It also exports the given names. */
export async function loadBlock(guide: string, index: number, names = ''): Promise<any> {
  const text = readFileSync(`docs/guide/${guide}.md`, 'utf8')
  const [, code] = [...text.matchAll(/^```tsx?\n([\s\S]*?)^```/gm)][index]!
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(`${FOLDER}/tsconfig.json`, '{ "compilerOptions": { "jsx": "react-jsx" } }')
  const file = `${FOLDER}/${guide}-${index}.tsx`
  writeFileSync(file, `${code}export { ${names} }\n`)
  return import(/* @vite-ignore */ file)
}

interface OpenStore {
  readonly fetch: (endpoint: any, ...args: any[]) => Promise<any>
  readonly read: (endpoint: any, ...args: any[]) => any
  readonly controller: Controller
}

/** A store whose methods take any endpoint. */
export function openStore(): OpenStore {
  const { controller } = createStore()
  return {
    fetch: controller.fetch as OpenStore['fetch'],
    read: (endpoint, ...args) => controller.getResponse(endpoint, ...(args as []), controller.getState()).data,
    controller,
  }
}

/** A request that the fake `fetch` received. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly body: any
  readonly headers: Headers
  readonly signal: AbortSignal | null
}
export type Reply = readonly [status: number, body?: unknown, headers?: object]

/** Replaces `fetch`. Returns the requests it received. */
export function serve(respond: (sent: Sent) => Reply | Promise<Reply>): Sent[] {
  const requests: Sent[] = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body, headers, signal = null }: any = {}) => {
    const sent: Sent = {
      method,
      url,
      body: typeof body === 'string' ? JSON.parse(body) : body,
      headers: new Headers(headers),
      signal,
    }
    requests.push(sent)
    const [status, value, more] = await respond(sent)
    const init = { status, headers: { 'content-type': 'application/json', ...more } }
    return new Response(value === undefined ? null : JSON.stringify(value), init)
  })
  return requests
}
