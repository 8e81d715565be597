import { Suspense } from 'react'
import { PostResource } from './api'
import { PostTitle } from './PostTitle'

export const dynamic = 'force-dynamic'

export default async function Page({ searchParams }: { searchParams: Promise<{ user?: string }> }) {
  const { user = 'nobody' } = await searchParams
  // A server component asks by itself: what it gets is in the page, and not in the store.
  const { title } = await PostResource.get({ id: 'intro' })
  return (
    <main>
      <h1>{title}</h1>
      {['quick', 'slow', user].map((id) => (
        <Suspense key={id} fallback={<p>{id} is loading</p>}>
          <PostTitle id={id} />
        </Suspense>
      ))}
    </main>
  )
}
