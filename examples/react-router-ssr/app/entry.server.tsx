import { isbot } from 'isbot'
import { renderToReadableStream, renderToStaticMarkup } from 'react-dom/server'
import { type EntryContext, ServerRouter } from 'react-router'
import { createPersistedStore, ServerData } from 'restitch/react/ssr'
import { StoreContext } from './StoreContext.ts'

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  // A store for this request alone. The signal fires when the user leaves.
  const { signal } = request
  const [, , , store] = createPersistedStore(undefined, undefined, { timeout: 5_000, signal })
  const page = await renderToReadableStream(
    <StoreContext value={store}>
      <ServerRouter context={context} url={request.url} />
    </StoreContext>,
    {
      signal,
      onError(error) {
        if (!signal.aborted) {
          console.error(error)
        }
      },
    },
  )
  if (isbot(request.headers.get('user-agent'))) {
    await page.allReady
  }
  // The state follows the page, when everything has been fetched.
  const state = new TransformStream<Uint8Array, Uint8Array>({
    flush(out) {
      out.enqueue(new TextEncoder().encode(renderToStaticMarkup(<ServerData data={store.getState()} />)))
    },
  })
  headers.set('content-type', 'text/html')
  return new Response(page.pipeThrough(state), { status, headers })
}
