import { AsyncLocalStorage } from 'node:async_hooks'
import type { Handle } from '@sveltejs/kit'
import { server, type Visit } from '$lib/store'
import { createServerRestitch } from 'restitch/svelte'

const visits = new AsyncLocalStorage<Visit>()
server.visit = () => visits.getStore()

/** Each page has a store of its own, whose state stands at its end. */
export const handle: Handle = ({ event, resolve }) => {
  if (event.url.pathname.startsWith('/api/')) {
    return resolve(event)
  }
  const restitch = createServerRestitch({ timeout: 5_000, signal: event.request.signal })
  return visits.run({ restitch, fetch: event.fetch }, () =>
    resolve(event, {
      transformPageChunk: ({ html }) => html.replace('</body>', () => `${restitch.renderState()}</body>`),
    }),
  )
}
