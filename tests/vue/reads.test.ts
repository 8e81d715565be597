// @vitest-environment happy-dom
import { Endpoint, Query, schema } from 'restitch'
import {
  createRestitch,
  provideRestitch,
  useCache,
  useController,
  useDLE,
  useFetch,
  useLive,
  useQuery,
  useSubscription,
  useSuspense,
} from 'restitch/vue'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  computed,
  createApp,
  defineComponent,
  effectScope,
  isReactive,
  KeepAlive,
  nextTick,
  reactive,
  ref,
  shallowRef,
  Teleport,
  Transition,
  watchEffect,
} from 'vue'
import { deferredEndpoint, h, open, settle, show, Todo } from './cases.ts'

let getTodo: any
let getTodos: any
beforeEach(() => {
  getTodo = deferredEndpoint('get', Todo)
  getTodos = deferredEndpoint('list', new schema.Collection([Todo]))
})

describe('useSuspense', () => {
  test('VUE-3 waits for the data, follows the store, and its value is the object of the store', async () => {
    let todo: any
    const screen = await show(
      defineComponent(async () => {
        todo = await useSuspense(getTodo, { id: '1' })
        return () => todo.value.title
      }),
    )
    expect(screen.text()).toBe('loading')
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    expect(screen.text()).toBe('one')
    const before = todo.value
    expect(isReactive(before)).toBe(false)
    expect(before).toBe(screen.store.view(getTodo, { id: '1' }).read().data)
    await settle(() => screen.store.controller.set(Todo, { id: '1' }, { id: '1', title: 'two' }))
    expect(screen.text()).toBe('two')
    await settle(() => screen.store.controller.set(Todo, { id: '2' }, { id: '2', title: 'other' }))
    expect(getTodo.calls).toHaveLength(1)
  })

  test('VUE-3 rejects with the error, which reaches onErrorCaptured', async () => {
    const screen = await show(
      defineComponent(async () => {
        const todo: any = await useSuspense(getTodo, { id: '1' })
        return () => todo.value.title
      }),
    )
    await settle(() => getTodo.calls[0].fail(new Error('no such todo')))
    expect(screen.text()).toBe('failed: no such todo')
  })

  test('VUE-4 with other arguments keeps its value until the new data is there', async () => {
    const id = ref('1')
    const screen = await show(
      defineComponent(async () => {
        const todo: any = await useSuspense(getTodo, () => ({ id: id.value }))
        return () => `${id.value} ${todo.value.title}`
      }),
    )
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    await settle(() => {
      id.value = '2'
    })
    expect(screen.text()).toBe('2 one')
    expect(getTodo.calls[1].args).toEqual([{ id: '2' }])
    await settle(() => getTodo.calls[1].answer({ id: '2', title: 'two' }))
    expect(screen.text()).toBe('2 two')
    // The data of the first arguments is still there.
    await settle(() => {
      id.value = '1'
    })
    expect(screen.text()).toBe('1 one')
    expect(getTodo.calls).toHaveLength(2)
  })

  test('VUE-4 a failure of new arguments is thrown where the value is read', async () => {
    const id = ref('1')
    const screen = await show(
      defineComponent(async () => {
        const todo: any = await useSuspense(getTodo, () => ({ id: id.value }))
        return () => todo.value.title
      }),
    )
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    await settle(() => {
      id.value = '2'
    })
    await settle(() => getTodo.calls[1].fail(new Error('no such todo')))
    expect(screen.text()).toBe('failed: no such todo')
  })

  test('VUE-4 arguments that change while it waits are waited for', async () => {
    const id = ref('1')
    const screen = await show(
      defineComponent(async () => {
        const todo: any = await useSuspense(getTodo, () => ({ id: id.value }))
        return () => todo.value.title
      }),
    )
    await settle(() => {
      id.value = '2'
    })
    await settle(() => getTodo.calls[0].fail(new Error('no such todo')))
    expect(screen.text()).toBe('loading')
    await settle(() => getTodo.calls[1].answer({ id: '2', title: 'two' }))
    expect(screen.text()).toBe('two')
  })

  test('VUE-5 a component that is gone stops waiting: no error, and the rest of its setup does not run', async () => {
    const rest = vi.fn()
    const isShown = ref(true)
    const warn = vi.spyOn(console, 'warn')
    const Inner = defineComponent(async () => {
      await useSuspense(getTodo, { id: '1' })
      rest()
      return () => 'inner'
    })
    const { clock, store } = open()
    const screen = await show(
      defineComponent(() => () => (isShown.value ? h(Inner) : 'gone')),
      { clock, store },
    )
    isShown.value = false
    screen.unmount()
    await settle(() => clock.pass(1_000))
    expect(getTodo.calls[0].signal.aborted).toBe(true)
    await settle(() => getTodo.calls[0].fail(getTodo.calls[0].signal.reason))
    expect(rest).not.toHaveBeenCalled()
    expect(warn).not.toHaveBeenCalled()
    expect(store.controller.core.mounted.size).toBe(0)
  })

  test('VUE-6 data that is there needs no request', async () => {
    const { clock, store } = open()
    await store.controller.setResponse(getTodo, { id: '1' }, { id: '1', title: 'one' })
    const screen = await show(
      defineComponent(async () => {
        const todo: any = await useSuspense(getTodo, { id: '1' })
        return () => todo.value.title
      }),
      { clock, store },
    )
    expect(screen.text()).toBe('one')
    expect(getTodo.calls).toHaveLength(0)
  })
})

