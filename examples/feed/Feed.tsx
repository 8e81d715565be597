import { isOptimistic } from 'restitch'
import { useController, useEndRef, useInfinite, useMutation } from 'restitch/react'
import { LikeButton } from './LikeButton.tsx'
import { Posts, type Post } from './posts.ts'

export function Feed() {
  const posts = useInfinite(Posts.getList)
  const { items, hasNextPage, fetchNextPage, fetchingNextPage, error } = posts
  const end = useEndRef(posts, 0)
  return (
    <>
      <h1>Feed</h1>
      <NewPost />
      <ul className="cards">
        {items.map((post) => (
          <FeedItem key={post.pk()} post={post} />
        ))}
      </ul>
      {error && (
        <p role="alert">
          {error.message} <button onClick={() => fetchNextPage()}>Try again</button>
        </p>
      )}
      {fetchingNextPage && <p>Loading more…</p>}
      <div ref={end} />
      {!hasNextPage && <p className="muted">You have reached the end.</p>}
    </>
  )
}

function FeedItem({ post }: { post: Post }) {
  const controller = useController()
  const isPending = isOptimistic(post)
  // The page of the post is ready before the click.
  const prefetch = async () => {
    try {
      await controller.fetchIfStale(Posts.get, { id: post.id })
    } catch {
      // The page will say so, if it is opened.
    }
  }
  return (
    <li className={isPending ? 'card row spread pending' : 'card row spread'}>
      <span>
        {isPending ? (
          post.title
        ) : (
          <a href={`#/posts/${post.id}`} onPointerEnter={prefetch}>
            {post.title}
          </a>
        )}{' '}
        <span className="muted small">by {post.author.name || 'you'}</span>
      </span>
      <LikeButton post={post} />
    </li>
  )
}

function NewPost() {
  const { mutate, error } = useMutation(Posts.getList.unshift)
  return (
    <form
      className="row card"
      action={(form) => {
        const title = String(form.get('title'))
        mutate({ title, body: `${title}, at length.` })
      }}
    >
      <input name="title" aria-label="Title" placeholder="What is new?" />
      <button className="primary">Post</button>
      {error && <span role="alert">{error.message}</span>}
    </form>
  )
}
