import { AsyncBoundary, CacheProvider, useController, useDLE, useLoading, useSuspense } from '@data-client/react'
import { Suspense, useState } from 'react'
import { getMotto, type Note, NoteResource } from './resources'

function Motto() {
  const { data, loading } = useDLE(getMotto)
  return <p>{loading ? '…' : data.text}</p>
}

function Row({ note }: { note: Note }) {
  const ctrl = useController()
  return (
    <li>
      {note.text} by {note.author.name}
      <button
        onClick={() =>
          void ctrl.fetch(NoteResource.partialUpdate, { id: note.id }, { pinned: !note.pinned }).catch(() => undefined)
        }
      >
        {note.pinned ? 'Unpin' : 'Pin'} {note.text}
      </button>
      <button onClick={() => void ctrl.fetch(NoteResource.delete, { id: note.id }).catch(() => undefined)}>
        Delete {note.text}
      </button>
    </li>
  )
}

function Notes() {
  const notes = useSuspense(NoteResource.getList)
  return (
    <>
      <ul>
        {notes.map((note) => (
          <Row key={note.id} note={note} />
        ))}
      </ul>
      <p>{notes.filter((note) => note.pinned).length} pinned</p>
    </>
  )
}

function NewNote() {
  const ctrl = useController()
  const [text, setText] = useState('')
  const [save, loading, error] = useLoading(async () => {
    await ctrl.fetch(NoteResource.getList.push, { text })
    setText('')
  }, [text])
  return (
    <>
      <input aria-label="Text" value={text} onChange={(event) => setText(event.target.value)} />
      <button disabled={loading} onClick={() => void save()}>
        Add
      </button>
      {error && <p role="alert">{error.message}</p>}
    </>
  )
}

export function App() {
  return (
    <CacheProvider>
      <Suspense fallback={<p>Loading…</p>}>
        <Motto />
        <AsyncBoundary fallback={<p>Loading notes…</p>}>
          <Notes />
        </AsyncBoundary>
        <NewNote />
      </Suspense>
    </CacheProvider>
  )
}
