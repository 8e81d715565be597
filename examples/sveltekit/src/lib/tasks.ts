import { Entity, NetworkError, resource, RestEndpoint, type RestGenerics } from 'restitch'
import { server } from './store'

/** An endpoint of this app's own API. On the server it calls the route without HTTP. So the keys are the same on the server and in the browser. */
class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async fetchResponse(url: string, init: RequestInit): Promise<Response> {
    const response = await (server.visit()?.fetch ?? fetch)(url, init)
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
  searchParams: {} as { done?: boolean } | undefined,
  body: {} as Partial<Pick<Task, 'title' | 'done'>>,
  optimistic: true,
  Endpoint: ApiEndpoint,
})
