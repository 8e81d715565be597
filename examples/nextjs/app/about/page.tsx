import { Suspense } from 'react'
import { Intro } from '../Intro'
import { PostTitle } from '../PostTitle'

// Prerendered by `next build`, except for the post: that is fetched for each request.
export default function About() {
  return (
    <main>
      <Intro />
      <p id="about">This text is in the static shell.</p>
      <Suspense fallback={<p>The post is loading</p>}>
        <PostTitle id="about" />
      </Suspense>
    </main>
  )
}
