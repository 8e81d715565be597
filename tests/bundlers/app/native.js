import {
  AsyncBoundary,
  DataProvider,
  useController,
  useDLE,
  useInfinite,
  useQuery,
  useSuspense,
} from 'restitch/react/native'
import { runCore } from './core.js'
import { runScreen } from './screen.js'

const hooks = { AsyncBoundary, DataProvider, useController, useDLE, useInfinite, useQuery, useSuspense }
globalThis.finished = runCore().then(({ log, messages, store }) => {
  log.push(['html', runScreen(store, hooks)])
  return { log, messages }
})
