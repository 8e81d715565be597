// @vitest-environment happy-dom
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { Store } from 'restitch'
import { getInitialData, RestitchProvider } from 'restitch/solid'
import { createComponent, ErrorBoundary, type JSX } from 'solid-js'
import { getNextElement, hydrate, insert, render, template } from 'solid-js/web'
import { afterEach, vi } from 'vitest'
import type { Adapter, Screen } from '../../src/testing/contract/Adapter.ts'
import { testContract } from '../../src/testing/contract/contract.ts'
import { tick } from '../../src/testing/TestClock.ts'
import { createProbes, FUNCTIONS, type Probes } from './probes.ts'

const world: any = globalThis
let unmounts: (() => void)[] = []
afterEach(() => {
  unmounts.forEach((unmount) => unmount())
  unmounts = []
  document.body.innerHTML = ''
  vi.restoreAllMocks()
})

const makeParagraph = template('<p>')
function paragraph(text: () => string): JSX.Element {
  const element = getNextElement(makeParagraph) as HTMLElement
  insert(element, text)
  return element
}

const settle: Screen['settle'] = async (run) => {
  const value = await run?.()
  await tick()
  await tick()
  return value as never
}

function screenOf({ results, set }: Probes, root: ParentNode, unmount: () => void): Screen {
  unmounts.push(unmount)
  return {
    text: () => [...root.querySelectorAll('p')].map((element) => element.textContent).join('|'),
    result: (index = 0) => results[index],
    setArgs: (args, index = 0) => settle(() => void set[index]!(() => args)),
    settle,
    unmount: () => {
      unmounts = unmounts.filter((one) => one !== unmount)
      unmount()
      return tick()
    },
  }
}

function within(props: object, { show }: Probes): () => JSX.Element {
  return () =>
    createComponent(RestitchProvider, {
      ...props,
      get children() {
        return show()
      },
    })
}

const mount: Adapter['mount'] = async (store: Store, uses, twice = false) => {
  const element = document.body.appendChild(document.createElement('div'))
  const show = (): readonly [Probes, () => void] => {
    const probes = createProbes(uses, paragraph)
    return [probes, render(within({ store }, probes), element)]
  }
  if (twice) {
    show()[1]()
  }
  const [probes, unmount] = show()
  await settle()
  return screenOf(probes, element, unmount)
}

/** Solid has other modules for a server. */
async function loadServer(): Promise<typeof import('./serverPage.ts')> {
  const outfile = resolve('.cache/solid/serverPage.mjs')
  await mkdir('.cache/solid', { recursive: true })
  await build({
    entryPoints: ['tests/solid/serverPage.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['restitch-source', 'node'],
    // A page that shows a hole has lost something.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  })
  return import(/* @vite-ignore */ pathToFileURL(outfile).href)
}

/** The scripts of Solid itself in the page that was rendered last. */
let scripts: string[] = []

const adapter: Adapter = {
  name: 'Solid',
  mount,
  async mountWrong({ kind, of, args = [], show }, store) {
    let thrown: unknown
    const fallback = (error: unknown): null => {
      // The last one is what a boundary shows.
      thrown = error
      return null
    }
    const probe = (): JSX.Element => {
      const result = FUNCTIONS[kind](
        of,
        args.map((value) => () => value as unknown),
      )
      return paragraph(() => String(show(result)))
    }
    const boundary = (): JSX.Element =>
      createComponent(ErrorBoundary, {
        fallback,
        get children() {
          return createComponent(probe, {})
        },
      })
    const provided = (): JSX.Element =>
      createComponent(RestitchProvider, {
        store,
        get children() {
          return boundary()
        },
      })
    unmounts.push(render(store ? provided : boundary, document.createElement('div')))
    await settle()
    return thrown
  },
  async render(page) {
    const { renderPage } = await loadServer()
    const { html, state, calls } = await renderPage(page as 'reads')
    scripts = []
    const plain = html.replace(/<script[^>]*>([\s\S]*?)<\/script>/g, (_, code: string) => {
      scripts.push(code)
      return ''
    })
    return { html: `<div id="app">${plain}</div>${state}`, calls }
  },
  async hydrate(uses) {
    const warnings: unknown[] = []
    const warn = (text: unknown): void => void warnings.push(text)
    vi.spyOn(console, 'warn').mockImplementation(warn)
    vi.spyOn(console, 'error').mockImplementation(warn)
    // As `<HydrationScript>` does.
    world._$HY = { events: [], completed: new WeakSet(), r: {}, fe() {} }
    for (const script of scripts) {
      // oxlint-disable-next-line no-eval -- a browser runs the scripts of the page
      ;(0, eval)(script)
    }
    const probes = createProbes(uses, paragraph)
    const element = document.querySelector('#app')!
    const end = hydrate(within({ initialState: getInitialData() }, probes), element)
    await settle()
    return { ...screenOf(probes, element, end), warnings }
  },
}

testContract(adapter)
