'use client'
import { useEffect, useRef, useState } from 'react'

/** The members of `useInfinite` and `useInfiniteDLE` that `useEndRef` uses. */
export interface EndlessList {
  readonly hasNextPage: boolean
  readonly fetchingNextPage: boolean
  fetchNextPage(): Promise<unknown>
  readonly error: unknown
}

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
    if (!element || !isReady || typeof IntersectionObserver === 'undefined') {
      return undefined
    }
    // An observer reports where the element is when it starts, and then only changes. A new one for each page notices an
    // end that is still in view, and measures after the last page is on the screen.
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.at(-1)!.isIntersecting) {
          observer.disconnect()
          void load.current().then(() => setTurn((now) => now + 1))
        }
      },
      { root: scrollerOf(element), rootMargin: `${margin}px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [element, isReady, margin, turn])
  return setElement
}

/** The nearest parent that scrolls: the margin applies to it alone. `null` is the page. */
function scrollerOf(element: Element): Element | null {
  for (let parent = element.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
    if (/auto|scroll|overlay/.test(getComputedStyle(parent).overflow)) {
      return parent
    }
  }
  return null
}
