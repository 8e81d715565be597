// @vitest-environment happy-dom
import '@angular/compiler'
import {
  type ApplicationRef,
  destroyPlatform,
  ErrorHandler,
  type Provider,
  provideZonelessChangeDetection,
} from '@angular/core'
import { bootstrapApplication, createApplication, provideClientHydration } from '@angular/platform-browser'
import { provideRestitch } from 'restitch/angular'
import { afterEach, beforeEach, vi } from 'vitest'
import type { Adapter, Screen, Use } from '../../src/testing/contract/Adapter.ts'
import { testContract } from '../../src/testing/contract/contract.ts'
import { tick } from '../../src/testing/TestClock.ts'
import { App, Probes, PROBES } from './probes.ts'
import { runServer } from './runServer.ts'

afterEach(() => {
  destroyPlatform()
  document.body.innerHTML = ''
  vi.restoreAllMocks()
})
// Angular says that it is in development mode.
beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))

const settle: Screen['settle'] = async (run) => {
  const value = await run?.()
  // Angular renders in a task of its own.
  for (let turn = 0; turn < 3; turn++) {
    await tick()
    await new Promise((resolve) => setTimeout(resolve))
  }
  return value as never
}

function screenOf({ results, args }: Probes, root: ParentNode, app: ApplicationRef): Screen {
  return {
    text: () => [...root.querySelectorAll('p')].map((element) => element.textContent).join('|'),
    result: (index = 0) => results[index],
    setArgs: (values, index = 0) => settle(() => args[index]!.set(values)),
    settle,
    unmount() {
      app.destroy()
      return tick()
    },
  }
}

async function start(uses: readonly Use[], more: readonly (Provider | ReturnType<typeof provideRestitch>)[]) {
  const probes = new Probes(uses)
  const providers = [provideZonelessChangeDetection(), { provide: PROBES, useValue: probes }, ...more]
  return { probes, app: await createApplication({ providers }) }
}

const mount: Adapter['mount'] = async (store, uses, twice = false) => {
  const element = document.body.appendChild(document.createElement('div'))
  const show = async (): Promise<readonly [Probes, ApplicationRef]> => {
    const { probes, app } = await start(uses, [provideRestitch({ store })])
    app.bootstrap(App, element.appendChild(document.createElement('app-root')))
    return [probes, app]
  }
  if (twice) {
    const [, app] = await show()
    app.destroy()
  }
  const [probes, app] = await show()
  await settle()
  return screenOf(probes, element, app)
}

const adapter: Adapter = {
  name: 'Angular',
  mount,
  async mountWrong(use, store) {
    let thrown: unknown
    const handler = { handleError: (error: unknown) => void (thrown ??= error) }
    const { app } = await start(
      [use],
      [{ provide: ErrorHandler, useValue: handler }, ...(store ? [provideRestitch({ store })] : [])],
    )
    app.bootstrap(App, document.createElement('app-root'))
    await settle()
    return thrown
  },
  render: (page) => runServer('tests/angular/serverPage.ts', page),
  async hydrate(uses) {
    const warnings: unknown[] = []
    const warn = (text: unknown): void => void warnings.push(text)
    vi.spyOn(console, 'warn').mockImplementation(warn)
    vi.spyOn(console, 'error').mockImplementation(warn)
    const probes = new Probes(uses)
    const app = await bootstrapApplication(App, {
      providers: [
        provideZonelessChangeDetection(),
        provideClientHydration(),
        provideRestitch(),
        { provide: PROBES, useValue: probes },
      ],
    })
    await settle()
    return { ...screenOf(probes, document.querySelector('#app')!, app), warnings }
  },
}

testContract(adapter)
