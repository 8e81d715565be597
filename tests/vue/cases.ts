// Shared by the tests of Vue: a screen, and a store whose clock the test moves.
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createStore, Entity, type Store } from 'restitch'
import { createRestitch } from 'restitch/vue'
import { afterEach } from 'vitest'
import { type Component, defineComponent, h, onErrorCaptured, shallowRef, Suspense } from 'vue'
import { deferredEndpoint } from '../../src/testing/endpoints.ts'
import { TestClock, tick } from '../../src/testing/TestClock.ts'

export { deferredEndpoint, h }

export class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}

const shown = new Set<VueWrapper>()
afterEach(() => {
  shown.forEach((wrapper) => wrapper.unmount())
  shown.clear()
})

/** A store with a clock that stands. */
export function open(options: object = {}): { clock: TestClock; store: Store } {
  const clock = new TestClock()
  return { clock, store: createStore({ clock, ...options }) }
}

export interface Screen {
  readonly clock: TestClock
  readonly store: Store
  readonly wrapper: VueWrapper
  readonly text: () => string
  readonly unmount: () => void
}

/** Puts a component on the screen, with a boundary around it that says "loading" and "failed: …". */
export async function show(
  component: Component,
  { store, clock }: { store: Store; clock: TestClock } = open(),
): Promise<Screen> {
  const Root = defineComponent(() => {
    const error = shallowRef<Error>()
    onErrorCaptured((thrown) => {
      error.value = thrown
      return false
    })
    return () =>
      error.value
        ? `failed: ${error.value.message}`
        : h(Suspense, null, { default: () => h('div', [h(component)]), fallback: () => 'loading' })
  })
  const wrapper = mount(Root, { global: { plugins: [createRestitch({ store })] } })
  shown.add(wrapper)
  await settle()
  return {
    clock,
    store,
    wrapper,
    text: () => wrapper.text(),
    unmount: () => {
      shown.delete(wrapper)
      wrapper.unmount()
    },
  }
}

/** Does something, and lets the screen follow. */
export async function settle<T>(run?: () => T | Promise<T>): Promise<T> {
  const value = await run?.()
  await tick()
  await flushPromises()
  return value as T
}
