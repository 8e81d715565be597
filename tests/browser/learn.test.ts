import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'
import { FRAMEWORKS } from '../../scripts/frameworks.mjs'
import { MAIN, readLearn } from '../../scripts/learn.mjs'
import { part } from '../effort.ts'
import { compileSolid } from '../solidFile.ts'
import { svelteInBrowser } from '../svelte/compile.ts'
import { compileVue } from '../vueFile.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void
interface App {
  readonly page: Page
  /** The requests since the last call, as `GET /api/tasks`. */
  takeRequests(): string[]
  /** Lets requests wait, so that a test sees what is shown before the response. */
  hold(): void
  release(): void
  close(): Promise<void>
}

const executablePath = await findChromium()
// A busy machine may take its time.
const WAIT = { timeout: 90_000 }
let loads = 0

describe.skipIf(!executablePath).each(part(FRAMEWORKS, 4))(
  'the app of docs/learn in Chromium, with %s',
  (framework) => {
    const folder = resolve('.cache/learn', framework)
    let browser: Browser
    beforeAll(async () => {
      await buildApps(framework, folder)
      browser = await chromium.launch({ executablePath: executablePath!, args: LAUNCH_ARGS })
    })
    afterAll(() => browser?.close())

    async function withApp(step: number, use: (app: App) => Promise<void>, isHeld = false): Promise<void> {
      const app = await openApp(browser, `${folder}/${step}`, isHeld)
      try {
        await use(app)
      } finally {
        await app.close()
      }
    }

    test('page 1 shows a list', async () => {
      const look = async ({ page, takeRequests, release }: App): Promise<void> => {
        await page.getByText('Loading…').waitFor()
        release()
        await page.getByText('Paint the door').waitFor()
        expect(await page.locator('li').count()).toBe(5)
        expect(takeRequests()).toEqual(['GET /api/tasks'])
      }
      await withApp(1, look, true)
    })

    test('page 2 fetches the fields that a summary lacks, and shows the title in the meantime', async () => {
      await withApp(2, async ({ page, takeRequests, hold, release }) => {
        await page.getByText('Paint the door').waitFor()
        hold()
        await page.getByText('Paint the door').click()
        await page
          .locator('article', { hasText: 'Loading…' })
          .getByRole('heading', { name: 'Paint the door' })
          .waitFor()
        release()
        await page.getByText('Notes on "Paint the door"').waitFor()
        await page.getByRole('button', { name: 'Buy milk' }).click()
        await page.getByText('Notes on "Buy milk"').waitFor()
        await page.getByRole('button', { name: 'Paint the door' }).click()
        await page.getByText('Notes on "Paint the door"').waitFor()
        expect(takeRequests()).toEqual(['GET /api/tasks', 'GET /api/tasks/1', 'GET /api/tasks/2'])
      })
    })

    test('page 3 creates and deletes without a refetch', async () => {
      await withApp(3, async ({ page, takeRequests }) => {
        await page.getByLabel('New task').fill('Sweep')
        await page.getByRole('button', { name: 'Add' }).click()
        await page.getByRole('button', { name: 'Sweep', exact: true }).waitFor()
        await page.getByLabel('Delete Buy milk').click()
        await page.getByText('Buy milk').waitFor({ state: 'detached' })
        await page.getByLabel('Delete Locked: pay the rent').click()
        await page.getByRole('alert').getByText('This task is locked').waitFor()
        expect(takeRequests()).toEqual([
          'GET /api/tasks',
          'POST /api/tasks',
          'DELETE /api/tasks/2',
          'DELETE /api/tasks/3',
        ])
      })
    })

    test.each([3, 5])('page %i closes the detail view of a task that is deleted', async (step) => {
      await withApp(step, async ({ page, takeRequests }) => {
        await page.getByRole('button', { name: 'Buy milk', exact: true }).click()
        await page.getByText('Notes on "Buy milk"').waitFor()
        const sent = page.waitForRequest((request) => request.method() === 'DELETE', WAIT)
        await page.getByLabel('Delete Paint the door').click()
        await page.getByText('Paint the door').waitFor({ state: 'detached' })
        await sent
        expect(await page.getByText('Notes on "Buy milk"').count()).toBe(1)
        await page.getByLabel('Delete Buy milk').click()
        await page.getByText('Buy milk').first().waitFor({ state: 'detached' })
        await page.getByLabel('Delete Locked: pay the rent').click()
        await page.getByText('This task is locked').waitFor()
        expect(takeRequests()).toEqual([
          'GET /api/tasks',
          'GET /api/tasks/2',
          'DELETE /api/tasks/1',
          'DELETE /api/tasks/2',
          'DELETE /api/tasks/3',
        ])
      })
    })

    test('page 4 moves a task between lists with one request', async () => {
      await withApp(4, async ({ page, takeRequests }) => {
        const rows = page.locator('li')
        const show = async (name: string, count: number): Promise<void> => {
          await page.getByRole('button', { name, exact: true }).click()
          await expect.poll(() => rows.count(), WAIT).toBe(count)
        }
        await page.getByText('Buy milk').waitFor()
        await show('Open', 4)
        await show('Done', 1)
        await show('Open', 4)
        takeRequests()
        await page.getByLabel('Done: Call Ben').click()
        await page.getByText('Call Ben').waitFor({ state: 'detached' })
        await show('Done', 2)
        await show('All', 5)
        expect(takeRequests()).toEqual(['PATCH /api/tasks/4'])
      })
    })

    test('page 5 shows updates at once and rolls back', async () => {
      await withApp(5, async ({ page, takeRequests, hold, release }) => {
        const locked = page.getByLabel('Done: Locked: pay the rent')
        await locked.waitFor()
        hold()
        await locked.click()
        expect(await locked.isChecked()).toBe(true)
        release()
        await page.getByText('This task is locked').waitFor()
        expect(await locked.isChecked()).toBe(false)
        hold()
        await page.getByLabel('New task').fill('Sweep')
        await page.getByRole('button', { name: 'Add' }).click()
        const added = page.getByRole('button', { name: 'Sweep', exact: true })
        expect(await added.isDisabled()).toBe(true)
        release()
        await expect.poll(() => added.isDisabled(), WAIT).toBe(false)
        expect(takeRequests()).toEqual(['GET /api/tasks', 'PATCH /api/tasks/3', 'POST /api/tasks'])
      })
    })

    test('page 6 shows the error of a task in its own detail view', async () => {
      await withApp(6, async ({ page }) => {
        await page.getByRole('button', { name: 'Locked: pay the rent', exact: true }).click()
        await page.getByRole('button', { name: 'Complete' }).click()
        await page.getByRole('alert').getByText('This task is locked').waitFor()
        await page.getByRole('button', { name: 'Call Ben', exact: true }).click()
        await page.getByText('Notes on "Call Ben"').waitFor()
        expect(await page.getByRole('alert').count()).toBe(0)
      })
    })

    test('page 6 completes a task at once, and counts a vote with the response', async () => {
      await withApp(6, async ({ page, takeRequests, hold, release }) => {
        await page.getByRole('button', { name: 'Call Ben', exact: true }).click()
        const vote = page.getByRole('button', { name: /votes/ })
        await vote.waitFor()
        expect(await vote.textContent()).toBe('3 votes')
        hold()
        await page.getByRole('button', { name: 'Complete' }).click()
        expect(await page.getByLabel('Done: Call Ben').isChecked()).toBe(true)
        await vote.click()
        expect(await vote.textContent()).toBe('3 votes')
        release()
        await expect.poll(() => vote.textContent(), WAIT).toBe('4 votes')
        // The two crossed, so the task is fetched again.
        const requests = ['GET /api/tasks', 'GET /api/tasks/4', 'POST /api/tasks/4/complete', 'POST /api/tasks/4/vote']
        expect([...new Set(takeRequests())]).toEqual(requests)
      })
    })

    test('page 7 renames a person in every task', async () => {
      await withApp(7, async ({ page, takeRequests }) => {
        page.on('dialog', (dialog) => void dialog.accept('Anna'))
        const ann = page.getByRole('button', { name: 'Ann', exact: true })
        // The new name shows before the response arrives.
        const sent = page.waitForResponse('**/api/people/1', WAIT)
        await ann.first().click()
        await expect.poll(() => page.getByRole('button', { name: 'Anna' }).count(), WAIT).toBe(3)
        await sent
        expect(await ann.count()).toBe(0)
        expect(takeRequests()).toEqual(['GET /api/tasks', 'PATCH /api/people/1'])
      })
    })

    test('page 8 loads page after page', async () => {
      await withApp(8, async ({ page, takeRequests }) => {
        const events = page.getByLabel('Activity').locator('p')
        for (const count of [20, 40, 45]) {
          await expect.poll(() => events.count(), WAIT).toBe(count)
          if (count < 45) {
            await page.getByRole('button', { name: 'More' }).click()
          }
        }
        await page.getByRole('button', { name: 'More' }).waitFor({ state: 'detached' })
        expect(takeRequests().filter((request) => request.includes('activity'))).toEqual([
          'GET /api/activity',
          'GET /api/activity?cursor=20',
          'GET /api/activity?cursor=40',
        ])
      })
    })

    test('page 9 follows what another window does', async () => {
      await withApp(9, async ({ page }) => {
        await page.getByText('Buy milk').waitFor()
        await page.evaluate(() => fetch('/api/tasks/1', { method: 'PATCH', body: '{"title":"Paint the wall"}' }))
        const renamed = page.getByRole('button', { name: 'Paint the wall', exact: true })
        await expect.poll(() => renamed.count(), WAIT).toBe(1)
      })
    })

    test('page 10 shows errors beside what failed, and searches', async () => {
      await withApp(10, async ({ page }) => {
        await page.getByText('5 tasks').waitFor()
        await page.getByRole('button', { name: 'Add' }).click()
        await page.getByText('A title is required').waitFor()
        await page.getByLabel('Search').fill('door')
        await page.locator('p', { hasText: /^Paint the door$/ }).waitFor()
        await page.evaluate(() => fetch('/api/tasks/2', { method: 'DELETE' }))
        await page.getByRole('button', { name: 'Buy milk', exact: true }).click()
        await page.getByText('This task does not exist').waitFor()
        expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(1)
        // The boundary tries again for another task.
        await page.getByRole('button', { name: 'Paint the door', exact: true }).click()
        await page.getByText('Notes on "Paint the door"').waitFor()
        expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
      })
    })

    test('page 12 keeps data and changes over a reload, and sends them when the server can be reached', async () => {
      await withApp(12, async ({ page, takeRequests }) => {
        const paint = page.getByLabel('Done: Paint the door')
        await paint.waitFor()
        // The database is written a moment later.
        const stored = (): Promise<number> =>
          page.evaluate(async () => {
            const [known] = await indexedDB.databases()
            if (known?.name === undefined) {
              return 0
            }
            const open = indexedDB.open(known.name)
            const database = await new Promise<IDBDatabase>((done) => (open.onsuccess = () => done(open.result)))
            const count = database.transaction('rows').objectStore('rows').count()
            const found = await new Promise<number>((done) => (count.onsuccess = () => done(count.result)))
            database.close()
            return found
          })
        await expect.poll(stored, WAIT).toBeGreaterThan(5)
        await page.route('**/api/tasks/**', (route) => route.abort())
        await paint.click()
        await page.getByText('Not sent yet: 1').waitFor()
        await page.reload()
        await page.getByText('Not sent yet: 1').waitFor()
        expect(await paint.isChecked()).toBe(true)
        takeRequests()
        await page.unroute('**/api/tasks/**')
        await page.evaluate(() => dispatchEvent(new Event('online')))
        await page.getByText('Not sent yet').waitFor({ state: 'detached' })
        expect(takeRequests().filter((request) => request.startsWith('PATCH'))).toEqual(['PATCH /api/tasks/1'])
        expect(await paint.isChecked()).toBe(true)
        // A refusal rolls back, and is shown until it is dismissed.
        await page.getByLabel('Done: Locked: pay the rent').click()
        await page.getByRole('button', { name: 'Dismiss' }).click()
        await page.getByRole('button', { name: 'Dismiss' }).waitFor({ state: 'detached' })
        expect(await page.getByLabel('Done: Locked: pay the rent').isChecked()).toBe(false)
      })
    })

    test('page 10 tries again when the network is back', async () => {
      await withApp(10, async ({ page }) => {
        await page.getByText('5 tasks').waitFor()
        await page.context().setOffline(true)
        await page.getByRole('button', { name: 'Call Ben', exact: true }).click()
        const tryAgain = page.getByRole('button', { name: 'Try again' })
        await tryAgain.waitFor()
        await page.context().setOffline(false)
        await tryAgain.click()
        await page.getByText('Notes on "Call Ben"').waitFor()
        expect(await tryAgain.count()).toBe(0)
      })
    })
  },
)

