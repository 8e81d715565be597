import { button, h } from './dom.ts'

/** A list beside the details of the selected row. Where there is little room, one of them is shown. */
export interface Split {
  readonly element: HTMLElement
  /** Shows the details, where there is no room for both. */
  show(): void
}

/** @param side the controls and the list */
export function createSplit(details: HTMLElement, list: HTMLElement, ...side: readonly HTMLElement[]): Split {
  const back = button('‹ Back to the list', () => {
    element.classList.remove('chosen')
    list.querySelector<HTMLElement>('[role=listbox]')?.focus()
  })
  const right = h('div', { class: 'right' }, h('div', { class: 'back' }, back), details)
  const element = h('div', { class: 'split' }, h('div', { class: 'side' }, ...side, list), right)
  return {
    element,
    show() {
      element.classList.add('chosen')
      details.scrollTop = 0
    },
  }
}
