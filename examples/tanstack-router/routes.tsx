import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Link,
  Outlet,
} from '@tanstack/react-router'
import { useMutation, useSuspense } from 'restitch/react'
import { Notes, store } from './notes.ts'

const { controller } = store

/**
 * Loaders fetch before a page is shown, cost nothing where the data is fresh, and return no data. The pages read the same endpoints with hooks, so
 * they show every later change.
 */
const root = createRootRoute({
  loader: async () => {
    await controller.fetchIfStale(Notes.getList)
  },
  component: Layout,
})
const welcome = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: () => <p className="muted">Choose a note.</p>,
})
const note = createRoute({
  getParentRoute: () => root,
  path: '/notes/$id',
  loader: async ({ params: { id } }) => {
    await controller.fetchIfStale(Notes.get, { id })
  },
  component: NotePage,
  errorComponent: Failed,
})

// A link that the pointer is on fetches its page. The store decides what is stale, so the router need not wait before it runs a loader again.
export const router = createRouter({
  routeTree: root.addChildren([welcome, note]),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

function Layout() {
  const notes = useSuspense(Notes.getList)
  return (
    <main>
      <h1>Notes</h1>
      <div className="columns">
        <nav>
          <ul className="plain">
            {notes.map(({ id, title, pinned }) => (
              <li key={id}>
                <Link to="/notes/$id" params={{ id }}>
                  {title}
                </Link>{' '}
                {pinned && <span title="Pinned">★</span>}
              </li>
            ))}
          </ul>
        </nav>
        <section className="card">
          <Outlet />
        </section>
      </div>
    </main>
  )
}

function NotePage() {
  const { id } = note.useParams()
  const { title, text, pinned } = useSuspense(Notes.get, { id })
  const { mutate } = useMutation(Notes.partialUpdate)
  return (
    <article>
      <h2>{title}</h2>
      <p>{text}</p>
      <div className="row">
        <button aria-pressed={pinned} onClick={() => mutate({ id }, { pinned: !pinned })}>
          {pinned ? 'Unpin' : 'Pin'}
        </button>
      </div>
    </article>
  )
}

function Failed({ error }: ErrorComponentProps) {
  return <p role="alert">{error.message}</p>
}
