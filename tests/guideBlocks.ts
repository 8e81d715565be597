import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Controller, createStore } from 'restitch'
import { vi } from 'vitest'
import { readBlocks } from '../scripts/frameworks.mjs'

// Test files run at the same time.
const FOLDER = resolve('.cache/guides', process.env['VITEST_POOL_ID'] ?? '')

/** The module of the `index`th code block of a guide, without those for Vue and those that others import. It also exports the given names. */
export async function loadBlock(guide: string, index: number, names = ''): Promise<any> {
  const folder = `${FOLDER}/${guide}`
  const blocks = blocksOf(readFileSync(`docs/guide/${guide}.md`, 'utf8'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/tsconfig.json`, '{ "compilerOptions": { "jsx": "react-jsx" } }')
  const named = blocks.filter(({ name }) => name)
  for (const { name, text } of named) {
    writeFileSync(`${folder}/${name}`, text)
  }
  const { text } = blocks.filter(({ name }) => !name)[index]!
  const exported = names.split(', ').filter((name) => name && !new RegExp(`^import .*\\b${name}\\b`, 'm').test(text))
  const file = `${folder}/${index}.tsx`
  writeFileSync(file, `${text}export { ${exported.join(', ')} }\n`)
  const modules = await Promise.all(
    named
      .filter(({ name }) => text.includes(` from './${name!.replace('.ts', '')}'`))
      .map(({ name }) => import(/* @vite-ignore */ `${folder}/${name}`) as Promise<object>),
  )
  return Object.assign({}, ...modules, await import(/* @vite-ignore */ file))
}

/** The number of blocks before a heading, as `loadBlock` counts them. */
export function countBlocks(guide: string, heading: string): number {
  const [before] = readFileSync(`docs/guide/${guide}.md`, 'utf8').split(heading)
  return blocksOf(before!).filter(({ text }) => !/^\/\/ \w+\.ts\n/.test(text)).length
}

function blocksOf(text: string): ReturnType<typeof readBlocks> {
  return readBlocks(text).filter(({ kind, framework }) => /^tsx?$/.test(kind) && (framework ?? 'React') === 'React')
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
