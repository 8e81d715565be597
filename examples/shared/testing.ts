import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { chromium, type Browser, type Page } from 'playwright'
import { build, createServer, type InlineConfig, type PluginOption, preview } from 'vite'
import { afterAll, afterEach, beforeAll, describe, inject } from 'vitest'
import { defineExample, type Api } from './config.ts'
import { openVisit, type Visit } from './visit.ts'

/** An example in one mode. Each test begins with a new API and a new browser window. */
export interface App<A extends Api> extends Pick<Visit, 'sees' | 'sent' | 'hold' | 'fail' | 'allow'> {
  readonly api: A
  readonly page: Page
  /** Opens the example at a path. */
  open(path?: string): Promise<void>
}

type Mode = 'development' | 'production'

/** Runs the tests of an example twice: on the development server, and on the production build. */
export function describeApp<A extends Api>(
  folder: string,
  createApi: () => A,
  addTests: (app: App<A>) => void,
  framework: () => PluginOption = react,
): void {
  describe.each<Mode>(['development', 'production'])(`${folder}, %s`, (mode) => {
    let browser: Browser
    let site: Site
    let api: A | undefined
    let visit: Visit | undefined
    // The server lives as long as the tests of a mode.
    const getApi = () => (api ??= createApi())

    beforeAll(async () => {
      const shared: Api = {
        middleware: (...args) => getApi().middleware(...args),
        upgrade: (...args) => getApi().upgrade?.(...args),
      }
      ;[browser, site] = await Promise.all([
        chromium.connect(inject('browser')),
        serve(folder, mode, defineExample(shared, framework())),
      ])
    })
    afterEach(async ({ task }) => {
      const done = visit
      visit = undefined
      try {
        await done?.end({ passed: task.result?.state !== 'fail', name: `${folder}-${mode}-${task.name}` })
      } finally {
        api?.close?.()
        api = undefined
      }
    })
    afterAll(async () => {
      await browser?.close()
      await site?.close()
    })

    addTests({
      get api() {
        return getApi()
      },
      get page() {
        return current().page
      },
      async open(path = '/') {
        visit = await openVisit(browser, site.origin)
        await visit.page.goto(site.origin + path)
        // The development server compiles at the first visit.
        await visit.page.locator('main').waitFor({ timeout: 60_000 })
      },
      sees: (...lines) => current().sees(...lines),
      sent: (...requests) => current().sent(...requests),
      hold: (path) => current().hold(path),
      fail: (...args) => current().fail(...args),
      allow: (message) => current().allow(message),
    })

    function current(): Visit {
      if (!visit) {
        throw new Error('Call open() first.')
      }
      return visit
    }
  })
}

const DEPENDENCIES = [
  '@tanstack/react-router',
  'react',
  'react/jsx-dev-runtime',
  'react-dom/client',
  'react-router',
  'restitch',
  'restitch/adapt',
  'restitch/auth',
  'restitch/batch',
  'restitch/devtools',
  'restitch/explain',
  'restitch/graphql',
  'restitch/live',
  'restitch/react',
  'restitch/solid',
  'restitch/svelte',
  'restitch/vue',
  'solid-js',
  'solid-js/web',
  'vue',
]

interface Site {
  readonly origin: string
  close(): Promise<void>
}

async function serve(folder: string, mode: Mode, example: InlineConfig): Promise<Site> {
  const config = {
    ...example,
    configFile: false,
    root: fileURLToPath(new URL(`../${folder}`, import.meta.url)),
    mode,
    logLevel: 'warn',
    // Bundled again, since the version of the library stays the same while its code changes; and as listed, since a page
    // has to be loaded again when Vite finds out late what else it needs.
    optimizeDeps: { force: true, noDiscovery: true, include: DEPENDENCIES },
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
    preview: { host: '127.0.0.1', port: 0 },
  } as const
  // Vite follows NODE_ENV rather than the mode, and the test runner sets it.
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = mode
  try {
    if (mode === 'production') {
      await build(config)
    }
    const server = mode === 'production' ? await preview(config) : await (await createServer(config)).listen()
    const address = server.httpServer?.address()
    if (!address || typeof address === 'string') {
      throw new Error(`The server of "${folder}" has no port.`)
    }
    return { origin: `http://127.0.0.1:${address.port}`, close: () => server.close() }
  } finally {
    process.env.NODE_ENV = NODE_ENV
  }
}
