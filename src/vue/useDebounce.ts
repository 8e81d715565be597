import { inject, type MaybeRefOrGetter, type Ref, shallowRef, toValue, watch } from 'vue'
import { type Clock, systemClock } from '../base/clock.ts'
import { ControllerKey } from './useController.ts'

/**
 * Follows a value once it has been quiet for a while.
 *
 * @example
 * const [debounced, isPending] = useDebounce(() => input, 200)
 * const { data } = useDLE(search, () => ({ text: debounced.value }))
 * @see docs/api/useDebounce.md#vue
 */
export function useDebounce<T>(
  value: MaybeRefOrGetter<T>,
  delay: MaybeRefOrGetter<number>,
  updatable: MaybeRefOrGetter<boolean> = true,
): [debounced: Readonly<Ref<T>>, isPending: Readonly<Ref<boolean>>] {
  // It reads nothing from the store, so it needs none; with one it follows the clock of that store.
  const clock: Clock = inject(ControllerKey, undefined)?.clock ?? systemClock
  const debounced = shallowRef(toValue(value)) as Ref<T>
  const isPending = shallowRef(false)
  watch(
    [() => toValue(value), () => toValue(delay), () => toValue(updatable)],
    ([next, wait, follows], _, onCleanup) => {
      isPending.value = follows && !Object.is(next, debounced.value)
      if (isPending.value) {
        const timer = clock.setTimeout(() => {
          debounced.value = next
          isPending.value = false
        }, wait)
        onCleanup(() => clock.clearTimeout(timer))
      }
    },
  )
  return [debounced, isPending]
}
