import { actionTypes, type Manager, type Middleware, type MiddlewareAPI } from 'restitch'
import { ApiEndpoint } from './api.ts'
import { AttachmentResource } from './attachments.ts'
import { CommentResource } from './comments.ts'
import { IssueResource, moveIssue } from './issues.ts'
import { LabelResource } from './labels.ts'
import { PersonResource } from './people.ts'
import { ProjectResource } from './projects.ts'
import { endSession, getSession, signIn } from './session.ts'
import { streamTicker, Ticker } from './ticker.ts'

const getEvents = new ApiEndpoint({ path: '/events', content: 'stream' })
const TICKER = streamTicker.key()

/** Receives the changes of other users while a user is signed in, and resumes after a lost connection. */
export class EventStreamManager implements Manager {
  private controller!: MiddlewareAPI
  private aborter: AbortController | undefined
  private lastId = ''
  private held: Message[] = []
  private tickerReaders = 0

  middleware: Middleware = (controller) => {
    this.controller = controller
    return (next) => (action) => {
      if ((action.type === actionTypes.SUBSCRIBE || action.type === actionTypes.UNSUBSCRIBE) && action.key === TICKER) {
        this.tickerReaders += action.type === actionTypes.SUBSCRIBE ? 1 : -1
        return Promise.resolve()
      }
      if (action.type === actionTypes.RESET) {
        this.cleanup()
        this.lastId = ''
        this.held = []
      }
      const applied = next(action)
      if (action.type === actionTypes.SET_RESPONSE && (action.endpoint === getSession || action.endpoint === signIn)) {
        this.init()
      }
      // The response may have arrived.
      if (this.held.length > 0) {
        this.held.splice(0).forEach(this.take)
      }
      return applied
    }
  }

  /** Runs when the store starts, again after a stop, and after sign-in. */
  init(): void {
    if (this.aborter || !this.controller.getResponse(getSession).data?.session) {
      return
    }
    this.aborter = new AbortController()
    void this.listen(this.aborter.signal)
  }

  cleanup(): void {
    this.aborter?.abort()
    this.aborter = undefined
  }

  private async listen(signal: AbortSignal): Promise<void> {
    for (let lost = 0; !signal.aborted; lost += 1) {
      try {
        const headers = { Accept: 'text/event-stream', ...(this.lastId && { 'Last-Event-ID': this.lastId }) }
        const body = await getEvents.extend({ signal, requestInit: { headers } })()
        lost = 0
        await this.read(body)
      } catch (error) {
        if ((error as { status?: number }).status === 401) {
          return void endSession(this.controller, true)
        }
      }
      const wait = Math.min(500 * 2 ** lost, 5_000)
      await new Promise((done) => this.controller.clock.setTimeout(() => done(undefined), wait))
    }
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    let text = ''
    for (const reader = body.getReader(); ;) {
      const { value, done } = await reader.read()
      if (done) {
        return
      }
      const events = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = events.pop()!
      // Without waiting in between, so that each reader renders once.
      for (const event of events) {
        this.hear(event)
      }
    }
  }

  private hear(event: string): void {
    const fields = Object.fromEntries(
      Array.from(event.matchAll(/^(\w+): ?(.*)$/gm), ([, name, value]) => [name, value]),
    )
    if (fields.id) {
      this.lastId = fields.id
    }
    this.take({ event: fields.event ?? '', data: JSON.parse(fields.data || 'null') })
  }

  /**
   * While a record is being created, its event may arrive before the response, and the record would appear twice. So that
   * event waits for the response, and later events queue behind it.
   */
  private take = (message: Message): void => {
    const { event, data } = message
    // Without a reader it would only fill the store's log of actions.
    if (event === 'ticker' && this.tickerReaders === 0) {
      return
    }
    if (event !== 'ticker' && (this.held.length > 0 || (data?.created && isCreating(this.controller, data.kind)))) {
      this.held.push(message)
    } else {
      TAKE[event]?.(this.controller, data)
    }
  }
}

interface Message {
  readonly event: string
  readonly data: any
}

function isCreating(controller: MiddlewareAPI, kind: string): boolean {
  const { path } = RESOURCES[kind].create
  return controller.getState().optimistic.some(({ endpoint }) => endpoint.method === 'POST' && endpoint.path === path)
}

const RESOURCES: Record<string, any> = {
  issue: IssueResource,
  person: PersonResource,
  project: ProjectResource,
  label: LabelResource,
  comment: CommentResource,
  attachment: AttachmentResource,
}

const TAKE: Record<string, (controller: MiddlewareAPI, event: any) => unknown> = {
  set(controller, { kind, value, created }) {
    const { get, getList } = RESOURCES[kind]
    const known = controller.get(get.schema, { id: value.id })
    if (kind === 'issue') {
      refresh(controller, ProjectResource.stats)
    }
    // A late event must not move the record back to its earlier lists; one that tells of the user's own write brings nothing new.
    if (known?.revision >= value.revision) {
      return undefined
    }
    if (known || created) {
      return controller.set(kind === 'issue' ? moveIssue : getList.schema.move, { id: value.id }, value)
    }
    if (kind === 'issue') {
      refresh(controller, IssueResource.getList)
    }
    return controller.set(get.schema, { id: value.id }, value)
  },
  delete(controller, { kind, id }) {
    const { get, delete: remove } = RESOURCES[kind]
    if (kind === 'issue') {
      refresh(controller, ProjectResource.stats)
      if (!controller.get(get.schema, { id })) {
        refresh(controller, IssueResource.getList)
      }
    }
    return controller.setResponse(remove, { id }, { id })
  },
  ticker: (controller, value) => controller.set(Ticker, { id: 'stream' }, { ...value, id: 'stream' }),
  // The server no longer has the missed events: everything on the screen is refetched.
  lost: (controller) => controller.expireAll({ testKey: () => true }),
}

const waiting = new Set<object>()

/**
 * Only the server knows which lists contain an issue that was never loaded, and the numbers of the statistics. Mounted
 * screens refetch, once for a burst of events.
 */
function refresh({ clock, expireAll }: MiddlewareAPI, endpoint: { testKey(key: string): boolean }): void {
  if (waiting.has(endpoint)) {
    return
  }
  waiting.add(endpoint)
  clock.setTimeout(() => {
    waiting.delete(endpoint)
    void expireAll(endpoint)
  }, 300)
}
