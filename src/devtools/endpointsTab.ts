import { ago } from '../explain/explainText.ts'
import type { Row } from '../rows/Row.ts'
import type { Tab, TabContext } from './Tab.ts'
import { VirtualList } from './VirtualList.ts'
import { createSplit } from './split.ts'
import { button, detailsPane, fill, h, searchField, tag } from './dom.ts'
import { endpointDetails } from './endpointDetails.ts'
import { compare, findDifferences, keyCell, plural, shortKey } from './keys.ts'
import { simulationOf } from './simulate.ts'
import { createSort, createStatusFilter, STATUS_COLOURS } from './statuses.ts'
import { type ResultFact, resultFacts } from './storeFacts.ts'
import { Tree } from './tree.ts'

/** Results by key, and the explanation of the selected one. */
export function createEndpointsTab(context: TabContext): Tab {
  const { controller, isPast } = context
  let selected: string | undefined
  let differences: ReadonlyMap<string, number> = new Map()
  const tree = new Tree(context, () => update())
  const search = searchField('Search endpoints', 'Search', () => update())
  const filter = createStatusFilter(() => update())
  const sort = createSort<ResultFact>(
    {
      'On screen first': undefined,
      'By name': (a, b) => compare(a.key, b.key),
      'Last fetched first': (a, b) => b.arrival - a.arrival,
      'First to expire': (a, b) => a.expiresAt - b.expiresAt,
    },
    () => update(),
  )
  const details = detailsPane('Selected endpoint')
  const list = new VirtualList<ResultFact>({
    label: 'Endpoints',
    empty: 'No endpoint matches.',
    idOf: ({ key }) => key,
    render: (fact) => {
      const forced = isPast ? undefined : simulationOf(controller).forced(fact.key)
      const cells = renderRow(fact, controller.clock.now(), differences.get(shortKey(fact.key)))
      return forced ? [tag(`forced ${forced}`, 'bad'), ...cells] : cells
    },
    open: () => split.show(),
    select: ({ key }) => {
      selected = key
      details.scrollTop = 0
      update()
    },
  })
  const update = (): void => {
    const words = search.value.trim().toLowerCase()
    const found = resultFacts(controller).filter(({ key }) => key.toLowerCase().includes(words))
    const facts = sort.apply(filter.apply(found))
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
  const reset = button('Reset store', () => void controller.resetEntireStore(), {
    title: 'Empties the store; components on the page fetch again',
    hidden: isPast,
  })
  const split = createSplit(
    details,
    list.element,
    h('div', { class: 'bar' }, search, sort.element, reset),
    filter.element,
  )
  return {
    element: split.element,
    update,
    selected: () => selected,
    select({ pk }: Row) {
      selected = pk
      search.value = ''
      filter.choose(undefined)
      split.show()
      update()
      list.reveal()
    },
    filter(status) {
      search.value = ''
      filter.choose(status)
      update()
    },
  }
}

function renderRow(
  { key, statuses, storedAt, readers }: ResultFact,
  now: number,
  differsAt: number | undefined,
): Node[] {
  const cells = [keyCell(shortKey(key), differsAt), ...statuses.map((one) => tag(one, STATUS_COLOURS[one]))]
  cells.push(h('span', { class: 'dim readers', text: plural(readers, 'reader') }))
  cells.push(h('span', { class: 'dim', text: storedAt ? ago(now - storedAt) : 'never' }))
  return cells
}
