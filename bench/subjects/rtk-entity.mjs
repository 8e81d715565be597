// Redux Toolkit with entity adapters: todos without their authors, joined by selectors.
import { configureStore, createEntityAdapter, createSelector, createSlice } from '@reduxjs/toolkit'
import { LIVE, PROCESS } from '../rows.mjs'

export function create() {
  const adapter = createEntityAdapter()
  const make = (name) =>
    createSlice({
      name,
      initialState: adapter.getInitialState(),
      reducers: { upsertMany: adapter.upsertMany, updateOne: adapter.updateOne, upsertOne: adapter.upsertOne },
    })
  const [todos, users] = [make('todos'), make('users')]
  const store = configureStore({ reducer: { todos: todos.reducer, users: users.reducer } })
  const select = adapter.getSelectors((state) => state.todos)
  const join = (row, authors) => row && { ...row, author: authors[row.author] }
  // A list that keeps the rows that did not change; what a careful user writes.
  let made = new Map()
  const selectList = createSelector([select.selectAll, (state) => state.users.entities], (rows, authors) => {
    const next = new Map()
    const list = rows.map((row) => {
      const known = made.get(row)
      const view = known?.author === authors[row.author] ? known : join(row, authors)
      next.set(row, view)
      return view
    })
    made = next
    return list
  })
  const queries = Object.fromEntries(
    Object.entries(PROCESS).map(([kind, process]) => [kind, createSelector([selectList], process)]),
  )
  const lives = Object.fromEntries(
    ['filter', 'sort', 'top', 'groups'].map((kind) => [kind, createSelector([selectList], LIVE[kind])]),
  )
  function write(rows) {
    const authors = new Map(rows.map(({ author }) => [author.id, author]))
    store.dispatch(users.actions.upsertMany([...authors.values()]))
    store.dispatch(todos.actions.upsertMany(rows.map((row) => ({ ...row, author: row.author.id }))))
  }
  const set = ({ id, ...changes }) => void store.dispatch(todos.actions.updateOne({ id, changes }))

  return {
    list: write,
    read: () => selectList(store.getState()),
    readOne: (id) => join(select.selectById(store.getState(), id), store.getState().users.entities),
    set,
    setUser: ({ id, ...changes }) => store.dispatch(users.actions.updateOne({ id, changes })),
    push: (value) => write([value]),
    optimistic(fields) {
      const before = select.selectById(store.getState(), fields.id)
      set(fields)
      return () => set(before)
    },
    live: (kind, i) => (kind === 'some' ? LIVE.some(selectList(store.getState()), i) : lives[kind](store.getState())),
    query: (kind) => queries[kind](store.getState()),
  }
}
