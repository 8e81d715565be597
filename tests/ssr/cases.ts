// Shared by the tests of server rendering.
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createElement as h, type ReactNode, Suspense } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { renderToReadableStream } from 'react-dom/server.edge'
import { Entity, NetworkError, resource } from 'restitch'
import { useSuspense } from 'restitch/react'
import { createPersistedStore, createServerDataComponent } from 'restitch/react/ssr'

export { h }

export class Post extends Entity {
  id = ''
  title = ''
  authorId = ''
  static override key = 'Post'
}
class Author extends Entity {
  id = ''
  name = ''
  static override key = 'Author'
}

/** Endpoints whose responses a function creates, a turn later. */
export interface Api {
  readonly calls: string[]
  readonly posts: any
  readonly authors: any
}

export function api(answer: (path: string) => unknown = standard): Api {
  const calls: string[] = []
  const fetchResponse = async (input: string): Promise<Response> => {
    const path = input.slice('http://api.test'.length)
    calls.push(path)
    await new Promise((done) => setTimeout(done, 1))
    const body = await answer(path)
    const response = body instanceof Response ? body : Response.json(body)
    if (response.ok) {
      return response
    }
    throw new NetworkError(response, input)
  }
  const make = (name: string, schema: any): any =>
    resource({ urlPrefix: 'http://api.test', path: `/${name}/:id`, schema }).get.extend({ fetchResponse })
  return { calls, posts: make('posts', Post), authors: make('authors', Author) }
}

export function standard(path: string): unknown {
  const [, name, id] = path.split('/')
  return name === 'posts' ? { id, title: `Post ${id}`, authorId: `a${id}` } : { id, name: `Author ${id}` }
}

/** Fetches the author of the post. */
export function Article({ from: { posts, authors }, id }: { from: Api; id: string }): ReactNode {
  const post: Post = useSuspense(posts, { id })
  const author: Author = useSuspense(authors, { id: post.authorId })
  return h('p', null, `${post.title} by ${author.name}`)
}

export function loading(children: ReactNode): ReactNode {
  return h(Suspense, { fallback: h('i', null, 'loading') }, children)
}

export interface Page {
  readonly html: string
  readonly errors: unknown[]
}

/** Renders with streams of Node. */
export function pipe(tree: ReactNode): Promise<Page> {
  const errors: unknown[] = []
  const out = new PassThrough()
  return new Promise((resolve, reject) => {
    const { pipe: start } = renderToPipeableStream(tree, {
      onShellReady: () => start(out),
      onShellError: reject,
      onError: (error) => void errors.push(error),
    })
    text(out).then((html) => resolve({ html, errors }), reject)
  })
}

/** Renders with streams of the web. */
export async function edge(tree: ReactNode): Promise<Page> {
  const errors: unknown[] = []
  const stream = await renderToReadableStream(tree, { onError: (error: unknown) => void errors.push(error) })
  return { html: await new Response(stream).text(), errors }
}

/** A page with the state of one request in it. */
export function page(
  app: ReactNode,
  ...options: Parameters<typeof createPersistedStore>
): { tree: ReactNode; controller: ReturnType<typeof createPersistedStore>[2] } {
  const [ServerDataProvider, useReadyCacheState, controller] = createPersistedStore(...options)
  const Data = createServerDataComponent(useReadyCacheState)
  const tree = h(
    'html',
    null,
    // Before the app, where nothing has been fetched yet.
    h('head', null, h(Data, { nonce: 'abc' })),
    h('body', null, h('div', { id: 'root' }, h(ServerDataProvider, null, app))),
  )
  return { tree, controller }
}

/** The text of the state in a page. */
export function stateText(html: string): string {
  return /<script type="application\/json" id="restitch-data"[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? ''
}
