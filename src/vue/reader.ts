import {
  computed,
  type ComputedRef,
  getCurrentInstance,
  getCurrentScope,
  type MaybeRef,
  onActivated,
  onDeactivated,
  onMounted,
  onScopeDispose,
  onServerPrefetch,
  shallowRef,
  unref,
  watch,
} from 'vue'
import { DEV } from '../base/env.ts'
import { isOnServer, pageOf, waitForMore } from '../binding/onServer.ts'
import type { Source } from '../binding/createPolling.ts'
import { Reader, type Take, viewOf } from '../binding/Reader.ts'
import { isSkip, type Target } from '../requests/Reading.ts'
import { valuesOf } from './args.ts'
import { useController } from './useController.ts'

/** The reader of a composable, another one for other arguments. */
export function useReaderOf<T>(
  target: MaybeRef<Target>,
  args: readonly unknown[],
  take: Take<T>,
  passive?: boolean,
  keeps?: boolean,
): ComputedRef<Reader<T>> {
  const controller = useController()
  const name = DEV ? componentName() : undefined
  const reader = computed<Reader<T>>((last) => {
    const by = unref(target)
    const values = valuesOf(args)
    const view = viewOf(controller, by, values, passive)
    // Equal arguments have the same view, and may come with other options.
    if (last?.view === view) {
      last.use(by)
      return last
    }
    return new Reader(controller, by, values, view, take, passive, keeps, name)
  })
  if (passive && isOnServer(controller)) {
    onServerPrefetch(async () => {
      while (reader.value.get() === undefined && !isSkip(reader.value.args)) {
        const held = waitForMore(controller)
        if (!held) {
          return
        }
        await held
        refresh()
      }
    })
  }
  return reader
}

const refreshes = /* @__PURE__ */ shallowRef(0)

/** On a server nothing is subscribed: data has arrived, and computed values are read again. */
export function refresh(): void {
  refreshes.value++
}

/** The part of the state that `take` selects. It changes when that does. */
export function useReader<T>(...of: Parameters<typeof useReaderOf<T>>): ComputedRef<T> {
  const reader = useReaderOf(...of)
  return useShown(reader, (one, isFirst) => (isFirst ? one.getFirst() : one.get()))
}

/**
 * The state of a source, followed while the component is on the screen. A component that `<KeepAlive>` has deactivated is not.
 *
 * @param show with `true`: what the page from the server showed
 */
export function useShown<S extends Source, T>(
  source: { readonly value: S },
  show: (source: S, isFirst: boolean) => T,
): ComputedRef<T> {
  const controller = useController()
  const instance = getCurrentInstance()
  const changes = shallowRef(0)
  // A component that takes over an element of the page from the server has it from the start.
  const isFirst = shallowRef(pageOf(controller) !== undefined && !!instance?.vnode.el)
  let end: (() => void) | undefined
  const notify = (): void => {
    changes.value++
  }
  const stop = (): void => {
    end?.()
    end = undefined
  }
  const start = (): void => {
    const last = end
    end = source.value.subscribe(notify)
    last?.()
    notify()
  }
  const scope = getCurrentScope()
  // A server renders once. After an `await` in setup the component may be gone.
  if (!isOnServer(controller) && scope?.active !== false) {
    start()
    watch(
      () => source.value,
      () => end && start(),
    )
    if (scope) {
      onScopeDispose(stop)
    }
    if (instance) {
      onMounted(() => {
        isFirst.value = false
      })
      onActivated(() => end || start())
      onDeactivated(stop)
    }
  }
  return computed(() => {
    void changes.value
    return show(source.value, isFirst.value)
  })
}

/** The component that is set up, for the devtools. */
function componentName(): string | undefined {
  const { type } = getCurrentInstance() ?? {}
  return type?.name ?? type?.__name
}
