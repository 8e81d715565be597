// @vitest-environment happy-dom
import { act } from '@testing-library/react'
import { type ComponentType, lazy, type ReactNode } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { createStore, Query, All, serializeState } from 'restitch'
import { DataProvider, ErrorBoundary, useController, useDLE, useQuery, useSuspense } from 'restitch/react'
import { awaitInitialData, getInitialData } from 'restitch/react/ssr'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Api, api, Article, h, loading, page, pipe, Post } from './cases.ts'

let root: Root | undefined
let errors: unknown[]
beforeEach(() => {
  errors = []
  vi.spyOn(console, 'error').mockImplementation((...said) => {
    // Server and browser are one process here.
    if (!String(said[0]).includes('multiple renderers')) {
      errors.push(said)
    }
  })
})
afterEach(async () => {
  await act(async () => root?.unmount())
  root = undefined
  document.body.innerHTML = document.head.innerHTML = ''
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Puts what the server gave into the document, and lets its scripts put everything into its place. */
async function load(html: string): Promise<HTMLElement> {
  document.body.innerHTML = html.replace(/.*<body>/s, '').replace(/<\/body>.*/s, '')
  const rest = html.replace(/.*<\/body><\/html>/s, '')
  document.body.append(document.createRange().createContextualFragment(rest))
  const [, head = ''] = /<head>(.*)<\/head>/s.exec(html) ?? []
  document.head.innerHTML = head
  for (const script of document.querySelectorAll('script:not([type])')) {
    // oxlint-disable-next-line no-eval -- scripts that come with text do not run by themselves
    ;(0, eval)(script.textContent!)
    script.remove()
  }
  await vi.waitFor(() => expect(document.querySelector('div[hidden][id^="S:"]')).toBeNull())
  return document.getElementById('root')!
}

async function hydrate(element: HTMLElement, app: ReactNode): Promise<void> {
  const initialState = await awaitInitialData()
  await act(async () => {
    root = hydrateRoot(element, h(DataProvider, { initialState }, app), {
      onRecoverableError: (error) => void errors.push(error),
    })
  })
}

test('SSR-4 the browser takes the page over without a request, and the text stays', async () => {
  const server = api()
  const app = (from: Api): ReactNode =>
    ['1', '2'].map((id) => h('section', { key: id }, loading(h(Article, { from, id }))))
  const { html } = await pipe(page(app(server)).tree)
  const browser = api()
  const element = await load(html)
  const before = element.innerHTML
  expect(element.textContent).toBe('Post 1 by Author a1Post 2 by Author a2')
  const first = element.querySelector('p')
  await hydrate(element, app(browser))
  expect(element.querySelector('p')).toBe(first)
  expect(element.innerHTML).toBe(before)
  expect(browser.calls).toEqual([])
  expect(errors).toEqual([])
})

test('SSR-11 a part that is taken over late, after the store moved on, begins with what the server showed', async () => {
  const app = (from: Api, Late: ComponentType<any>): ReactNode => [
    h('section', { key: 1 }, loading(h(Article, { from, id: '1' }))),
    h('section', { key: 2 }, loading(h(Late, { from, id: '1' }))),
    h('section', { key: 3 }, loading(h(Late, { from, id: '2' }))),
  ]
  const { html } = await pipe(page(app(api(), Article)).tree)
  const browser = api()
  const element = await load(html)
  let arrive!: (module: { default: ComponentType<any> }) => void
  const seen: string[] = []
  const Watched = (props: { from: Api; id: string }): ReactNode => {
    const shown = Article(props) as { props: { children: string } }
    seen.push(shown.props.children)
    return shown as never
  }
  let controller!: ReturnType<typeof useController>
  const Grab = (): ReactNode => {
    controller = useController()
    return null
  }
  const Late = lazy(() => new Promise<{ default: ComponentType<any> }>((done) => void (arrive = done)))
  await hydrate(element, [app(browser, Late), h(Grab, { key: 'grab' })])
  await act(() => controller.set(Post, { id: '1' }, { id: '1', title: 'Changed', authorId: 'a1' }))
  // Gone from the store, but still in the page.
  await act(() => controller.setResponse(browser.posts, { id: '2' }, { id: '2', title: 'Second', authorId: 'a2' }))
  expect(element.textContent).toBe('Changed by Author a1Post 1 by Author a1Post 2 by Author a2')
  const late = element.querySelectorAll('p')[1]
  await act(async () => arrive({ default: Watched }))
  expect(seen[0]).toBe('Post 1 by Author a1')
  expect(element.querySelectorAll('p')[1]).toBe(late)
  expect(element.textContent).toBe('Changed by Author a1Changed by Author a1Second by Author a2')
  expect(errors).toEqual([])
  expect(browser.calls).toEqual([])
})

test('SSR-11 queries, too, begin with what the server showed', async () => {
  const titles = new Query(new All(Post), (posts) => posts.map(({ title }) => title).join())
  const Titles = (): ReactNode => useQuery(titles) ?? 'none'
  const app = (from: Api, Late: ComponentType<any>): ReactNode =>
    loading(h('div', { key: 'app' }, h(Article, { from, id: '1' }), loading(h(Late))))
  const { html } = await pipe(page(h('div', null, app(api(), Titles), null)).tree)
  const element = await load(html)
  expect(element.textContent).toBe('Post 1 by Author a1Post 1')
  let arrive!: (module: { default: ComponentType<any> }) => void
  const Late = lazy(() => new Promise<{ default: ComponentType<any> }>((done) => void (arrive = done)))
  let controller!: ReturnType<typeof useController>
  const Grab = (): ReactNode => {
    controller = useController()
    return null
  }
  await hydrate(element, h('div', null, app(api(), Late), h(Grab)))
  await act(() => controller.set(Post, { id: '9' }, { id: '9', title: 'Post 9' }))
  await act(async () => arrive({ default: Titles }))
  expect(element.textContent).toBe('Post 1 by Author a1Post 1,Post 9')
  expect(errors).toEqual([])
})

test('SSR-11 a hook that does not suspend shows the state in the page, whatever was rendered first', async () => {
  const Title = (): ReactNode => useQuery(Post, { id: '1' })?.title ?? 'none'
  const Never = (): ReactNode => useQuery(Post, { id: 'unknown' })?.title ?? 'unknown'
  const Both = ({ from }: { from: Api }): ReactNode =>
    ['3', '4'].map((id) => useDLE(from.posts, { id }).data?.title ?? 'loading').join()
  // It fetches only after it is released.
  const Chain = ({ from }: { from: Api }): ReactNode => {
    const id = useQuery(Post, { id: '1' }) ? '5' : '6'
    return h('div', null, loading(h(Article, { from, id })))
  }
  const app = (from: Api): ReactNode =>
    [Title, Never, Both, Chain, Article, Title].map((Part: any, i) =>
      h('section', { key: i }, loading(h(Part, { from, id: '1' }))),
    )
  const { html, errors: met } = await pipe(page(app(api())).tree)
  expect(met).toEqual([])
  const element = await load(html)
  const shown = element.textContent
  expect(shown).toBe('Post 1unknownPost 3,Post 4Post 5 by Author a5Post 1 by Author a1Post 1')
  const browser = api()
  await hydrate(element, app(browser))
  expect(browser.calls).toEqual([])
  expect(errors).toEqual([])
})

test('SSR-6 the browser shows the error of the server, without a new request', async () => {
  const failing = (): Response => new Response('', { status: 404 })
  const Failed = ({ error }: { error: any }): ReactNode => `${error.name} ${error.status}`
  const app = (from: Api): ReactNode => {
    const patient = { ...from, posts: from.posts.extend({ errorExpiryLength: 60_000 }) }
    return loading(h(ErrorBoundary<any>, { fallbackComponent: Failed }, h(Article, { from: patient, id: '1' })))
  }
  const { html } = await pipe(page(app(api(failing))).tree)
  const browser = api(failing)
  const element = await load(html)
  await hydrate(element, app(browser))
  expect(element.textContent).toBe('NetworkError 404')
  expect(browser.calls).toEqual([])
})

describe('what the page holds', () => {
  const write = (id: string, text: string): HTMLElement => {
    const script = document.createElement('script')
    Object.assign(script, { type: 'application/json', id, textContent: text })
    document.body.append(script)
    return script
  }
  const { controller } = createStore()
  const text = async (): Promise<string> => {
    await controller.set(Post, { id: '1' }, { id: '1', title: 'One' })
    return serializeState(controller.getState())
  }

  test('SSR-1 SSR-4 both names are read, and one of the app', async () => {
    for (const [id, asked] of [['restitch-data'], ['data-client-data'], ['mine', 'mine']] as const) {
      const script = write(id, await text())
      expect(getInitialData(asked).entities['Post']!['1'].title).toBe('One')
      expect((await awaitInitialData(asked)).entities['Post']!['1'].title).toBe('One')
      script.remove()
    }
    write('data-client-data', await text())
    expect(getInitialData('other').entities).toEqual({})
  })

  test('SSR-4 without it: an empty state, or initial-data-missing', async () => {
    expect(getInitialData().entities).toEqual({})
    await expect(awaitInitialData()).rejects.toMatchObject({ code: 'initial-data-missing' })
  })

  test('SSR-4 a broken one is an empty state', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    write('restitch-data', '{"format":1,"tab')
    expect(getInitialData().entities).toEqual({})
    expect((await awaitInitialData()).entities).toEqual({})
    expect(console.warn).toHaveBeenCalled()
  })

  test.each([true, false])('SSR-4 while the page is coming it is waited for (observer: %s)', async (observes) => {
    vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading')
    if (!observes) {
      vi.stubGlobal('MutationObserver', undefined)
    }
    const whole = await text()
    const resolved = vi.fn()
    const waiting = awaitInitialData().then(resolved)
    // A text may come in parts.
    const script = write('restitch-data', whole.slice(0, 30))
    await new Promise((done) => setTimeout(done, 1))
    expect(resolved).not.toHaveBeenCalled()
    script.append(whole.slice(30))
    if (!observes) {
      document.dispatchEvent(new Event('DOMContentLoaded'))
    }
    await waiting
    expect(resolved.mock.calls[0]![0].entities.Post['1'].title).toBe('One')
    vi.unstubAllGlobals()
  })

  test('SSR-4 it is there at the first look, while the page is still coming: later changes of the page are not watched', async () => {
    vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading')
    const watching = new Set<() => void>()
    vi.stubGlobal(
      'MutationObserver',
      class {
        readonly look: () => void
        constructor(look: () => void) {
          this.look = look
        }
        observe(): void {
          watching.add(this.look)
        }
        disconnect(): void {
          watching.delete(this.look)
        }
      },
    )
    write('restitch-data', await text())
    const waiting = awaitInitialData()
    watching.forEach((look) => look())
    expect(watching.size).toBe(0)
    document.dispatchEvent(new Event('DOMContentLoaded'))
    expect((await waiting).entities['Post']!['1'].title).toBe('One')
    vi.unstubAllGlobals()
  })

  test('SSR-4 a page that ends without it', async () => {
    vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading')
    const waiting = awaitInitialData('mine')
    document.dispatchEvent(new Event('DOMContentLoaded'))
    await expect(waiting).rejects.toMatchObject({ code: 'initial-data-missing' })
  })

  test('SSR-4 a server whose clock runs ahead: data is fresh for as long as it was', async () => {
    vi.useFakeTimers()
    const ahead = 3_600_000
    const here = Date.now()
    vi.setSystemTime(here + ahead)
    const server = createStore()
    const from = api()
    await server.controller.setResponse(from.posts, { id: '1' }, { id: '1', title: 'One', authorId: 'a' })
    write('restitch-data', serializeState(server.controller.getState()))
    vi.setSystemTime(here)
    const store = createStore({ initialState: getInitialData() })
    expect(store.view(from.posts, { id: '1' }).read().expiresAt).toBe(here + 60_000)
    store.stop()
    server.stop()
  })
})

test('SSR-4 an unknown part of the page is fetched, while the text of the server stays', async () => {
  const app = (from: Api): ReactNode => loading(h(Title, { from }))
  const Title = ({ from }: { from: Api }): ReactNode => h('p', null, useSuspense(from.posts, { id: '1' }).title)
  const { html } = await pipe(page(app(api())).tree)
  const element = await load(html)
  document.getElementById('restitch-data')!.textContent = serializeState(createStore().getState())
  const browser = api()
  await hydrate(element, app(browser))
  expect(element.textContent).toBe('Post 1')
  await act(() => new Promise((done) => setTimeout(done, 20)))
  expect(element.textContent).toBe('Post 1')
  expect(browser.calls).toEqual(['/posts/1'])
  expect(errors).toEqual([])
})
