import { asText, nameOf } from '../explain/rowNames.ts'
import type { Row } from '../rows/Row.ts'
import type { Tab, TabContext } from './Tab.ts'
import { VirtualList } from './VirtualList.ts'
import { createSplit } from './split.ts'
import { detailsPane, fill, h, searchField } from './dom.ts'
import { createRecordEditor } from './editRecord.ts'
import { compare, kindOf } from './keys.ts'
import { rowCells, type Varying, varyingArgs } from './rowCells.ts'
import { listDetails, recordDetails } from './rowDetails.ts'
import { createSort, createStatusFilter } from './statuses.ts'
import { type RowFact, rowFacts, tableFacts } from './storeFacts.ts'
import { Tree } from './tree.ts'

const texts = new WeakMap<object, string>()

/** Records in their tables, or lists: in the store both are rows. */
export function createRowsTab(context: TabContext, isList: boolean): Tab {
  const { controller } = context
  const noun = isList ? 'lists' : 'records'
  /** The empty text stands for all tables. */
  let table: string | undefined = isList ? '' : undefined
  let varying: Varying = new Map()
  let selected: string | undefined
  const tree = new Tree(context, () => update())
  const editor = createRecordEditor(context, () => update())
  const choice: HTMLSelectElement = h('select', {
    aria: { label: `Table of ${noun}` },
    on: { change: () => pick(choice.value) },
  })
  const search = searchField(`Search ${noun}`, 'Search', () => update())
  const filter = createStatusFilter(() => update())
  const sort = createSort<RowFact>(
    {
      'As stored': undefined,
      'By name': (a, b) => compare(a.name, b.name),
      'Last written first': (a, b) => (b.row.meta?.date ?? 0) - (a.row.meta?.date ?? 0),
      'First to expire': (a, b) => (a.row.meta?.expiresAt ?? 0) - (b.row.meta?.expiresAt ?? 0),
    },
    () => update(),
  )
  const details = detailsPane(`Selected ${noun.slice(0, -1)}`)
  const list = new VirtualList<RowFact>({
    label: noun,
    empty: `No ${noun} match.`,
    idOf: ({ name }) => name,
    render: (row) => rowCells(row, table === '' ? kindOf(row.row.table.key) : '', varying),
    open: () => split.show(),
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
    if (table !== '' && !tables.some(({ key }) => key === table)) {
      table = [...tables].sort((a, b) => b.count - a.count)[0]?.key
    }
    const all = { key: '', count: tables.reduce((sum, { count }) => sum + count, 0) }
    const options = [all, ...tables].map(({ key, count }) =>
      h('option', { value: key }, `${key === '' ? `All ${noun}` : kindOf(key)} (${count.toLocaleString('en')})`),
    )
    if (choice.textContent !== options.map(({ textContent }) => textContent).join('')) {
      fill(choice, ...options)
    }
    choice.value = table ?? ''
    const words = search.value.trim().toLowerCase()
    const shownTables = tables.filter(({ key }) => table === '' || key === table)
    const rows = shownTables
      .flatMap(({ key }) => rowFacts(controller, key))
      .filter((row) => !words || textOf(row).includes(words))
    const facts = sort.apply(filter.apply(rows))
    varying = isList ? varyingArgs(rows.map(({ row }) => row)) : varying
    list.update(facts, selected, table ? `${noun} of ${kindOf(table)}` : `all ${noun}`)
    const row = facts.find(({ name }) => name === selected)
    fill(
      details,
      ...(row
        ? (isList ? listDetails : recordDetails)(context, row, tree, editor)
        : [h('p', { class: 'empty', text: `Select one of the ${noun} to see its details.` })]),
    )
  }

  const split = createSplit(
    details,
    list.element,
    h('div', { class: 'bar' }, choice, search, sort.element),
    filter.element,
  )
  return {
    element: split.element,
    update,
    selected: () => selected,
    select(row: Row) {
      table = table === '' ? '' : row.table.key
      selected = nameOf(row)
      search.value = ''
      filter.choose(undefined)
      split.show()
      update()
      list.reveal()
    },
  }
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
