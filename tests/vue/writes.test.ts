// @vitest-environment happy-dom
import { RestEndpoint, schema } from 'restitch'
import {
  AsyncBoundary,
  useCancelling,
  useController,
  useDebounce,
  useDLE,
  useFetching,
  useInfinite,
  useLoading,
  useMutating,
  useMutation,
  useSuspense,
} from 'restitch/vue'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  createApp,
  defineComponent,
  effectScope,
  isReactive,
  KeepAlive,
  nextTick,
  reactive,
  ref,
  shallowRef,
} from 'vue'
import { deferredEndpoint, h, open, settle, show, Todo } from './cases.ts'

let getTodo: any
let update: any
beforeEach(() => {
  getTodo = deferredEndpoint('get', Todo)
  update = deferredEndpoint('update', Todo, { sideEffect: true })
})

describe('useMutation', () => {
  test('VUE-13 has the state of the last call as refs', async () => {
    let mutation: any
    const onSuccess = vi.fn()
    const screen = await show(
      defineComponent(() => {
        mutation = useMutation(update, { onSuccess })
        return () => `${mutation.status.value} ${mutation.loading.value} ${mutation.data.value?.title}`
      }),
    )
    expect(screen.text()).toBe('idle false undefined')
    mutation.mutate({ id: '1' }, { title: 'one' })
    await settle()
    expect(screen.text()).toBe('pending true undefined')
    expect(mutation.variables.value).toEqual([{ id: '1' }, { title: 'one' }])
    await settle(() => update.calls[0].answer({ id: '1', title: 'one' }))
    expect(screen.text()).toBe('success false one')
    expect(onSuccess).toHaveBeenCalledTimes(1)
    mutation.mutate({ id: '1' }, {})
    await settle(() => update.calls[1].fail(new Error('refused')))
    expect([mutation.status.value, mutation.error.value.message]).toEqual(['error', 'refused'])
    mutation.reset()
    expect(mutation.status.value).toBe('idle')
  })

  test('VUE-13 a reactive form is sent as a plain copy; an event is no argument', async () => {
    let mutation: any
    const form = reactive({ title: 'one', tags: ['a'] })
    await show(
      defineComponent(() => {
        mutation = useMutation(update)
        return () => ''
      }),
    )
    mutation.mutate({ id: '1' }, form)
    mutation.mutate(new Event('click'))
    await settle()
    const [, body] = update.calls[0].args
    expect(body).toEqual({ title: 'one', tags: ['a'] })
    expect([isReactive(body), isReactive(body.tags), update.calls[1].args]).toEqual([false, false, []])
  })

  test('VUE-13 the callbacks of a call run while the component is mounted; those of the composable always', async () => {
    let mutation: any
    const [own, always] = [vi.fn(), vi.fn()]
    const screen = await show(
      defineComponent(() => {
        mutation = useMutation(update, { onSettled: always })
        return () => ''
      }),
    )
    mutation.mutate.with({ onSettled: own })({ id: '1' })
    screen.unmount()
    await settle(() => update.calls[0].answer({ id: '1', title: 'one' }))
    expect([own.mock.calls.length, always.mock.calls.length]).toEqual([0, 1])
  })
})

