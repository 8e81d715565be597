import { asText } from '../explain/slotNames.ts'
import type { Slot } from '../normalize/tables.ts'
import type { Tab, TabContext } from './Tab.ts'
import { VirtualList } from './VirtualList.ts'
import { detailsPane, fill, h, searchField, tag } from './dom.ts'
import { plural } from './keys.ts'
import { listDetails, recordDetails } from './rowDetails.ts'
import { rowFact, type RowFact, rowFacts, tableFacts, titleOf } from './storeFacts.ts'
import { Tree } from './tree.ts'

const texts = new WeakMap<object, string>()

/** Records in their tables, or lists: in the store both are rows. */
export function createRowsTab(context: TabContext, isList: boolean): Tab {
  const { controller } = context
  const noun = isList ? 'lists' : 'records'
  let table: string | undefined
  let selected: string | undefined
  const tree = new Tree(context, () => update())
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
      details.scrollTop = 0
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
        ? (isList ? listDetails : recordDetails)(context, row, tree)
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
      text: isArray ? plural(value.length, 'item') : titleOf(value),
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
