import type { Controller } from '../controller/Controller.ts'
import { button, fill, h } from './dom.ts'
import { plural } from './keys.ts'
import { type Status, STATUS_COLOURS, statusCounts } from './statuses.ts'
import { resultFacts } from './storeFacts.ts'

/** How many endpoints have each status. Each number leads to them. */
export function createGlance(open: (status: Status) => void): {
  readonly element: HTMLElement
  update(controller: Controller | undefined): void
} {
  const element = h('span', { class: 'glance', role: 'group', aria: { label: 'Endpoints by status' } })
  return {
    element,
    update(controller) {
      const counts = statusCounts(controller ? resultFacts(controller) : [])
      const tags = counts.map(([status, count]) =>
        button(`${count.toLocaleString('en')} ${status}`, () => open(status), {
          'data-id': status,
          class: `tag ${STATUS_COLOURS[status]}`,
          title: `${plural(count, 'endpoint')} ${status}`,
        }),
      )
      fill(element, ...tags)
    },
  }
}
