import { computed, type Ref, shallowRef, watch } from 'vue'
import { watchEnd } from '../binding/watchEnd.ts'

/** The members of `useInfinite` and `useInfiniteDLE` that `useEndRef` uses. */
export interface EndlessRefs {
  readonly hasNextPage: Readonly<Ref<boolean>>
  readonly fetchingNextPage: Readonly<Ref<boolean>>
  readonly error: Readonly<Ref<unknown>>
  fetchNextPage(): Promise<unknown>
}

/**
 * The `ref` of an element after the last item of a list: when it comes into view, the next page is loaded.
 *
 * @example
 * const posts = await useInfinite(getPosts, { userId: 5 })
 * const end = useEndRef(posts)
 * // <div :ref="end" />
 * @see docs/api/useEndRef.md#vue
 */
export function useEndRef(list: EndlessRefs, margin = 300): (element: unknown) => void {
  const { hasNextPage, fetchingNextPage, error } = list
  const element = shallowRef<Element | null>(null)
  const turn = shallowRef(0)
  const isReady = computed(() => hasNextPage.value && !fetchingNextPage.value && error.value === undefined)
  // Another watch for each page measures after that page is on the screen.
  watch(
    [element, isReady, turn],
    ([at, isOn], _, onCleanup) => {
      if (at && isOn) {
        onCleanup(watchEnd(at, margin, () => void list.fetchNextPage().then(() => turn.value++)))
      }
    },
    { flush: 'post' },
  )
  return (at) => {
    element.value = at instanceof Element ? at : ((at as { $el?: Element } | null)?.$el ?? null)
  }
}
