// @vitest-environment happy-dom
import { type ReactNode, use } from 'react'
import { Collection } from 'restitch'
import { useDLE, useFetch, useSuspense } from 'restitch/react'
import { expect, test } from 'vitest'
import { deferredEndpoint, h, is18, open, settle, show, Todo } from './cases.ts'

const args = { id: '1' }
const old = { id: '1', title: 'old' }

test.each<[string, (get: any) => string]>([
  ['useSuspense', (get) => (useSuspense(get, args) as Todo).title],
  ['useDLE', (get) => (useDLE(get, args) as any).data?.title],
  ...(is18 ? [] : [['useFetch', (get) => (use(useFetch(get, args)) as Todo)?.title] as [string, (get: any) => string]]),
])('EXP-12 %s fetches what it shows of an expired list, once, and shows the old value until then', async (_, read) => {
  for (const strict of [false, true]) {
    const getList = deferredEndpoint('list', new Collection([Todo]))
    const get = deferredEndpoint('get', Todo)
    const { store, clock } = open()
    const { controller } = store
    void controller.fetch(getList, {})
    await getList.calls[0].answer([old])
    const Detail = (): ReactNode => read(get)
    const screen = await show(h(Detail), { store, clock, strict })
    expect([screen.text(), get.calls.length]).toEqual(['old', 0])
    await settle(() => controller.expireAll(getList))
    expect([screen.text(), get.calls.length]).toEqual(['old', 1])
    await settle(() => get.calls[0].answer({ id: '1', title: 'new' }))
    expect(screen.text()).toBe('new')
    await settle(() => clock.pass(10_000))
    expect(get.calls).toHaveLength(1)
    screen.unmount()
    store.stop()
  }
})
