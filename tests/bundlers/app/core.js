// A small app without a UI framework. What it returns has to be the same however it was bundled, in both modes: so it
// holds codes of errors, not their messages, and no keys that only live while a request is pending.
import {
  All,
  Collection,
  createStore,
  deserializeState,
  Entity,
  Invalidate,
  isRestitchError,
  Query,
  resource,
  RestEndpoint,
  Scalar,
  serializeState,
  Union,
  Values,
} from 'restitch'
import { GQLEndpoint, GQLEntity } from 'restitch/graphql'
import { holdRefusals, requests, respond } from './server.js'

class Author extends Entity {
  id = ''
  name = ''
  static key = 'Author'
}
class Todo extends Entity {
  id = 0
  title = ''
  status = 'open'
  author = Author.fromJS()
  static key = 'Todo'
  static schema = { author: Author }
  get label() {
    return `${this.title} by ${this.author.name}`
  }
}
class Post extends Entity {
  id = ''
  title = ''
  static key = 'Post'
}
class Comment extends Entity {
  id = ''
  text = ''
  type = 'comment'
  static key = 'Comment'
}
class Like extends Entity {
  id = ''
  by = ''
  type = 'like'
  static key = 'Like'
}
class User extends GQLEntity {
  name = ''
  todos = []
  static key = 'User'
  static schema = { todos: new Collection([Todo]) }
}

const urlPrefix = 'https://api.test'
export const Todos = resource({
  urlPrefix,
  path: '/todos/:id',
  searchParams: {},
  schema: Todo,
  optimistic: true,
})
export const getPosts = new RestEndpoint({
  urlPrefix,
  path: '/posts',
  schema: { posts: new Collection([Post], { counts: ['total'] }), total: 0, next: '' },
  paginationField: 'cursor',
  getNextPage: (page) => page.next,
})
const getEvents = new RestEndpoint({
  urlPrefix,
  path: '/events',
  schema: [new Union({ comment: Comment, like: Like }, 'type')],
})
const getBroken = new RestEndpoint({ urlPrefix, path: '/broken', schema: Todo })
const graphql = new GQLEndpoint(`${urlPrefix}/graphql`)
const getUser = graphql.query((_) => 'query ($id: ID!) { user(id: $id) { id name todos { id title } } }', {
  user: User,
})
export const byAuthor = new Query(new All(Todo), (todos, { name }) =>
  todos.filter(({ author }) => author.name === name).map(({ title }) => title),
)

/** Time stands still, so that nothing in a state depends on when it was made. */
const clock = { now: () => 1_700_000_000_000, setTimeout: () => 0, clearTimeout: () => {} }

/** Returns the log, the messages of errors (which say in which mode it ran), and the store. */
export async function runCore() {
  globalThis.fetch = respond
  const store = createStore({ clock, random: () => 0.5 })
  const { controller } = store
  const log = []
  const messages = []
  const note = (title, value) => log.push([title, value === undefined ? null : JSON.parse(JSON.stringify(value))])
  const fails = async (title, run) => {
    try {
      note(title, await run())
    } catch (error) {
      messages.push(error.message)
      const { name, code, status, cause } = error
      note(title, { name, code, status, cause: cause?.name, isOwn: isRestitchError(error) })
    }
  }
  const app = { controller, store, note, fails }
  await lists(app)
  await optimism(app)
  await pages(app)
  await otherSchemas(app)
  await errors(app)
  await states(app)
  note('requests', requests)
  return { log, messages, store }
}

async function lists({ controller, store, note }) {
  const titles = (view) => view.read().data?.map(({ title }) => title)
  const open = store.view(Todos.getList, { status: 'open' })
  const all = store.view(Todos.getList)
  const seen = []
  await Promise.all([open.promise(), all.promise()])
  const end = open.subscribe(() => seen.push(titles(open)))
  note('lists', [titles(open), titles(all)])
  await controller.fetch(Todos.getList.push, { title: 'Polish', status: 'open' })
  note('push', [titles(open), titles(all)])
  await controller.fetch(Todos.getList.move, { id: 1 }, { status: 'done' })
  note('move', [titles(open), titles(all)])
  note('get', (await controller.fetch(Todos.get, { id: 2 })).label)
  await controller.fetch(Todos.delete, { id: 3 })
  note('delete', [titles(open), titles(all)])
  note('subscribed', seen)
  end()
}

