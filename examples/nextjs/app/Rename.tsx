'use client'
import { useController } from 'restitch/react'
import { rename } from './actions'
import { PostResource } from './api'

export function Rename({ id }: { id: string }) {
  const controller = useController()
  // `revalidatePath` renders server components again, and `expireAll` refetches what hooks show.
  const submit = async (form: FormData) => {
    await rename(id, String(form.get('title')))
    await controller.expireAll(PostResource.get)
  }
  return (
    <form action={submit}>
      <input name="title" aria-label={`New title of ${id}`} /> <button>Rename</button>
    </form>
  )
}
