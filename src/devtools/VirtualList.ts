import { fill, h, setAria } from './dom.ts'

const HEIGHT = 28
const OVERSCAN = 6
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -1e9,
  End: 1e9,
}

interface VirtualListOptions<T> {
  readonly label: string
  /** Shown if there are no items. */
  readonly empty: string
  idOf(item: T): string
  render(item: T): readonly (Node | string)[]
  select(item: T): void
  /** Called when a row is clicked, or Enter is pressed. */
  open(): void
}

let lists = 0

/** A list of rows of one height, of which only the visible ones are rendered. Arrow keys select one. */
export class VirtualList<T> {
  readonly element: HTMLElement
  private readonly options: VirtualListOptions<T>
  private readonly box: HTMLElement
  private readonly space: HTMLElement
  private readonly empty: HTMLElement
  private readonly name = `list${++lists}`
  private items: readonly T[] = []
  private selected: string | undefined

  constructor(options: VirtualListOptions<T>) {
    this.options = options
    this.space = h('div', { class: 'space', role: 'presentation' })
    this.empty = h('p', { class: 'empty', text: options.empty })
    this.box = h(
      'div',
      {
        class: 'list',
        role: 'listbox',
        tabindex: 0,
        aria: { label: options.label },
        on: { scroll: () => this.paint(), keydown: (event) => this.choose(event as KeyboardEvent) },
      },
      this.space,
    )
    this.element = h('div', { class: 'listFrame' }, this.empty, this.box)
  }

  update(items: readonly T[], selected: string | undefined, label: string = this.options.label): void {
    this.keepPlace(items)
    this.items = items
    this.selected = selected
    setAria(this.box, { label })
    this.empty.hidden = items.length > 0
    this.box.hidden = items.length === 0
    this.space.style.height = `${items.length * HEIGHT}px`
    this.paint()
  }

  /** Scrolls to the selected row. */
  reveal(): void {
    this.scrollTo(this.items.findIndex((item) => this.options.idOf(item) === this.selected))
  }

  /** Rows that come in above those on the screen do not move them. */
  private keepPlace(next: readonly T[]): void {
    const { box, items, options } = this
    const first = Math.floor(box.scrollTop / HEIGHT)
    const item = items[first]
    if (first === 0 || item === undefined) {
      return
    }
    const at = next.findIndex((one) => options.idOf(one) === options.idOf(item))
    if (at > first) {
      this.space.style.height = `${next.length * HEIGHT}px`
      box.scrollTop += (at - first) * HEIGHT
    }
  }

  private paint(): void {
    const { items, options, name } = this
    const { scrollTop, clientHeight } = this.box
    const first = Math.max(0, Math.floor(scrollTop / HEIGHT) - OVERSCAN)
    const last = Math.min(items.length, Math.ceil((scrollTop + (clientHeight || 400)) / HEIGHT) + OVERSCAN)
    const rows: HTMLElement[] = []
    let active: string | undefined
    for (let index = first; index < last; index++) {
      const item = items[index]!
      const isSelected = options.idOf(item) === this.selected
      const id = `${name}r${index}`
      if (isSelected) {
        active = id
      }
      rows.push(
        h(
          'div',
          {
            class: 'row',
            id,
            role: 'option',
            style: `top: ${index * HEIGHT}px`,
            aria: { selected: isSelected, posinset: index + 1, setsize: items.length },
            on: {
              click: () => {
                options.select(item)
                options.open()
              },
            },
          },
          ...options.render(item),
        ),
      )
    }
    fill(this.space, ...rows)
    setAria(this.box, { activedescendant: active })
  }

  private choose(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    const { items, options } = this
    if (event.key === 'Enter' && this.selected !== undefined) {
      options.open()
    }
    if (step === undefined || items.length === 0) {
      return
    }
    event.preventDefault()
    const at = items.findIndex((item) => options.idOf(item) === this.selected)
    const index = Math.min(Math.max(at + step, 0), items.length - 1)
    this.scrollTo(index)
    options.select(items[index]!)
  }

  private scrollTo(index: number): void {
    const { box } = this
    if (index * HEIGHT < box.scrollTop) {
      box.scrollTop = Math.max(0, index) * HEIGHT
    } else if ((index + 1) * HEIGHT > box.scrollTop + box.clientHeight) {
      box.scrollTop = (index + 1) * HEIGHT - box.clientHeight
    }
  }
}
