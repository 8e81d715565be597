import { Entity } from '../schema/Entity.ts'
import { freezeSchema } from './freezeSchema.ts'

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
  static override key = 'Post'
}

/** A member of unions, beside `Post`. */
export class Link extends Entity {
  id = ''
  type = 'link'
  url = ''
  static override key = 'Link'
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

// Every test file uses them: none may write to them.
freezeSchema([User, Todo, Post, Link, Whole])
