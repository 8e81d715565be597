import { Collection, Entity, resource } from 'restitch'

export const STATUSES = ['to read', 'reading', 'finished'] as const
export type Status = (typeof STATUSES)[number]

export class Book extends Entity {
  id = ''
  title = ''
  author = ''
  year = 0
  status: Status = 'to read'
  notes = ''
  static override key = 'Book'
}

/** The body that a form sends. */
export type BookInput = Pick<Book, 'title' | 'author' | 'year' | 'status' | 'notes'>

export interface ListFilter {
  status?: Status | undefined
  q?: string | undefined
  sort: 'title' | 'year'
}

export const Books = resource({
  path: '/api/books/:id',
  schema: Book,
  body: {} as Partial<BookInput>,
  searchParams: {} as ListFilter | undefined,
}).extend({
  // The server wraps lists: { data: [...], total: 5 }.
  getList: { schema: { data: new Collection([Book], { counts: ['total'] }), total: 0 } },
  // The book disappears at once, so that the deletion can be undone before it is sent.
  delete: { getOptimisticResponse: (_snapshot, { id }: { id: string }) => ({ id }) },
})
