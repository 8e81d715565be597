import { AsyncBoundary, DataProvider, useController, useDLE, useSuspense } from 'restitch/react/native'
import { runCore } from './core.js'
import { runScreen } from './screen.js'

globalThis.finished = runCore().then(({ log, messages, store }) => {
  log.push(['html', runScreen(store, { AsyncBoundary, DataProvider, useController, useDLE, useSuspense })])
  return { log, messages }
})
