import { Entity } from '../kinds/Entity.ts'

/** The smallest record: a key and a field. */
export class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}

/** A record with fields of several kinds and a nested record. */
export class Todo extends Entity {
  id = ''
  title = ''
  body = ''
  done = false
  group = ''
  tags: readonly string[] = []
  author: User = User.fromJS()
  static override key = 'Todo'
  static override schema: { author: typeof User } = { author: User }
}

/** A response with every field of a Todo; `author` is a reference. */
export const wholeTodo: any = { id: '1', title: 'a', body: '', done: false, group: '', tags: [], author: '5' }

/** A member of unions, beside `Link`. */
export class Post extends Entity {
  id = ''
  type = 'post'
  title = ''
  body = ''
  static override key = 'Post'
}

/** A member of unions, beside `Post`. */
export class Link extends Entity {
  id = ''
  type = 'link'
  url = ''
  static override key = 'Link'
}

/** A record with two nested records, one of them optional, and a field that is converted. */
export class Article extends Entity {
  id = ''
  title = ''
  author: User = User.fromJS()
  editor: User | undefined = undefined
  at: Date = new Date(0)
  tags: readonly string[] = []
  static override key = 'Article'
  static override schema: { author: typeof User; editor: typeof User; at: (iso: string) => Date } = {
    author: User,
    editor: User,
    at: (iso) => new Date(iso),
  }
}

/** Its rows are compared as a whole, since it overrides `merge`. */
export class Whole extends Entity {
  id = ''
  name = ''
  group = ''
  static override key = 'Whole'
  static override merge(existing: any, incoming: any): any {
    return { ...existing, ...incoming }
  }
}