async function buildApps(framework: string, folder: string): Promise<void> {
  const apps = readLearn(framework).map(({ files }) => files)
  const main = MAIN[framework]!
  rmSync(folder, { recursive: true, force: true })
  apps.forEach((files, step) => {
    mkdirSync(`${folder}/${step + 1}/src`, { recursive: true })
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(`${folder}/${step + 1}/${name}`, text.replace('LATENCY = 400', 'LATENCY = 0'))
    }
  })
  const options = { bundle: true, format: 'esm', target: 'es2022', outbase: folder, outdir: folder } as const
  await build({
    ...options,
    entryPoints: apps.map((_, step) => `${folder}/${step + 1}/fakeApi.ts`),
    platform: 'node',
    outExtension: { '.js': '.mjs' },
  })
  await build({
    ...options,
    entryPoints: apps.map((_, step) => `${folder}/${step + 1}/${main}`),
    conditions: ['restitch-source', 'browser', 'development'],
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    jsx: 'automatic',
    plugins: [framework === 'Solid' ? solidFiles : vueFiles, svelteInBrowser],
  })
}

const vueFiles: Plugin = {
  name: 'vue-files',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.vue$/ }, ({ path }) => ({
      contents: compileVue(readFileSync(path, 'utf8'), path),
      loader: 'ts',
    }))
  },
}

