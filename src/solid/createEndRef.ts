import { createEffect, createMemo, createSignal, onCleanup } from 'solid-js'
import { isServer } from 'solid-js/web'
import { type EndlessList, watchEnd } from '../binding/watchEnd.ts'

/**
 * The `ref` of an element after the last item of a list: when it comes into view, the next page is loaded.
 *
 * @example
 * const posts = createInfinite(getPosts, { userId: 5 })
 * const end = createEndRef(posts)
 * // <div ref={end} />
 * @see docs/api/createEndRef.md#solid
 */
export function createEndRef(list: EndlessList, margin = 300): (element: Element) => void {
  if (isServer) {
    return () => {}
  }
  const [element, setElement] = createSignal<Element>()
  const [turn, setTurn] = createSignal(0)
  const isReady = createMemo(() => list.hasNextPage && !list.fetchingNextPage && list.error === undefined)
  // Another watch for each page measures after that page is on the screen.
  createEffect(() => {
    turn()
    const at = element()
    if (at && isReady()) {
      onCleanup(watchEnd(at, margin, () => void list.fetchNextPage().then(() => setTurn((count) => count + 1))))
    }
  })
  return setElement
}