describe('useInfinite', () => {
  test('VUE-14 has the items of all pages, and loads more', async () => {
    const fails = { now: false }
    const fetchResponse = async (url: string): Promise<Response> => {
      const page = Number(new URL(url, 'http://a.test').searchParams.get('page') ?? 1)
      const items = [1, 2].map((at) => ({ id: `${page}${at}`, title: `${page}.${at}` }))
      if (fails.now) {
        throw Object.assign(new Error('down'), { status: 503 })
      }
      return Response.json({ items, next: page < 2 ? page + 1 : null })
    }
    const getPosts = new RestEndpoint({
      path: '/posts',
      searchParams: {} as { tag: string },
      schema: { items: new schema.Collection([Todo]), next: 0 as number | null },
      paginationField: 'page',
      getNextPage: ({ next }: any) => next ?? undefined,
      fetchResponse: fetchResponse as never,
    })
    const tag = ref('a')
    let list: any
    const screen = await show(
      defineComponent(async () => {
        list = await useInfinite(getPosts, () => ({ tag: tag.value }))
        return () => list.items.value.map(({ title }: Todo) => title).join()
      }),
    )
    await vi.waitFor(() => expect(screen.text()).toBe('1.1,1.2'))
    expect([list.hasNextPage.value, list.fetchingNextPage.value, list.hasPreviousPage.value]).toEqual([
      true,
      false,
      false,
    ])
    const loading = list.fetchNextPage()
    expect(list.fetchingNextPage.value).toBe(true)
    await loading
    await settle()
    expect(screen.text()).toBe('1.1,1.2,2.1,2.2')
    expect([list.hasNextPage.value, list.fetchingNextPage.value]).toEqual([false, false])
    tag.value = 'b'
    await vi.waitFor(() => expect(list.items.value).toHaveLength(2))
    expect(list.hasNextPage.value).toBe(true)
    fails.now = true
    await list.fetchNextPage()
    expect(list.error.value.status).toBe(503)
    expect(list.items.value).toHaveLength(2)
  })

  test('VUE-14 PAG-11 has the data beside the items, and follows the requests of the list', async () => {
    const state = { total: 7, fails: false, held: Promise.resolve() }
    const fetchResponse = async (): Promise<Response> => {
      await state.held
      if (state.fails) {
        throw Object.assign(new Error('down'), { status: 503 })
      }
      return Response.json({ items: [{ id: '1', title: 'one' }], total: state.total })
    }
    const getPosts = new RestEndpoint({
      path: '/posts',
      schema: { items: new schema.Collection([Todo]), total: 0 },
      paginationField: 'page',
      getNextPage: () => undefined,
      fetchResponse: fetchResponse as never,
    })
    const { clock, store } = open()
    let list: any
    const screen = await show(
      defineComponent(async () => {
        list = await useInfinite(getPosts)
        return () =>
          `${list.data.value.total} ${list.fetching.value} ${list.stale.value} ${list.refetchError.value?.status}`
      }),
      { clock, store },
    )
    await vi.waitFor(() => expect(screen.text()).toBe('7 false false undefined'))
    const since = list.fetchedAt.value
    expect(since).toBe(clock.now())
    expect(list.data.value.items).toBe(list.items.value)

    await clock.pass(1000)
    state.total = 8
    let release!: () => void
    state.held = new Promise((resolve) => (release = resolve))
    list.refetch()
    await settle()
    expect(screen.text()).toBe('7 true false undefined')
    release()
    await vi.waitFor(() => expect(screen.text()).toBe('8 false false undefined'))
    expect(list.fetchedAt.value).toBe(since + 1000)

    state.fails = true
    list.refetch()
    await vi.waitFor(() => expect(screen.text()).toBe('8 false true 503'))
    expect(list.items.value).toHaveLength(1)
  })
})

test('VUE-15 useFetching and useMutating count the requests in flight', async () => {
  const screen = await show(
    defineComponent(() => {
      const [reads, ofTodo, writes] = [useFetching(), useFetching(getTodo), useMutating()]
      return () => `${reads.value} ${ofTodo.value} ${writes.value}`
    }),
  )
  expect(screen.text()).toBe('0 0 0')
  void screen.store.controller.fetch(getTodo, { id: '1' })
  void screen.store.controller.fetch(update, { id: '1' })
  await settle()
  expect(screen.text()).toBe('1 1 1')
  await settle(() => getTodo.calls[0].answer({ id: '1' }))
  await settle(() => update.calls[0].answer({ id: '1' }))
  expect(screen.text()).toBe('0 0 0')
})

test('VUE-16 useLoading wraps a function', async () => {
  let end!: (error?: Error) => void
  const [run, loading, error] = useLoading(
    (value: number) =>
      new Promise<number>((resolve, reject) => {
        end = (thrown) => (thrown ? reject(thrown) : resolve(value))
      }),
  )
  const first = run(5)
  expect(loading.value).toBe(true)
  end()
  expect([await first, loading.value, error.value]).toEqual([5, false, undefined])
  const second = run(6)
  end(new Error('broken'))
  expect([await second, loading.value, error.value?.message]).toEqual([undefined, false, 'broken'])
})

test('VUE-17 useDebounce follows a value once it is quiet', async () => {
  const { clock, store } = open()
  const text = ref('')
  const isOn = ref(true)
  let debounced: any
  await show(
    defineComponent(() => {
      debounced = useDebounce(text, 200, isOn)
      return () => ''
    }),
    { clock, store },
  )
  const state = (): unknown[] => debounced.map((one: any) => one.value)
  text.value = 'a'
  await nextTick()
  expect(state()).toEqual(['', true])
  await clock.pass(150)
  text.value = 'ab'
  await nextTick()
  await clock.pass(150)
  expect(state()).toEqual(['', true])
  await clock.pass(50)
  expect(state()).toEqual(['ab', false])
  isOn.value = false
  text.value = 'abc'
  await nextTick()
  await clock.pass(1_000)
  expect(state()).toEqual(['ab', false])
  // Without an app it follows the clock of the system.
  const scope = effectScope()
  const alone = createApp(() => '').runWithContext(() => scope.run(() => useDebounce(() => 5, 10))!)
  expect(alone[0].value).toBe(5)
  scope.stop()
})

