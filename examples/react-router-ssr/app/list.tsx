import { Suspense } from 'react'
import { Form, Link } from 'react-router'
import { useSuspense } from 'restitch/react'
import type { Route } from './+types/list'
import { Notes } from './notes.ts'
import { store } from './store.client.ts'

// Components fetch, on the server and in the browser. Loaders read the address.
export function loader({ request }: Route.LoaderArgs) {
  return { user: readUser(request) }
}

// In the browser the router waits for the data before it shows the page.
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const user = readUser(request)
  await store.controller.fetchIfStale(Notes.getList, { user })
  return { user }
}

// Runs on the server, outside the store of the page.
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData()
  await Notes.create({ title: String(form.get('title')), user: readUser(request) })
}

// So the store refetches what the action has changed.
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  await serverAction()
  await store.controller.expireAll(Notes.getList)
}

export default function List({ loaderData: { user } }: Route.ComponentProps) {
  return (
    <main>
      <h1>Notes of {user}</h1>
      <Suspense fallback={<p>The notes are loading</p>}>
        <Items user={user} />
      </Suspense>
      <Form method="post">
        <input name="title" aria-label="Title" /> <button>Add</button>
      </Form>
    </main>
  )
}

function readUser({ url }: Request): string {
  return new URL(url).searchParams.get('user') ?? 'nobody'
}

function Items({ user }: { user: string }) {
  const notes = useSuspense(Notes.getList, { user })
  return (
    <ul>
      {notes.map(({ id, title }) => (
        <li key={id}>
          <Link to={`/notes/${id}`}>{title}</Link>
        </li>
      ))}
    </ul>
  )
}
