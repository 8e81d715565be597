import { button, h, setAria } from './dom.ts'

/** The labels of the tabs, of which one is selected. */
export interface TabList {
  readonly element: HTMLElement
  /** Shows the selected tab, and a number beside each. */
  update(selected: string, counts: Readonly<Record<string, number>>): void
  focus(name: string): void
  reveal(name: string): void
}

/** Arrow keys, Home and End go from tab to tab. */
export function createTabList(names: readonly string[], selected: () => string, open: (name: string) => void): TabList {
  const buttons = new Map(
    names.map((name) => [
      name,
      button(name, () => open(name), { role: 'tab', id: `tab${name}`, aria: { controls: 'tabpanel' } }),
    ]),
  )
  const focus = (name: string): void => buttons.get(name)?.focus()
  const move = ({ key }: KeyboardEvent): void => {
    const at = names.indexOf(selected())
    const last = names.length - 1
    const to = { ArrowRight: at + 1, ArrowLeft: at + last, Home: 0, End: last }[key]
    if (to !== undefined) {
      open(names[to % names.length]!)
      focus(selected())
    }
  }
  const attributes = { class: 'tabs', role: 'tablist', aria: { label: 'Devtools' }, on: { keydown: move } }
  return {
    element: h('div', attributes, ...buttons.values()),
    update(name, counts) {
      for (const [other, element] of buttons) {
        const count = counts[other]
        element.textContent = count ? `${other} ${count.toLocaleString('en')}` : other
        element.tabIndex = other === name ? 0 : -1
        setAria(element, { selected: other === name })
      }
    },
    focus,
    reveal: (name) => buttons.get(name)?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
  }
}
