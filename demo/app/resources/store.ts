import { createStore, getDefaultManagers } from 'restitch'
import { WriteWatcher } from '../tour/WriteWatcher.ts'
import { EventStreamManager } from './events.ts'
import { disk, sending, windows } from './offline.ts'
import { logoutManager } from './session.ts'

/** Queues writes, keeps data, signs out at a 401, listens to server-sent events, sends requests, retries and polls. */
export const store = createStore({
  managers: [
    new WriteWatcher(),
    sending,
    windows,
    disk,
    logoutManager,
    new EventStreamManager(),
    ...getDefaultManagers({ networkManager: { timeout: 20_000, retry: 2, retryDelay: 400 } }),
  ],
})
