// @vitest-environment happy-dom
import type { ReactNode } from 'react'
import { Collection, Entity } from 'restitch'
import { useCache, useDLE, useQuery, useSuspense } from 'restitch/react'
import { afterEach, beforeEach, expect, type Mock, test, vi } from 'vitest'
import { h, open, settle, show, deferredEndpoint } from './cases.ts'

class Post extends Entity {
  id = ''
  title = ''
  body = 'no text'
  static override key = 'Post'
}
const args = { id: '1' }
const summary = { id: '1', title: 'one' }
const detail = { ...summary, body: 'text' }

let warn: Mock
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

/** A store that has a list of summaries. */
async function listed(): Promise<ReturnType<typeof open>> {
  const { clock, store } = open()
  await store.controller.setResponse(deferredEndpoint('list', new Collection([Post])), {}, [summary])
  return { clock, store }
}

test('ENT-43 HK-6 useSuspense fetches the detail of a summary, once, and never shows a default in its place', async () => {
  const get = deferredEndpoint('get', Post)
  const Detail = (): ReactNode => useSuspense(get, args).body
  const screen = await show(h(Detail), await listed())
  expect(screen.text()).toBe('loading')
  await settle(() => get.calls[0].answer(detail))
  expect(screen.text()).toBe('text')
  expect(get.calls).toHaveLength(1)
})

test('ENT-43 useDLE loads, while useCache and useQuery show the summary', async () => {
  const get = deferredEndpoint('get', Post)
  const Detail = (): ReactNode => {
    const { data, loading, error } = useDLE(get, args) as any
    const known = useCache(get, args) as any
    const found = useQuery(Post, args)
    return [data?.body, loading, error?.message, known?.title, found?.title].join(' ')
  }
  const screen = await show(h(Detail), await listed())
  expect(screen.text()).toBe(' true  one one')
  await settle(() => get.calls[0].fail(new Error('no')))
  expect(screen.text()).toBe(' false no one one')
  await settle(() => screen.clock.pass(2_000))
  await settle(() => screen.rerender(h(Detail, { key: 'again' })))
  await settle(() => get.calls.at(-1).answer(detail))
  expect(screen.text()).toBe('text false  one one')
})

test('ENT-43 CTL-5 useCache shows a summary, and nothing once its endpoint is invalidated', async () => {
  const get = deferredEndpoint('get', Post)
  const Known = (): ReactNode => String((useCache(get, args) as any)?.title)
  const screen = await show(h(Known), await listed())
  expect(screen.text()).toBe('one')
  await settle(() => screen.store.controller.invalidate(get, args))
  expect(screen.text()).toBe('undefined')
  await settle(() => screen.store.controller.setResponse(get, args, summary))
  expect(screen.text()).toBe('one')
  expect(get.calls).toHaveLength(0)
})

test('ENT-43 a record that another request completed is not fetched', async () => {
  const get = deferredEndpoint('get', Post)
  const Detail = (): ReactNode => useSuspense(get, args).body
  const { clock, store } = await listed()
  await store.controller.set(Post, args, { id: '1', body: 'from elsewhere' })
  const screen = await show(h(Detail), { clock, store })
  expect(screen.text()).toBe('from elsewhere')
  expect(get.calls).toHaveLength(0)
})

test('ENT-43 a response without a declared field is shown, is not refetched, and warns once', async () => {
  const get = deferredEndpoint('get', Post)
  const Detail = (): ReactNode => useSuspense(get, args).body
  const screen = await show(h(Detail), await listed())
  await settle(() => get.calls[0].answer(summary))
  expect(screen.text()).toBe('no text')
  await settle(() => screen.rerender(h(Detail, { key: 'again' })))
  expect(get.calls).toHaveLength(1)
  expect(warn.mock.calls).toEqual([[expect.stringMatching(/"Post" declares "body".*static required/)]])
})

test('ENT-43 fetchIfStale fetches a summary, and gives a whole record', async () => {
  const get = deferredEndpoint('get', Post)
  const { store } = await listed()
  const fetched = store.controller.fetchIfStale(get, args)
  expect(get.calls).toHaveLength(1)
  await get.calls[0].answer(detail)
  expect(await fetched).toMatchObject(detail)
  expect(await store.controller.fetchIfStale(get, args)).toMatchObject(detail)
  expect(get.calls).toHaveLength(1)
})
