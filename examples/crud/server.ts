import { Reply, serveRoutes } from './shared/api.ts'
import type { Api } from './shared/config.ts'

interface Book {
  id: string
  title: string
  author: string
  year: number
  status: string
  notes: string
}

const STATUSES = new Set(['to read', 'reading', 'finished'])
const BOOKS: [title: string, author: string, year: number, status: string, notes: string][] = [
  ['Emma', 'Jane Austen', 1815, 'finished', 'Clever and kind.'],
  ['Middlemarch', 'George Eliot', 1871, 'reading', 'Long, and worth it.'],
  ['Dracula', 'Bram Stoker', 1897, 'to read', ''],
  ['Persuasion', 'Jane Austen', 1817, 'to read', 'The last one she finished.'],
  ['Walden', 'Henry David Thoreau', 1854, 'reading', ''],
]

/** A REST API for books. Lists filter, search and sort; they leave out the notes. */
export function createApi(): Api {
  const books: Book[] = BOOKS.map(([title, author, year, status, notes], index) => ({
    id: String(index + 1),
    title,
    author,
    year,
    status,
    notes,
  }))
  let lastId = books.length

  return {
    middleware: serveRoutes({
      'GET /api/books': ({ query }) => {
        const text = (query.get('q') ?? '').toLowerCase()
        const status = query.get('status')
        const sort = query.get('sort') === 'year' ? 'year' : 'title'
        const found = books
          .filter((book) => !status || book.status === status)
          .filter(({ title, author }) => `${title} ${author}`.toLowerCase().includes(text))
          .sort((a, b) => (sort === 'year' ? a.year - b.year : a.title.localeCompare(b.title)))
        return { data: found.map(({ notes: _, ...summary }) => summary), total: found.length }
      },
      'GET /api/books/:id': ({ params }) => find(params.id),
      'POST /api/books': ({ body }) => {
        const book = check({ title: '', author: '', year: 0, status: 'to read', notes: '', ...body, id: '' })
        book.id = String(++lastId)
        books.push(book)
        return new Reply(201, book)
      },
      'PATCH /api/books/:id': ({ params, body }) => {
        const book = find(params.id)
        return Object.assign(book, check({ ...book, ...body, id: book.id }))
      },
      'DELETE /api/books/:id': ({ params }) => {
        books.splice(books.indexOf(find(params.id)), 1)
        return new Reply(204)
      },
    }),
  }

  function find(id: string | undefined): Book {
    const book = books.find((other) => other.id === id)
    if (!book) {
      throw new Reply(404, { message: 'There is no such book' })
    }
    return book
  }
}

function check(book: Book): Book {
  const errors: Record<string, string> = {}
  if (!book.title.trim()) {
    errors.title = 'A title is required'
  }
  if (!Number.isInteger(book.year) || book.year < 1 || book.year > 2100) {
    errors.year = 'The year must be between 1 and 2100'
  }
  if (!STATUSES.has(book.status)) {
    errors.status = 'Unknown status'
  }
  if (Object.keys(errors).length > 0) {
    throw new Reply(422, { message: 'The book could not be saved', errors })
  }
  return book
}
