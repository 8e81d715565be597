import { useController, useLoading, useSuspense } from 'restitch/react'
import type { Place } from './App.tsx'
import { getIssue, getViewer, Reactions, type Reaction } from './resources.ts'

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
  const controller = useController()
  const reactions = useSuspense(Reactions.getList, place)
  const { viewer } = useSuspense(getViewer)
  const [toggle, , error] = useLoading(async (content: string, mine: Reaction | undefined) => {
    await (mine
      ? controller.fetch(Reactions.delete, { ...place, id: mine.id })
      : controller.fetch(Reactions.create, place, { content }))
  })

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
            onClick={() => toggle(content, mine)}
          >
            {emoji} {same.length}
          </button>
        )
      })}
      {error && <span role="alert">{error.message}</span>}
    </div>
  )
}
