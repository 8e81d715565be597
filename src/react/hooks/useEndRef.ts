'use client'
import { useEffect, useRef, useState } from 'react'
import { type EndlessList, watchEnd } from '../../binding/watchEnd.ts'

/**
 * A ref for the element after the last item: it loads the next page of `useInfinite` when it comes into view.
 *
 * @example
 * const posts = useInfinite(PostResource.getList, { userId: 5 })
 * const end = useEndRef(posts) // <li ref={end} />
 * @see docs/api/useEndRef.md
 */
export function useEndRef(list: EndlessList, margin = 300): (element: Element | null) => void {
  const { hasNextPage, fetchingNextPage, fetchNextPage, error } = list
  const [element, setElement] = useState<Element | null>(null)
  const [turn, setTurn] = useState(0)
  const load = useRef(fetchNextPage)
  useEffect(() => {
    load.current = fetchNextPage
  })
  const isReady = hasNextPage && !fetchingNextPage && error === undefined
  useEffect(() => {
    // Another watch for each page measures after that page is on the screen.
    return element && isReady
      ? watchEnd(element, margin, () => void load.current().then(() => setTurn((now) => now + 1)))
      : undefined
  }, [element, isReady, margin, turn])
  return setElement
}
