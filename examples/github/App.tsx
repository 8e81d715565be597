import { useState, useSyncExternalStore } from 'react'
import { AsyncBoundary, useDebounce, useLoading, useSuspense } from 'restitch/react'
import { IssuePage } from './IssuePage.tsx'
import { RepoPage } from './RepoPage.tsx'
import { getViewer, searchRepos, type Repo } from './resources.ts'
import { auth, session, signIn } from './session.ts'

export interface Place {
  owner: string
  name: string
  number?: number
}

export function App() {
  const isSignedIn = useSyncExternalStore(session.subscribe, session.isOpen)
  return (
    <main>
      {isSignedIn ? (
        <AsyncBoundary fallback={<p>Loading…</p>}>
          <Home />
        </AsyncBoundary>
      ) : (
        <Login />
      )}
    </main>
  )
}

function Login() {
  const [send, isSigningIn, error] = useLoading(signIn)
  return (
    <form className="card stack" action={(form) => void send(String(form.get('code')))}>
      <h1>Sign in</h1>
      <label>
        Code
        <input name="code" type="password" required />
      </label>
      {error && <p role="alert">{error.message}</p>}
      <div>
        <button className="primary" disabled={isSigningIn}>
          Sign in
        </button>
      </div>
    </form>
  )
}

function Home() {
  const { viewer } = useSuspense(getViewer)
  const [place, setPlace] = useState<Place>()
  return (
    <>
      <header className="row spread">
        <button className="link" onClick={() => setPlace(undefined)}>
          Repositories
        </button>
        <span>
          {viewer.name} <button onClick={() => auth.signOut()}>Sign out</button>
        </span>
      </header>
      <AsyncBoundary fallback={<p>Loading…</p>}>
        {place === undefined ? (
          <Search onOpen={setPlace} />
        ) : place.number === undefined ? (
          <RepoPage {...place} onOpen={(number) => setPlace({ ...place, number })} />
        ) : (
          <IssuePage
            {...place}
            number={place.number}
            onBack={() => setPlace({ owner: place.owner, name: place.name })}
          />
        )}
      </AsyncBoundary>
    </>
  )
}

function Search({ onOpen }: { onOpen: (place: Place) => void }) {
  const { repositories } = useSuspense(getViewer).viewer
  const [text, setText] = useState('')
  const [q] = useDebounce(text, 200)
  return (
    <section className="card">
      <input
        type="search"
        aria-label="Search"
        placeholder="Search"
        value={text}
        onChange={(e) => setText(e.target.value)}
      />
      {q === '' ? (
        <RepoList title={`Your ${repositories.totalCount} repositories`} repos={repositories.nodes} onOpen={onOpen} />
      ) : (
        <AsyncBoundary fallback={<p>Searching…</p>}>
          <Results q={q} onOpen={onOpen} />
        </AsyncBoundary>
      )}
    </section>
  )
}

function Results({ q, onOpen }: { q: string; onOpen: (place: Place) => void }) {
  const { items, totalCount: total } = useSuspense(searchRepos, { q }).data
  return <RepoList title={`${total} found`} repos={items} onOpen={onOpen} />
}

interface RepoListProps {
  title: string
  repos: Repo[]
  onOpen: (place: Place) => void
}

function RepoList({ title, repos, onOpen }: RepoListProps) {
  return (
    <>
      <p className="muted small">{title}</p>
      <ul className="plain">
        {repos.map(({ id, fullName }) => {
          const [owner = '', name = ''] = fullName.split('/')
          return (
            <li key={id}>
              <button className="link" onClick={() => onOpen({ owner, name })}>
                {fullName}
              </button>
            </li>
          )
        })}
      </ul>
    </>
  )
}
