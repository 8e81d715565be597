import { computed, type Ref, shallowRef } from 'vue'
import { asError } from '../base/errors.ts'

/**
 * Wraps an asynchronous function, and says whether it runs and how it failed.
 *
 * @example
 * const [save, saving, error] = useLoading((body: { name: string }) => controller.fetch(updateUser, { id }, body))
 * @see docs/api/useLoading.md#vue
 */
export function useLoading<A extends readonly any[], R>(
  run: (...args: A) => Promise<R> | R,
): [
  wrapped: (...args: A) => Promise<R | undefined>,
  loading: Readonly<Ref<boolean>>,
  error: Readonly<Ref<Error | undefined>>,
] {
  const running = shallowRef(0)
  const error = shallowRef<Error>()
  const wrapped = async (...args: A): Promise<R | undefined> => {
    running.value++
    error.value = undefined
    try {
      return await run(...args)
    } catch (thrown) {
      error.value = asError(thrown) as Error
      return undefined
    } finally {
      running.value--
    }
  }
  return [wrapped, computed(() => running.value > 0), error]
}
