import {
  defineComponent,
  h,
  inject,
  onErrorCaptured,
  type PropType,
  shallowRef,
  Suspense,
  useSlots,
  type VNodeProps,
  watch,
} from 'vue'
import { forgive } from '../binding/forgive.ts'
import { ControllerKey } from './useController.ts'

/** The props of `AsyncBoundary`. */
export interface AsyncBoundaryProps {
  /** Tries again after an error when one of these values changes. */
  readonly resetKeys?: readonly unknown[] | undefined
}

/** The slots of `AsyncBoundary`. Not an interface: `h` takes objects with any names. */
export type AsyncBoundarySlots = {
  default?: () => any
  /** Shown while something inside loads. */
  fallback?: () => any
  /** Shown instead of content that failed. `reset` tries again. */
  error?: (props: { readonly error: Error; readonly reset: () => void }) => any
}

/** Errors of event handlers replace nothing on the screen. */
const EVENT_HANDLER = /event handler|#runtime-[56]$/

const Boundary = /* @__PURE__ */ defineComponent({
  name: 'AsyncBoundary',
  props: { resetKeys: Array as PropType<readonly unknown[]> },
  setup(props) {
    const slots: AsyncBoundarySlots = useSlots()
    const controller = inject(ControllerKey, undefined)
    const thrown = shallowRef<{ readonly error: any }>()
    let isShown = false
    const reset = (): void => {
      if (thrown.value) {
        if (controller) {
          forgive(controller, thrown.value.error)
        }
        thrown.value = undefined
      }
    }
    onErrorCaptured((error, _instance, info) => {
      // An error of the slot that shows one is for the boundary above.
      if (EVENT_HANDLER.test(info) || isShown) {
        return undefined
      }
      thrown.value ??= { error }
      return false
    })
    watch(() => [...(props.resetKeys ?? [])], reset)
    return () => {
      isShown = thrown.value !== undefined
      if (!thrown.value) {
        return h(Suspense, null, { default: () => slots.default?.(), fallback: () => slots.fallback?.() })
      }
      const { error } = thrown.value
      return slots.error?.({ error, reset }) ?? h('pre', { role: 'alert' }, String(error?.message ?? error))
    }
  },
})

/**
 * Shows one slot while what is inside loads, and another one when it fails.
 *
 * @example
 * const page = () => h(AsyncBoundary, { resetKeys: [id] }, { default: () => h(UserPage), fallback: () => 'loading' })
 * @see docs/api/AsyncBoundary.md#vue
 */
export const AsyncBoundary: new () => {
  readonly $props: VNodeProps & AsyncBoundaryProps
  readonly $slots: AsyncBoundarySlots
} = Boundary as never
