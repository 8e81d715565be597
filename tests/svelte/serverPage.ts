import { createServerRestitch } from 'restitch/svelte'
import { render } from 'svelte/server'
import { PAGES } from '../../src/testing/contract/pages.ts'
import Screen from './Screen.svelte'

/** Renders a page as a server does. It is bundled, since components are compiled otherwise for servers. */
export async function renderPage(
  page: keyof typeof PAGES,
): Promise<{ readonly html: string; readonly state: string; readonly calls: readonly string[] }> {
  const { uses, calls } = PAGES[page]()
  const restitch = createServerRestitch()
  const { store } = restitch
  const props = { uses, results: [], setters: [], options: { store }, waits: false }
  const { body } = await restitch.render(() => render(Screen, { props }))
  return { html: body, state: restitch.renderState(), calls }
}
