import { actionTypes, type Manager, type Middleware, type MiddlewareAPI } from 'restitch'
import { ApiEndpoint } from './api.ts'
import { AttachmentResource } from './attachments.ts'
import { CommentResource } from './comments.ts'
import { IssueResource, moveIssue } from './issues.ts'
import { LabelResource } from './labels.ts'
import { PersonResource } from './people.ts'
import { ProjectResource } from './projects.ts'
import { endSession, getSession, signIn } from './session.ts'
import { Ticker } from './ticker.ts'

const getEvents = new ApiEndpoint({ path: '/events', content: 'stream' })

/** What others changed, as it happens: listens while somebody is signed in, and goes on where it was cut off. */
export class EventStreamManager implements Manager {
  private controller!: MiddlewareAPI
  private aborter: AbortController | undefined
  private lastId = ''
  private held: Message[] = []

  middleware: Middleware = (controller) => {
    this.controller = controller
    return (next) => (action) => {
      if (action.type === actionTypes.RESET) {
        this.cleanup()
        this.lastId = ''
        this.held = []
      }
      const told = next(action)
      if (action.type === actionTypes.SET_RESPONSE && (action.endpoint === getSession || action.endpoint === signIn)) {
        this.init()
      }
      // What was waited for may be there now.
      if (this.held.length > 0) {
        this.held.splice(0).forEach(this.take)
      }
      return told
    }
  }

  /** Runs when the store starts, again after a stop, and when somebody has signed in. */
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
          return void endSession(this.controller)
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
   * While something is being created, the stream may bring it before the answer does, and it would stand beside what
   * stands for it. So that message waits for the answer, and those behind it wait in line.
   */
  private take = (message: Message): void => {
    const { event, data } = message
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
    // A message that comes late must not take the record back to the lists it was in.
    if (known?.revision > value.revision) {
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
  // Too long ago for the server to tell what was missed: what is on the screen is asked for again.
  lost: (controller) => controller.expireAll({ testKey: () => true }),
}

const waiting = new Set<object>()

/**
 * Some things only the server can tell: which lists had an issue that was never loaded, and the numbers it counts for the
 * statistics. Mounted screens refetch, once for a burst of messages.
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
