// Runs the files of an example in the page, with React. It is loaded when a reader runs the first one.
import * as React from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import * as reactClient from 'react-dom/client'
import * as restitchReact from 'restitch/react'
import * as restitchTest from 'restitch/test/browser'
import { openExample } from './example.mjs'

/**
 * Runs `src/main.tsx` of `files`, or renders the default export of `entry`, inside `element`. `settings` may change while it runs.
 * `onChange` receives the state of the cache and the requests, `onError` what no boundary of the example has caught.
 */
export function runExample(files, entry, element, settings, onChange, onError) {
  const roots = []
  const example = openExample(files, settings, onChange, {
    react: React,
    'react/jsx-runtime': jsxRuntime,
    'react-dom/client': { ...reactClient, createRoot },
    'restitch/react': { ...restitchReact, DataProvider },
    'restitch/test/browser': restitchTest,
  })

  // The provider of the example, which also shows its cache to the page.
  function DataProvider(props) {
    const spy = jsxRuntime.jsx(Spy, { children: props.children })
    return jsxRuntime.jsx(restitchReact.DataProvider, { ...props, devButton: null, children: spy })
  }
  function Spy({ children }) {
    example.watch(restitchReact.useController())
    return children
  }
  function createRoot() {
    const root = reactClient.createRoot(element, { onUncaughtError: onError })
    roots.push(root)
    return root
  }
  const stop = () => {
    roots.forEach((root) => root.unmount())
    example.stop()
  }
  let App
  try {
    App = example.load(entry).default
  } catch (error) {
    stop()
    throw error
  }
  if (entry !== 'src/main.tsx') {
    const { AsyncBoundary } = restitchReact
    const app = jsxRuntime.jsx(AsyncBoundary, {
      fallback: 'Loading…',
      errorComponent: Failed,
      children: jsxRuntime.jsx(App, {}),
    })
    createRoot().render(jsxRuntime.jsx(DataProvider, { children: app }))
  }
  // A failed request is shown in the app, with a way out; a mistake in the code is not part of it.
  function Failed({ error, resetErrorBoundary }) {
    const isRequest = settings.failures !== 'none' || ('status' in error && error.name !== 'RestitchError')
    React.useEffect(() => {
      if (!isRequest) {
        onError(error)
      }
    }, [])
    const retry = jsxRuntime.jsx('button', { onClick: resetErrorBoundary, children: 'Try again' })
    return isRequest && jsxRuntime.jsxs('p', { role: 'alert', children: [error.message, ' ', retry] })
  }

  return { ...example, stop }
}
