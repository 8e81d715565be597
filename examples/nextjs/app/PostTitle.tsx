'use client'
import { useMutation, useSuspense } from 'restitch/react'
import { PostResource } from './api'

export function PostTitle({ id }: { id: string }) {
  const post = useSuspense(PostResource.get, { id })
  const { mutate, error } = useMutation(PostResource.partialUpdate)
  return (
    <p id={`post-${id}`}>
      <span>{post.title}</span> <button onClick={() => mutate({ id }, { title: `${post.title}!` })}>Add a !</button>
      {error && <em role="alert"> {error.message}</em>}
    </p>
  )
}
