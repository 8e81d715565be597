import type { $Fetch } from 'ofetch'
import { Entity, NetworkError, resource, RestEndpoint, type RestGenerics } from 'restitch'

/**
 * An endpoint of this app's own API. `fetch` of a server needs a whole URL; `$fetch.native` calls the route of a relative one directly. So
 * the keys are the same on the server and in the browser.
 */
class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async fetchResponse(url: string, init: RequestInit): Promise<Response> {
    const response = await ($fetch as $Fetch).native(url, init)
    if (!response.ok) {
      throw new NetworkError(response, url, init.method, await response.clone().json())
    }
    return response
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
  body: {} as Partial<Pick<Task, 'title' | 'done'>>,
  optimistic: true,
  Endpoint: ApiEndpoint,
})