describe('useCancelling', () => {
  test('VUE-18 aborts the request of other arguments, and at unmount', async () => {
    const { clock, store } = open()
    const text = ref('a')
    const screen = await show(
      defineComponent(() => {
        const endpoint: any = useCancelling(getTodo, () => ({ id: text.value }))
        const { data, error } = useDLE(endpoint, () => ({ id: text.value }))
        return () => `${data.value?.title} ${error.value?.message}`
      }),
      { clock, store },
    )
    await settle(() => {
      text.value = 'b'
    })
    await settle(() => clock.pass(1))
    expect(getTodo.calls.map(({ signal }: any) => signal.aborted)).toEqual([true, false])
    await settle(() => getTodo.calls[1].answer({ id: 'b', title: 'two' }))
    expect(screen.text()).toBe('two undefined')
    await settle(() => {
      text.value = 'c'
    })
    screen.unmount()
    await settle(() => clock.pass(1))
    expect(getTodo.calls[2].signal.aborted).toBe(true)
  })

  test('VUE-18 a component that KeepAlive shows again has a new signal', async () => {
    const { clock, store } = open()
    const isShown = ref(true)
    const Page = defineComponent(() => {
      const endpoint: any = useCancelling(getTodo, { id: '1' })
      const { data } = useDLE(endpoint, { id: '1' })
      return () => (data.value as any)?.title
    })
    const screen = await show(
      defineComponent(() => () => h(KeepAlive, () => (isShown.value ? h(Page) : h('i', 'other')))),
      { clock, store },
    )
    isShown.value = false
    await settle(() => clock.pass(1))
    expect(getTodo.calls[0].signal.aborted).toBe(true)
    await settle(() => {
      isShown.value = true
    })
    await settle(() => getTodo.calls.at(-1).answer({ id: '1', title: 'one' }))
    expect(screen.text()).toBe('one')
  })
})

describe('AsyncBoundary', () => {
  const Page = defineComponent(async () => {
    const todo: any = await useSuspense(getTodo, { id: '1' })
    return () => todo.value.title
  })
  const slots = {
    default: () => h(Page),
    fallback: () => 'wait',
    error: ({ error, reset }: any) => h('button', { onClick: reset }, `Sorry: ${error.message}`),
  }

  test('VUE-19 shows a slot while something loads, another for an error, and reset tries again', async () => {
    const screen = await show(defineComponent(() => () => h(AsyncBoundary, null, slots)))
    expect(screen.text()).toBe('wait')
    await settle(() => getTodo.calls[0].fail(Object.assign(new Error('broken'), { status: 500 })))
    expect(screen.text()).toBe('Sorry: broken')
    await settle(() => screen.wrapper.find('button').trigger('click'))
    expect(screen.text()).toBe('wait')
    await settle(() => getTodo.calls[1].answer({ id: '1', title: 'one' }))
    expect(screen.text()).toBe('one')
  })

  test('VUE-19 tries again when one of the reset keys changes', async () => {
    const key = ref(1)
    const screen = await show(defineComponent(() => () => h(AsyncBoundary, { resetKeys: [key.value] }, slots)))
    await settle(() => getTodo.calls[0].fail(new Error('broken')))
    expect(screen.text()).toBe('Sorry: broken')
    await settle(() => {
      key.value++
    })
    await settle(() => getTodo.calls[1].answer({ id: '1', title: 'one' }))
    expect(screen.text()).toBe('one')
  })

  test('VUE-19 an error of an event handler replaces nothing; one of the error slot is for the boundary above', async () => {
    const failing = shallowRef(false)
    const Button = defineComponent(() => () => {
      if (failing.value) {
        throw new Error('render')
      }
      return h(
        'button',
        {
          onClick: () => {
            throw new Error('handler')
          },
        },
        'press',
      )
    })
    const Broken = defineComponent(() => () => {
      throw new Error('slot')
    })
    const screen = await show(
      defineComponent(() => () => h(AsyncBoundary, null, { default: () => h(Button), error: () => h(Broken) })),
    )
    await settle(() => screen.wrapper.find('button').trigger('click'))
    // The boundary of the test takes it.
    expect(screen.text()).toBe('failed: handler')

    const other = await show(
      defineComponent(() => () => h(AsyncBoundary, null, { default: () => h(Button), error: () => h(Broken) })),
    )
    await settle(() => {
      failing.value = true
    })
    expect(other.text()).toBe('failed: slot')
  })

  test('VUE-19 without an error slot it shows the message', async () => {
    const screen = await show(defineComponent(() => () => h(AsyncBoundary, null, { default: () => h(Page) })))
    await settle(() => getTodo.calls[0].fail(new Error('broken')))
    expect(screen.wrapper.find('pre[role=alert]').text()).toBe('broken')
  })

  test('VUE-4 an error after the mount reaches it, too', async () => {
    const id = ref('1')
    const Changing = defineComponent(async () => {
      const controller = useController()
      expect(controller).toBeDefined()
      const todo: any = await useSuspense(getTodo, () => ({ id: id.value }))
      return () => todo.value.title
    })
    const screen = await show(
      defineComponent(() => () => h(AsyncBoundary, null, { ...slots, default: () => h(Changing) })),
    )
    await settle(() => getTodo.calls[0].answer({ id: '1', title: 'one' }))
    await settle(() => {
      id.value = '2'
    })
    await settle(() => getTodo.calls[1].fail(new Error('gone')))
    expect(screen.text()).toBe('Sorry: gone')
  })
})