describe('arguments', () => {
  test.each([
    ['a value', { id: '1' }],
    ['a ref', ref({ id: '1' })],
    ['a shallow ref', shallowRef({ id: '1' })],
    ['a computed', computed(() => ({ id: '1' }))],
    ['a getter', () => ({ id: '1' })],
    ['a reactive object', reactive({ id: '1' })],
  ])('VUE-2 may be %s', async (_, arg) => {
    await show(
      defineComponent(() => {
        const { data } = useDLE(getTodo, arg)
        return () => data.value?.title
      }),
    )
    expect(getTodo.calls[0].args).toEqual([{ id: '1' }])
    expect(isReactive(getTodo.calls[0].args[0])).toBe(false)
  })

  test('VUE-2 a change inside a reactive argument is followed, and the view keeps its own copy', async () => {
    const filter = reactive({ id: '1', tags: ['a'] })
    await show(
      defineComponent(() => {
        useFetch(getTodo, filter)
        return () => ''
      }),
    )
    await settle(() => void filter.tags.push('b'))
    expect(getTodo.calls.map(({ args }: any) => args)).toEqual([
      [{ id: '1', tags: ['a'] }],
      [{ id: '1', tags: ['a', 'b'] }],
    ])
  })

  test('VUE-2 equal content causes nothing', async () => {
    const filter = ref({ id: '1' })
    await show(
      defineComponent(() => {
        useFetch(getTodo, filter)
        return () => ''
      }),
    )
    await settle(() => {
      filter.value = { id: '1' }
    })
    expect(getTodo.calls).toHaveLength(1)
  })

  test('VUE-2 null means not yet', async () => {
    const id = ref<string>()
    const screen = await show(
      defineComponent(async () => {
        const { loading } = useDLE(getTodo, () => (id.value ? { id: id.value } : null))
        const promise = useFetch(getTodo, () => (id.value ? { id: id.value } : null))
        const todo: any = await useSuspense(getTodo, () => (id.value ? { id: id.value } : null))
        return () => `${todo.value?.title} ${loading.value} ${typeof promise.value}`
      }),
    )
    expect(screen.text()).toBe('undefined false undefined')
    expect(getTodo.calls).toHaveLength(0)
    await settle(() => {
      id.value = '1'
    })
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    expect(screen.text()).toBe('one false object')
    expect(getTodo.calls).toHaveLength(1)
  })
})

