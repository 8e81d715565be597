import { Entity, resource } from 'restitch'

export class Note extends Entity {
  id = ''
  title = ''
  user = ''
  static override key = 'Note'
}

// There is no store here: this module runs on the server, too, where one would belong to all users.
export const Notes = resource({
  urlPrefix: import.meta.env.VITE_API ?? 'http://localhost:4000',
  path: '/notes/:id',
  schema: Note,
  searchParams: {} as { user?: string } | undefined,
})
