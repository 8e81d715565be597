import { actionTypes, type FetchAction, type Manager, type Middleware, type MiddlewareAPI } from 'restitch'
import { STATUS_LABELS } from '../parts/badges.tsx'
import { Issue, IssueResource, type Status, STATUSES } from '../resources/issues.ts'

/** The effects of one write of an issue, as the browser and the store saw them. */
export interface Report {
  readonly id: string
  readonly request: string
  /** The write itself, as `describeChange` puts it. */
  readonly change: string
  /** The status and the rank before the write. */
  readonly status: Status
  readonly rank: number
  /** The lists whose items or total changed. */
  readonly lists: readonly string[]
  /** Requests for issue lists that followed the write, and the size of their responses. */
  readonly refetches: number
  readonly bytes: number
}

const LISTS = '/api/issues?'
/** In the order in which the tour names them. */
const NAMES = [...STATUSES.map((status) => STATUS_LABELS[status]), 'Open issues', 'All issues']
/** Refetches start at once after a write: later requests have another cause. */
const QUIET = 400
const listeners = new Set<(report: Report) => void>()

/** Calls back after each write of an issue, once the requests that it caused have ended. */
export function watchWrites(listener: (report: Report) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells the writes of one issue apart. */
export function describeChange(id: string, fields: unknown): string {
  return `${id} ${JSON.stringify(fields)}`
}

/** Measures writes for the tour. It comes first, since later managers handle some actions themselves. */
export class WriteWatcher implements Manager {
  private readonly reads = new Set<Promise<unknown>>()
  /** The writes that are being measured: the outbox sends them later, and that is no further write. */
  private readonly writes = new Set<string>()

  middleware: Middleware = (controller) => (next) => (action) => {
    if (action.type === actionTypes.FETCH) {
      if (action.key.startsWith('PATCH /api/issues/')) {
        const [{ id }, fields] = action.args as [{ id: string }, unknown]
        const change = describeChange(id, fields)
        if (listeners.size > 0 && !this.writes.has(change)) {
          this.writes.add(change)
          void this.measure(controller, action).finally(() => this.writes.delete(change))
        }
      } else if (!action.endpoint.sideEffect) {
        this.follow(action.meta.promise)
      }
    }
    return next(action)
  }

  cleanup(): void {
    this.reads.clear()
    this.writes.clear()
  }

  private follow(promise: Promise<unknown>): void {
    this.reads.add(promise)
    const end = () => void this.reads.delete(promise)
    promise.then(end, end)
  }

  private async measure(controller: MiddlewareAPI, { key, args, meta }: FetchAction): Promise<void> {
    const start = performance.now()
    const { id } = args[0] as { id: string }
    const { status, rank } = controller.get(Issue, { id }) ?? Issue.defaults
    const before = readLists(controller)
    try {
      await meta.promise
    } catch {
      return
    }
    await wait(controller, QUIET)
    while (this.reads.size > 0) {
      await wait(controller, 50)
    }
    const lists = [...readLists(controller)].filter(([list, content]) => (before.get(list) ?? content) !== content)
    const requests = readRequests(start)
    const report = {
      id,
      status,
      rank,
      change: describeChange(id, args[1]),
      request: key.replace('/api', ''),
      lists: lists.map(([list]) => nameOf(list)).toSorted((a, b) => NAMES.indexOf(a) - NAMES.indexOf(b)),
      refetches: requests.length,
      bytes: requests.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    }
    listeners.forEach((listener) => listener(report))
  }
}

/** The browser's own record of the requests for issue lists. */
function readRequests(since: number): PerformanceResourceTiming[] {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  return entries.filter(({ name, startTime }) => startTime >= since && name.includes(LISTS))
}

/** The items and the total of each issue list in the store, by the URL of the list. */
function readLists(controller: MiddlewareAPI): Map<string, string> {
  const urls = Object.keys(controller.getState().meta).filter((key) => key.startsWith(`GET ${LISTS}`))
  return new Map(
    urls.map((url) => {
      const args = Object.fromEntries(new URLSearchParams(url.slice(url.indexOf('?'))))
      const { data } = controller.getResponse(IssueResource.getList, args)
      return [url, `${data?.total} ${data?.items?.map((issue) => issue.id)}`]
    }),
  )
}

function nameOf(url: string): string {
  const status = new URLSearchParams(url.slice(url.indexOf('?'))).get('status')
  return status === null ? 'All issues' : status === 'open' ? 'Open issues' : STATUS_LABELS[status as Status]
}

function wait({ clock }: MiddlewareAPI, time: number): Promise<void> {
  return new Promise((done) => void clock.setTimeout(() => done(), time))
}
