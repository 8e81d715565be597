/** The props of an element: attributes, `aria` without its prefix, and listeners by event. */
export interface Props {
  readonly class?: string
  readonly text?: string
  readonly aria?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly on?: Readonly<Record<string, (event: any) => void>>
  readonly [attribute: string]: unknown
}

export type Child = Node | string | false | undefined
type Handlers = NonNullable<Props['on']>

/** The listeners of each element. They are replaced when an element takes the place of a newer one. */
const handlers = new WeakMap<EventTarget, Handlers>()

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
  listen(element, on)
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

/**
 * Shows other children in an element. Elements that are there already stay and take over what differs, so that focus, scroll position and
 * a selection of text survive; `data-id` tells elements apart that look alike.
 */
export function fill(element: Element, ...children: readonly Child[]): void {
  const next = children.filter((child): child is Node | string => Boolean(child))
  const old = [...element.childNodes]
  for (const [index, child] of next.entries()) {
    const node = typeof child === 'string' ? document.createTextNode(child) : child
    const found = old[index]
    if (found === undefined) {
      element.append(node)
    } else if (found !== node && !takeOver(found, node)) {
      found.replaceWith(node)
    }
  }
  for (const rest of old.slice(next.length)) {
    rest.remove()
  }
}

/** Makes a node look and act like a newer one; false if they are too different. */
function takeOver(old: Node, next: Node): boolean {
  if (old.nodeName !== next.nodeName) {
    return false
  }
  if (!isElement(old) || !isElement(next)) {
    if (old.nodeValue !== next.nodeValue) {
      old.nodeValue = next.nodeValue
    }
    return true
  }
  if ((old as HTMLElement).dataset['id'] !== (next as HTMLElement).dataset['id']) {
    return false
  }
  for (const name of old.getAttributeNames()) {
    if (!next.hasAttribute(name)) {
      old.removeAttribute(name)
    }
  }
  for (const { name, value } of next.attributes) {
    if (old.getAttribute(name) !== value) {
      old.setAttribute(name, value)
    }
  }
  listen(old, handlers.get(next) ?? {})
  fill(old, ...next.childNodes)
  return true
}

function isElement(node: Node): node is Element {
  return node.nodeType === 1
}

function listen(element: Element, on: Handlers): void {
  const known = handlers.get(element)
  for (const name of Object.keys(on)) {
    if (!known || !(name in known)) {
      element.addEventListener(name, handle)
    }
  }
  // A listener that was there once stays, and finds nothing to call.
  handlers.set(element, { ...Object.fromEntries(Object.keys(known ?? {}).map((name) => [name, ignore])), ...on })
}

function handle(event: Event): void {
  handlers.get(event.currentTarget!)?.[event.type]?.(event)
}

function ignore(): void {}

/** A button. */
export function button(label: string, click: (event: Event) => void, more: Props = {}): HTMLButtonElement {
  return h('button', { type: 'button', ...more, on: { click, ...more.on } }, label)
}

/** A choice of values, each with its text. */
export function choice(label: string, values: Readonly<Record<string, string>>, change: () => void): HTMLSelectElement {
  return h(
    'select',
    { aria: { label }, title: label, on: { change } },
    ...Object.entries(values).map(([value, text]) => h('option', { value, text })),
  )
}

/** A search field. */
export function searchField(label: string, placeholder: string, input: () => void): HTMLInputElement {
  return h('input', { type: 'search', placeholder, aria: { label }, on: { input } })
}

/** The pane that shows what is selected. */
export function detailsPane(label: string): HTMLElement {
  return h('section', { class: 'details', tabindex: 0, aria: { label } })
}

/** A text that leads to a row. Unlike a button it is broken into lines. */
export function link(label: string, click: () => void, title?: string): HTMLElement {
  const follow = (event: Event): void => {
    event.preventDefault()
    click()
  }
  return h(
    'a',
    { class: 'link', href: '#', title: title === label ? undefined : title, on: { click: follow } },
    ...breakable(label),
  )
}

/** A name that is broken into lines only at a separator. */
export function breakable(text: string): (Node | string)[] {
  const parts: (Node | string)[] = []
  let from = 0
  for (let at = 1; at < text.length; at++) {
    if (/[^\s/:][/?&]|[,;][^\s]/.test(text.slice(at - 1, at + 1))) {
      parts.push(text.slice(from, at), h('wbr'))
      from = at
    }
  }
  return [...parts, text.slice(from)]
}

/** A word on a coloured ground. */
export function tag(text: string, colour: 'good' | 'warn' | 'bad' | 'info' | 'plain' = 'plain'): HTMLElement {
  return h('span', { class: `tag ${colour}`, text })
}
