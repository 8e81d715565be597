// The app of each server: its declarations, the lists that it shows, and its writes.
import { bracketSearch, Collection, Entity, resource } from 'restitch'
import { adaptEndpoint } from 'restitch/adapt'

/** Some servers have numbers as keys. */
function createPost(key) {
  return class Post extends Entity {
    id = key
    title = ''
    author = ''
    views = 0
    static key = 'Post'
  }
}

/** The same for every server that knows PATCH: creates, moves between lists, changes of what sorts and of what does not, deletes. */
function usualWrites(Posts, key = (id) => id) {
  let created
  const create = (body) => async (controller) => {
    created = await controller.fetch(Posts.create, body)
  }
  const patch = (id, body) => (controller) => controller.fetch(Posts.partialUpdate, { id: key(id) }, body)
  return [
    ['a create', create({ title: 'orange', author: 'ann', views: 3 })],
    [
      'a change of a new record',
      (controller) => controller.fetch(Posts.partialUpdate, { id: created.id }, { title: 'aronia' }),
    ],
    ['a create of another author', create({ title: 'blueberry', author: 'bob', views: 30 })],
    ['a change of what no list sorts by', patch(5, { note: 'ripe' })],
    ['a change of a title', patch(3, { title: 'zucchini' })],
    ['a change of a number', patch(9, { views: 20 })],
    ['a move', patch(4, { author: 'bob' })],
    ['the way back', patch(4, { author: 'ann' })],
    ['a delete at the start', (controller) => controller.fetch(Posts.delete, { id: key(1) })],
    ['a delete at the end', (controller) => controller.fetch(Posts.delete, { id: key(12) })],
    ['a delete of a new record', (controller) => controller.fetch(Posts.delete, { id: created.id })],
    [
      'a PUT',
      (controller) => controller.fetch(Posts.update, { id: key(6) }, { title: 'melon', author: 'bob', views: 2 }),
    ],
  ]
}

export function jsonServer0(Base) {
  const Post = createPost(0)
  const Posts = resource({ path: '/posts/:id', schema: Post, Endpoint: adaptEndpoint({ arrays: 'repeat' }, Base) })
  const Paged = resource({
    path: '/posts/:id',
    schema: Post,
    Endpoint: adaptEndpoint({ constants: { _page: 1 }, listHeaders: { total: 'X-Total-Count', next: 'Link' } }, Base),
  }).extend({
    getList: {
      schema: { items: new Collection([Post], { counts: ['total'] }), total: 0, next: '' },
      getNextPage: ({ next }) => next && [Object.fromEntries(new URL(next).searchParams)],
    },
  })
  return {
    lists: [
      ...usualLists(Posts.getList, [{ q: 'an' }, { title_like: 'p' }, { id: [3, 4] }, { author_ne: 'bob' }]),
      ['sorted down', Posts.getList, { _sort: 'views', _order: 'desc' }],
      ['pages', Paged.getList, { _limit: 5 }, true],
      ['pages of an author', Paged.getList, { author: 'ann', _limit: 3 }, true],
    ],
    writes: usualWrites(Posts),
  }
}

export function jsonServer1(Base) {
  const Post = createPost('')
  const Posts = resource({ path: '/posts/:id', schema: Post, Endpoint: Base })
  const Paged = resource({
    path: '/posts/:id',
    schema: Post,
    Endpoint: adaptEndpoint({ constants: { _page: 1 } }, Base),
  }).extend({
    getList: {
      schema: { data: new Collection([Post], { counts: ['items'] }), items: 0, next: 0 },
      paginationField: '_page',
      getNextPage: ({ next }) => next,
    },
  })
  return {
    lists: [
      ...usualLists(Posts.getList, [{ views_gt: '5' }, { author_ne: 'bob' }]),
      ['sorted down', Posts.getList, { _sort: '-views' }],
      ['pages', Paged.getList, { _per_page: 5 }, true],
    ],
    writes: usualWrites(Posts, String),
  }
}

