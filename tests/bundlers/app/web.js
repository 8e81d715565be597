import { AsyncBoundary, DataProvider, useController, useDLE, useInfinite, useQuery, useSuspense } from 'restitch/react'
import { explain } from 'restitch/explain'
import { runCore, Todos } from './core.js'
import { runScreen } from './screen.js'

const hooks = { AsyncBoundary, DataProvider, useController, useDLE, useInfinite, useQuery, useSuspense }
globalThis.finished = runCore().then(({ log, messages, store }) => {
  log.push(['html', runScreen(store, hooks)])
  log.push(['explain', explain(store.controller, Todos.getList, { status: 'open' })])
  return { log, messages }
})
