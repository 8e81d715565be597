import { ago } from '../explain/explainText.ts'
import { button, h } from './dom.ts'
import { plural } from './keys.ts'
import type { TabContext } from './Tab.ts'

const STATUS = {
  closed: 'closed: nobody is signed in',
  opening: 'opening',
  open: 'open',
  memory: 'in memory only: the storage fails',
}

/** The content of the database of a store, and a button that empties it; hidden for a store without one. */
export function createDiskBar({ controller, isPast }: TabContext): { readonly element: HTMLElement; update(): void } {
  const text = h('span', { class: 'dim' })
  const wipe = button('Wipe', () => void controller.core.persisted?.wipe(), {
    title: 'Deletes the rows in the database; the store keeps its data',
    hidden: isPast,
  })
  const element = h('div', { class: 'bar', aria: { label: 'Database' } }, text, wipe)
  return {
    element,
    update() {
      const { persisted, store } = controller.core
      element.hidden = !persisted
      if (persisted) {
        const { status, rows, bytes, lastWrittenAt, durable } = persisted
        const written = lastWrittenAt && `written ${ago(store.clock.now() - store.clock.ahead() - lastWrittenAt)}`
        const kept = durable === undefined ? '' : durable ? 'durable' : 'the browser may evict it'
        const size = `${plural(rows, 'row')}, ${(bytes / 1_000).toFixed(1)} kB`
        text.textContent = [`Database ${STATUS[status]}`, size, written, kept].filter(Boolean).join(' · ')
      }
    },
  }
}
