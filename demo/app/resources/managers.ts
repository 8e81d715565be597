import { getDefaultManagers, type Manager } from 'restitch'
import { EventStreamManager } from './events.ts'
import { logoutManager } from './session.ts'

/** What the store does by itself: ends the session at a 401, listens to the server, sends, tries again, polls. */
export const managers: Manager[] = [
  logoutManager,
  new EventStreamManager(),
  ...getDefaultManagers({ networkManager: { timeout: 20_000, retry: 2, retryDelay: 400 } }),
]
