import { useState } from 'react'
import { AsyncBoundary, useInfinite, useSuspense } from 'restitch/react'
import type { Place } from './App.tsx'
import { getEvents, getIssues, getRepo, IssuesEvent, PushEvent, type WatchEvent } from './resources.ts'

export function RepoPage({ owner, name, onOpen }: Place & { onOpen: (number: number) => void }) {
  const repo = useSuspense(getRepo, { owner, name })
  const [tab, setTab] = useState<'issues' | 'activity'>('issues')
  return (
    <section className="card">
      <h1>{repo.fullName}</h1>
      <p>{repo.description}</p>
      <p className="muted small">
        {repo.stargazersCount} stars, {repo.subscribersCount} watching, about {repo.topics.join(' and ')}
      </p>
      <div className="row">
        <button aria-pressed={tab === 'issues'} onClick={() => setTab('issues')}>
          Issues
        </button>
        <button aria-pressed={tab === 'activity'} onClick={() => setTab('activity')}>
          Activity
        </button>
      </div>
      <AsyncBoundary fallback={<p>Loading…</p>}>
        {tab === 'issues' ? (
          <Issues owner={owner} name={name} onOpen={onOpen} />
        ) : (
          <Activity owner={owner} name={name} />
        )}
      </AsyncBoundary>
    </section>
  )
}

function Issues({ owner, name, onOpen }: Place & { onOpen: (number: number) => void }) {
  const { items, hasNextPage, fetchNextPage, fetchingNextPage } = useInfinite(getIssues, { owner, name })
  return (
    <>
      <ul className="plain">
        {items.map((issue) => (
          <li key={issue.pk()}>
            <button className="link" onClick={() => onOpen(issue.number)}>
              {issue.title}
            </button>{' '}
            <span className="muted small">
              #{issue.number} by {issue.user.login}
            </span>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <button disabled={fetchingNextPage} onClick={() => fetchNextPage()}>
          More issues
        </button>
      )}
    </>
  )
}

function Activity({ owner, name }: Place) {
  const events = useSuspense(getEvents, { owner, name })
  return (
    <ul className="plain">
      {events.map((event) => (
        <li key={event.pk()}>
          {event.actor.login} {describe(event)}
        </li>
      ))}
    </ul>
  )
}

function describe(event: PushEvent | IssuesEvent | WatchEvent): string {
  if (event instanceof PushEvent) {
    return `pushed ${event.payload.size} commits to ${event.payload.ref}`
  }
  if (event instanceof IssuesEvent) {
    return `${event.payload.action} “${event.payload.issue.title}”`
  }
  return 'starred the repository'
}
