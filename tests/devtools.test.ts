import { expect, test } from 'vitest'
import { bundle, runAlone } from './bundle.ts'

let connections = 0
const connection = { init() {}, send() {}, subscribe() {} }
const extension = {
  connect() {
    connections++
    return connection
  },
}

const app = (managers: string): string => `
  import { createStore, DevToolsManager, getDefaultManagers } from 'restitch'
  const store = createStore({ managers: ${managers} })
  store.controller.dispatch({ type: 'own' })
  store.stop()
`
const world = { console, queueMicrotask, setTimeout, clearTimeout, Promise }
const run = async (managers: string): Promise<void> => {
  runAlone(await bundle(app(managers)), { ...world, __REDUX_DEVTOOLS_EXTENSION__: extension })
}

test('DEV-1 nothing of it is in a bundle of the default managers, options or not', async () => {
  for (const managers of ['getDefaultManagers()', `getDefaultManagers({ devToolsManager: { name: 'Shop' } })`]) {
    const code = await bundle(app(managers).replace('DevToolsManager,', ''))
    expect(/REDUX_DEVTOOLS|DC_CONTROLLERS|toLocaleTimeString/.exec(code)).toBeNull()
  }
  await run('getDefaultManagers()')
  expect(connections).toBe(0)
})

test('DEV-1 an instance passes everything on, and connects only where it is configured to', async () => {
  await run('[new DevToolsManager(), ...getDefaultManagers()]')
  expect(connections).toBe(0)
  await run('[new DevToolsManager({ production: true }), ...getDefaultManagers()]')
  expect(connections).toBe(1)
})
