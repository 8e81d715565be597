import { type SyntheticEvent, useState } from 'react'
import { useInfinite, useMutation, useSuspense } from 'restitch/react'
import type { Label } from '@api/entities/Label'
import { RepoIssueComments, RepoIssues, RepoLabels } from '@api/issues'

const REPO = { owner: 'acme', repo: 'anvil' }

type Screen = { name: 'issues' } | { name: 'issue'; number: number } | { name: 'labels' }

export function App() {
  const [screen, setScreen] = useState<Screen>({ name: 'issues' })
  return (
    <main>
      <nav>
        <button onClick={() => setScreen({ name: 'issues' })}>Issues</button>
        <button onClick={() => setScreen({ name: 'labels' })}>Labels</button>
      </nav>
      {screen.name === 'issues' && <IssueList onOpen={(number) => setScreen({ name: 'issue', number })} />}
      {screen.name === 'issue' && <IssuePage number={screen.number} />}
      {screen.name === 'labels' && <LabelList />}
    </main>
  )
}

/** The issues of a repository, page by page. */
function IssueList({ onOpen }: { onOpen: (number: number) => void }) {
  const { items, hasNextPage, fetchNextPage } = useInfinite(RepoIssues.getList, REPO)
  return (
    <>
      <h1>Issues</h1>
      <ul>
        {items.map((issue) => (
          <li key={issue.id}>
            <button onClick={() => onOpen(issue.number)}>{issue.title}</button> {issue.state} by {issue.user?.login}
            {issue.labels.map((label) => ` [${nameOf(label)}]`)}
          </li>
        ))}
      </ul>
      {hasNextPage && <button onClick={() => void fetchNextPage()}>More</button>}
    </>
  )
}

const nameOf = (label: string | Label): string => (typeof label === 'string' ? label : label.name)

/** An issue with its comments. */
function IssuePage({ number }: { number: number }) {
  const place = { ...REPO, issue_number: number }
  const issue = useSuspense(RepoIssues.get, place)
  const comments = useSuspense(RepoIssueComments.getList, place)
  const close = useMutation(RepoIssues.partialUpdate)
  const comment = useMutation(RepoIssueComments.create)
  const [text, setText] = useState('')
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    comment.mutate(place, { body: text })
    setText('')
  }
  return (
    <>
      <h1>{issue.title}</h1>
      <p>
        {issue.state}, since {issue.created_at.getUTCFullYear()}
      </p>
      {issue.state === 'open' && <button onClick={() => close.mutate(place, { state: 'closed' })}>Close</button>}
      <ul>
        {comments.map(({ id, body, user }) => (
          <li key={id}>
            {user?.login}: {body}
          </li>
        ))}
      </ul>
      <form onSubmit={submit}>
        <input aria-label="Comment" value={text} onChange={({ target }) => setText(target.value)} />
      </form>
    </>
  )
}

/** The labels of the repository. */
function LabelList() {
  const labels = useSuspense(RepoLabels.getList, REPO)
  const update = useMutation(RepoLabels.partialUpdate)
  const create = useMutation(RepoLabels.create)
  return (
    <>
      <h1>Labels</h1>
      <ul>
        {labels.map(({ id, name }) => (
          <li key={id}>
            {name}
            <button onClick={() => update.mutate({ ...REPO, name }, { new_name: `${name}!` })}>Rename {name}</button>
          </li>
        ))}
      </ul>
      <button onClick={() => create.mutate(REPO, { name: 'new', color: 'ffffff' })}>New label</button>
    </>
  )
}
