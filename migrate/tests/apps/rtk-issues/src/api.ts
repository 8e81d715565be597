import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react'

export interface Label {
  id: number
  name: string
}

export interface Issue {
  id: number
  title: string
  open: boolean
  labels: Label[]
}

export interface Summary {
  open: number
  closed: number
}

const LIST = { type: 'Issue' as const, id: 'LIST' }

export const api = createApi({
  baseQuery: fetchBaseQuery({
    baseUrl: 'https://api.test/',
    prepareHeaders: (headers) => {
      headers.set('x-client', 'issues')
      return headers
    },
  }),
  tagTypes: ['Issue', 'Summary'],
  endpoints: (build) => ({
    getIssues: build.query<Issue[], { open: boolean; q?: string }>({
      query: ({ open, q }) => ({ url: 'issues', params: { open, q } }),
      providesTags: (issues = []) => [LIST, ...issues.map(({ id }) => ({ type: 'Issue' as const, id }))],
    }),
    getIssue: build.query<Issue, number>({
      query: (id) => `issues/${id}`,
      providesTags: (_issue, _error, id) => [{ type: 'Issue', id }],
    }),
    getSummary: build.query<Summary, void>({
      query: () => 'summary',
      transformResponse: (response: { summary: Summary }) => response.summary,
      providesTags: ['Summary'],
    }),
    createIssue: build.mutation<Issue, { title: string }>({
      query: (body) => ({ url: 'issues', method: 'POST', body }),
      invalidatesTags: [LIST, 'Summary'],
    }),
    updateIssue: build.mutation<Issue, Partial<Issue> & { id: number }>({
      query: ({ id, ...body }) => ({ url: `issues/${id}`, method: 'PATCH', body }),
      async onQueryStarted({ id, ...change }, { dispatch, queryFulfilled }) {
        const patch = dispatch(api.util.updateQueryData('getIssue', id, (issue) => void Object.assign(issue, change)))
        try {
          await queryFulfilled
        } catch {
          patch.undo()
        }
      },
      invalidatesTags: (_issue, _error, { id }) => [LIST, { type: 'Issue', id }, 'Summary'],
    }),
    deleteIssue: build.mutation<void, number>({
      query: (id) => ({ url: `issues/${id}`, method: 'DELETE' }),
      invalidatesTags: [LIST, 'Summary'],
    }),
  }),
})

export const {
  useGetIssuesQuery,
  useGetIssueQuery,
  useGetSummaryQuery,
  useCreateIssueMutation,
  useUpdateIssueMutation,
  useDeleteIssueMutation,
} = api
