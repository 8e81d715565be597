import { AsyncBoundary, useQuery, useSuspense } from 'restitch/react'
import { LikeButton } from './LikeButton.tsx'
import { Post, Posts } from './posts.ts'

export function PostPage({ id }: { id: string }) {
  return (
    <>
      <p>
        <a href="#/">← Feed</a>
      </p>
      <article className="card">
        <AsyncBoundary fallback={<Summary id={id} />}>
          <WholePost id={id} />
        </AsyncBoundary>
      </article>
    </>
  )
}

/** Shows the summary from the feed while the whole post is loading. */
function Summary({ id }: { id: string }) {
  const post = useQuery(Post, { id })
  return (
    <>
      {post && <PostHead post={post} />}
      <p className="muted">Loading the text…</p>
    </>
  )
}

function WholePost({ id }: { id: string }) {
  const post = useSuspense(Posts.get, { id })
  return (
    <>
      <PostHead post={post} />
      <p>{post.body}</p>
    </>
  )
}

function PostHead({ post }: { post: Post }) {
  return (
    <div className="row spread">
      <h2>
        {post.title} <span className="muted small">by {post.author.name}</span>
      </h2>
      <LikeButton post={post} />
    </div>
  )
}
