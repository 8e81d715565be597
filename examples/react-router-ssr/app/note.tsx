import { Link } from 'react-router'
import { useMutation, useSuspense } from 'restitch/react'
import type { Route } from './+types/note'
import { Notes } from './notes.ts'
import { store } from './store.client.ts'

// Without it, React Router would not render the page on the server.
export const loader = () => null

export async function clientLoader({ params: { id } }: Route.ClientLoaderArgs) {
  await store.controller.fetchIfStale(Notes.get, { id })
  return null
}

export default function NotePage({ params: { id } }: Route.ComponentProps) {
  const note = useSuspense(Notes.get, { id })
  const { mutate } = useMutation(Notes.partialUpdate)
  return (
    <main>
      <h1>{note.title}</h1>
      <button onClick={() => mutate({ id }, { title: `${note.title}!` })}>Add a !</button>{' '}
      <Link to={{ pathname: '/', search: '?user=Ann' }}>All notes</Link>
    </main>
  )
}
