// @vitest-environment happy-dom
import { act } from '@testing-library/react'
import { Writable } from 'node:stream'
import { Fragment, type ReactNode, StrictMode, useEffect } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { renderToPipeableStream, renderToStaticMarkup } from 'react-dom/server'
import { Controller, deserializeState, NetworkManager } from 'restitch'
import { useController } from 'restitch/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createNextProvider } from '../../src/react/ssr/createNextProvider.ts'
import { type Api, api, Article, h, loading, Post, standard } from './cases.ts'

let root: Root | undefined
let errors: unknown[]
beforeEach(() => {
  errors = []
  vi.spyOn(console, 'error').mockImplementation((...said) => {
    // Server and browser are one process here, and a wait of the file before may end during a test of this one.
    if (!/multiple renderers|support act/.test(String(said[0]))) {
      errors.push(said)
    }
  })
})
afterEach(async () => {
  await act(async () => root?.unmount())
  root = undefined
  document.body.innerHTML = ''
  vi.restoreAllMocks()
})

/** A server that puts something into each part it sends. */
function serve(app: (Provider: ReturnType<typeof createNextProvider>) => ReactNode): {
  parts: string[]
  done: Promise<void>
} {
  const inserts: (() => ReactNode)[] = []
  const Provider = createNextProvider((insert) => void inserts.push(insert), true)
  const parts: string[] = []
  const done = new Promise<void>((resolve, reject) => {
    const out = new Writable({
      write(chunk, _encoding, next) {
        parts.push(renderToStaticMarkup(h(Fragment, null, ...inserts.map((insert) => insert()))) + String(chunk))
        next()
      },
    })
    out.on('finish', resolve)
    const stream = renderToPipeableStream(app(Provider), { onShellReady: () => void stream.pipe(out), onError: reject })
  })
  return { parts, done }
}

const Browser = createNextProvider(() => {}, false)

/** Appends a part of the page to what has come, and lets its scripts run. */
async function arrive(part: string, to: HTMLElement = document.body): Promise<void> {
  const holder = document.createElement('div')
  holder.innerHTML = part
  const scripts = [...holder.querySelectorAll('script:not([type])')]
  document.body.append(...holder.querySelectorAll('script[type]'))
  to.append(...holder.childNodes)
  await act(async () => {
    for (const script of scripts) {
      // oxlint-disable-next-line no-eval -- scripts that come with text do not run by themselves
      ;(0, eval)(script.textContent!)
      script.remove()
    }
    await vi.waitFor(() => expect(document.querySelector('div[hidden][id^="S:"]')).toBeNull())
  })
}

function dataIn(part: string): string[] {
  return [...part.matchAll(/<script type="application\/json" data-restitch="[^"]+">(.*?)<\/script>/gs)].map(
    ([, text]) => text!,
  )
}

test('SSR-14 rendering on a server reads neither the time nor a random number', async () => {
  const read: string[] = []
  const watch = (name: string) => (): number => {
    const [, , caller = ''] = new Error().stack!.split('\n    at ').slice(1)
    read.push(...(caller.includes('/src/') ? [`${name} ${caller}`] : []))
    return 0.5
  }
  vi.spyOn(Date, 'now').mockImplementation(watch('Date.now'))
  vi.spyOn(Math, 'random').mockImplementation(watch('Math.random'))
  let tries = 0
  const server = api((path) =>
    path === '/posts/2' && tries++ === 0 ? new Response('', { status: 503 }) : standard(path),
  )
  server.posts.retry = 1
  server.posts.retryDelay = 1
  const { parts, done } = serve((Provider) =>
    h(
      Provider,
      { timeout: 5_000 },
      ['1', '2'].map((id) => h('section', { key: id }, loading(h(Article, { from: server, id })))),
    ),
  )
  await done
  expect(parts.join('')).toContain('Post 2 by Author a2')
  expect(tries).toBe(2)
  expect(read).toEqual([])
})

test('SSR-14 the end of a prerender is no failure of the requests that are left', async () => {
  const over = Object.assign(new Error('During prerendering, fetch() rejects'), { digest: 'HANGING_PROMISE_REJECTION' })
  let end!: () => void
  const server = api((path) =>
    path === '/posts/2' ? new Promise((_, reject) => void (end = () => reject(over))) : standard(path),
  )
  const { parts } = serve((Provider) =>
    h(
      Provider,
      null,
      ['1', '2'].map((id) => h('section', { key: id }, loading(h(Article, { from: server, id })))),
    ),
  )
  await vi.waitFor(() => expect(parts.join('')).toContain('Post 1 by'))
  end()
  for (let turns = 0; turns < 5; turns++) {
    await new Promise((done) => setTimeout(done, 1))
  }
  expect(server.calls.filter((path) => path === '/posts/2')).toEqual(['/posts/2'])
  expect(parts.join('')).not.toContain('prerendering')
  expect(errors).toEqual([])
})

