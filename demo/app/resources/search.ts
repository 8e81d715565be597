import { Collection } from 'restitch'
import { ApiEndpoint } from './api.ts'
import { Issue } from './issues.ts'

/** Page numbers; the rows are those of all other lists. */
export const searchIssues = new ApiEndpoint({
  path: '/search',
  searchParams: {} as { q: string },
  schema: { items: new Collection([Issue], { name: 'search' }), page: 1, pages: 1, total: 0 },
  paginationField: 'page',
  getNextPage: ({ page, pages }) => (page < pages ? page + 1 : undefined),
})
