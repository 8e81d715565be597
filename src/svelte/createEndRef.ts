import { toStore } from 'svelte/store'
import { type EndlessList, watchEnd } from '../binding/watchEnd.ts'

/**
 * Loads the next page of a list when an element after its last item comes into view: `{@attach end}`, or `use:end`.
 *
 * @example
 * const posts = createInfinite(getPosts, { userId: 5 })
 * const end = createEndRef(posts)
 * // <div {@attach end}></div>
 * @see docs/api/createEndRef.md#svelte
 */
export function createEndRef(list: EndlessList, margin = 300): (element: Element) => EndOfElement {
  return (element) => {
    let endWatch: (() => void) | undefined
    const watch = (isReady: boolean): void => {
      endWatch?.()
      endWatch = isReady ? watchEnd(element, margin, reach) : undefined
    }
    // Another watch for each page measures after that page is on the screen.
    const reach = (): void => void list.fetchNextPage().then(() => endWatch && watch(isReadyNow(list)))
    // A store of Svelte follows state without a compiler.
    const stop = toStore(() => isReadyNow(list)).subscribe(watch)
    const end = (): void => {
      stop()
      watch(false)
    }
    return Object.assign(end, { destroy: end })
  }
}

/** Ends the watch of an element: a function for `{@attach}`, with the method that `use:` calls. */
export interface EndOfElement {
  (): void
  destroy(): void
}

function isReadyNow({ hasNextPage, fetchingNextPage, error }: EndlessList): boolean {
  return hasNextPage && !fetchingNextPage && error === undefined
}
