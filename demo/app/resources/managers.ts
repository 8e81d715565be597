import { getDefaultManagers, type Manager } from 'restitch'
import { EventStreamManager } from './events.ts'
import { logoutManager } from './session.ts'

/** Signs out at a 401, listens to server-sent events, sends requests, retries and polls. */
export const managers: Manager[] = [
  logoutManager,
  new EventStreamManager(),
  ...getDefaultManagers({ networkManager: { timeout: 20_000, retry: 2, retryDelay: 400 } }),
]
