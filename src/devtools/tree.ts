import { asText } from '../explain/rowNames.ts'
import { top } from '../rows/overlay.ts'
import type { Row } from '../rows/Row.ts'
import { INVALID } from '../schema/Schema.ts'
import type { TabContext } from './Tab.ts'
import { breakable, button, type Child, h, link } from './dom.ts'
import { plural } from './keys.ts'
import { hasMembers, memberSchema, referenceOf, schemaOf } from './references.ts'
import { rowLabel, titleOf } from './storeFacts.ts'

/** How many members are shown at first, and how many more each time. */
const STEP = 50
const PREVIEW = 60

/** Shows stored values as a tree that opens. References lead to their row, and open in place. */
export class Tree {
  private readonly context: TabContext
  private readonly changed: () => void
  /** The nodes that are open, by their path, and how many members they show. */
  private readonly opened = new Map<string, number>()

  constructor(context: TabContext, changed: () => void) {
    this.context = context
    this.changed = changed
  }

  /** The value of a row, open. `note` adds something to its members. */
  row(row: Row, note?: (name: string) => Child): HTMLElement {
    const { controller } = this.context
    return this.value(rowValue(row), schemaOf(row, controller), `${row.table.key} ${row.pk}`, note)
  }

  /** A value, open. */
  value(value: unknown, schema: unknown, path: string, note?: (name: string) => Child): HTMLElement {
    const row = referenceOf(this.context.controller, schema, value)
    if (!hasMembers(value) && !row) {
      return h('p', { class: 'mono' }, leaf(value))
    }
    const members = row
      ? h('ul', { class: 'tree' }, this.node('', value, schema, path, true))
      : this.members(value as object, schema, path, note)
    members.classList.add('trunk')
    return members
  }

  private members(value: object, schema: unknown, path: string, note?: (name: string) => Child): HTMLElement {
    const entries = Object.entries(value)
    const most = this.opened.get(path) || STEP
    const rest = entries.length - most
    return h(
      'ul',
      { class: 'tree' },
      ...entries
        .slice(0, most)
        .map(([name, part]) =>
          this.node(name, part, memberSchema(schema, name), `${path}/${name}`, false, note?.(name)),
        ),
      rest > 0 &&
        h(
          'li',
          {},
          button(`Show ${Math.min(rest, STEP)} more of ${rest}`, () => this.open(path, most + STEP), { class: 'link' }),
        ),
    )
  }

  private node(
    name: string,
    value: unknown,
    schema: unknown,
    path: string,
    isFirst: boolean,
    note?: Child,
  ): HTMLElement {
    const { context } = this
    const row = referenceOf(context.controller, schema, value)
    const inner = row ? rowValue(row) : value
    // The first node of a tree is open until it is closed.
    const isOpen = this.opened.has(path) ? this.opened.get(path)! > 0 : isFirst
    const label = name === '' ? [] : [h('span', { class: 'name', text: name })]
    const what: Child[] = row
      ? [
          link(rowLabel(row), () => context.open(`${row.table.key} ${row.pk}`.trim())),
          h('span', { class: 'dim preview', text: summaryOf(inner) }),
        ]
      : [hasMembers(inner) ? h('span', { class: 'dim preview', text: summaryOf(inner) }) : leaf(inner)]
    if (!hasMembers(inner)) {
      return h('li', {}, h('div', { class: 'line' }, h('span', { class: 'gap' }), ...label, ...what, note))
    }
    const members = isOpen && this.members(inner, row ? schemaOf(row, context.controller) : schema, path)
    const twist = button(isOpen ? '▾' : '▸', () => this.open(path, isOpen ? 0 : STEP), {
      class: 'twist',
      aria: { expanded: isOpen, label: `${isOpen ? 'Close' : 'Open'} ${name || (row ? rowLabel(row) : 'value')}` },
    })
    return h('li', {}, h('div', { class: 'line' }, twist, ...label, ...what, note), members)
  }

  private open(path: string, most: number): void {
    this.opened.set(path, most)
    this.changed()
  }
}

/** The visible value of a row, with pending operations. */
function rowValue(row: Row): unknown {
  const value = top(row)
  return value === INVALID ? undefined : value
}

/** The content in a few words. */
function summaryOf(value: unknown): string {
  if (Array.isArray(value)) {
    return plural(value.length, 'item')
  }
  if (value === undefined) {
    return 'not stored'
  }
  const title = titleOf(value)
  if (title !== '') {
    return title
  }
  const names = Object.keys(Object(value) as object).join(', ')
  return names.length > PREVIEW ? `{ ${names.slice(0, PREVIEW)}… }` : `{ ${names} }`
}

/** A value without members. */
function leaf(value: unknown): HTMLElement {
  const kind = value === null || value === undefined ? 'none' : typeof value
  const isOwn = typeof value === 'object' && value !== null && !Array.isArray(value)
  const text = value === undefined ? 'undefined' : isOwn && !hasMembers(value) ? textOf(value) : asText(value)
  return h('span', { class: `mono value ${kind}` }, ...breakable(text))
}

/** A date, or another object without members of its own. */
function textOf(value: object): string {
  return value.constructor === Object ? '{}' : value instanceof Date ? value.toISOString() : String(value)
}
