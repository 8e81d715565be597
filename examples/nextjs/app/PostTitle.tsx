'use client'
import { useState } from 'react'
import { useController, useSuspense } from 'restitch/react'
import { Post, PostResource } from './api'

export function PostTitle({ id }: { id: string }) {
  const post = useSuspense(PostResource.get, { id })
  const controller = useController()
  const [edits, setEdits] = useState(0)
  const edit = () => {
    setEdits(edits + 1)
    void controller.set(Post, { id }, { id, title: `${post.title}!` })
  }
  return (
    <p id={`post-${id}`}>
      <span>{post.title}</span> <button onClick={edit}>{edits} edits</button>
    </p>
  )
}
