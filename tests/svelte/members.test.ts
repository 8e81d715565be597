// @vitest-environment happy-dom
import { types } from 'node:util'
import { Endpoint, Invalidate } from 'restitch'
import { createData, createLive, createMutation, createSubscription } from 'restitch/svelte'
import { flushSync, mount, unmount } from 'svelte'
import { toStore } from 'svelte/store'
import { afterEach, expect, test } from 'vitest'
import { open, Todo } from '../../src/testing/contract/Adapter.ts'
import { deferredEndpoint } from '../../src/testing/endpoints.ts'
import { tick } from '../../src/testing/TestClock.ts'
import Around from './Around.svelte'

interface App {
  id: string
  count: number
}
type Run = (app: App) => void

let ends: (() => void)[] = []
afterEach(() => ends.forEach((end) => end()))

async function run(props: {
  readonly setup?: Run
  readonly inEffect?: Run
}): Promise<ReturnType<typeof open> & { app: App }> {
  const opened = open()
  let app!: App
  const setup: Run = (given) => {
    app = given
    props.setup?.(given)
  }
  const component = mount(Around, {
    target: document.createElement('div'),
    props: { ...props, setup, store: opened.store },
  })
  ends = [() => void unmount(component)]
  await settle()
  return { ...opened, app }
}

async function settle(change?: () => unknown): Promise<void> {
  await change?.()
  flushSync()
  await tick()
  flushSync()
  await tick()
}

/** Runs whenever what it reads has changed. */
function follow(read: () => unknown): void {
  ends.push(toStore(read).subscribe(() => {}))
}

test('SIG-3 an effect runs for the members that it reads, and not for those that others read', async () => {
  const get = deferredEndpoint('get', Todo)
  const seen: string[] = []
  let todo: any
  await run({
    setup() {
      todo = createData(get, { id: '1' })
      follow(() => seen.push(`data ${todo.data?.title}`))
      follow(() => seen.push(`fetching ${todo.fetching}`))
    },
  })
  seen.length = 0
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  await settle(() => todo.refetch())
  await settle(() => get.calls[1].answer({ id: '1', title: 'one' }))
  expect(seen).toEqual(['data one', 'fetching false', 'fetching true', 'fetching false'])
})

test('SIG-4 a reader that an effect creates fetches once, whether its request succeeds or fails', async () => {
  const get = deferredEndpoint('get', Todo)
  let runs = 0
  const { app } = await run({
    inEffect(state) {
      runs++
      const todo = createData(get, { id: state.id })
      void [todo.data, todo.error]
    },
  })
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  expect(get.calls).toHaveLength(1)
  await settle(() => {
    app.id = '2'
  })
  await settle(() => get.calls[1].fail(Object.assign(new Error('gone'), { status: 404 })))
  for (let turn = 0; turn < 10; turn++) {
    await settle()
  }
  expect(get.calls).toHaveLength(2)
  expect(runs).toBeLessThan(8)
})

test('SIG-4 state that an endpoint reads while it is sent causes no other request', async () => {
  let state!: App
  const sent: number[] = []
  const signals: AbortSignal[] = []
  let answer!: (todo: object) => void
  const get = new Endpoint(
    function (this: any, { id }: { id: string }) {
      // Before the first await, as a token or a setting would be read.
      sent.push(state.count)
      signals.push(this.signal)
      return new Promise((resolve) => (answer = resolve)).then(() => ({ id, title: 'one' }))
    },
    { name: 'get', schema: Todo } as never,
  )
  const titles: unknown[] = []
  const { app } = await run({
    setup(given) {
      state = given
      const todo: any = createData(get as any, () => ({ id: given.id }))
      follow(() => titles.push(todo.data?.title))
    },
  })
  for (let turn = 1; turn < 5; turn++) {
    await settle(() => {
      app.count = turn
    })
  }
  await settle(() => answer({}))
  expect(sent).toEqual([0])
  expect(titles.at(-1)).toBe('one')
  await settle(() => {
    app.id = '2'
  })
  for (let turn = 5; turn < 10; turn++) {
    await settle(() => {
      app.count = turn
    })
  }
  expect(sent).toEqual([0, 4])
  expect(signals.every(({ aborted }) => !aborted)).toBe(true)
})

