import { useMutation, useSuspense } from 'restitch/react'
import type { Place } from './App.tsx'
import { getIssue, getViewer, Reactions } from './resources.ts'

const EMOJI = { '+1': '👍', heart: '❤️', rocket: '🚀' }

type IssueProps = Required<Place>

export function IssuePage({ onBack, ...place }: IssueProps & { onBack: () => void }) {
  const issue = useSuspense(getIssue, place)
  return (
    <section className="card">
      <p>
        <button className="link" onClick={onBack}>
          ← {place.owner}/{place.name}
        </button>
      </p>
      <h1>{issue.title}</h1>
      <p className="muted small">
        #{issue.number} by {issue.user.login}, {issue.state}
      </p>
      <p>{issue.body}</p>
      <ReactionBar {...place} />
    </section>
  )
}

function ReactionBar(place: IssueProps) {
  const add = useMutation(Reactions.create)
  const remove = useMutation(Reactions.delete)
  const error = add.error ?? remove.error
  const reactions = useSuspense(Reactions.getList, place)
  const { viewer } = useSuspense(getViewer)
  return (
    <div className="row">
      {Object.entries(EMOJI).map(([content, emoji]) => {
        const same = reactions.filter((reaction) => reaction.content === content)
        const mine = same.find(({ user }) => user.login === viewer.login)
        return (
          <button
            key={content}
            aria-label={content}
            aria-pressed={mine !== undefined}
            onClick={() => (mine ? remove.mutate({ ...place, id: mine.id }) : add.mutate(place, { content }))}
          >
            {emoji} {same.length}
          </button>
        )
      })}
      {error && <span role="alert">{error.message}</span>}
    </div>
  )
}