function usualLists(getList, more) {
  const all = [
    {},
    { author: 'ann' },
    { author: 'bob' },
    { _sort: 'title' },
    { _limit: 4 },
    { _sort: 'title', _limit: 4 },
  ]
  return [...all, ...more].map((args) => [JSON.stringify(args), getList, args])
}

export function feathers(Base) {
  const Post = createPost(0)
  class Api extends Base {
    searchToString(params) {
      return bracketSearch(params)
    }
  }
  const Posts = resource({ path: '/posts/:id', schema: Post, Endpoint: Api }).extend({
    getList: {
      schema: { data: new Collection([Post], { counts: ['total'] }), total: 0, skip: 0 },
      process: (value) => value,
    },
  })
  const getPaged = Posts.getList.extend({
    paginationField: '$skip',
    getNextPage: ({ data, total, skip }) => (skip + data.length < total ? skip + data.length : undefined),
  })
  const lists = [
    {},
    { author: 'ann' },
    { $sort: { title: 1 } },
    { $limit: 4 },
    { $sort: { views: -1 }, $limit: 4 },
    { views: { $gt: 5 } },
  ]
  return {
    lists: [
      ...lists.map((args) => [JSON.stringify(args), Posts.getList, args]),
      ['pages', getPaged, { $limit: 5 }, true],
    ],
    writes: usualWrites(Posts),
  }
}

class Doc extends Entity {
  _id = ''
  _rev = ''
  title = ''
  author = ''
  views = 0
  static key = 'Doc'
  pk() {
    return this._id
  }
}

export function pouchdb(Base) {
  class Api extends Base {
    argumentKinds = { descending: 'order' }
    getHeaders(headers) {
      return { ...headers, accept: 'application/json' }
    }
  }
  const order =
    ({ descending }) =>
    (a, b) =>
      (a._id < b._id ? -1 : 1) * (descending ? -1 : 1)
  // A write returns the new revision alone.
  const written = ({ id, rev }, ...args) => ({ ...args.at(-1), _id: id, _rev: rev })
  const Docs = resource({
    path: '/posts/:_id',
    schema: Doc,
    Endpoint: adaptEndpoint({ constants: { include_docs: true } }, Api),
  }).extend({
    getList: {
      path: '/posts/_all_docs',
      schema: { docs: new Collection([Doc], { counts: ['total'], order }), total: 0 },
      process: ({ rows, total_rows }) => ({ docs: rows.map(({ doc }) => doc), total: total_rows }),
    },
    create: { path: '/posts', process: written },
    update: { process: written },
    delete: { searchParams: {}, process: (_, { _id }) => ({ _id }) },
  })
  const revisionOf = (controller, _id) => controller.get(Doc, { _id }, controller.getState())._rev
  let created
  const create = (body) => async (controller) => {
    created = await controller.fetch(Docs.create, body)
  }
  const remove = (idOf) => (controller) => {
    const _id = idOf()
    return controller.fetch(Docs.delete, { _id, rev: revisionOf(controller, _id) })
  }
  const put = (_id, body) => (controller) =>
    controller.fetch(Docs.update, { _id }, { ...body, _rev: revisionOf(controller, _id) })
  const lists = [{}, { limit: 4 }, { descending: true }, { descending: true, limit: 4 }, { startkey: '"p05"' }]
  return {
    lists: lists.map((args) => [
      JSON.stringify(args),
      Docs.getList.extend({
        searchToString: (params) => new URLSearchParams({ ...params, include_docs: 'true' }).toString(),
      }),
      args,
    ]),
    writes: [
      ['a create', create({ title: 'orange', author: 'ann', views: 3 })],
      ['a PUT', put('p03', { title: 'zucchini', author: 'ann', views: 1 })],
      ['a PUT of the same record', put('p03', { title: 'melon', author: 'bob', views: 1 })],
      ['a create with a key', create({ _id: 'p99', title: 'quince', author: 'bob', views: 9 })],
      ['a delete at the start', remove(() => 'p01')],
      ['a delete at the end', remove(() => 'p12')],
      ['a delete of a new record', remove(() => created._id)],
    ],
  }
}