describe('useDLE', () => {
  test('VUE-7 has a ref for each member, and a component renders for those that it reads', async () => {
    const renders = vi.fn()
    const screen = await show(
      defineComponent(() => {
        const { data, loading, error } = useDLE(getTodo, { id: '1' })
        return () => {
          renders()
          return loading.value ? 'wait' : ((error.value as any)?.message ?? data.value.title)
        }
      }),
    )
    expect(screen.text()).toBe('wait')
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    expect(screen.text()).toBe('one')
    expect(renders).toHaveBeenCalledTimes(2)
    // A refetch in the background that brings equal data.
    const refetch = screen.store.controller.fetch(getTodo, { id: '1' })
    await settle(() => getTodo.calls[1].answer({ id: '1', title: 'one' }))
    await refetch
    expect(renders).toHaveBeenCalledTimes(2)
  })

  test('VUE-7 shows an error, and refetch tries again', async () => {
    let dle: any
    const screen = await show(
      defineComponent(() => {
        dle = useDLE(getTodo, { id: '1' })
        return () => `${dle.loading.value} ${dle.error.value?.message} ${dle.data.value?.title}`
      }),
    )
    await settle(() => getTodo.calls[0].fail(new Error('broken')))
    expect(screen.text()).toBe('false broken undefined')
    await settle(() => dle.refetch())
    await settle(() => getTodo.calls[1].answer({ id: '1', title: 'one' }))
    expect(screen.text()).toBe('false undefined one')
  })

  test('VUE-7 fetching, stale, fetchedAt and refetchError follow requests and time', async () => {
    let dle: any
    const { clock, store } = open()
    const get = getTodo.extend({ dataExpiryLength: 1_000 })
    await show(
      defineComponent(() => {
        dle = useDLE(get, { id: '1' })
        return () => [dle.fetching.value, dle.stale.value, dle.refetchError.value?.message].join()
      }),
      { clock, store },
    )
    expect(dle.fetching.value).toBe(true)
    const sentAt = clock.time
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    expect([dle.fetching.value, dle.stale.value, dle.fetchedAt.value]).toEqual([false, false, sentAt])
    await settle(() => clock.pass(2_000))
    expect(dle.stale.value).toBe(true)
    await settle(() => dle.refetch())
    expect(dle.fetching.value).toBe(true)
    await settle(() => getTodo.calls[1].fail(new Error('broken')))
    expect([dle.fetching.value, dle.refetchError.value.message, dle.data.value.title]).toEqual([false, 'broken', 'one'])
  })

  test('VUE-7 keepPrevious and placeholder show other data while it loads', async () => {
    const id = ref('1')
    let dle: any
    await show(
      defineComponent(() => {
        dle = useDLE({ endpoint: getTodo, keepPrevious: true }, () => ({ id: id.value }))
        return () => dle.data.value?.title
      }),
    )
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    await settle(() => {
      id.value = '2'
    })
    expect([dle.data.value.title, dle.loading.value, dle.placeholder.value]).toEqual(['one', false, true])
    await settle(() => getTodo.calls[1].answer({ id: '2', title: 'two' }))
    expect([dle.data.value.title, dle.placeholder.value]).toEqual(['two', false])

    await show(
      defineComponent(() => {
        dle = useDLE({ endpoint: getTodo, placeholder: () => Todo.fromJS({ title: 'soon' }) }, { id: '3' })
        return () => ''
      }),
    )
    expect([dle.data.value.title, dle.placeholder.value]).toEqual(['soon', true])
  })

  test('VUE-7 a failure that is not stored is shown', async () => {
    const get = getTodo.extend({ errorExpiryLength: 0 })
    let dle: any
    await show(
      defineComponent(() => {
        dle = useDLE(get, { id: '1' })
        return () => ''
      }),
    )
    await settle(() => getTodo.calls[0].fail(new Error('broken')))
    expect([dle.loading.value, dle.error.value.message]).toEqual([false, 'broken'])
    expect(getTodo.calls).toHaveLength(1)
  })
})

describe('useCache, useQuery', () => {
  test('VUE-8 read the store and never fetch', async () => {
    const total = new Query(new schema.All(Todo), (todos) => todos.length)
    const id = ref('1')
    const screen = await show(
      defineComponent(() => {
        const cached: any = useCache(getTodo, () => ({ id: id.value }))
        const todo = useQuery(Todo, () => ({ id: id.value }))
        const count = useQuery(total)
        return () => `${cached.value?.title} ${todo.value?.title} ${count.value}`
      }),
    )
    expect(screen.text()).toBe('undefined undefined undefined')
    await settle(() => screen.store.controller.set(Todo, { id: '2' }, { id: '2', title: 'two' }))
    expect(screen.text()).toBe('undefined undefined 1')
    await settle(() => screen.store.controller.setResponse(getTodo, { id: '1' }, { id: '1', title: 'one' }))
    expect(screen.text()).toBe('one one 2')
    await settle(() => {
      id.value = '2'
    })
    expect(screen.text()).toBe('two two 2')
    expect(getTodo.calls).toHaveLength(0)
  })
})