const solidFiles: Plugin = {
  name: 'solid-files',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.cache.*\.tsx$/ }, ({ path }) => ({
      contents: compileSolid(readFileSync(path, 'utf8'), path),
      loader: 'js',
    }))
  },
}

async function openApp(browser: Browser, folder: string, isHeld: boolean): Promise<App> {
  const code = readFileSync(['main', 'index'].map((name) => `${folder}/src/${name}.js`).find(existsSync)!, 'utf8')
  const { server, origin, requests, hold, release } = await serve(code, await loadApi(`${folder}/fakeApi.mjs`))
  const page = await browser.newPage()
  page.setDefaultTimeout(90_000)
  const failures: string[] = []
  page.on('pageerror', (error) => void failures.push(String(error)))
  page.on('console', (message) => {
    // Chromium reports responses that are not ok, and React errors that a boundary has caught.
    const isExpected = /^Failed to load resource|using the error boundary you provided/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !isExpected) {
      failures.push(message.text())
    }
  })
  if (isHeld) {
    hold()
  }
  await page.goto(origin)
  return {
    page,
    takeRequests: () => requests.splice(0),
    hold,
    release,
    async close() {
      await page.close()
      server.closeAllConnections()
      server.close()
      expect(failures).toEqual([])
    },
  }
}

