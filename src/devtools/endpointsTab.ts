import { ago } from '../explain/explainText.ts'
import type { Slot } from '../normalize/tables.ts'
import type { Tab, TabContext } from './Tab.ts'
import { VirtualList } from './VirtualList.ts'
import { detailsPane, fill, h, searchField, tag } from './dom.ts'
import { endpointDetails } from './endpointDetails.ts'
import { findDifferences, keyCell, plural, shortKey } from './keys.ts'
import { type ResultFact, resultFacts } from './storeFacts.ts'
import { Tree } from './tree.ts'

const COLOURS = { fresh: 'good', stale: 'warn', invalid: 'warn', failed: 'bad', empty: 'plain' } as const

/** Results by key, and the explanation of the selected one. */
export function createEndpointsTab(context: TabContext): Tab {
  const { controller } = context
  let selected: string | undefined
  let differences: ReadonlyMap<string, number> = new Map()
  const tree = new Tree(context, () => update())
  const search = searchField('Search endpoints', 'Search', () => update())
  const details = detailsPane('Selected endpoint')
  const list = new VirtualList<ResultFact>({
    label: 'Endpoints',
    empty: 'No endpoint matches.',
    idOf: ({ key }) => key,
    render: (fact) => renderRow(fact, controller.clock.now(), differences.get(shortKey(fact.key))),
    select: ({ key }) => {
      selected = key
      details.scrollTop = 0
      update()
    },
  })
  const update = (): void => {
    const words = search.value.trim().toLowerCase()
    const facts = resultFacts(controller).filter(({ key }) => key.toLowerCase().includes(words))
    differences = findDifferences(facts.map(({ key }) => shortKey(key)))
    list.update(facts, selected)
    const fact = facts.find(({ key }) => key === selected)
    fill(
      details,
      ...(fact
        ? endpointDetails(context, fact, tree)
        : [h('p', { class: 'empty', text: 'Select an endpoint to see why it shows what it shows.' })]),
    )
  }
  return {
    element: h(
      'div',
      { class: 'split' },
      h('div', { class: 'side' }, h('div', { class: 'bar' }, search), list.element),
      details,
    ),
    update,
    select({ pk }: Slot) {
      selected = pk
      search.value = ''
      update()
    },
  }
}

function renderRow(
  { key, status, storedAt, readers, isInFlight }: ResultFact,
  now: number,
  differsAt: number | undefined,
): Node[] {
  const cells = [keyCell(shortKey(key), differsAt)]
  if (isInFlight) {
    cells.push(tag('fetching', 'info'))
  }
  cells.push(tag(status, COLOURS[status]))
  cells.push(h('span', { class: 'dim', text: plural(readers, 'reader') }))
  cells.push(h('span', { class: 'dim', text: storedAt ? ago(now - storedAt) : 'never' }))
  return cells
}