describe('useFetch', () => {
  test('VUE-9 has the promise of the data, and several fetch at the same time', async () => {
    let promise: any
    const screen = await show(
      defineComponent(async () => {
        promise = useFetch(getTodos)
        const todo: any = await useSuspense(getTodo, { id: '1' })
        return () => todo.value.title
      }),
    )
    expect([getTodo.calls.length, getTodos.calls.length]).toEqual([1, 1])
    expect(promise.value.resolved).toBe(false)
    await settle(() => getTodos.calls[0].answer([{ id: '1', title: 'one' }]))
    expect(promise.value.resolved).toBe(true)
    expect((await promise.value).map(({ title }: Todo) => title)).toEqual(['one'])
    await settle(() => getTodo.calls[0]?.answer({ id: '1', title: 'one' }))
    expect(screen.text()).toBe('one')
  })
})

describe('useSubscription, useLive', () => {
  test('VUE-10 poll while the component is mounted, with the arguments of now', async () => {
    const { clock, store } = open()
    const get = getTodo.extend({ pollFrequency: 1_000 })
    const id = ref('1')
    const screen = await show(
      defineComponent(async () => {
        const todo: any = await useLive(get, () => ({ id: id.value }))
        return () => todo.value.title
      }),
      { clock, store },
    )
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    await settle(() => clock.pass(1_000))
    await settle(() => getTodo.calls[1].answer({ id: '1', title: 'one again' }))
    expect(screen.text()).toBe('one again')
    await settle(() => {
      id.value = '2'
    })
    await settle(() => getTodo.calls[2].answer({ id: '2', title: 'two' }))
    await settle(() => clock.pass(1_000))
    expect(getTodo.calls.slice(2).map(({ args }: any) => args[0].id)).toEqual(['2', '2'])
    await settle(() => getTodo.calls[3].answer({ id: '2', title: 'two' }))
    screen.unmount()
    await settle(() => clock.pass(10_000))
    expect(getTodo.calls).toHaveLength(4)
  })

  test('VUE-10 null subscribes to nothing', async () => {
    const { clock, store } = open()
    const get = getTodo.extend({ pollFrequency: 1_000 })
    await show(
      defineComponent(() => {
        useSubscription(get, null)
        return () => ''
      }),
      { clock, store },
    )
    await settle(() => clock.pass(10_000))
    expect(getTodo.calls).toHaveLength(0)
  })
})

describe('KeepAlive', () => {
  test('VUE-11 a component in reserve is not mounted: it follows nothing, and fetches what became stale when it returns', async () => {
    const { clock, store } = open()
    const get = getTodo.extend({ dataExpiryLength: 1_000 })
    const isShown = ref(true)
    const Page = defineComponent(() => {
      const { data } = useDLE<any, any>(get, { id: '1' })
      return () => data.value?.title
    })
    const screen = await show(
      defineComponent(() => () => h(KeepAlive, () => (isShown.value ? h(Page) : h('i', 'other')))),
      { clock, store },
    )
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    expect(screen.text()).toBe('one')
    const { mounted } = store.controller.core
    expect(mounted.size).toBe(1)
    await settle(() => {
      isShown.value = false
    })
    expect([screen.text(), mounted.size]).toEqual(['other', 0])
    await settle(() => clock.pass(5_000))
    await settle(() => store.controller.set(Todo, { id: '1' }, { id: '1', title: 'uno' }))
    expect(getTodo.calls).toHaveLength(1)
    await settle(() => {
      isShown.value = true
    })
    expect(screen.text()).toBe('uno')
    expect([mounted.size, getTodo.calls.length]).toEqual([1, 2])
  })

  test('VUE-11 polling stops, too', async () => {
    const { clock, store } = open()
    const get = getTodo.extend({ pollFrequency: 1_000 })
    const isShown = ref(true)
    const Page = defineComponent(() => {
      useSubscription<any, any>(get, { id: '1' })
      return () => 'page'
    })
    await show(
      defineComponent(() => () => h(KeepAlive, () => (isShown.value ? h(Page) : h('i', 'other')))),
      { clock, store },
    )
    await settle(() => clock.pass(1_000))
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    await settle(() => {
      isShown.value = false
    })
    await settle(() => clock.pass(10_000))
    expect(getTodo.calls).toHaveLength(1)
    await settle(() => {
      isShown.value = true
    })
    await settle(() => clock.pass(1_000))
    expect(getTodo.calls.length).toBeGreaterThan(1)
  })
})

