/** The members of a list that grows at its end. */
export interface EndlessList {
  readonly hasNextPage: boolean
  readonly fetchingNextPage: boolean
  fetchNextPage(): Promise<unknown>
  readonly error: unknown
}

/**
 * Calls `reach` once when an element comes near to the visible part of its scrolling parent. Returns the function that ends it. An observer
 * reports where the element is when it starts, and then only changes: watch again for each page, to notice an end that is still in view.
 *
 * @param margin pixels before the end
 */
export function watchEnd(element: Element, margin: number, reach: () => void): () => void {
  if (typeof IntersectionObserver === 'undefined') {
    return () => {}
  }
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.at(-1)!.isIntersecting) {
        observer.disconnect()
        reach()
      }
    },
    { root: scrollerOf(element), rootMargin: `${margin}px` },
  )
  observer.observe(element)
  return () => observer.disconnect()
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
