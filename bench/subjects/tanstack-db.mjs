// TanStack DB: todos and users are collections fed by a sync source, the list is a live query that joins them.
import { concat, createCollection, createLiveQueryCollection, createTransaction, eq, sum } from '@tanstack/db'

const QUERIES = {
  list: (q) => q.orderBy(({ todo }) => todo.id),
  sort: (q) => q.orderBy(({ todo }) => todo.priority).orderBy(({ todo }) => todo.id),
  filter: (q) => q.where(({ todo }) => eq(todo.done, true)).orderBy(({ todo }) => todo.id),
}

export function create() {
  const [todos, users] = [source(), source()]
  const lists = new Map()

  /** The rows of a live query, the same array until it changes. */
  function live(name, query) {
    if (!lists.has(name)) {
      const collection = createLiveQueryCollection({ query, startSync: true, gcTime: 0 })
      const list = { collection, rows: undefined }
      collection.subscribeChanges(() => (list.rows = undefined))
      lists.set(name, list)
    }
    const list = lists.get(name)
    return (list.rows ??= list.collection.toArray)
  }

  const join = (kind) => (q) =>
    QUERIES[kind](
      q
        .from({ todo: todos.collection })
        .join({ user: users.collection }, ({ todo, user }) => eq(todo.author, user.id), 'left'),
    ).select(({ todo, user }) => ({ ...todo, author: user }))
  const total = (q) => q.from({ todo: todos.collection }).select(({ todo }) => ({ total: sum(todo.priority) }))

  const joined = (q) =>
    q
      .from({ todo: todos.collection })
      .join({ user: users.collection }, ({ todo, user }) => eq(todo.author, user.id), 'left')
  const whole = ({ todo, user }) => ({ ...todo, author: user })
  // Where priorities are equal, all subjects sort by the primary key as text; without it, TanStack DB has an order of its own.
  const sorted = (q) =>
    joined(q)
      .orderBy(({ todo }) => todo.priority)
      .orderBy(({ todo }) => concat(todo.id, ''))
  const lives = {
    filter: (q) =>
      joined(q)
        .fn.where(({ todo }) => todo.priority % 3 === 0)
        .orderBy(({ todo }) => todo.id)
        .select(whole),
    sort: (q) => sorted(q).select(whole),
    top: (q) => sorted(q).limit(50).select(whole),
    groups: (q) =>
      q
        .from({ todo: todos.collection })
        .groupBy(({ todo }) => todo.comments)
        .select(({ todo }) => ({ key: todo.comments, sum: sum(todo.priority) }))
        .orderBy(({ $selected }) => $selected.key),
    some: (q, i) =>
      joined(q)
        .fn.where(({ todo }) => todo.priority % 20 === i)
        .select(whole),
  }

  function write(rows) {
    users.write([...new Map(rows.map(({ author }) => [author.id, author])).values()])
    todos.write(rows.map((row) => ({ ...row, author: row.author.id })))
  }

  return {
    list: write,
    read: () => live('list', join('list')),
    readOne(id) {
      const row = todos.collection.get(id)
      return row && { ...row, author: users.collection.get(row.author) }
    },
    set: (fields) => todos.write([fields]),
    setUser: (fields) => users.write([fields]),
    push: (value) => write([value]),
    optimistic({ id, ...fields }) {
      const transaction = createTransaction({ autoCommit: false, mutationFn: () => new Promise(() => {}) })
      transaction.mutate(() => todos.collection.update(id, (draft) => Object.assign(draft, fields)))
      transaction.isPersisted.promise.catch(() => {})
      return () => void transaction.rollback()
    },
    live: (kind, i) => live(`live ${kind} ${i}`, (q) => lives[kind](q, i)),
    query: (kind) => (kind === 'sum' ? live(kind, total)[0].total : live(kind, join(kind))),
  }
}

function source() {
  let write
  const collection = createCollection({
    getKey: (row) => row.id,
    startSync: true,
    gcTime: 0,
    sync: {
      sync({ begin, write: put, commit, markReady }) {
        write = (rows) => {
          begin()
          for (const value of rows) put({ type: collection.has(value.id) ? 'update' : 'insert', value })
          commit()
        }
        markReady()
      },
    },
  })
  return { collection, write }
}