async function optimism({ controller, store, note, fails }) {
  const todo = store.view(Todos.get, { id: 2 })
  await todo.promise()
  const release = holdRefusals()
  const ok = controller.fetch(Todos.partialUpdate, { id: 2 }, { title: 'Sand it' })
  note('optimistic', todo.read().data.title)
  const failing = fails('refused update', () => controller.fetch(Todos.partialUpdate, { id: 2 }, { title: '' }))
  note('optimistic twice', todo.read().data.title)
  await ok
  release()
  await failing
  note('rolled back', todo.read().data.title)
  await controller.set(Todo, { id: 2 }, (old) => ({ ...old, title: 'By hand' }))
  note('set', todo.read().data.title)
  note('query', [controller.get(byAuthor, { name: 'Ann' }), controller.get(byAuthor, { name: 'Bea' })])
}

async function pages({ controller, store, note }) {
  const view = store.view(getPosts)
  await view.promise()
  for (let next; (next = view.read().data.next);) {
    const { posts, total } = view.read().data
    note(`page before ${next}`, [posts.map(({ id }) => id), total])
    await controller.fetch(getPosts.getPage, { cursor: next })
  }
  note('all pages', view.read().data)
}

async function otherSchemas({ controller, note, fails }) {
  const events = await controller.fetch(getEvents)
  note(
    'union',
    events.map((event) => [event.constructor.key, event]),
  )
  const { user } = await controller.fetch(getUser, { id: 'a' })
  note('graphql', [user.name, user.todos.map(({ title }) => title)])
  await fails('graphql error', () => controller.fetch(getUser, { id: 'nobody' }))
  const byId = new RestEndpoint({
    urlPrefix,
    path: '/values',
    schema: new Values(Post),
  })
  note('values', await controller.fetch(byId))
  const remove = new RestEndpoint({
    urlPrefix,
    path: '/posts/:id',
    method: 'DELETE',
    schema: new Invalidate(Post),
  })
  await controller.fetch(remove, { id: 'p1' })
  note('invalidated', controller.get(Post, { id: 'p1' }))
  note('scalar', typeof new Scalar({ lens: () => 'a', key: 'price', entity: Post }))
}

async function errors({ controller, fails }) {
  await fails('missing parameter', () => Todos.get.url({}))
  await fails('missing record', () => controller.fetch(Todos.get, { id: 99 }))
  await fails('server error', () => controller.fetch(getBroken))
  await fails('bad path', () => new RestEndpoint({ path: '/x/{:id', schema: Todo }).url({ id: 1 }))
  await fails('not an object', () => controller.fetch(getBroken.extend({ path: '/number' })))
  await fails('not a list', () => controller.fetch(Todos.getList.extend({ path: '/object' })))
}

async function states({ controller, store, note }) {
  const text = serializeState(store.getState())
  // Messages and stacks of errors differ by mode.
  const withoutTexts = (key, value) => (key === 'message' || key === 'stack' ? undefined : value)
  note('state', JSON.parse(text, withoutTexts))
  const restored = createStore({ clock, random: () => 0.5, initialState: deserializeState(text) })
  note('restored', restored.view(Todos.getList, { status: 'open' }).read().data)
  note('restored pages', restored.view(getPosts).read().data?.posts.length)
  await restored.controller.expireAll(Todos.getList)
  note('expired', restored.view(Todos.getList, { status: 'open' }).read().expiryStatus)
  await restored.controller.resetEntireStore()
  note('reset', serializeState(restored.getState()))
  restored.stop()
  await controller.invalidate(Todos.get, { id: 2 })
  note('invalid', store.view(Todos.get, { id: 2 }).read().expiryStatus)
}
