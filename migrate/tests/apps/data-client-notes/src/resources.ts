import { createResource, Entity, RestEndpoint } from '@data-client/rest'

export class Author extends Entity {
  id = ''
  name = ''

  pk() {
    return this.id
  }

  static override key = 'Author'
}

export class Note extends Entity {
  id = ''
  text = ''
  pinned = false
  author = Author.fromJS()

  pk() {
    return this.id
  }

  static override key = 'Note'
  static override schema = { author: Author }
}

class ApiEndpoint<O extends { path: string } = any> extends RestEndpoint<O & { path: string }> {
  override urlPrefix = 'https://api.test'
}

export const NoteResource = createResource({
  urlPrefix: 'https://api.test',
  path: '/notes/:id',
  schema: Note,
  optimistic: true,
})

export const getMotto = new ApiEndpoint({ path: '/motto' })
