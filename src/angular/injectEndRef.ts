import { effect, type ElementRef, type Signal, signal, untracked } from '@angular/core'
import { watchEnd } from '../binding/watchEnd.ts'
import { injectContext } from './context.ts'

/** The members of a list that grows at its end. */
export interface EndlessSignals {
  readonly hasNextPage: Signal<boolean>
  readonly fetchingNextPage: Signal<boolean>
  readonly fetchNextPage: () => Promise<unknown>
  readonly error: Signal<unknown>
}

/**
 * Loads the next page of a list when an element after its last item comes into view, such as one that `viewChild` finds.
 *
 * @example
 * import { type ElementRef, viewChild } from '@angular/core'
 * const posts = injectInfinite(getPosts, { userId: 5 })
 * const end = viewChild<ElementRef<Element>>('end')
 * injectEndRef(posts, end)
 * @see docs/api/createEndRef.md#angular
 */
export function injectEndRef(
  list: EndlessSignals,
  element: () => ElementRef<Element> | Element | undefined,
  margin = 300,
): void {
  const { outside } = injectContext()
  const turn = signal(0)
  // Another watch for each page measures after that page is on the screen.
  effect((onCleanup) => {
    turn()
    const at = element()
    if (at && list.hasNextPage() && !list.fetchingNextPage() && list.error() === undefined) {
      const reach = (): void => void list.fetchNextPage().then(() => turn.update((count) => count + 1))
      onCleanup(untracked(() => outside(() => watchEnd('nativeElement' in at ? at.nativeElement : at, margin, reach))))
    }
  })
}
