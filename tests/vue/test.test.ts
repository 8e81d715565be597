// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { Endpoint, Entity, resource } from 'restitch'
import {
  createDataClient,
  createRestitch,
  DataClientPlugin,
  useController,
  useDLE,
  useSubscription,
  useSuspense,
} from 'restitch/vue'
import { MockPlugin, mountDataClient, renderDataCompose } from 'restitch/vue/test'
import { expect, test, vi } from 'vitest'
import { type App, createApp, defineComponent, h, reactive, Suspense, watchEffect } from 'vue'
import { settle } from './cases.ts'

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}
const Users = resource({ path: '/users/:id', schema: User })
const ann = { endpoint: Users.get, args: [{ id: '1' }] as const, response: { id: '1', name: 'Ann' } }
const bob = { endpoint: Users.get, args: [{ id: '2' }] as const, response: { id: '2', name: 'Bob' } }
const save = {
  endpoint: Users.partialUpdate,
  response: ({ id }: { id: string | number }, body: any) => ({ id, name: 'Ann', ...body }) as any,
}

test('VUE-23 renderDataCompose runs a composable with fixtures, interceptors and props', async () => {
  const { result, props, controller, allSettled, cleanup } = renderDataCompose(
    (given: { id: string }) => useSuspense(Users.get, () => ({ id: given.id })),
    { props: { id: '1' }, initialFixtures: [ann], resolverFixtures: [bob, save] },
  )
  const user = await result
  expect(user.value.name).toBe('Ann')
  props.id = '2'
  await allSettled()
  expect(user.value.name).toBe('Bob')
  await controller.fetch(Users.partialUpdate, { id: '2' }, { name: 'Bea' })
  await allSettled()
  expect(user.value.name).toBe('Bea')
  cleanup()
})

test('VUE-23 a composable that throws, or whose promise rejects', async () => {
  const broken = { ...ann, response: new Error('broken'), error: true as const }
  expect(() =>
    renderDataCompose(() => {
      throw new Error('at once')
    }),
  ).toThrow('at once')
  const { result, cleanup } = renderDataCompose(() => useSuspense(Users.get, { id: '1' }), {
    resolverFixtures: [broken],
  })
  await expect(result).rejects.toThrow('broken')
  cleanup()
})

test('VUE-23 interceptors keep their data, and composables without a promise work, too', async () => {
  const { result, allSettled, cleanup } = renderDataCompose(
    () => ({ ...useDLE(Users.get, { id: '1' }), c: useController() }),
    {
      resolverFixtures: [
        {
          endpoint: Users.get,
          response(this: { count: number }, { id }: { id: string | number }) {
            this.count++
            return { id: String(id), name: `call ${this.count}` } as any
          },
        },
      ],
      getInitialInterceptorData: () => ({ count: 0 }),
    },
  )
  expect(result.loading.value).toBe(true)
  await allSettled()
  expect([result.loading.value, result.data.value?.name]).toEqual([false, 'call 1'])
  result.refetch()
  await allSettled()
  expect(result.data.value?.name).toBe('call 2')
  cleanup()
})

test('VUE-24 MockPlugin mocks the fetches of an app', async () => {
  const Page = defineComponent(async () => {
    const user = await useSuspense(Users.get, { id: '1' })
    return () => user.value.name
  })
  const wrapper = mount(
    defineComponent(() => () => h(Suspense, () => h('div', [h(Page)]))),
    { global: { plugins: [createRestitch(), [MockPlugin, { fixtures: [ann] }]] } },
  )
  await expect.poll(async () => (await settle(), wrapper.text())).toBe('Ann')
  wrapper.unmount()
})

const Page = defineComponent({
  props: { id: { type: String, required: true } },
  async setup(props) {
    const user = await useSuspense(Users.get, () => ({ id: props.id }))
    return () => h('p', user.value.name)
  },
})

test('VUE-25 mountDataClient mounts a component with fixtures and reactive props', async () => {
  const props = reactive({ id: '1' })
  const Frame = defineComponent(
    (_, { slots }) =>
      () =>
        h('main', slots['default']?.()),
  )
  const { wrapper, controller, allSettled, cleanup } = mountDataClient(Page, {
    props,
    wrapper: Frame,
    resolverFixtures: [ann, bob],
  })
  expect(wrapper.find('[data-testid="suspense-fallback"]').exists()).toBe(true)
  expect(await allSettled()).toMatchObject([{ status: 'fulfilled' }])
  await settle()
  expect(wrapper.find('main[id="1"] p').text()).toBe('Ann')
  props.id = '2'
  await allSettled()
  expect(wrapper.find('p').text()).toBe('Bob')
  expect(controller.get(User, { id: '2' })?.name).toBe('Bob')
  cleanup()
  await expect(controller.fetch(Users.get, { id: '1' })).rejects.toThrow()
})

test('VUE-25 initial fixtures, and waitForNextUpdate', async () => {
  const { result, wrapper, waitForNextUpdate, cleanup } = renderDataCompose(() => useDLE(Users.get, { id: '1' }), {
    resolverFixtures: [ann],
  })
  expect(result.loading.value).toBe(true)
  await waitForNextUpdate()
  expect(result.data.value?.name).toBe('Ann')
  expect(wrapper.find('[data-testid="composable-result"]').exists()).toBe(true)
  cleanup()
})

test('VUE-26 DataClientPlugin gives a store to an app, and $dataClient to its templates', async () => {
  let app!: App
  const wrapper = mount(
    defineComponent(() => () => h('p', 'shown')),
    { global: { plugins: [[DataClientPlugin], { install: (one: App) => void (app = one) }] } },
  )
  const controller = app.runWithContext(useController)
  expect(app.config.globalProperties['$dataClient']).toBe(controller)
  app.use(MockPlugin, { fixtures: [ann] })
  const mocked = app.config.globalProperties['$dataClient'] as typeof controller
  expect(await mocked.fetch(Users.get, { id: '1' })).toMatchObject({ name: 'Ann' })
  wrapper.unmount()
  await expect(controller.fetch(Users.get, { id: '1' })).rejects.toThrow()
})

test('VUE-26 createDataClient is started by hand, and its stateRef follows the store', async () => {
  const app = createApp(defineComponent(() => () => null))
  const { controller, stateRef, start, stop } = createDataClient({ app })
  start()
  const counts: number[] = []
  const end = watchEffect(() => counts.push(Object.keys(stateRef.value.entities['User'] ?? {}).length), {
    flush: 'sync',
  })
  await controller.set(User, { id: '1' }, { id: '1', name: 'Ann' })
  expect([counts[0], counts.at(-1)]).toEqual([0, 1])
  expect(app.runWithContext(useController)).toBe(controller)
  end()
  stop()
})

test('TST-21 a poll comes exactly after its interval', async () => {
  vi.useFakeTimers()
  let count = 0
  const getCount = new Endpoint(async () => ++count, { name: 'getCount', pollFrequency: 5_000 })
  const { cleanup } = renderDataCompose(() => useSubscription(getCount))
  await vi.advanceTimersByTimeAsync(0)
  for (const polled of [1, 2]) {
    await vi.advanceTimersByTimeAsync(4_999)
    expect(count).toBe(polled)
    await vi.advanceTimersByTimeAsync(1)
    expect(count).toBe(polled + 1)
  }
  cleanup()
  vi.useRealTimers()
})
