import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright'
import { createServer, defaultClientConditions, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'
import { run } from '../src/run.ts'
import { createApi } from './app/server.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const OUTPUT = here('../../.cache/openapi/app')
const GITHUB = here('descriptions/node_modules/@octokit/openapi/generated/api.github.com.json')

let server: ViteDevServer
let browser: Browser
let page: Page
const api = createApi()

beforeAll(async () => {
  rmSync(OUTPUT, { recursive: true, force: true })
  mkdirSync(OUTPUT, { recursive: true })
  await run([GITHUB, '--out', OUTPUT, '--config', here('app/github.openapi.ts')], {
    print: () => undefined,
    warn: (text) => console.error(text),
  })
  server = await createServer({
    configFile: false,
    root: here('app'),
    cacheDir: here('../../.cache/openapi/vite'),
    logLevel: 'warn',
    resolve: {
      conditions: ['restitch-source', ...defaultClientConditions],
      alias: [
        { find: /^@api\//, replacement: `${OUTPUT}/` },
        { find: /^restitch$/, replacement: here('../../src/index.ts') },
        { find: /^restitch\/react$/, replacement: here('../../src/react/index.ts') },
      ],
    },
    optimizeDeps: { force: true, noDiscovery: true, include: ['react', 'react/jsx-dev-runtime', 'react-dom/client'] },
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null, fs: { allow: [here('../..')] } },
    plugins: [{ name: 'api', configureServer: ({ middlewares }) => void middlewares.use(api.handle) }],
  })
  await server.listen()
  browser = await chromium.launch({ executablePath: (await findChromium())!, args: LAUNCH_ARGS })
  page = await browser.newPage()
  page.on('pageerror', (error) => console.error(error))
  await page.goto(`http://127.0.0.1:${(server.httpServer!.address() as AddressInfo).port}/`)
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const click = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()
const lines = (): Promise<string[]> => page.locator('li').allInnerTexts()

test('the app compiles on the generated code', () => {
  const tsc = here('../../node_modules/typescript/bin/tsc')
  expect(execFileSync(process.execPath, [tsc, '-p', here('app')], { encoding: 'utf8' })).toBe('')
})

test('issues are shown page by page, with the names of users and labels', async () => {
  await page.getByRole('heading', { name: 'Issues' }).waitFor({ timeout: 120_000 })
  expect(await lines()).toEqual([
    'Problem 1 open by mona [bug]',
    'Problem 2 open by hubert [idea]',
    'Problem 3 open by mona [bug]',
  ])
  await click('More')
  await expect.poll(lines).toHaveLength(5)
  expect(await page.getByRole('button', { name: 'More' }).count()).toBe(0)
  expect(api.requests.splice(0)).toEqual(['GET issues', 'GET issues?page=2'])
})

test('a comment joins its list, and a closed issue is closed in the list', async () => {
  await click('Problem 1')
  await expect.poll(lines).toEqual(['hubert: Me too'])
  expect(await page.locator('p').innerText()).toBe('open, since 2030')
  await page.getByLabel('Comment').fill('Fixed')
  await page.keyboard.press('Enter')
  await expect.poll(lines).toEqual(['hubert: Me too', 'mona: Fixed'])
  await click('Close')
  await expect.poll(() => page.locator('p').innerText()).toBe('closed, since 2030')
  await click('Issues')
  await expect.poll(async () => (await lines())[0]).toBe('Problem 1 closed by mona [bug]')
  const requests = api.requests.splice(0)
  expect(requests).toContain('POST issues/1/comments')
  expect(requests).toContain('PATCH issues/1')
})

test('a renamed label has its new name in the issues', async () => {
  await click('Labels')
  await click('Rename bug')
  await expect.poll(async () => (await lines())[0]).toContain('bug!')
  await click('New label')
  await expect.poll(lines).toHaveLength(3)
  await click('Issues')
  await expect.poll(async () => (await lines())[0]).toBe('Problem 1 closed by mona [bug!]')
})
