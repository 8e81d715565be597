// @vitest-environment happy-dom
import { config } from '@vue/test-utils'
import { useDLE, useSuspense } from 'restitch/vue'
import { beforeEach, describe, expect, test } from 'vitest'
import * as vue from 'vue'
import { defineComponent, KeepAlive, ref, Teleport, Transition } from 'vue'
import { deferredEndpoint, h, type Screen, settle, show, Todo } from './cases.ts'

// Not the stub that the test utilities put in its place.
config.global.stubs = { transition: false }

let getTodo: any
beforeEach(() => {
  getTodo = deferredEndpoint('get', Todo)
})

/** How many endpoints components read. */
const readCount = ({ store }: Screen): number => (store.controller as any).core.mounted.size
const write = ({ store }: Screen, id: string, title: string): Promise<void> =>
  settle(() => store.controller.set(Todo, { id }, { id, title })) as Promise<void>

const Title = defineComponent(
  (props: { id: string }) => {
    const { data }: any = useDLE(getTodo, () => ({ id: props.id }))
    return () => h('b', data.value?.title)
  },
  { props: ['id'] as never },
)

describe('Transition', () => {
  test('VUE-3 the old content stays until it has left, and the next one fetches after it', async () => {
    const id = ref('1')
    let finish = (): void => {}
    const onLeave = (_element: unknown, done: () => void): void => {
      finish = done
    }
    const screen = await show(
      defineComponent(
        () => () =>
          h(Transition, { mode: 'out-in', css: false, onLeave }, () => h(Title, { id: id.value, key: id.value })),
      ),
    )
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    await settle(() => {
      id.value = '2'
    })
    expect(screen.text()).toBe('one')
    expect(getTodo.calls).toHaveLength(1)
    await settle(() => finish())
    expect(getTodo.calls).toHaveLength(2)
    await settle(() => getTodo.calls[1].answer({ id: '2', title: 'two' }))
    expect(screen.text()).toBe('two')
    expect(readCount(screen)).toBe(1)
  })
})

describe('Teleport', () => {
  test('VUE-3 content elsewhere follows the store, and moves without a request', async () => {
    const places = ['one', 'two'].map((id) => Object.assign(document.createElement('aside'), { id }))
    document.body.append(...places)
    const place = ref(places[0]!)
    const screen = await show(
      defineComponent(() => () => h('main', [h(Teleport, { to: place.value }, h(Title, { id: '1' }))])),
    )
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    expect(places.map(({ textContent }) => textContent)).toEqual(['one', ''])
    await settle(() => {
      place.value = places[1]!
    })
    await write(screen, '1', 'changed')
    expect(places.map(({ textContent }) => textContent)).toEqual(['', 'changed'])
    expect(getTodo.calls).toHaveLength(1)
    screen.unmount()
    expect(readCount(screen)).toBe(0)
    places.forEach((element) => element.remove())
  })
})

describe('async setup', () => {
  // Only the compiler uses it, so it has no public type.
  const { withAsyncContext } = vue as unknown as {
    withAsyncContext: (run: () => Promise<unknown>) => [awaited: Promise<unknown>, restore: () => void]
  }
  // Two `await` of `<script setup>`, as the compiler writes them.
  const Two = defineComponent(async () => {
    const [first, restoreFirst] = withAsyncContext(() => useSuspense(getTodo, { id: '1' }))
    const one: any = await first
    restoreFirst()
    const [second, restoreSecond] = withAsyncContext(() => useSuspense(getTodo, { id: '2' }))
    const two: any = await second
    restoreSecond()
    return () => h('b', `${one.value.title} ${two.value.title}`)
  })

  test('VUE-12 composables after an await belong to the component', async () => {
    const screen = await show(Two)
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    expect(screen.text()).toBe('loading')
    await settle(() => getTodo.calls[1].answer({ id: '2', title: 'two' }))
    expect(screen.text()).toBe('one two')
    await write(screen, '2', 'changed')
    expect(screen.text()).toBe('one changed')
    expect(readCount(screen)).toBe(2)
    screen.unmount()
    expect(readCount(screen)).toBe(0)
  })

  test('VUE-5 a component that is unmounted while it waits reads nothing any more, and its setup ends there', async () => {
    const screen = await show(Two)
    screen.unmount()
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    expect(getTodo.calls).toHaveLength(1)
    expect(readCount(screen)).toBe(0)
  })

  test('VUE-11 in KeepAlive it waits for data once, and follows the store again when it returns', async () => {
    const isShown = ref(true)
    const Page = defineComponent(async () => {
      const todo: any = await useSuspense(getTodo, { id: '1' })
      return () => h('b', todo.value.title)
    })
    const screen = await show(
      defineComponent(() => () => h(KeepAlive, () => (isShown.value ? h(Page) : h('i', 'other')))),
    )
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    await settle(() => {
      isShown.value = false
    })
    expect(screen.text()).toBe('other')
    expect(readCount(screen)).toBe(0)
    await write(screen, '1', 'changed')
    await settle(() => {
      isShown.value = true
    })
    expect(screen.text()).toBe('changed')
    expect(getTodo.calls).toHaveLength(1)
  })
})
