import { actionTypes, type Manager, type Middleware, type MiddlewareAPI } from 'restitch'
import { ApiEndpoint } from './api.ts'
import { AttachmentResource } from './attachments.ts'
import { CommentResource } from './comments.ts'
import { IssueResource, moveIssue } from './issues.ts'
import { LabelResource } from './labels.ts'
import { PersonResource } from './people.ts'
import { ProjectResource } from './projects.ts'
import { endSession, Session } from './session.ts'
import { Ticker } from './ticker.ts'

const getEvents = new ApiEndpoint({ path: '/events', content: 'stream' })

/** What others changed, as it happens: listens while somebody is signed in, and goes on where it was cut off. */
export class EventStreamManager implements Manager {
  private controller!: MiddlewareAPI
  private aborter: AbortController | undefined
  private lastId = ''

  middleware: Middleware = (controller) => {
    this.controller = controller
    return (next) => (action) => {
      if (action.type === actionTypes.RESET) this.cleanup()
      else if (action.type === actionTypes.SET_RESPONSE && !action.error && action.endpoint.schema === Session)
        this.open()
      return next(action)
    }
  }

  cleanup(): void {
    this.aborter?.abort()
    this.aborter = undefined
    this.lastId = ''
  }

  private open(): void {
    if (this.aborter) return
    this.aborter = new AbortController()
    void this.listen(this.aborter.signal)
  }

  private async listen(signal: AbortSignal): Promise<void> {
    for (let lost = 0; !signal.aborted; lost += 1) {
      try {
        const headers = { Accept: 'text/event-stream', ...(this.lastId && { 'Last-Event-ID': this.lastId }) }
        const body = await getEvents.extend({ signal, requestInit: { headers } })()
        lost = 0
        await this.read(body)
      } catch (error) {
        if ((error as { status?: number }).status === 401) return void endSession(this.controller)
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
      if (done) return
      const events = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = events.pop()!
      // Without waiting in between, so that each reader renders once.
      for (const event of events) this.hear(event)
    }
  }

  private hear(event: string): void {
    const fields = Object.fromEntries(
      Array.from(event.matchAll(/^(\w+): ?(.*)$/gm), ([, name, value]) => [name, value]),
    )
    if (fields.id) this.lastId = fields.id
    const take = TAKE[fields.event ?? '']
    if (take) take(this.controller, JSON.parse(fields.data || 'null'))
  }
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
    // A message that comes late must not take the record back to the lists it was in.
    if (known?.revision > value.revision) return undefined
    if (known || created)
      return controller.set(kind === 'issue' ? moveIssue : getList.schema.move, { id: value.id }, value)
    if (kind === 'issue') refreshLists(controller)
    return controller.set(get.schema, { id: value.id }, value)
  },
  delete(controller, { kind, id }) {
    const { get, delete: remove } = RESOURCES[kind]
    if (kind === 'issue' && !controller.get(get.schema, { id })) refreshLists(controller)
    return controller.setResponse(remove, { id }, { id })
  },
  ticker: (controller, value) => controller.set(Ticker, { id: 'stream' }, { ...value, id: 'stream' }),
  // Too long ago for the server to tell what was missed: what is on the screen is asked for again.
  lost: (controller) => controller.expireAll({ testKey: () => true }),
}

let refresh: unknown

/** Which lists had an issue that was never loaded only the server can tell: those on the screen are asked for again. */
function refreshLists({ clock, expireAll }: MiddlewareAPI): void {
  refresh ??= clock.setTimeout(() => {
    refresh = undefined
    void expireAll(IssueResource.getList)
  }, 300)
}
