/** The props of an element: attributes, `aria` without its prefix, and listeners by event. */
export interface Props {
  readonly class?: string
  readonly text?: string
  readonly aria?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly on?: Readonly<Record<string, (event: any) => void>>
  readonly [attribute: string]: unknown
}

type Child = Node | string | false | undefined

/** Creates an element. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  { class: className, text, aria = {}, on = {}, ...attributes }: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  if (className) {
    element.className = className
  }
  if (text !== undefined) {
    element.textContent = text
  }
  setAria(element, aria)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : String(value))
    }
  }
  for (const [name, listener] of Object.entries(on)) {
    element.addEventListener(name, listener)
  }
  element.append(...children.filter((child): child is Node | string => Boolean(child)))
  return element
}

/** Sets ARIA attributes; `undefined` removes one. */
export function setAria(element: Element, aria: NonNullable<Props['aria']>): void {
  for (const [name, value] of Object.entries(aria)) {
    if (value === undefined) {
      element.removeAttribute(`aria-${name}`)
    } else {
      element.setAttribute(`aria-${name}`, String(value))
    }
  }
}

/** Replaces the children of an element; the focus stays where it was, by `data-focus`. */
export function fill(element: HTMLElement, ...children: readonly Child[]): void {
  const root = element.getRootNode() as ShadowRoot
  const focused = (root.activeElement as HTMLElement | null)?.dataset['focus']
  const isInside = focused !== undefined && element.contains(root.activeElement)
  element.replaceChildren(...children.filter((child): child is Node | string => Boolean(child)))
  if (isInside) {
    element.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus()
  }
}

/** A button. */
export function button(label: string, click: () => void, more: Props = {}): HTMLButtonElement {
  return h('button', { type: 'button', ...more, on: { click, ...more.on } }, label)
}

/** A search field. */
export function searchField(label: string, placeholder: string, input: () => void): HTMLInputElement {
  return h('input', { type: 'search', placeholder, aria: { label }, on: { input } })
}

/** The pane that shows what is selected. */
export function detailsPane(label: string): HTMLElement {
  return h('section', { class: 'details', tabindex: 0, aria: { label } })
}

/** A text that leads to a row. */
export function link(label: string, click: () => void): HTMLButtonElement {
  return button(label, click, { class: 'link' })
}

/** A word on a coloured ground. */
export function tag(text: string, colour: 'good' | 'warn' | 'bad' | 'info' | 'plain' = 'plain'): HTMLElement {
  return h('span', { class: `tag ${colour}`, text })
}
