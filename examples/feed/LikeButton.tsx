import { isOptimistic } from 'restitch'
import { useMutation } from 'restitch/react'
import { Posts, type Post } from './posts.ts'

export function LikeButton({ post }: { post: Post }) {
  const { id, title, liked, likes } = post
  const { mutate } = useMutation(liked ? Posts.unlike : Posts.like, { onError: (error) => alert(error.message) })
  return (
    <button
      aria-label={`Like ${title}`}
      aria-pressed={liked}
      disabled={isOptimistic(post)}
      onClick={() => mutate({ id })}
    >
      {liked ? '♥' : '♡'} {likes}
    </button>
  )
}
