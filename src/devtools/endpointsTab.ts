import type { Explanation } from '../advice/Explanation.ts'
import { explainTarget } from '../explain/explainTarget.ts'
import { ago, inTime } from '../explain/explainText.ts'
import { asText } from '../explain/slotNames.ts'
import type { Slot } from '../normalize/tables.ts'
import type { Tab, TabContext } from './Tab.ts'
import { VirtualList } from './VirtualList.ts'
import { button, detailsPane, fill, h, link, searchField, tag } from './dom.ts'
import { type ResultFact, resultFacts, targetOf } from './storeFacts.ts'

const COLOURS = { fresh: 'good', stale: 'warn', invalid: 'warn', failed: 'bad', empty: 'plain' } as const

/** Results by key, and the explanation of the selected one. */
export function createEndpointsTab(context: TabContext): Tab {
  const { controller } = context
  let selected: string | undefined
  const search = searchField('Search endpoints', 'Search', () => update())
  const details = detailsPane('Selected endpoint')
  const list = new VirtualList<ResultFact>({
    label: 'Endpoints',
    empty: 'No endpoint matches.',
    idOf: ({ key }) => key,
    render: (fact) => renderRow(fact, controller.clock.now()),
    select: ({ key }) => {
      selected = key
      update()
    },
  })
  const update = (): void => {
    const words = search.value.trim().toLowerCase()
    const facts = resultFacts(controller).filter(({ key }) => key.toLowerCase().includes(words))
    list.update(facts, selected)
    const fact = facts.find(({ key }) => key === selected)
    fill(
      details,
      ...(fact
        ? describe(context, fact)
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

function renderRow({ key, status, storedAt, readers, isInFlight }: ResultFact, now: number): Node[] {
  const cells = [h('span', { class: 'main mono', text: shortKey(key) })]
  if (isInFlight) {
    cells.push(tag('fetching', 'info'))
  }
  cells.push(tag(status, COLOURS[status]))
  cells.push(h('span', { class: 'dim', text: `${readers} ${readers === 1 ? 'reader' : 'readers'}` }))
  cells.push(h('span', { class: 'dim', text: storedAt ? ago(now - storedAt) : 'never' }))
  return cells
}

function describe(context: TabContext, { slot, key }: ResultFact): Node[] {
  const { controller, history, open } = context
  const target = targetOf(slot) ?? history.target(key)
  const size = h('p', {
    class: 'dim',
    text: `The stored result is ${asText(slot.value)?.length.toLocaleString() ?? 0} characters long.`,
  })
  if (target === undefined) {
    return [h('h3', { text: key }), h('p', { text: 'Nothing has read or fetched it since the recording began.' }), size]
  }
  const explanation = explainTarget(controller, ...(target as [object, readonly any[]]))
  const [endpoint, args] = target as [any, readonly any[]]
  const act = (label: string, run: () => Promise<unknown>): HTMLElement =>
    button(label, () => void run().catch(() => {}), { 'data-focus': label })
  return [
    h('h3', { text: key }),
    endpoint.sideEffect
      ? h('p', { class: 'dim', text: 'A mutation.' })
      : h(
          'div',
          { class: 'bar' },
          act('Refetch', () => controller.fetch(endpoint, ...(args as []))),
          act('Expire', () => controller.expireAll({ testKey: (one) => one === key })),
          act('Invalidate', () => controller.invalidate(endpoint, ...(args as []))),
        ),
    ...explained(explanation, controller.clock.now()),
    ...(explanation.list
      ? [
          h(
            'p',
            {},
            'Its list is ',
            link(explanation.list.name, () => open(explanation.list!.name)),
            '.',
          ),
        ]
      : []),
    size,
  ]
}

/** An explanation as paragraphs. */
function explained(explanation: Explanation, now: number): Node[] {
  const { freshness, request, sources, pending, readers, missing, hiddenError, error, kept, polling } = explanation
  const { components, views, count } = readers
  const parts: [title: string, lines: readonly string[]][] = [
    [`Why it is ${freshness.status}`, [freshness.why]],
    ['Error', error === undefined ? [] : [messageOf(error)]],
    [
      'Hidden error',
      hiddenError === undefined ? [] : [`The soft errorPolicy hides it while there is data: ${messageOf(hiddenError)}`],
    ],
    ['Missing', missing.map(({ record, fields }) => `${record} lacks ${fields.join(', ')}.`)],
    [
      'From',
      sources.map(
        ({ by, sentAt, storedAt, rows }) =>
          `${by}: sent ${ago(now - sentAt)}, stored ${ago(now - storedAt)}, ${rows === 1 ? '1 row' : `${rows} rows`}`,
      ),
    ],
    ['Pending operations', pending.map(({ key, changes }) => `${key} changes ${changes.join(', ')}`)],
    [`Readers (${count})`, components.length > 0 ? components : views],
    [
      'Last request',
      request.last ? [`${ago(now - request.last.at)}: ${request.last.why} Response ${request.last.outcome}.`] : [],
    ],
    ['Next request', [request.next]],
    [
      'Polling',
      polling ? [`Every ${inTime(polling.frequency)}${polling.paused ? `, paused: ${polling.paused}` : ''}.`] : [],
    ],
    ['Kept because', kept.why],
  ]
  const nodes: Node[] = []
  for (const [title, lines] of parts) {
    if (lines.length > 0) {
      nodes.push(h('h4', { text: title }), ...lines.map((text) => h('p', { text })))
    }
  }
  return nodes
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A key without the origin, which is nearly always the same. */
export function shortKey(key: string): string {
  return key.replace(/(?<= )https?:\/\/[^/]+/, '')
}