test('SSR-7 SSR-13 what is new comes with each part, so that early parts of the page are taken over early', async () => {
  let letGo!: () => void
  const slow = new Promise<void>((done) => void (letGo = done))
  const server = api(async (path) => {
    if (path === '/posts/2') {
      await slow
    }
    return standard(path)
  })
  const mounted: string[] = []
  let controller!: Controller
  const Mounted = ({ from, id }: { from: Api; id: string }): ReactNode => {
    controller = useController()
    useEffect(() => void mounted.push(id), [])
    return h(Article, { from, id })
  }
  const app = (Provider: typeof Browser, from: Api): ReactNode =>
    h(
      Provider,
      { devButton: null },
      ...['1', '2'].map((id) => h('section', { key: id }, loading(h(Mounted, { from, id })))),
    )
  const { parts, done } = serve((Provider) => app(Provider, server))
  await vi.waitFor(() => expect(parts.join('')).toContain('Post 1'))
  const early = parts.splice(0)
  expect(dataIn(early.join(''))).not.toEqual([])
  letGo()
  await done
  const late = parts.join('')
  expect(Object.keys(deserializeState(dataIn(late).at(-1)!).entities['Post']!)).toEqual(['2'])

  vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading')
  const element = document.createElement('div')
  document.body.append(element)
  const browser = api()
  await arrive(early[0]!, element)
  expect(element.textContent).toBe('loadingloading')
  await act(async () => {
    root = hydrateRoot(element, h(StrictMode, null, app(Browser, browser)), {
      onRecoverableError: (error) => void errors.push(error),
    })
  })
  expect(mounted).toEqual([])
  await arrive(early.slice(1).join(''))
  await vi.waitFor(() => expect(mounted).toContain('1'))
  expect(mounted).not.toContain('2')
  expect(element.textContent).toBe('Post 1 by Author a1loading')

  await act(() => controller.set(Post, { id: '1' }, { id: '1', title: 'Mine' }))
  await arrive(late)
  await vi.waitFor(() => expect(mounted).toContain('2'))
  expect(element.textContent).toBe('Mine by Author a1Post 2 by Author a2')
  expect(browser.calls).toEqual([])
  expect(errors).toEqual([])
})

test('SSR-3 SSR-13 data cannot end its script, and what was sent is not sent again', async () => {
  const evil = '</script><script>alert(1)</script>'
  const from = api((path) => ({ ...(standard(path) as object), title: evil }))
  const { parts, done } = serve((Provider) => h(Provider, null, loading(h(Article, { from, id: '1' }))))
  await done
  const html = parts.join('')
  expect(html).not.toContain('<script>alert')
  const keys = dataIn(html).flatMap((text) => Object.keys(deserializeState(text).entities))
  expect(keys.sort()).toEqual(['Author', 'Post'])
})

test('SSR-7 providers beside each other, and inside, have their own data', async () => {
  const from = api()
  const app = (Provider: typeof Browser, api: Api): ReactNode =>
    h(
      'main',
      null,
      h(Provider, { managers: [new NetworkManager()] }, loading(h(Article, { from: api, id: '1' }))),
      h(Provider, null, h(Provider, null, loading(h(Article, { from: api, id: '2' })))),
    )
  const { parts, done } = serve((Provider) => app(Provider, from))
  await done
  const element = document.createElement('div')
  document.body.append(element)
  await arrive(parts[0]!, element)
  await arrive(parts.slice(1).join(''))
  const browser = api()
  await act(async () => {
    root = hydrateRoot(element, app(Browser, browser), { onRecoverableError: (error) => void errors.push(error) })
  })
  expect(element.textContent).toBe('Post 1 by Author a1Post 2 by Author a2')
  expect(browser.calls).toEqual([])
  expect(errors).toEqual([])
})

test('SSR-7 a broken part is left out, and the browser fetches', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const from = api()
  const app = (Provider: typeof Browser, api: Api): ReactNode =>
    h(Provider, null, loading(h(Article, { from: api, id: '1' })))
  const { parts, done } = serve((Provider) => app(Provider, from))
  await done
  const element = document.createElement('div')
  document.body.append(element)
  await arrive(parts[0]!, element)
  await arrive(parts.slice(1).join(''))
  for (const script of document.querySelectorAll('[data-restitch]')) {
    script.textContent = '{"format":1,"now":'
  }
  const browser = api()
  await act(async () => {
    root = hydrateRoot(element, app(Browser, browser))
    await new Promise((done) => setTimeout(done, 30))
  })
  await vi.waitFor(() => expect(browser.calls).toEqual(['/posts/1', '/authors/a1']))
  expect(element.textContent).toBe('Post 1 by Author a1')
  expect(warn).toHaveBeenCalled()
})
