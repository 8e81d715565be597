import { useSyncExternalStore } from 'react'
import { AsyncBoundary } from 'restitch/react'
import { Feed } from './Feed.tsx'
import { PostPage } from './PostPage.tsx'

/** The feed, or the post that the address names: `#/posts/5`. */
export function App() {
  const hash = useSyncExternalStore(subscribeToHash, () => location.hash)
  const [, id] = /^#\/posts\/(.+)$/.exec(hash) ?? []
  return (
    <main>
      {id === undefined ? (
        <AsyncBoundary fallback={<p>Loading the feed…</p>}>
          <Feed />
        </AsyncBoundary>
      ) : (
        <PostPage key={id} id={decodeURIComponent(id)} />
      )}
    </main>
  )
}

function subscribeToHash(notify: () => void): () => void {
  addEventListener('hashchange', notify)
  return () => removeEventListener('hashchange', notify)
}
