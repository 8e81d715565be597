import type { ReactNode } from 'react'
import { fieldErrors } from 'restitch'
import { useMutation, useSuspense } from 'restitch/react'
import { Book, Books, STATUSES, type BookInput, type Status } from './books.ts'

/** Creates a book, or edits the one with this id. */
export function BookForm({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  // The list leaves out the notes, so this fetches the rest of the book. A new book begins with the defaults.
  const book = useSuspense(Books.get, id === undefined ? null : { id }) ?? Book.fromJS()
  const create = useMutation(Books.create, { onSuccess: onClose })
  const update = useMutation(Books.partialUpdate, { onSuccess: onClose })
  const { loading, error } = id === undefined ? create : update
  const save = (input: BookInput) => (id === undefined ? create.mutate(input) : update.mutate({ id }, input))
  // Of the body of a 422: { errors: { title: 'A title is required' } }.
  const errors = fieldErrors(error)

  return (
    <form
      className="card stack"
      aria-label={id === undefined ? 'New book' : 'Edit book'}
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        save({
          title: String(form.get('title')),
          author: String(form.get('author')),
          year: Number(form.get('year')),
          status: form.get('status') as Status,
          notes: String(form.get('notes')),
        })
      }}
    >
      {error && <p role="alert">{error.message}</p>}
      <Field label="Title" error={errors.title}>
        <input name="title" defaultValue={book.title} autoFocus />
      </Field>
      <Field label="Author" error={errors.author}>
        <input name="author" defaultValue={book.author} />
      </Field>
      <Field label="Year" error={errors.year}>
        <input name="year" inputMode="numeric" defaultValue={book.year || ''} />
      </Field>
      <Field label="Status" error={errors.status}>
        <select name="status" defaultValue={book.status}>
          {STATUSES.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </select>
      </Field>
      <Field label="Notes" error={errors.notes}>
        <textarea name="notes" rows={3} defaultValue={book.notes} />
      </Field>
      <div className="row">
        <button className="primary" disabled={loading}>
          Save
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  )
}

function Field({
  label,
  error,
  children,
}: {
  label: string
  error: readonly string[] | undefined
  children: ReactNode
}) {
  return (
    <label>
      {label}
      {children}
      {error && <span role="alert">{error.join(', ')}</span>}
    </label>
  )
}
