import { skipToken } from '@reduxjs/toolkit/query/react'
import { useState } from 'react'
import {
  useCreateIssueMutation,
  useDeleteIssueMutation,
  useGetIssueQuery,
  useGetIssuesQuery,
  useGetSummaryQuery,
  useUpdateIssueMutation,
} from './api'

export function Summary() {
  const { data, isSuccess } = useGetSummaryQuery(undefined, { pollingInterval: 60_000 })
  return <p>{isSuccess ? `${data.open} open, ${data.closed} closed` : '…'}</p>
}

export function Issues({ open, onSelect }: { open: boolean; onSelect: (id: number) => void }) {
  const [q, setQ] = useState('')
  const { data: issues = [], isLoading, isError } = useGetIssuesQuery({ open, ...(q ? { q } : {}) })
  if (isLoading) return <p>Loading…</p>
  if (isError) return <p role="alert">Failed</p>
  return (
    <section>
      <input aria-label={open ? 'Find open' : 'Find closed'} value={q} onChange={(event) => setQ(event.target.value)} />
      <ul aria-label={open ? 'Open' : 'Closed'}>
        {issues.map((issue) => (
          <li key={issue.id}>
            <button onClick={() => onSelect(issue.id)}>{issue.title}</button>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Issue({ id, onClose }: { id: number | undefined; onClose: () => void }) {
  const { data: issue, isFetching, error } = useGetIssueQuery(id ?? skipToken)
  const [update, { isLoading: isSaving }] = useUpdateIssueMutation()
  const [remove] = useDeleteIssueMutation()
  if (error) return <p role="alert">Failed</p>
  if (id === undefined || !issue) return <p>{isFetching ? 'Loading issue…' : 'Nothing selected'}</p>
  return (
    <article>
      <h2>{issue.title}</h2>
      <p>{issue.labels.map((label) => label.name).join(', ')}</p>
      <button disabled={isSaving} onClick={() => void update({ id: issue.id, open: !issue.open })}>
        {issue.open ? 'Close' : 'Reopen'}
      </button>
      <button
        onClick={async () => {
          await remove(issue.id).unwrap()
          onClose()
        }}
      >
        Delete
      </button>
    </article>
  )
}

export function NewIssue() {
  const [title, setTitle] = useState('')
  const [create, { isLoading }] = useCreateIssueMutation()
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault()
        await create({ title }).unwrap()
        setTitle('')
      }}
    >
      <input aria-label="Title" value={title} onChange={(event) => setTitle(event.target.value)} />
      <button disabled={isLoading}>Add</button>
    </form>
  )
}
