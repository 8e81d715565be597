import { useState, useTransition } from 'react'
import { AsyncBoundary, useDebounce, useMutation, useSuspense, useUndoable } from 'restitch/react'
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
  const [error, setError] = useState<Error>()
  const { mutate: remove, undo, pending } = useUndoable(Books.delete, { within: 5_000, onError: setError })
  return (
    <>
      {pending.length > 0 && (
        <div className="row" role="status">
          {pending.length === 1 ? '1 book' : `${pending.length} books`} deleted
          <button onClick={undo}>Undo</button>
          <button onClick={() => pending.forEach((change) => change.send())}>OK</button>
        </div>
      )}
      {error && <p role="alert">{error.message}</p>}
      <p className="muted small">{total === 1 ? '1 book' : `${total} books`}</p>
      <table>
        <tbody>
          {books.map((book) => (
            <BookRow key={book.pk()} book={book} onEdit={onEdit} onDelete={() => remove({ id: book.id })} />
          ))}
        </tbody>
      </table>
    </>
  )
}

interface BookRowProps {
  book: Book
  onEdit: (id: string) => void
  onDelete: () => void
}

function BookRow({ book: { id, title, author, year, status }, onEdit, onDelete }: BookRowProps) {
  const { mutate: update, error } = useMutation(Books.partialUpdate)
  return (
    <tr>
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
          onChange={(e) => update({ id }, { status: e.target.value as Status })}
        >
          {STATUSES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </td>
      <td className="number">
        <button aria-label={`Delete ${title}`} onClick={onDelete}>
          Delete
        </button>
      </td>
    </tr>
  )
}