test('VUE-3 works in Transition and Teleport', async () => {
  const target = document.body.appendChild(document.createElement('aside'))
  const Inner = defineComponent(async () => {
    const todo: any = await useSuspense(getTodo, { id: '1' })
    return () => h('b', todo.value.title)
  })
  await show(
    defineComponent(
      () => () =>
        h(
          Teleport,
          { to: target },
          h(Transition, () => h(Inner)),
        ),
    ),
  )
  await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
  expect(target.textContent).toBe('one')
  target.remove()
})

describe('the store', () => {
  test('VUE-1 the plugin starts it and stops it with the app', async () => {
    const managers = [{ init: vi.fn(), cleanup: vi.fn(), middleware: () => (next: any) => next }]
    const restitch = createRestitch({ managers: managers as never })
    let controller: any
    const app = createApp(
      defineComponent(() => {
        controller = useController()
        return () => ''
      }),
    ).use(restitch)
    expect(managers[0]!.init).toHaveBeenCalledTimes(1)
    app.mount(document.createElement('div'))
    expect(controller).toBe(restitch.controller)
    app.unmount()
    expect(managers[0]!.cleanup).toHaveBeenCalledTimes(1)
  })

  test('VUE-1 one that was made outside is neither started nor stopped', () => {
    const { store } = open()
    const stop = vi.spyOn(store, 'stop')
    const app = createApp(() => '').use(createRestitch({ store }))
    app.mount(document.createElement('div'))
    app.unmount()
    expect(stop).not.toHaveBeenCalled()
    expect(() => createRestitch({ store, managers: [] })).toThrow('provider-props')
  })

  test('VUE-1 provideRestitch gives one to a part of the tree', async () => {
    const managers = [{ init: vi.fn(), cleanup: vi.fn(), middleware: () => (next: any) => next }]
    const found: any[] = []
    const Leaf = defineComponent(() => {
      found.push(useController())
      return () => ''
    })
    const isShown = ref(true)
    const Part = defineComponent(() => {
      found.push(provideRestitch({ managers: managers as never }))
      return () => h(Leaf)
    })
    const { store } = await show(defineComponent(() => () => [h(Leaf), isShown.value && h(Part)]))
    expect(found[0]).toBe(store.controller)
    expect(found[1]).toBe(found[2])
    expect(found[1]).not.toBe(found[0])
    isShown.value = false
    await nextTick()
    await vi.waitFor(() => expect(managers[0]!.cleanup).toHaveBeenCalledTimes(1))
  })

  test('VUE-1 a composable without one says what to do', () => {
    const app = createApp(() => '')
    expect(() => app.runWithContext(() => useController())).toThrow('provider-missing')
  })

  test('VUE-12 composables work in an effect scope, outside of components', async () => {
    const { store } = open()
    const app = createApp(() => '').use(createRestitch({ store }))
    const scope = effectScope()
    const seen: unknown[] = []
    app.runWithContext(() =>
      scope.run(() => {
        const { data } = useDLE<any, any>(getTodo, { id: '1' })
        watchEffect(() => seen.push(data.value?.title))
      }),
    )
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    expect(seen).toEqual([undefined, 'one'])
    scope.stop()
    expect(store.controller.core.mounted.size).toBe(0)
  })
})

test('VUE-3 an endpoint in a ref may change', async () => {
  const one = new Endpoint(async () => 'one', { name: 'one' })
  const two = new Endpoint(async () => 'two', { name: 'two' })
  const endpoint = shallowRef(one)
  const screen = await show(
    defineComponent(async () => {
      const text = await useSuspense(endpoint)
      return () => text.value
    }),
  )
  expect(screen.text()).toBe('one')
  await settle(() => {
    endpoint.value = two
  })
  expect(screen.text()).toBe('two')
})
