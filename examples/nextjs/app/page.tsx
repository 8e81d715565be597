import Link from 'next/link'
import { Suspense } from 'react'
import { Intro } from './Intro'
import { PostTitle } from './PostTitle'
import { Rename } from './Rename'

type Props = { searchParams: Promise<{ user?: string }> }

export default function Page(props: Props) {
  return (
    <main>
      <Intro />
      <Suspense fallback={<p>The posts are loading</p>}>
        <Posts {...props} />
      </Suspense>
    </main>
  )
}

// It depends on the request, so it is not part of the static shell.
async function Posts({ searchParams }: Props) {
  const { user = 'nobody' } = await searchParams
  return (
    <>
      {['quick', 'slow', user].map((id) => (
        <Suspense key={id} fallback={<p>{id} is loading</p>}>
          <PostTitle id={id} />
        </Suspense>
      ))}
      <Rename id="quick" />
      <Link href="/more">More posts</Link>
    </>
  )
}
