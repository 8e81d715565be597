import { explainList, explainLists } from '../explain/explainList.ts'
import { ago, inTime } from '../explain/explainText.ts'
import { keptOf } from '../explain/keptOf.ts'
import { mountedOn, readersOf } from '../explain/readersOf.ts'
import { pendingOf } from '../explain/requestFacts.ts'
import { asText } from '../explain/slotNames.ts'
import type { Slot } from '../normalize/tables.ts'
import type { Tab, TabContext } from './Tab.ts'
import { VirtualList } from './VirtualList.ts'
import { detailsPane, fill, h, link, searchField, tag } from './dom.ts'
import { relationsOf, rowFact, type RowFact, rowFacts, tableFacts, titleOf } from './storeFacts.ts'

const MOST_MEMBERS = 100
const texts = new WeakMap<object, string>()

/** Records in their tables, or lists: in the store both are rows. */
export function createRowsTab(context: TabContext, isList: boolean): Tab {
  const { controller } = context
  const noun = isList ? 'lists' : 'records'
  let table: string | undefined
  let selected: string | undefined
  const choice: HTMLSelectElement = h('select', {
    aria: { label: `Table of ${noun}` },
    on: { change: () => pick(choice.value) },
  })
  const search = searchField(`Search ${noun}`, 'Search', () => update())
  const details = detailsPane(`Selected ${noun.slice(0, -1)}`)
  const list = new VirtualList<RowFact>({
    label: noun,
    empty: `No ${noun} match.`,
    idOf: ({ name }) => name,
    render: renderRow,
    select: ({ name }) => {
      selected = name
      update()
    },
  })
  const pick = (key: string): void => {
    table = key
    selected = undefined
    update()
  }

  const update = (): void => {
    const tables = tableFacts(controller).filter((fact) => fact.isList === isList)
    if (!tables.some(({ key }) => key === table)) {
      table = tables.toSorted((a, b) => b.count - a.count)[0]?.key
    }
    const options = tables.map(({ key, count }) =>
      h('option', { value: key, selected: key === table }, `${key} (${count})`),
    )
    if (choice.textContent !== options.map(({ textContent }) => textContent).join('')) {
      fill(choice, ...options)
    }
    choice.value = table ?? ''
    const words = search.value.trim().toLowerCase()
    const rows =
      table === undefined ? [] : rowFacts(controller, table).filter((row) => !words || textOf(row).includes(words))
    list.update(rows, selected, table === undefined ? noun : `${noun} of ${table}`)
    const row = rows.find(({ name }) => name === selected)
    fill(
      details,
      ...(row
        ? describe(context, row, isList)
        : [h('p', { class: 'empty', text: `Select one of the ${noun} to see its details.` })]),
    )
  }

  return {
    element: h(
      'div',
      { class: 'split' },
      h('div', { class: 'side' }, h('div', { class: 'bar' }, choice, search), list.element),
      details,
    ),
    update,
    select(slot: Slot) {
      table = slot.table.key
      selected = rowFact(slot).name
      search.value = ''
      update()
    },
  }
}

function renderRow({ pk, value, isDeleted, isPending }: RowFact): Node[] {
  const isArray = Array.isArray(value)
  const cells = [
    h('span', { class: 'mono', text: pk }),
    h('span', {
      class: 'main dim',
      text: isArray ? `${value.length} ${value.length === 1 ? 'item' : 'items'}` : titleOf(value),
    }),
  ]
  if (isPending) {
    cells.push(tag('pending', 'warn'))
  }
  if (isDeleted) {
    cells.push(tag('deleted', 'bad'))
  }
  return cells
}

function describe(context: TabContext, row: RowFact, isList: boolean): Node[] {
  const { controller, history } = context
  const { slot } = row
  const now = controller.clock.now()
  const origin = slot.meta && history.origin(slot.meta.sent)
  const age =
    slot.meta &&
    `Written ${ago(now - slot.meta.date)}${origin ? ` by ${origin.label}` : ''}. ${slot.meta.expiresAt > now ? `Fresh for ${inTime(slot.meta.expiresAt - now)}.` : 'Stale.'}`
  const { components, views, count } = readersOf(mountedOn(slot))
  const kept = keptOf(controller, history, slot)
  return [
    h('h3', { text: row.name }),
    h('p', { class: 'dim', text: age || 'Shown by a pending operation only.' }),
    ...section(
      'Pending operations',
      pendingOf(controller, [slot]).map(({ key, since }) => h('li', { text: `${key}, sent ${ago(now - since)}` })),
    ),
    ...(isList ? describeList(context, slot) : describeRecord(context, row)),
    ...section(
      `Readers (${count})`,
      (components.length > 0 ? components : views).map((name) => h('li', { text: name })),
    ),
    ...section(
      'Kept because',
      kept.why.map((text) => h('li', { text })),
    ),
  ]
}

function describeRecord(context: TabContext, { slot, value }: RowFact): Node[] {
  const { controller, history, open } = context
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const rows = fields.map(([field, part]) => {
    const related = relationsOf(controller, slot, field, part).slice(0, 20)
    const cell = h(
      'td',
      { class: 'mono' },
      ...(related.length > 0
        ? related.flatMap((to) => [link(rowFact(to).name, () => open(rowFact(to).name)), ' '])
        : [asText(part)]),
    )
    return h('tr', {}, h('th', { scope: 'row', text: field }), cell)
  })
  const lists = explainLists(controller, history, slot).map(({ list, isMember, why }) =>
    h(
      'li',
      {},
      isMember ? 'In ' : 'Not in ',
      link(list, () => open(list)),
      `: ${why}`,
    ),
  )
  return [h('h4', { text: 'Fields' }), h('table', {}, h('tbody', {}, ...rows)), ...section('Lists', lists)]
}

function describeList({ controller, history, open }: TabContext, slot: Slot): Node[] {
  const { members, absent, changes } = explainList(controller, history, slot)
  const now = controller.clock.now()
  const item = ({ record, why }: { record: string; why: string }): HTMLElement =>
    h(
      'li',
      {},
      link(record, () => open(record)),
      `: ${why}`,
    )
  const changed = changes.map(({ at, by, added, removed }) =>
    h('li', {
      text: `${ago(now - at)}, ${by}: ${[added.length > 0 && `added ${short(added)}`, removed.length > 0 && `removed ${short(removed)}`].filter(Boolean).join(', ')}`,
    }),
  )
  return [
    ...section('Last changes', changed),
    ...section(`Members (${members.length})`, members.slice(0, MOST_MEMBERS).map(item)),
    ...section(`Not in it (${absent.length})`, absent.slice(0, MOST_MEMBERS).map(item)),
  ]
}

function short(pks: readonly string[]): string {
  return pks.length > 5 ? `${pks.slice(0, 5).join(', ')} and ${pks.length - 5} more` : pks.join(', ')
}

function section(title: string, items: readonly Node[]): Node[] {
  return items.length > 0 ? [h('h4', { text: title }), h('ul', {}, ...items)] : []
}

/** The text that a search looks at. A row that changes is another object, so its text can be kept. */
function textOf({ pk, value }: RowFact): string {
  if (typeof value !== 'object' || value === null) {
    return pk.toLowerCase()
  }
  let text = texts.get(value)
  if (text === undefined) {
    texts.set(value, (text = `${pk} ${asText(value)}`.toLowerCase()))
  }
  return text
}
