import { useState } from 'react'
import { AsyncBoundary, useQuery, useSuspense } from 'restitch/react'
import { LikeButton } from './LikeButton.tsx'
import { Comments, Post, Posts, Users } from './posts.ts'

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
      <Discussion postId={id} />
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

function Discussion({ postId }: { postId: string }) {
  const [isOpen, setOpen] = useState(false)
  if (!isOpen) {
    return <button onClick={() => setOpen(true)}>Show comments</button>
  }
  return (
    <AsyncBoundary fallback={<p className="muted">Loading comments…</p>}>
      <CommentList postId={postId} />
    </AsyncBoundary>
  )
}

function CommentList({ postId }: { postId: string }) {
  return (
    <ul className="plain">
      {useSuspense(Comments.getList, { postId }).map(({ id, text, authorId }) => (
        <li key={id}>
          <AsyncBoundary fallback="…" errorComponent={Unknown}>
            <Author id={authorId} />
          </AsyncBoundary>
          : {text}
        </li>
      ))}
    </ul>
  )
}

/** Each author is a component with a boundary of its own; their requests become one. */
function Author({ id }: { id: string }) {
  return <b>{useSuspense(Users.get, { id }).name}</b>
}

function Unknown() {
  return <i>a former user</i>
}
