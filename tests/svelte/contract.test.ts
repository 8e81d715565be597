// @vitest-environment happy-dom
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { getInitialData } from 'restitch/svelte'
import { flushSync, hydrate, mount as mountSvelte, settled, unmount as unmountSvelte } from 'svelte'
import { afterEach, vi } from 'vitest'
import type { Adapter, Screen as Shown, Use } from '../../src/testing/contract/Adapter.ts'
import { testContract } from '../../src/testing/contract/contract.ts'
import { tick } from '../../src/testing/TestClock.ts'
import { svelteOnServer } from './compile.ts'
import Screen from './Screen.svelte'

let unmounts: (() => void)[] = []
afterEach(() => {
  unmounts.forEach((unmount) => unmount())
  unmounts = []
  document.body.innerHTML = ''
  vi.restoreAllMocks()
})

const settle: Shown['settle'] = async (run) => {
  const value = await run?.()
  await tick()
  flushSync()
  await settled()
  await tick()
  return value as never
}

interface Probes {
  readonly uses: readonly Use[]
  readonly results: any[]
  readonly setters: ((args: readonly any[]) => void)[]
  readonly options?: object
}

function probesOf(uses: readonly Use[], options?: object): Probes {
  return { uses, results: [], setters: [], ...(options && { options }) }
}

function screenOf({ results, setters }: Probes, root: ParentNode, unmount: () => void): Shown {
  unmounts.push(unmount)
  return {
    text: () => [...root.querySelectorAll('p')].map((element) => element.textContent).join('|'),
    result: (index = 0) => results[index],
    setArgs: (args, index = 0) => settle(() => setters[index]!(args)),
    settle,
    unmount: () => {
      unmounts = unmounts.filter((one) => one !== unmount)
      unmount()
      return tick()
    },
  }
}

/** Components are compiled otherwise for a server. */
async function loadServer(): Promise<typeof import('./serverPage.ts')> {
  const outfile = resolve('.cache/svelte/serverPage.mjs')
  await mkdir('.cache/svelte', { recursive: true })
  await build({
    entryPoints: ['tests/svelte/serverPage.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['restitch-source', 'node'],
    plugins: [svelteOnServer],
  })
  return import(/* @vite-ignore */ pathToFileURL(outfile).href)
}

const adapter: Adapter = {
  name: 'Svelte',
  async mount(store, uses, twice = false) {
    const target = document.body.appendChild(document.createElement('div'))
    const show = (): readonly [Probes, () => void] => {
      const probes = probesOf(uses, { store })
      const app = mountSvelte(Screen, { target, props: probes })
      flushSync()
      return [probes, () => void unmountSvelte(app)]
    }
    if (twice) {
      show()[1]()
    }
    const [probes, unmount] = show()
    await settle()
    return screenOf(probes, target, unmount)
  },
  async mountWrong(use, store) {
    const target = document.createElement('div')
    const errors: unknown[] = []
    mountSvelte(Screen, { target, props: { ...probesOf([use], store && { store }), errors } })
    await settle()
    return errors[0]
  },
  async render(page) {
    const { renderPage } = await loadServer()
    const { html, state, calls } = await renderPage(page as 'reads')
    return { html: `<div id="app">${html}</div>${state}`, calls }
  },
  async hydrate(uses) {
    const warnings: unknown[] = []
    const warn = (...text: unknown[]): void => void warnings.push(text)
    vi.spyOn(console, 'warn').mockImplementation(warn)
    vi.spyOn(console, 'error').mockImplementation(warn)
    const target = document.querySelector('#app')!
    // happy-dom makes two texts of one with an escaped tag, unlike a browser.
    target.normalize()
    const probes = { ...probesOf(uses, { initialState: getInitialData() }), waits: false }
    const app = hydrate(Screen, { target, props: probes })
    await settle()
    return { ...screenOf(probes, target, () => void unmountSvelte(app)), warnings }
  },
}

testContract(adapter)
