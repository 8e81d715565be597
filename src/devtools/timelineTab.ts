import { ago, inTime } from '../explain/explainText.ts'
import type { HistoryEvent } from '../explain/history.ts'
import type { Tab, TabContext } from './Tab.ts'
import { VirtualList } from './VirtualList.ts'
import { button, detailsPane, fill, h, link, searchField, tag } from './dom.ts'
import { shortKey } from './keys.ts'

/** How far apart events are folded, in rows. */
const NEAR = 8

/** Events that say the same. */
interface Fold {
  readonly event: HistoryEvent
  readonly count: number
}

const KINDS: Readonly<Record<string, string>> = {
  all: 'All actions',
  changes: 'Changes only',
  fetch: 'Requests',
  setresponse: 'Responses',
  writes: 'Writes',
  errors: 'Errors',
}
const COLOURS: Readonly<Record<string, 'good' | 'warn' | 'bad' | 'info' | 'plain'>> = {
  fetch: 'info',
  setresponse: 'good',
  set: 'warn',
  reset: 'bad',
  invalidate: 'warn',
  invalidateall: 'warn',
  expireall: 'warn',
}

/** Actions with the slots they touched and the readers they notified. */
export function createTimelineTab(context: TabContext): Tab {
  const { controller, history } = context
  let selected: number | undefined
  const kind = h(
    'select',
    { aria: { label: 'Kind of action' }, on: { change: () => update() } },
    ...Object.entries(KINDS).map(([value, text]) => h('option', { value, text })),
  )
  const folded = h('input', { type: 'checkbox', checked: true, on: { change: () => update() } })
  const search = searchField('Filter actions', 'Filter', () => update())
  const details = detailsPane('Selected action')
  const list = new VirtualList<Fold>({
    label: 'Actions',
    empty: 'No action matches.',
    idOf: ({ event }) => String(event.id),
    render: (fold) => renderRow(fold, controller.clock.now()),
    select: ({ event }) => {
      selected = event.id
      update()
    },
  })
  const update = (): void => {
    const words = search.value.trim().toLowerCase()
    const events = history.events.filter((event) => isOfKind(event, kind.value) && textOf(event).includes(words))
    const folds = fold(events, folded.checked).reverse()
    list.update(folds, selected === undefined ? undefined : String(selected))
    const event = history.events.find(({ id }) => id === selected)
    fill(
      details,
      ...(event
        ? describe(context, event)
        : [
            h('p', {
              class: 'empty',
              text: 'Select an action to see what it touched, and which components it notified.',
            }),
          ]),
    )
  }
  const label = h('label', {}, folded, ' Fold repeats')
  const clear = button('Clear', () => history.clear())
  return {
    element: h(
      'div',
      { class: 'split' },
      h('div', { class: 'side' }, h('div', { class: 'bar' }, kind, search, label, clear), list.element),
      details,
    ),
    update,
  }
}

/** Joins events of the same type and key that follow each other closely, such as polls. */
function fold(events: readonly HistoryEvent[], isFolded: boolean): Fold[] {
  const folds: Fold[] = []
  for (const event of events) {
    const isSame = (other: Fold): boolean =>
      other.event.type === event.type && other.event.about === event.about && !event.error && !other.event.error
    const at = isFolded ? folds.findLastIndex(isSame) : -1
    const isNear = at >= 0 && folds.length - at <= NEAR
    const [last] = isNear ? folds.splice(at, 1) : []
    folds.push({ event, count: (last?.count ?? 0) + 1 })
  }
  return folds
}

function isOfKind({ type, isMutation, error, outcome, touchedCount }: HistoryEvent, kind: string): boolean {
  switch (kind) {
    case 'changes':
      return touchedCount > 0
    case 'writes':
      return isMutation === true || type === 'set'
    case 'errors':
      return error !== undefined || outcome === 'refused'
    default:
      return kind === 'all' || type === kind
  }
}

function textOf({ type, about, touched }: HistoryEvent): string {
  return `${type} ${about} ${touched.join(' ')}`.toLowerCase()
}

function renderRow({ event, count }: Fold, now: number): Node[] {
  const { type, about, outcome, error, touchedCount, isJoined } = event
  const cells = [tag(type, error ? 'bad' : COLOURS[type]), h('span', { class: 'main mono', text: shortKey(about) })]
  if (count > 1) {
    cells.push(tag(`× ${count}`))
  }
  if (isJoined) {
    cells.push(tag('shared', 'plain'))
  }
  if (outcome && outcome !== 'stored') {
    cells.push(tag(outcome, outcome === 'older' ? 'warn' : 'bad'))
  }
  cells.push(
    h('span', { class: 'dim', text: `${touchedCount > 0 ? `${touchedCount} changed, ` : ''}${ago(now - event.at)}` }),
  )
  return cells
}

function describe({ controller, open }: TabContext, event: HistoryEvent): Node[] {
  const { type, about, args, took, error, outcome, touched, touchedCount, notified, auto, isJoined } = event
  const counts = new Map<string, number>()
  for (const { reader, view, change } of notified) {
    const text = `${reader === view ? view : `${reader}, which reads ${view}`} (${change})`
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const facts = [
    ago(controller.clock.now() - event.at),
    took !== undefined && `took ${inTime(took)}`,
    outcome && `response ${outcome}`,
    auto && 'sent by the library',
    isJoined && 'shares a request in flight',
  ]
  const more = touchedCount - touched.length
  return [
    h('h3', { text: `${type} ${about}` }),
    h('p', { class: 'dim', text: facts.filter(Boolean).join(', ') }),
    ...(args ? [h('h4', { text: 'Arguments' }), h('pre', { text: args })] : []),
    ...(error ? [h('h4', { text: 'Error' }), h('p', { text: error })] : []),
    h('h4', { text: `Changed (${touchedCount})` }),
    touchedCount > 0
      ? h(
          'ul',
          {},
          ...touched.map((name) =>
            h(
              'li',
              {},
              link(name, () => open(name)),
            ),
          ),
          more > 0 && h('li', { text: `and ${more} more` }),
        )
      : h('p', { class: 'dim', text: 'Nothing.' }),
    h('h4', { text: `Notified (${notified.length})` }),
    notified.length > 0
      ? h('ul', {}, ...[...counts].map(([text, count]) => h('li', { text: count > 1 ? `${text} × ${count}` : text })))
      : h('p', { class: 'dim', text: 'No reader.' }),
  ]
}
