import { useState, useTransition } from 'react'
import { AsyncBoundary, useDebounce, useMutation, useSuspense } from 'restitch/react'
import { BookForm } from './BookForm.tsx'
import { Books, STATUSES, type Book, type ListFilter, type Status } from './books.ts'

export function App() {
  const [filter, setFilter] = useState<ListFilter>({ sort: 'title' })
  const [text, setText] = useState('')
  const [q] = useDebounce(text, 200)
  // The id of the book in the form, or 'new'.
  const [editing, setEditing] = useState<string>()
  const [isPending, startTransition] = useTransition()
  const change = (part: Partial<ListFilter>) => startTransition(() => setFilter({ ...filter, ...part }))

  return (
    <main>
      <div className="row spread">
        <h1>Bookshelf</h1>
        <button className="primary" onClick={() => setEditing('new')}>
          Add a book
        </button>
      </div>
      {editing && (
        <AsyncBoundary fallback={<p className="card">Loading the book…</p>}>
          <BookForm key={editing} id={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
        </AsyncBoundary>
      )}
      <section className="card">
        <div className="row">
          <input
            type="search"
            aria-label="Search"
            placeholder="Search"
            value={text}
            onChange={(e) => setText(e.target.value)}
          />
          <select
            aria-label="Status"
            value={filter.status ?? ''}
            onChange={(e) => change({ status: (e.target.value || undefined) as Status | undefined })}
          >
            <option value="">All books</option>
            {STATUSES.map((status) => (
              <option key={status}>{status}</option>
            ))}
          </select>
          <select
            aria-label="Sort by"
            value={filter.sort}
            onChange={(e) => change({ sort: e.target.value as ListFilter['sort'] })}
          >
            <option value="title">By title</option>
            <option value="year">By year</option>
          </select>
        </div>
        <AsyncBoundary fallback={<p>Loading books…</p>}>
          <div className={isPending ? 'pending' : ''}>
            <BookList filter={{ ...filter, q: q || undefined }} onEdit={setEditing} />
          </div>
        </AsyncBoundary>
      </section>
    </main>
  )
}

function BookList({ filter, onEdit }: { filter: ListFilter; onEdit: (id: string) => void }) {
  const { data: books, total } = useSuspense(Books.getList, filter)
  return (
    <>
      <p className="muted small">{total === 1 ? '1 book' : `${total} books`}</p>
      <table>
        <tbody>
          {books.map((book) => (
            <BookRow key={book.pk()} book={book} onEdit={onEdit} />
          ))}
        </tbody>
      </table>
    </>
  )
}

function BookRow({ book: { id, title, author, year, status }, onEdit }: { book: Book; onEdit: (id: string) => void }) {
  const change = useMutation(Books.partialUpdate)
  const remove = useMutation(Books.delete)
  const error = change.error ?? remove.error
  return (
    <tr className={remove.loading ? 'pending' : ''}>
      <td>
        <button className="link" onClick={() => onEdit(id)}>
          {title}
        </button>
        <span className="narrow muted small">
          {author}, {year}
        </span>
        {error && <p role="alert">{error.message}</p>}
      </td>
      <td className="wide">{author}</td>
      <td className="wide number">{year}</td>
      <td>
        <select
          aria-label={`Status of ${title}`}
          value={status}
          onChange={(e) => change.mutate({ id }, { status: e.target.value as Status })}
        >
          {STATUSES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </td>
      <td className="number">
        <button aria-label={`Delete ${title}`} disabled={remove.loading} onClick={() => remove.mutate({ id })}>
          Delete
        </button>
      </td>
    </tr>
  )
}
