import { testRule } from '../../tests/testRule.ts'

const IMPORT =
  "import { createStore } from 'restitch'; import { createRestitch, createServerRestitch } from 'restitch/vue'; import { createPersistedStore } from 'restitch/react/ssr'"

testRule('no-shared-store', {
  above: IMPORT,
  valid: [
    // An app in a browser, and a program.
    'export const store = createStore()',
    "import { readFile } from 'node:fs/promises'; const { controller } = createStore()",
    "import type { Pipe } from 'react-dom/server'; export const store = createStore()",
    "import { renderToString } from 'react-dom/server'; export const handle = () => { const store = createStore(); return renderToString(store) }",
    "import 'server-only'; export const store = typeof window === 'undefined' ? undefined : createStore()",
    'export function handle() { return createPersistedStore() }',
  ],
  invalid: [
    {
      code: "import { renderToPipeableStream } from 'react-dom/server.node'; export const store = createStore()",
      errors: ['shared'],
    },
    { code: "import 'server-only'; const store = createStore()", errors: ['shared'] },
    {
      code: "import { renderToString } from 'vue/server-renderer'; const app = createSSRApp(App).use(createRestitch())",
      errors: ['shared'],
    },
    { code: 'const [Provider, useState] = createPersistedStore()', errors: ['server'] },
    { code: 'export const restitch = createServerRestitch()', errors: ['server'] },
  ],
})

testRule('no-shared-store', {
  above: `'use client'; ${IMPORT}`,
  valid: ['export function App() { const [store] = useState(() => createStore()); return <Provider store={store} /> }'],
  invalid: [{ code: 'const store = createStore()', errors: ['shared'] }],
})
