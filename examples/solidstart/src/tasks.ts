import { Entity, resource, RestEndpoint, type RestGenerics } from 'restitch'
import { getRequestEvent } from 'solid-js/web'

/** An endpoint of this app's own API. On the server its address needs an origin; the keys are the same on the server and in the browser. */
class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    const event = getRequestEvent()
    return super.fetchResponse(event ? new URL(url, event.request.url).href : url, init)
  }
}

export class Task extends Entity {
  id = ''
  title = ''
  done = false
  static override key = 'Task'
}

export const Tasks = resource({
  path: '/api/tasks/:id',
  schema: Task,
  searchParams: {} as { done?: boolean } | undefined,
  body: {} as Partial<Pick<Task, 'title' | 'done'>>,
  optimistic: true,
  Endpoint: ApiEndpoint,
})
