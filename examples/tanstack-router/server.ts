import { Reply, serveRoutes } from './shared/api.ts'
import type { Api } from './shared/config.ts'

interface Note {
  id: string
  title: string
  text: string
  pinned: boolean
}

const NOTES: [title: string, text: string, pinned: boolean][] = [
  ['Groceries', 'Bread, milk, and something sweet.', false],
  ['Ideas', 'A clock that runs backwards.', true],
  ['Letters', 'Write to Grandmother.', false],
]

/** Notes, ordered by title. Lists leave out the text. */
export function createApi(): Api {
  const notes: Note[] = NOTES.map(([title, text, pinned], index) => ({ id: String(index + 1), title, text, pinned }))
  let lastId = notes.length

  return {
    middleware: serveRoutes({
      'GET /api/notes': ({ query }) => {
        const text = (query.get('q') ?? '').toLowerCase()
        return notes
          .filter((note) => `${note.title} ${note.text}`.toLowerCase().includes(text))
          .sort((a, b) => a.title.localeCompare(b.title))
          .map(({ text: _, ...summary }) => summary)
      },
      'GET /api/notes/:id': ({ params }) => find(params.id),
      'POST /api/notes': ({ body }) => {
        const note = check({ title: '', text: '', pinned: false, ...body, id: '' })
        note.id = String(++lastId)
        notes.push(note)
        return new Reply(201, note)
      },
      'PATCH /api/notes/:id': ({ params, body }) => {
        const note = find(params.id)
        return Object.assign(note, check({ ...note, ...body, id: note.id }))
      },
      'DELETE /api/notes/:id': ({ params }) => {
        notes.splice(notes.indexOf(find(params.id)), 1)
        return new Reply(204)
      },
    }),
  }

  function find(id: string | undefined): Note {
    const note = notes.find((other) => other.id === id)
    if (!note) {
      throw new Reply(404, { message: 'There is no such note' })
    }
    return note
  }

  function check(note: Note): Note {
    if (!note.title.trim()) {
      throw new Reply(422, { message: 'The note could not be saved', errors: { title: 'A title is required' } })
    }
    return note
  }
}
