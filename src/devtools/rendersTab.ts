import { ago } from '../explain/explainText.ts'
import type { HistoryEvent } from '../explain/history.ts'
import { type Looks, looksOf, type OperatorLooks } from '../explain/queryLooks.ts'
import type { Tab, TabContext } from './Tab.ts'
import { VirtualList } from './VirtualList.ts'
import { createSplit } from './split.ts'
import { breakable, button, detailsPane, fill, h } from './dom.ts'
import { keyCell, plural, readable } from './keys.ts'
import { actionLabel } from './actionLabel.ts'
import { sentence } from './sentence.ts'

interface ReaderFact {
  readonly reader: string
  readonly events: Set<HistoryEvent>
  readonly views: Set<string>
  count: number
}

/** Which components were notified, how often, and by what. */
export function createRendersTab(context: TabContext): Tab {
  const { controller, history } = context
  let selected: string | undefined
  const details = detailsPane('Selected component')
  const queries = h('span', { class: 'dim' })
  const list = new VirtualList<ReaderFact>({
    label: 'Components',
    empty: 'Nothing has been notified yet.',
    idOf: ({ reader }) => reader,
    render: ({ reader, count, events }) => [
      keyCell(readable(reader)),
      h('span', { class: 'dim', text: `${count} × notified, ${ago(controller.clock.now() - [...events].at(-1)!.at)}` }),
    ],
    open: () => split.show(),
    select: ({ reader }) => {
      selected = reader
      details.scrollTop = 0
      update()
    },
  })
  const update = (): void => {
    const facts = readersIn(history.events)
    list.update(facts, selected)
    const looks = looksOf(controller.core.store.tables)
    queries.textContent = looks ? queriesText(looks) : ''
    const fact = facts.find(({ reader }) => reader === selected)
    const now = controller.clock.now()
    fill(
      details,
      ...(fact
        ? [
            h('h3', {}, ...breakable(readable(fact.reader))),
            h('h4', { text: 'Reads' }),
            h('ul', {}, ...[...fact.views].map((text) => h('li', {}, ...sentence(context, text)))),
            h('h4', { text: 'Notified by' }),
            h(
              'ul',
              {},
              ...[...fact.events]
                .reverse()
                .slice(0, 50)
                .map((event) =>
                  h('li', {}, `${ago(now - event.at)}: ${actionLabel(event.type)} `, ...sentence(context, event.about)),
                ),
            ),
          ]
        : [
            h('p', {
              class: 'empty',
              text: 'Select a component to see which changes notified it. Names are known in development builds; otherwise you see what is read.',
            }),
            ...(looks?.operators.length ? [h('h3', { text: 'Live queries, after the last change' })] : []),
            ...(looks?.operators ?? []).flatMap((operator) => operatorParts(context, operator)),
          ]),
    )
  }
  const bar = h(
    'div',
    { class: 'bar' },
    button('Clear', () => history.clear()),
    queries,
  )
  const split = createSplit(details, list.element, bar)
  return { element: split.element, update }
}

function queriesText({ total, last }: Looks): string {
  return `Live queries: the last change had them look at ${plural(last, 'record')}, ${plural(total, 'look')} in all`
}

/** An operator, and the records for which it called its functions. */
function operatorParts(context: TabContext, { text, count, time, records }: OperatorLooks): Node[] {
  const more = count - records.length
  return [
    h('h4', { text }),
    h('p', { class: 'dim', text: `${plural(count, 'record')} in ${time.toFixed(1)} ms` }),
    h(
      'ul',
      {},
      ...records.map((name) => h('li', {}, ...sentence(context, name))),
      ...(more > 0 ? [h('li', { text: `and ${more} more` })] : []),
    ),
  ]
}

/** The readers that events notified, the last one first. */
function readersIn(events: readonly HistoryEvent[]): ReaderFact[] {
  const facts = new Map<string, ReaderFact>()
  for (const event of events) {
    for (const { reader, view } of event.notified) {
      const fact = facts.get(reader) ?? { reader, events: new Set(), views: new Set(), count: 0 }
      fact.events.add(event)
      fact.views.add(view)
      fact.count++
      facts.delete(reader)
      facts.set(reader, fact)
    }
  }
  return [...facts.values()].reverse()
}
