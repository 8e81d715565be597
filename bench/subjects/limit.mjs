// Written by hand for these jobs: todos with an author, lists by group, and nothing else. General code is measured against it.
// Returned values never change, and unchanged parts keep their reference, as in all subjects.
import { createLive } from '../limitLive.mjs'
import { PROCESS } from '../rows.mjs'

const LIFE = 120_000
const HOUR = 3_600_000

export function create() {
  const todos = new Map() // id -> { value, user, view, list, at, date, gone }
  const users = new Map() // id -> { value, rows, date }
  const lists = new Map() // group -> { rows, view, dirty, date, gone }
  const results = new Map() // key -> { row, expiresAt, invalid }
  const lives = new Map() // kind -> what keeps its result up to date
  let now = Date.now()
  let all

  function writeUser(value) {
    let user = users.get(value.id)
    if (user === undefined) users.set(value.id, (user = { value, rows: [], date: now }))
    else if (user.value.name !== value.name || user.value.email !== value.email) changeUser(user, value)
    user.date = now
    return user
  }

  function changeUser(user, value) {
    user.value = value
    for (const row of user.rows) soil(row)
  }

  function soil(row) {
    if (row.view === undefined) return
    row.view = undefined
    row.list?.dirty.push(row)
    if (all !== undefined) all.dirty.push(row)
  }

  function write(value) {
    const user = writeUser(value.author)
    let row = todos.get(value.id)
    if (row === undefined) {
      row = { value, user, view: undefined, list: undefined, at: 0, date: now, gone: false }
      todos.set(value.id, row)
      user.rows.push(row)
    } else if (differs(row.value, value) || row.user !== user) {
      row.value = value
      row.user = user
      soil(row)
    }
    row.date = now
    return row
  }

  function patch(fields) {
    const row = todos.get(fields.id)
    const before = row.value
    row.value = { ...before, ...fields }
    soil(row)
    for (const live of lives.values()) live.change(row, before)
    return row
  }

  function see(row) {
    if (row.view !== undefined) return row.view
    return (row.view = row.value.author === row.user.value ? row.value : { ...row.value, author: row.user.value })
  }

  function seeList(list, place) {
    if (list.view === undefined) list.view = list.rows.map(see)
    else if (list.dirty.length > 0) {
      const view = list.view.slice()
      for (const row of list.dirty) view[row[place]] = see(row)
      list.view = view
    }
    if (list.dirty.length > 0) list.dirty = []
    return list.view
  }

  return {
    custom: true,
    paged: true,
    list(rows, group) {
      now = Date.now()
      const known = lists.get(group)
      if (
        known !== undefined &&
        known.rows.length === rows.length &&
        rows.every((value, i) => known.rows[i] === write(value))
      )
        return
      const list = { rows: new Array(rows.length), view: undefined, dirty: [], date: now, gone: false }
      for (let i = 0; i < rows.length; i++) {
        const row = (list.rows[i] = write(rows[i]))
        row.list = list
        row.at = i
      }
      lists.set(group, list)
    },
    read: (group) => seeList(lists.get(group), 'at'),
    one(value) {
      now = Date.now()
      results.set(`GET /todos/${value.id}`, { row: write(value), expiresAt: now + 60_000, invalid: false })
    },
    readOne: (id) => see(todos.get(id)),
    set: patch,
    setUser(fields) {
      const user = users.get(fields.id)
      changeUser(user, { ...user.value, ...fields })
    },
    push(value) {
      const list = lists.get(undefined)
      const row = write(value)
      row.list = list
      row.at = list.rows.push(row) - 1
      list.view = [...list.view, see(row)]
    },
    move(fields) {
      const row = patch(fields)
      const { rows } = row.list
      rows.splice(rows.indexOf(row), 1)
      row.list.view = undefined
      row.list = lists.get(fields.group)
      row.list.rows.push(row)
      row.list.view = undefined
    },
    optimistic(fields) {
      const row = todos.get(fields.id)
      const { value } = row
      patch(fields)
      return () => {
        row.value = value
        soil(row)
      }
    },
    create(value) {
      const list = lists.get(undefined)
      const at = list.rows.push({ value, view: value }) - 1
      list.view = undefined
      return () => {
        const row = (list.rows[at] = write(value))
        row.list = list
        row.at = at
        list.view = undefined
      }
    },
    query(kind) {
      if (all === undefined) {
        all = { rows: [...todos.values()], view: undefined, dirty: [] }
        all.rows.forEach((row, i) => (row.inAll = i))
      }
      return PROCESS[kind](seeList(all, 'inAll'))
    },
    live(kind, ...args) {
      if (!lives.has(kind)) lives.set(kind, createLive(kind, [...todos.values()], see))
      return lives.get(kind).read(...args)
    },
    invalidateAll({ testKey }) {
      for (const key of results.keys())
        if (testKey(key)) results.set(key, { row: undefined, expiresAt: 0, invalid: true })
    },
    expireAll({ testKey }) {
      for (const [key, result] of results) if (testKey(key)) result.expiresAt = 1
    },
    age: () => (now += HOUR),
    /** Evicts old rows, unless a remaining one references them. */
    collect() {
      for (const [group, list] of lists)
        if (list.date + LIFE < now) {
          list.gone = true
          lists.delete(group)
        }
      for (const [id, row] of todos)
        if (row.date + LIFE < now && row.list?.gone !== false) {
          row.gone = true
          todos.delete(id)
        }
      for (const [id, user] of users) {
        user.rows = user.rows.filter((row) => !row.gone)
        if (user.date + LIFE < now && user.rows.length === 0) users.delete(id)
      }
      return 0
    },
    left: () => [...todos.keys(), ...users.keys()],
    status(id) {
      const { expiresAt, invalid } = results.get(`GET /todos/${id}`)
      return invalid ? 'invalid' : expiresAt > Date.now() ? 'fresh' : 'stale'
    },
    url: ({ user, id }) => `/users/${encodeURIComponent(user)}/todos/${encodeURIComponent(id)}`,
    key: ({ user, id }) => `GET /users/${encodeURIComponent(user)}/todos/${encodeURIComponent(id)}`,
  }
}

function differs(a, b) {
  return (
    a.title !== b.title ||
    a.body !== b.body ||
    a.done !== b.done ||
    a.priority !== b.priority ||
    a.comments !== b.comments ||
    a.createdAt !== b.createdAt ||
    a.updatedAt !== b.updatedAt ||
    a.dueAt !== b.dueAt ||
    a.tags.length !== b.tags.length ||
    a.tags.some((tag, i) => tag !== b.tags[i])
  )
}
