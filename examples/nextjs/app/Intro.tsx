import { PostResource } from './api'

// A server component sends its own request: the result is in the page, not in the store. `use cache` makes it part of the static shell.
export async function Intro() {
  'use cache'
  const { title } = await PostResource.get({ id: 'intro' })
  return <h1>{title}</h1>
}
