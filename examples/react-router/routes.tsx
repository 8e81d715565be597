import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type RouteObject } from 'react-router'
import { NetworkError } from 'restitch'
import { Notes, store } from './notes.ts'
import { EditNote, Failed, Layout, NewNote, NotePage, Welcome } from './pages.tsx'

const { controller } = store

/**
 * Loaders fetch before a page is shown, and cost nothing where the data is fresh. The pages read the same endpoints with
 * hooks, so they show every later change. Actions are mutations: the lists follow by themselves.
 */
export const routes: RouteObject[] = [
  {
    path: '/',
    element: <Layout />,
    errorElement: <Failed />,
    hydrateFallbackElement: <main>Loading…</main>,
    loader: loadList,
    action: createNote,
    children: [
      {
        errorElement: <Failed />,
        children: [
          { index: true, element: <Welcome /> },
          { path: 'new', element: <NewNote />, action: createNote },
          { path: 'notes/:id', element: <NotePage />, loader: loadNote, action: updateNote },
          { path: 'notes/:id/edit', element: <EditNote />, loader: loadNote, action: updateNote },
          { path: 'notes/:id/delete', action: deleteNote },
        ],
      },
    ],
  },
]

async function loadList({ request }: LoaderFunctionArgs) {
  const q = new URL(request.url).searchParams.get('q') ?? ''
  await controller.fetchIfStale(Notes.getList, q ? { q } : {})
  return { q }
}

async function loadNote({ params }: LoaderFunctionArgs) {
  const id = params.id!
  await controller.fetchIfStale(Notes.get, { id })
  return { id }
}

async function createNote({ request }: ActionFunctionArgs) {
  const form = await request.formData()
  return save(() =>
    controller.fetch(Notes.create, { title: String(form.get('title')), text: String(form.get('text')) }),
  )
}

async function updateNote({ request, params }: ActionFunctionArgs) {
  const id = params.id!
  const form = await request.formData()
  return save(() =>
    controller.fetch(Notes.partialUpdate, { id }, { title: String(form.get('title')), text: String(form.get('text')) }),
  )
}

async function deleteNote({ params }: ActionFunctionArgs) {
  await controller.fetch(Notes.delete, { id: params.id! })
  return redirect('/')
}

/** Goes to the saved note, or hands the explanation of a 422 to the form. */
async function save(send: () => Promise<{ id: string }>) {
  try {
    return redirect(`/notes/${(await send()).id}`)
  } catch (error) {
    if (error instanceof NetworkError && error.status === 422) {
      return data(error.body as FormErrors, { status: 422 })
    }
    throw error
  }
}

export interface FormErrors {
  message: string
  errors: { title?: string }
}
