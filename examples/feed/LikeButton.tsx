import { isOptimistic } from 'restitch'
import { useController } from 'restitch/react'
import { Posts, type Post } from './posts.ts'

export function LikeButton({ post }: { post: Post }) {
  const { id, title, liked, likes } = post
  const controller = useController()
  return (
    <button
      aria-label={`Like ${title}`}
      aria-pressed={liked}
      disabled={isOptimistic(post)}
      onClick={() => {
        controller.fetch(liked ? Posts.unlike : Posts.like, { id }).catch((error: Error) => alert(error.message))
      }}
    >
      {liked ? '♥' : '♡'} {likes}
    </button>
  )
}
