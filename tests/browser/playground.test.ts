import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'
import { readLearn } from '../../scripts/learn.mjs'

interface State {
  readonly tables: { readonly name: string; readonly rows: [pk: string, row: string][] }[]
  readonly pending: number
  readonly requests: string[]
}
interface Settings {
  latency: number
  failures: string
}
interface Run {
  stop(): void
  changeTask(): Promise<void>
}
declare const runExample: (
  files: Record<string, string>,
  entry: string,
  element: Element,
  settings: Settings,
  onChange: (state: State) => void,
  onError: (error: unknown) => void,
) => Run
// State that the page of a test keeps.
interface Kept extends Window {
  state: State
  settings: Settings
  run: Run
}

const executablePath = await findChromium()
// Installed by `npm test` and `npm run docs`.
const hasSite = existsSync('docs/node_modules/sucrase')
const steps = readLearn().map(({ files }) => files)
const WAIT = { timeout: 90_000 }
const examples = new Map(
  [...readFileSync('docs/playground.md', 'utf8').matchAll(/^## (.+)\n[\s\S]*?```tsx\n([\s\S]*?)```/gm)].map(
    ([, name, code]) => [name!, code!],
  ),
)

describe.skipIf(!executablePath || !hasSite)('examples that a reader runs in a page of the site', () => {
  let browser: Browser
  let server: Server
  let page: Page
  const faults: string[] = []
  beforeAll(async () => {
    const script = await bundleRunner()
    server = createServer(({ url }, response) => {
      const isScript = url === '/runner.js'
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' })
      response.end(isScript ? script : '<!doctype html><script src="/runner.js"></script>')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await chromium.launch({ executablePath: executablePath!, args: LAUNCH_ARGS })
    page = await browser.newPage()
    page.setDefaultTimeout(90_000)
    page.on('pageerror', (error) => void faults.push(String(error)))
    page.on('request', (request) => void faults.push(`${request.url()} left the page`))
    await page.goto(origin)
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  /** Runs an example after the earlier ones, as a reader does from page to page. */
  async function run(files: Record<string, string>, entry: string, use: (page: Page) => Promise<void>): Promise<void> {
    faults.length = 0
    await page.evaluate(
      ([files, entry]) => {
        const kept = window as unknown as Kept
        kept.state = { tables: [], pending: 0, requests: [] }
        kept.settings = { latency: 0, failures: 'none' }
        const onChange = (state: State): void => void (kept.state = state)
        const onError = (error: unknown): void => reportError(error)
        const element = document.createElement('div')
        document.body.replaceChildren(element)
        kept.run = runExample(files, entry, element, kept.settings, onChange, onError)
      },
      [files, entry] as const,
    )
    await use(page)
    await page.evaluate(() => (window as unknown as Kept).run.stop())
    expect(faults).toEqual([])
  }
  const stateOf = (page: Page): Promise<State> => page.evaluate(() => (window as unknown as Kept).state)

  test.each(steps.slice(0, 10).map((files, index) => [index + 1, files] as const))(
    'page %i of Learn runs, and shows its cache and its requests',
    async (_step, files) => {
      await run(files, 'src/main.tsx', async (page) => {
        await page.getByText('Paint the door').first().waitFor()
        await expect.poll(async () => (await stateOf(page)).requests, WAIT).toContain('200  GET /api/tasks')
        // The state of the panel is posted after the page has changed.
        const tasks = async (): Promise<unknown> =>
          (await stateOf(page)).tables.find(({ name }) => name === 'Task')?.rows.length
        await expect.poll(tasks, WAIT).toBe(5)
      })
    },
  )

  test('page 11 of Learn runs its story with fixtures alone', async () => {
    await run(steps[10]!, 'src/Story.tsx', async (page) => {
      await page.getByText('2 tasks').waitFor()
      expect((await stateOf(page)).requests).toEqual([])
    })
  })

  test('a server that refuses changes rolls back what is pending', async () => {
    await run(steps[4]!, 'src/main.tsx', async (page) => {
      const box = page.getByLabel('Done: Call Ben')
      await box.waitFor()
      await page.evaluate(() =>
        Object.assign((window as unknown as Kept).settings, { failures: 'changes', latency: 300 }),
      )
      await box.click()
      expect(await box.isChecked()).toBe(true)
      await page.getByText('The server fails').waitFor()
      expect(await box.isChecked()).toBe(false)
      // It may have been done all the same, so the list is fetched again.
      await expect
        .poll(async () => (await stateOf(page)).requests.slice(-2), WAIT)
        .toEqual(['503  PATCH /api/tasks/4', '200  GET /api/tasks'])
    })
  })

  test('a stream brings what another user does', async () => {
    // Without polling, the stream alone can bring it.
    const files = { ...steps[8]!, 'src/tasks.ts': steps[8]!['src/tasks.ts']!.replace('pollFrequency: 5_000', '') }
    await run(files, 'src/main.tsx', async (page) => {
      await page.getByText('Buy milk').waitFor()
      const ticked = page.locator('input:checked')
      expect(await ticked.count()).toBe(1)
      // An event that is sent before the stream is open is lost, as in a real one: the other user goes on.
      const countAfterChange = async (): Promise<number> => {
        await page.evaluate(() => (window as unknown as Kept).run.changeTask())
        return ticked.count()
      }
      await expect.poll(countAfterChange, WAIT).not.toBe(1)
    })
  })

  test.each<[name: string, use: (page: Page) => Promise<void>]>([
    [
      'Lists that stay right',
      async (page) => {
        await page.getByText('Open (4)').waitFor()
        await page.getByLabel('Call Ben').click()
        await page.getByText('Done (2)').waitFor()
      },
    ],
    [
      'Create and delete',
      async (page) => {
        await page.getByRole('button', { name: 'Add' }).click()
        await page.getByText('Sweep').waitFor()
      },
    ],
    [
      'One person in many tasks',
      async (page) => {
        await page.getByRole('button', { name: 'Ann', exact: true }).first().click()
        await expect.poll(() => page.getByRole('button', { name: 'Ann!' }).count(), WAIT).toBe(3)
      },
    ],
    [
      'An infinite list',
      async (page) => {
        await page.getByRole('button', { name: 'More' }).click()
        await page.getByText('Event 6', { exact: true }).waitFor()
      },
    ],
  ])('the example "%s" of the playground runs', async (name, use) => {
    const files = { 'fakeApi.ts': steps[0]!['fakeApi.ts']!, 'src/App.tsx': examples.get(name)! }
    await run(files, 'src/App.tsx', use)
    expect(examples.size).toBe(4)
  })

  test('a mistake names its file and line', async () => {
    const files = { ...steps[0]!, 'src/App.tsx': 'export default function App() {\n  return <p>\n}' }
    const message = await page.evaluate((files) => {
      const settings = { latency: 0, failures: 'none' }
      try {
        runExample(
          files,
          'src/main.tsx',
          document.body,
          settings,
          () => {},
          () => {},
        )
        return ''
      } catch (error) {
        return String(error)
      }
    }, files)
    expect(message).toContain('src/App.tsx')
    expect(message).toMatch(/\(\d+:\d+\)/)
  })
})

/** The code that the site loads when a reader runs an example, with one copy of React. */
async function bundleRunner(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { runExample } from './docs/.vitepress/theme/runReactExample.mjs'; globalThis.runExample = runExample`,
      resolveDir: resolve('.'),
    },
    // docs/ has a package.json and its own React.
    alias: {
      react: resolve('node_modules/react'),
      'react-dom': resolve('node_modules/react-dom'),
      restitch: resolve('src/index.ts'),
      'restitch/query': resolve('src/query/index.ts'),
      'restitch/react': resolve('src/react/index.ts'),
      'restitch/test/browser': resolve('src/test/browser.ts'),
    },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    conditions: ['restitch-source'],
    define: { 'process.env.NODE_ENV': '"development"' },
    logLevel: 'error',
  })
  return outputFiles[0]!.text
}
