import { Entity, RestEndpoint } from 'restitch'

export const FAULTS_PATH = '/api/faults'
export const FAULTS_ID = 'faults'

/** The faults of the server. There is one such record, and all windows share it. */
export class Faults extends Entity {
  latency = 0
  jitter = 0
  errorRate = 0
  offline = false
  reorder = false
  slowBody = false
  static override key = 'Faults'

  override pk(): string {
    return FAULTS_ID
  }

  get isQuiet(): boolean {
    return !(this.latency || this.jitter || this.errorRate || this.offline || this.reorder || this.slowBody)
  }
}

export type FaultFields = Pick<Faults, 'latency' | 'jitter' | 'errorRate' | 'offline' | 'reorder' | 'slowBody'>

export const noFaults: FaultFields = {
  latency: 0,
  jitter: 0,
  errorRate: 0,
  offline: false,
  reorder: false,
  slowBody: false,
}

// A partial update: other fields stay as they are.
const body: Partial<FaultFields> = {}

/** The switch moves at once, and back if the request fails. */
export const setFaults = new RestEndpoint({
  path: FAULTS_PATH,
  method: 'PUT',
  body,
  schema: Faults,
  getOptimisticResponse: (_snapshot, faults) => faults,
})

/** Deletes all sessions: the next request of every user fails with 401. */
export const endSessions = new RestEndpoint({ path: '/api/faults/sign-out', method: 'POST', body: undefined })
