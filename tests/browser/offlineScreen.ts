// The React page of tests/browser/offline.test.ts: a list in an envelope, on a disk, in StrictMode.
import { createElement as h, type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Collection, Entity, getDefaultManagers, resource } from 'restitch'
import { outbox } from 'restitch/outbox'
import { persist } from 'restitch/persist'
import { AsyncBoundary, DataProvider, useSuspense } from 'restitch/react'
import { tabs } from 'restitch/tabs'

class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}
const Todos = resource({ path: '/api/enveloped/:id', schema: Todo }).extend('getList', {
  schema: { data: new Collection([Todo]), meta: { total: 0 } },
})

function List(): ReactNode {
  const { data, meta } = useSuspense(Todos.getList)
  return `${data.map(({ title }) => title).join(' ')} of ${meta.total}`
}

/** Shows the list. */
export function run(): void {
  const managers = [
    tabs(),
    persist({ name: 'screen', user: () => 'ann' }),
    outbox({ endpoints: { rename: Todos.partialUpdate } }),
    ...getDefaultManagers(),
  ]
  const fails = ({ error }: { error: unknown }): ReactNode => String(error)
  const boundary = h(AsyncBoundary, { fallback: 'loading', errorComponent: fails }, h(List))
  createRoot(document.querySelector('main')!).render(
    h(StrictMode, null, h(DataProvider, { managers, children: boundary })),
  )
}