/** The handler that the plugin of Vite installs. Each call loads the module again, so that every test starts with the same data. */
async function loadApi(file: string): Promise<Handler> {
  let handler: Handler | undefined
  loads += 1
  const { fakeApi } = await import(/* @vite-ignore */ `${file}?${loads}`)
  fakeApi().configureServer({ middlewares: { use: (_path: string, given: Handler) => (handler = given) } })
  return handler!
}

interface ApiServer extends Pick<App, 'hold' | 'release'> {
  readonly server: Server
  readonly origin: string
  readonly requests: string[]
}

async function serve(code: string, api: Handler): Promise<ApiServer> {
  let gate = Promise.resolve()
  let release = (): void => {}
  const requests: string[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '/' } = request
    if (url.startsWith('/api')) {
      if (url !== '/api/stream') {
        requests.push(`${method} ${url}`)
      }
      request.url = url.slice('/api'.length)
      void gate.then(() => api(request, response))
    } else if (url === '/main.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(code)
    } else if (url === '/favicon.ico') {
      response.writeHead(204).end()
    } else {
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(
          '<!doctype html><title>Tasks</title><div id="root"></div><div id="app"></div><script type="module" src="/main.js"></script>',
        )
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    server,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    hold() {
      gate = new Promise((done) => (release = done))
    },
    release: () => release(),
  }
}
