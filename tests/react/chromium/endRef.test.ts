// The end of a list, in a real page: what is in view is what the browser says.
import { type ReactNode, StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { createStore, resource, type Store } from 'restitch'
import { AsyncBoundary, DataProvider, useEndRef, useInfinite, useInfiniteDLE } from 'restitch/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { h, Todo } from '../cases.ts'

const SIZE = 10
let asked: number[]
let last: number
let failing: Set<number>
let hold: Promise<void> | undefined
let arrive: (() => Promise<unknown> | undefined) | undefined
let store: Store
let host: HTMLElement
let root: Root

beforeEach(async () => {
  await page.viewport(600, 500)
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  asked = []
  last = 30
  failing = new Set()
  hold = arrive = undefined
  store = createStore()
  host = document.createElement('div')
  document.body.style.margin = '0'
  document.body.append(host)
  root = createRoot(host)
})
afterEach(() => {
  root.unmount()
  host.remove()
  store.stop()
  vi.unstubAllGlobals()
  window.scrollTo(0, 0)
})

const Todos = () => {
  const { getList } = resource({ path: '/todos/:id', schema: Todo, paginationField: 'page' })
  const fetchResponse = async (url: string): Promise<Response> => {
    const number = Number(new URL(url, 'http://a.test').searchParams.get('page') ?? 1)
    asked.push(number)
    await hold
    await arrive?.()
    if (failing.has(number)) {
      throw Object.assign(new Error('down'), { status: 503 })
    }
    const ids = number > last ? [] : Array.from({ length: SIZE }, (_, i) => `${(number - 1) * SIZE + i}`)
    return Response.json(ids.map((id) => ({ id, title: id })))
  }
  return getList.extend({ fetchResponse })
}

interface Options {
  readonly height?: number
  readonly box?: number
  readonly margin?: number
  readonly strict?: boolean
  readonly dle?: boolean
}

async function open({ height = 100, box, margin = 0, strict = false, dle = false }: Options = {}): Promise<void> {
  const getList: any = Todos()
  const useList: any = dle ? useInfiniteDLE : useInfinite
  function List(): ReactNode {
    const list = useList(getList)
    const end = useEndRef(list, margin)
    return h(
      'div',
      { id: 'scroller', style: box ? { height: box, overflowY: 'auto' } : {} },
      list.items?.map(({ id }: Todo) => h('p', { key: id, style: { height, margin: 0 } }, id)),
      list.error && h('button', { onClick: () => list.fetchNextPage() }, 'Try again'),
      h('hr', { ref: end, style: { margin: 0, height: 1 } }),
    )
  }
  const tree = h(DataProvider, { store }, h(AsyncBoundary, { fallback: 'loading' }, h(List)))
  root.render(strict ? h(StrictMode, null, tree) : tree)
  await until(() => expect(items()).toBeGreaterThanOrEqual(SIZE))
}
const items = (): number => host.querySelectorAll('p').length
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 60_000 })
/** Two frames: an observer has measured, and has been called. */
const frames = async (): Promise<void> => {
  for (let i = 0; i < 4; i++) {
    await new Promise((done) => requestAnimationFrame(done))
  }
}
const scrollDown = (): void => {
  const box = document.getElementById('scroller')!
  box.scrollTo(0, box.scrollHeight)
  window.scrollTo(0, document.documentElement.scrollHeight)
}

test.each([{}, { strict: true }, { dle: true }, { box: 400 }, { box: 400, strict: true }])(
  'END-1 each time the end comes into view, one page is loaded: %o',
  async (options) => {
    await open(options)
    await frames()
    expect(asked).toEqual([1])
    for (const number of [2, 3, 4]) {
      scrollDown()
      await until(() => expect(items()).toBe(number * SIZE))
      await frames()
      expect(asked.at(-1)).toBe(number)
      expect(asked.length).toBe(number)
    }
  },
)

// On a slow machine, frames, effects and responses meet in other orders: a page may arrive before its observer has measured.
test.each(['at once', 'in a task', 'in a frame', 'while the thread is busy'])(
  'END-1 END-2 Strict Mode on a slow processor does not stop before the end, with responses %s',
  async (arrival) => {
    const session = cdp() as unknown as { send(method: string, params: object): Promise<unknown> }
    const arrivals: Record<string, () => Promise<unknown> | undefined> = {
      'in a task': () => new Promise((done) => setTimeout(done)),
      'in a frame': () => new Promise((done) => requestAnimationFrame(done)),
      'while the thread is busy': () =>
        new Promise<void>((done) => {
          requestAnimationFrame(() => {
            for (let i = 0; i < 2e6; i++) {
              Math.sqrt(i)
            }
            done()
          })
        }),
    }
    arrive = arrivals[arrival]
    last = 6
    await session.send('Emulation.setCPUThrottlingRate', { rate: 20 })
    try {
      // Three pages fill the screen; then the end is scrolled into view for each of the others.
      await open({ height: 20, strict: true })
      await until(() => expect(items()).toBe(30))
      for (let number = 4; number <= last; number++) {
        scrollDown()
        await until(() => expect(items()).toBe(number * SIZE))
      }
      scrollDown()
      await until(() => expect(asked.length).toBe(last + 1))
      expect(asked).toEqual(Array.from({ length: last + 1 }, (_, i) => i + 1))
    } finally {
      await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    }
  },
)

test('END-2 a list that is shorter than the screen loads until it is full, and no further', async () => {
  await open({ height: 12 })
  await until(() => expect(items()).toBe(50))
  await frames()
  expect(asked).toEqual([1, 2, 3, 4, 5])
})

test('END-2 a list that ends before the screen is full stops there', async () => {
  last = 2
  await open({ height: 5 })
  await until(() => expect(asked).toEqual([1, 2, 3]))
  await frames()
  expect([items(), asked.length]).toEqual([20, 3])
})

test('END-3 while a page loads, and after it has failed, nothing is loaded', async () => {
  await open()
  let answer!: () => void
  hold = new Promise((done) => (answer = done))
  scrollDown()
  await until(() => expect(asked).toEqual([1, 2]))
  window.scrollTo(0, 0)
  scrollDown()
  await frames()
  expect(asked).toEqual([1, 2])
  failing.add(2)
  answer()
  await until(() => expect(host.querySelector('button')).not.toBeNull())
  window.scrollTo(0, 0)
  scrollDown()
  await frames()
  expect(asked).toEqual([1, 2])
  failing.clear()
  hold = undefined
  host.querySelector('button')!.click()
  await until(() => expect(items()).toBe(20))
  scrollDown()
  await until(() => expect(items()).toBe(30))
})

test.each([
  { margin: 0, pages: 1 },
  { margin: 700, pages: 2 },
])(
  'END-4 the margin loads a page before the end is in view, also in a scrolling parent: %o',
  async ({ margin, pages }) => {
    await open({ box: 400, margin })
    await until(() => expect(asked.length).toBe(pages))
    await frames()
    expect(asked.length).toBe(pages)
  },
)

test('END-5 an unmounted list loads nothing', async () => {
  await open()
  root.render(null)
  await until(() => expect(items()).toBe(0))
  await frames()
  expect(asked).toEqual([1])
})
