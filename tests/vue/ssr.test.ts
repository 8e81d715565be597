// @vitest-environment happy-dom
import { createStore, NetworkError, resource } from 'restitch'
import {
  AsyncBoundary,
  createRestitch,
  createServerRestitch,
  getInitialData,
  useCache,
  useDLE,
  useFetch,
  useFetching,
  useSuspense,
} from 'restitch/vue'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type App, createSSRApp, defineComponent, h } from 'vue'
import { renderToString, renderToWebStream } from 'vue/server-renderer'
import { settle, Todo } from './cases.ts'

let calls: string[]
let getTodo: any
beforeEach(() => {
  calls = []
  const fetchResponse = async (url: string): Promise<Response> => {
    calls.push(url)
    await Promise.resolve()
    if (url.endsWith('/0')) {
      throw new NetworkError(new Response('', { status: 404 }), url)
    }
    return Response.json({ id: url.split('/').at(-1), title: `</script>${url}` })
  }
  getTodo = resource({ path: '/todos/:id', schema: Todo }).get.extend({ fetchResponse: fetchResponse as never })
})
afterEach(() => {
  document.body.innerHTML = ''
  vi.restoreAllMocks()
})

const Suspended = defineComponent(
  async (props: { id: string }) => {
    const todo: any = await useSuspense(getTodo, () => ({ id: props.id }))
    return () => h('p', todo.value.title)
  },
  { props: ['id'] as never },
)
const Details = defineComponent(() => {
  const { data, loading, error, fetching, stale }: any = useDLE(getTodo, { id: '2' })
  return () => h('p', `${data.value?.title} ${loading.value} ${error.value?.status} ${fetching.value} ${stale.value}`)
})
const Cached = defineComponent(() => {
  const todo: any = useCache(getTodo, { id: '1' })
  const count = useFetching()
  return () => h('p', `cached ${todo.value?.title} ${count.value}`)
})
const Early = defineComponent(() => {
  useFetch(getTodo, { id: '3' })
  return () => h('p', 'early')
})
const Page = defineComponent(
  () => () =>
    h('main', [h(Cached), h(AsyncBoundary, null, { default: () => h(Suspended, { id: '1' }) }), h(Details), h(Early)]),
)
const TEXT =
  '<main><p>cached </script>/todos/1 0</p><p></script>/todos/1</p><p></script>/todos/2 false undefined false false</p><p>early</p></main>'

function hydrate(Root: any, html: string): { app: App; text: () => string; warn: any } {
  document.body.innerHTML = html
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(warn)
  const app = createSSRApp(Root).use(createRestitch({ initialState: getInitialData() }))
  const element = document.querySelector('#app')!
  app.mount(element)
  return {
    app,
    text: () =>
      element.innerHTML
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll(/<!--.*?-->/g, ''),
    warn,
  }
}

test('VUE-20 a server waits for the data; the browser hydrates without a request and without a mismatch', async () => {
  const restitch = createServerRestitch()
  const html = await renderToString(createSSRApp(Page).use(restitch))
  expect(calls.toSorted()).toEqual(['/todos/1', '/todos/2', '/todos/3'])
  const state = restitch.renderState({ nonce: 'a"b' })
  expect(state).toContain('nonce="a&quot;b"')
  expect(state.slice(0, -9)).not.toContain('</script>')
  const { app, text, warn } = hydrate(Page, `<div id="app">${html}</div>${state}`)
  expect(text()).toBe(TEXT)
  await settle()
  expect(text()).toBe(TEXT)
  expect(warn).not.toHaveBeenCalled()
  expect(calls).toHaveLength(3)
  app.unmount()
})

test('VUE-20 streams', async () => {
  const restitch = createServerRestitch()
  const html = await new Response(renderToWebStream(createSSRApp(Page).use(restitch))).text()
  const { app, text, warn } = hydrate(Page, `<div id="app">${html}</div>${restitch.renderState()}`)
  await settle()
  expect(text()).toBe(TEXT)
  expect(warn).not.toHaveBeenCalled()
  expect(calls).toHaveLength(3)
  app.unmount()
})

test('VUE-21 hydration shows the state of the page, also in parts that hydrate late', async () => {
  const restitch = createServerRestitch()
  const html = await renderToString(createSSRApp(Page).use(restitch))
  const Late = defineComponent(async () => {
    await new Promise((done) => setTimeout(done, 5))
    return () => h(Page)
  })
  document.body.innerHTML = `<div id="app">${html}</div>${restitch.renderState()}`
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const client = createRestitch({ initialState: getInitialData() })
  const app = createSSRApp(() => h(AsyncBoundary, null, { default: () => h(Late) })).use(client)
  app.mount('#app')
  await client.controller.set(Todo, { id: '1' }, { id: '1', title: 'changed' })
  await vi.waitFor(() => expect(document.querySelector('#app')!.textContent).toContain('cached changed'))
  expect(warn).not.toHaveBeenCalled()
  expect(calls).toHaveLength(3)
  app.unmount()
})

test('VUE-20 each request has a store of its own, and a server subscribes to nothing', async () => {
  const [one, two] = [createServerRestitch(), createServerRestitch()]
  await Promise.all([one, two].map((restitch) => renderToString(createSSRApp(Page).use(restitch))))
  expect(calls).toHaveLength(6)
  expect(one.controller.core.mounted.size).toBe(0)
})

test('VUE-22 a request that fails on the server is an error in the browser, without a new request', async () => {
  const Failing = defineComponent(
    () => () =>
      h('main', [
        h(AsyncBoundary, null, {
          default: () => h(Suspended, { id: '0' }),
          error: ({ error }: any) => h('b', `failed: ${error.status}`),
        }),
      ]),
  )
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const restitch = createServerRestitch()
  const html = await renderToString(createSSRApp(Failing).use(restitch))
  const { app, text } = hydrate(Failing, `<div id="app">${html}</div>${restitch.renderState()}`)
  await settle()
  expect(text()).toBe('<main><b>failed: 404</b></main>')
  expect(calls).toHaveLength(1)
  app.unmount()
})

test('SSR-15 store-shared a store that a server renders again is warned about', () => {
  const warn = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('window', undefined)
  const plugins = [createServerRestitch(), createServerRestitch(), createRestitch({ store: createStore() })]
  plugins.forEach((plugin) => createSSRApp(Page).use(plugin))
  expect(warn).not.toHaveBeenCalled()
  createSSRApp(Page).use(plugins[2]!)
  vi.unstubAllGlobals()
  expect(warn.mock.calls.flat().join()).toContain('[store-shared]')
})
