import { Collection, createStore, Entity, Query, resource } from 'restitch'

export class Note extends Entity {
  id = ''
  title = ''
  text = ''
  pinned = false
  static override key = 'Note'
}

export const Notes = resource({
  path: '/api/notes/:id',
  schema: Note,
  body: {} as { title?: string; text?: string; pinned?: boolean },
  searchParams: {} as { q?: string } | undefined,
  optimistic: true,
}).extend({
  // The server orders notes by title. This keeps new and renamed ones in their place without asking it.
  getList: {
    schema: new Query(new Collection([Note]), (notes) => [...notes].sort((a, b) => a.title.localeCompare(b.title))),
  },
})

/** Made outside of React, so that loaders share it with the components. */
export const store = createStore()
