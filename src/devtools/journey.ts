import type { Controller } from '../controller/Controller.ts'
import { ago } from '../explain/explainText.ts'
import type { Moment } from '../explain/moments.ts'
import { actionLabel } from './actionLabel.ts'
import { button, fill, h, tag } from './dom.ts'
import { cutKey, readable } from './keys.ts'
import { PAGE_NOTE, type Travel } from './travel.ts'

/** Says which moment is shown, with steps to others and back to now. */
export function createJourney(): {
  readonly element: HTMLElement
  update(of: { readonly controller: Controller; readonly travel: Travel }): void
} {
  const element = h('div', { class: 'journey', role: 'group', aria: { label: 'Earlier state' }, hidden: true })
  return {
    element,
    update({ controller, travel }) {
      const { moment } = travel
      element.hidden = !moment
      if (!moment) {
        return
      }
      const { type, about, at } = moment.event
      const step = (label: string, to: Moment | undefined): HTMLElement =>
        button(label, () => to && travel.to(to), { 'data-id': label, disabled: !to })
      fill(
        element,
        tag('Earlier state', 'warn'),
        h(
          'span',
          { class: 'grow' },
          h('span', { role: 'status' }, `After ${actionLabel(type).toLowerCase()} ${cutKey(readable(about))}.`),
          h('span', { class: 'dim', text: ` ${ago(controller.clock.now() - at)}.` }),
          h('span', { class: 'dim wide', text: ` ${PAGE_NOTE}` }),
        ),
        step('‹ Earlier', travel.neighbour(-1)),
        step('Later ›', travel.neighbour(1)),
        button('Back to now', () => travel.to(undefined), { 'data-id': 'now' }),
      )
    },
  }
}
