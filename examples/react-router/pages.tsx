import { Suspense } from 'react'
import { Form, Link, NavLink, Outlet, useActionData, useLoaderData, useNavigation, useRouteError } from 'react-router'
import { useMutation, useSuspense } from 'restitch/react'
import { Note, Notes } from './notes.ts'
import type { FormErrors } from './routes.tsx'

export function Layout() {
  const { q } = useLoaderData<{ q: string }>()
  const notes = useSuspense(Notes.getList, q ? { q } : {})
  const isLoading = useNavigation().state === 'loading'
  return (
    <main>
      <h1>Notes</h1>
      <div className="columns">
        <nav>
          <Form className="row" role="search">
            <input type="search" name="q" aria-label="Search" placeholder="Search" defaultValue={q} key={q} size={14} />
            <Link to="/new">New</Link>
          </Form>
          <ul className="plain">
            {notes.map((note) => (
              <li key={note.pk()}>
                <NavLink to={`/notes/${note.id}`}>{note.title}</NavLink> {note.pinned && <span title="Pinned">★</span>}
              </li>
            ))}
          </ul>
        </nav>
        <section className={isLoading ? 'card pending' : 'card'}>
          <Suspense fallback={<p>Loading…</p>}>
            <Outlet />
          </Suspense>
        </section>
      </div>
    </main>
  )
}

export const Welcome = () => <p className="muted">Choose a note.</p>

export function NotePage() {
  const { id } = useLoaderData<{ id: string }>()
  // A page that still shows the note would fetch it again when it is gone.
  const isDeleting = useNavigation().formAction === `/notes/${id}/delete`
  return isDeleting ? <p className="muted">Deleting…</p> : <NoteDetails id={id} />
}

function NoteDetails({ id }: { id: string }) {
  const note = useSuspense(Notes.get, { id })
  // It leads nowhere, so it needs no action of a route.
  const { mutate } = useMutation(Notes.partialUpdate)
  return (
    <article>
      <h2>{note.title}</h2>
      <p>{note.text}</p>
      <div className="row">
        <button aria-pressed={note.pinned} onClick={() => mutate({ id }, { pinned: !note.pinned })}>
          {note.pinned ? 'Unpin' : 'Pin'}
        </button>
        <Link to="edit">Edit</Link>
        <Form method="post" action="delete">
          <button>Delete</button>
        </Form>
      </div>
    </article>
  )
}

export const NewNote = () => <NoteForm note={Note.fromJS()} />

export function EditNote() {
  const { id } = useLoaderData<{ id: string }>()
  return <NoteForm note={useSuspense(Notes.get, { id })} />
}

function NoteForm({ note }: { note: Note }) {
  const failure = useActionData<FormErrors>()
  const isSaving = useNavigation().state === 'submitting'
  return (
    <Form method="post" className="stack">
      {failure && <p role="alert">{failure.message}</p>}
      <label>
        Title
        <input name="title" defaultValue={note.title} />
        {failure?.errors.title && <span role="alert">{failure.errors.title}</span>}
      </label>
      <label>
        Text
        <textarea name="text" rows={4} defaultValue={note.text} />
      </label>
      <div className="row">
        <button className="primary" disabled={isSaving}>
          Save
        </button>
      </div>
    </Form>
  )
}

export function Failed() {
  const error = useRouteError()
  return <p role="alert">{error instanceof Error ? error.message : 'This page does not exist'}</p>
}
