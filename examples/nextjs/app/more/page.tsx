import Link from 'next/link'
import { Suspense } from 'react'
import { PostTitle } from '../PostTitle'

// A link leads here without a new page: the store stays, so that a post it has needs no request, and a change shows.
export default function More() {
  return (
    <main>
      <Suspense fallback={<p>The posts are loading</p>}>
        <PostTitle id="quick" />
        <PostTitle id="more" />
      </Suspense>
      <Link href="/?user=u1">Back</Link>
    </main>
  )
}
