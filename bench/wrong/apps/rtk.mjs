// https://redux-toolkit.js.org/rtk-query/usage/manual-cache-updates: optimistic patches that are undone, and tags that are invalidated.
import { configureStore } from '@reduxjs/toolkit'
import { createApi } from '@reduxjs/toolkit/query/react'
import { createElement } from 'react'
import { Provider } from 'react-redux'

export function createApp({ send }) {
  const patch =
    (changeList, changeDetail) =>
    async (variables, { dispatch, getState, queryFulfilled }) => {
      const cached = api.util.selectInvalidatedBy(getState(), [{ type: 'Todo', id: 'LIST' }])
      const patches = cached.map(({ endpointName, originalArgs }) =>
        dispatch(api.util.updateQueryData(endpointName, originalArgs, (draft) => changeList(draft, variables))),
      )
      if (changeDetail) {
        patches.push(
          dispatch(api.util.updateQueryData('getTodo', variables.id, (draft) => changeDetail(draft, variables))),
        )
      }
      await queryFulfilled.catch(() => patches.forEach(({ undo }) => undo()))
    }
  const api = createApi({
    baseQuery: ({ method = 'GET', path, body }) =>
      send(method, path, body).then(
        (data) => ({ data: data ?? null }),
        ({ status }) => ({ error: { status: status ?? 'FETCH_ERROR' } }),
      ),
    tagTypes: ['Todo'],
    endpoints: (build) => ({
      getTodos: build.query({
        query: (args) => ({ path: `/todos?${new URLSearchParams(args)}` }),
        providesTags: (list = []) => [{ type: 'Todo', id: 'LIST' }, ...list.map(({ id }) => ({ type: 'Todo', id }))],
      }),
      getTodo: build.query({
        query: (id) => ({ path: `/todos/${id}` }),
        providesTags: (_todo, _error, id) => [{ type: 'Todo', id }],
      }),
      changeTodo: build.mutation({
        query: ({ id, ...body }) => ({ method: 'PATCH', path: `/todos/${id}`, body }),
        invalidatesTags: (_todo, _error, { id }) => [
          { type: 'Todo', id },
          { type: 'Todo', id: 'LIST' },
        ],
        onQueryStarted: patch(
          (list, { id, ...fields }) => void Object.assign(list.find((todo) => todo.id === id) ?? {}, fields),
          (todo, fields) => void Object.assign(todo, fields),
        ),
      }),
      createTodo: build.mutation({
        query: (body) => ({ method: 'POST', path: '/todos', body }),
        invalidatesTags: [{ type: 'Todo', id: 'LIST' }],
        onQueryStarted: patch((list, fields) => void list.push({ id: 'new', ...fields })),
      }),
      deleteTodo: build.mutation({
        query: ({ id }) => ({ method: 'DELETE', path: `/todos/${id}` }),
        invalidatesTags: (_nothing, _error, { id }) => [
          { type: 'Todo', id },
          { type: 'Todo', id: 'LIST' },
        ],
        onQueryStarted: patch((list, { id }) => list.filter((todo) => todo.id !== id)),
      }),
    }),
  })
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (getDefault) => getDefault({ serializableCheck: false, immutableCheck: false }).concat(api.middleware),
  })
  return {
    Provider: ({ children }) => createElement(Provider, { store }, children),
    useList: (args) => api.useGetTodosQuery(args).currentData,
    useDetail(id) {
      const { currentData, error } = api.useGetTodoQuery(id)
      return error?.status === 404 ? null : currentData
    },
    useActions() {
      const [change] = api.useChangeTodoMutation()
      const [create] = api.useCreateTodoMutation()
      const [remove] = api.useDeleteTodoMutation()
      return {
        change: (id, fields) => change({ id, ...fields }).unwrap(),
        create: (fields) => create(fields).unwrap(),
        remove: (id) => remove({ id }).unwrap(),
      }
    },
    stop: () => store.dispatch(api.util.resetApiState()),
  }
}
