import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Controller, createStore } from 'restitch'

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