test('SIG-11 what onSuccess closes fetches nothing when its record is deleted', async () => {
  const get = deferredEndpoint('get', Todo)
  const remove = deferredEndpoint('remove', new Invalidate(Todo), { sideEffect: true })
  let removal: any
  const { app } = await run({
    setup(given) {
      const todo: any = createData(get as any, { id: '1' })
      removal = createMutation(remove, { onSuccess: () => (given.id = '') })
      follow(() => given.id && todo.data)
    },
  })
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  await settle(() => removal.mutate({ id: '1' }))
  await settle(() => remove.calls[0].answer({ id: '1' }))
  expect(app.id).toBe('')
  expect(get.calls).toHaveLength(1)
})

test('FW-24 a reader that ends with another one sends nothing after a reset', async () => {
  const get = deferredEndpoint('get', Todo)
  const { app, store, clock } = await run({
    setup(given) {
      const todo: any = createData(get as any, { id: '1' })
      let end: (() => void) | undefined
      // As `{@attach}` follows the end of a list while its element is there.
      const show = (isThere: boolean): void => {
        end?.()
        end = isThere ? toStore(() => todo.data).subscribe(() => {}) : undefined
      }
      ends.push(toStore(() => given.id !== '').subscribe(show))
      follow(() => given.id && todo.data)
    },
  })
  await settle(() => {
    app.id = '1'
  })
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  void store.controller.resetEntireStore()
  app.id = ''
  await tick()
  await settle(() => clock.pass(20_000))
  expect(get.calls).toHaveLength(1)
})

test('SIG-6 state is copied when it is an argument, and a change inside of it is another read', async () => {
  const seen: unknown[] = []
  const get = new Endpoint((filter: object) => Promise.resolve(seen.push(filter)), { name: 'get' })
  const { app } = await run({
    setup(given) {
      const data = createData(get, () => ({ app: given }))
      follow(() => data.data)
    },
  })
  expect(isProxy(seen[0])).toBe(false)
  await settle(() => {
    app.count = 1
  })
  expect(seen).toEqual([{ app: { id: '1', count: 0 } }, { app: { id: '1', count: 1 } }])
})

function isProxy(value: unknown): boolean {
  return types.isProxy(value) || Object.values(value ?? {}).some(types.isProxy)
}

test('SIG-5 createSubscription polls with the arguments of now, from mount to destruction', async () => {
  const get = deferredEndpoint('get', Todo, { pollFrequency: 5_000, dataExpiryLength: 1_000 })
  const { app, clock } = await run({
    setup: (given) => createSubscription(get as any, () => ({ id: given.id })),
  })
  await settle(() => clock.pass(5_000))
  expect(get.calls.map(({ args }: any) => args[0].id)).toEqual(['1'])
  await settle(() => {
    app.id = '2'
  })
  await settle(() => clock.pass(5_000))
  expect(get.calls.at(-1).args[0].id).toBe('2')
  const { length } = get.calls
  ends.forEach((end) => end())
  ends = []
  await settle(() => clock.pass(20_000))
  expect(get.calls).toHaveLength(length)
})

test('SIG-5 createLive polls while something reads it', async () => {
  const get = deferredEndpoint('get', Todo, { pollFrequency: 5_000, dataExpiryLength: 1_000 })
  let live: any
  const { clock } = await run({
    setup() {
      live = createLive(get as any, { id: '1' })
    },
  })
  await settle(() => clock.pass(10_000))
  expect(get.calls).toHaveLength(0)
  follow(() => live.data)
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  await settle(() => clock.pass(5_000))
  expect(get.calls).toHaveLength(2)
})
