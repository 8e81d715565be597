import { Collection, Entity } from 'restitch'
import { ApiEndpoint } from './api.ts'
import { Person } from './people.ts'

export class Activity extends Entity {
  id = ''
  at = new Date(0)
  person = Person.fromJS()
  issue = { id: '', key: '', title: '' }
  kind = ''
  text = ''
  static override key = 'Activity'
  static override schema = { person: Person, at: Date }
}

/** The history of a project, newest first. The `link` header contains the next page. */
export const getActivity = new ApiEndpoint({
  path: '/projects/:id/activity',
  searchParams: {} as { limit?: number },
  schema: { entries: new Collection([Activity]), total: 0, next: '' },
  paginationField: 'page',
  pollFrequency: 10_000,
  async parseResponse(response) {
    const link = response.headers.get('link') ?? ''
    return {
      entries: await response.json(),
      total: Number(response.headers.get('x-total-count')),
      next: /[?&]page=(\d+)[^>]*>; *rel="next"/.exec(link)?.[1],
    }
  },
  getNextPage: ({ next }) => next,
})
