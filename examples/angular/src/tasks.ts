import { Collection, Entity, resource, RestEndpoint, type RestGenerics } from 'restitch'

/** An endpoint of this app's own API. A path is relative to the page; on the server there is none. */
class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    const origin = typeof document === 'undefined' ? `http://127.0.0.1:${process.env['PORT'] ?? 4000}` : ''
    return super.fetchResponse(origin + url, init)
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

export class Activity extends Entity {
  id = ''
  text = ''
  static override key = 'Activity'
}

export const getActivity = new ApiEndpoint({
  path: '/api/activity',
  schema: { items: new Collection([Activity]), next: '' as string | null },
  paginationField: 'cursor',
  getNextPage: (response: { readonly next: string | null }) => response.next,
})

/** How often the server was asked, at least once in half a second. */
export const getVisits = new ApiEndpoint({
  path: '/api/visits',
  schema: { count: 0 },
  pollFrequency: 500,
})
