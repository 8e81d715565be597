// @vitest-environment happy-dom
import { createData, RestitchProvider } from 'restitch/solid'
import { createComponent, createEffect, createRenderEffect, createSignal } from 'solid-js'
import { render } from 'solid-js/web'
import { afterEach, expect, test, vi } from 'vitest'
import { open, Todo } from '../../src/testing/contract/Adapter.ts'
import { deferredEndpoint } from '../../src/testing/endpoints.ts'
import { tick } from '../../src/testing/TestClock.ts'

let end: (() => void) | undefined
afterEach(() => {
  end?.()
  vi.restoreAllMocks()
})

function run(setup: () => void): ReturnType<typeof open> {
  const opened = open()
  const Component = (): null => {
    setup()
    return null
  }
  end = render(
    () =>
      createComponent(RestitchProvider, {
        store: opened.store,
        get children() {
          return createComponent(Component, {})
        },
      }),
    document.createElement('div'),
  )
  return opened
}

test('SIG-3 an effect runs for the members that it reads, and not for those that others read', async () => {
  const get = deferredEndpoint('get', Todo)
  const seen: string[] = []
  run(() => {
    const todo = createData(get, { id: '1' })
    createRenderEffect(() => seen.push(`data ${todo.data?.title}`))
    createRenderEffect(() => seen.push(`fetching ${todo.fetching}`))
    createEffect(() => todo.data && seen.length < 6 && todo.refetch())
  })
  await tick()
  get.calls[0].answer({ id: '1', title: 'one' })
  await tick()
  get.calls[1].answer({ id: '1', title: 'one' })
  await tick()
  expect(seen).toEqual([
    'data undefined',
    'fetching true',
    'data one',
    'fetching false',
    'fetching true',
    'fetching false',
  ])
})

test('SIG-4 a reader that an effect creates fetches once, whether its request succeeds or fails', async () => {
  const get = deferredEndpoint('get', Todo)
  const [id, setId] = createSignal('1')
  let runs = 0
  run(() => {
    createRenderEffect(() => {
      runs++
      const todo = createData(get, { id: id() })
      return [todo.data, todo.error]
    })
  })
  await tick()
  get.calls[0].answer({ id: '1', title: 'one' })
  await tick()
  await tick()
  expect(get.calls).toHaveLength(1)
  setId('2')
  await tick()
  get.calls[1].fail(Object.assign(new Error('gone'), { status: 404 }))
  for (let turn = 0; turn < 10; turn++) {
    await tick()
  }
  expect(get.calls).toHaveLength(2)
  expect(runs).toBeLessThan(8)
})
