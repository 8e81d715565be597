import { ago, inTime } from '../explain/explainText.ts'
import type { HistoryEvent } from '../explain/history.ts'
import type { Tab, TabContext } from './Tab.ts'
import { VirtualList } from './VirtualList.ts'
import { createSplit } from './split.ts'
import { actionLabel } from './actionLabel.ts'
import { changeTable } from './changes.ts'
import { breakable, button, detailsPane, fill, h, searchField, tag } from './dom.ts'
import { keyCell, plural, readable } from './keys.ts'
import { sentence } from './sentence.ts'

/** How far apart events are folded, in rows. */
const NEAR = 8

/** Events that say the same, oldest first. */
interface Fold {
  readonly event: HistoryEvent
  readonly events: readonly HistoryEvent[]
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

/** Actions with the rows they touched and the readers they notified. */
export function createTimelineTab(context: TabContext): Tab {
  const { controller, history, travel } = context
  /** It stays selected, and in the details, when newer events are folded over it. */
  let selected: HistoryEvent | undefined
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
    idOf: ({ events }) => String(events[0]!.id),
    render: (fold) => renderRow(fold, controller.clock.now()),
    open: () => split.show(),
    select: ({ event }) => {
      selected = event
      details.scrollTop = 0
      if (travel.moment) {
        travel.to(travel.momentAt(event) ?? travel.moment)
      }
      update()
    },
  })
  const update = (): void => {
    const words = search.value.trim().toLowerCase()
    const events = history.events.filter((event) => isOfKind(event, kind.value) && textOf(event).includes(words))
    const folds = fold(events, folded.checked).reverse()
    const shown = folds.find((one) => selected && one.events.includes(selected))
    list.update(folds, shown && String(shown.events[0]!.id))
    fill(
      details,
      ...(selected
        ? describe(context, selected)
        : [
            h('p', {
              class: 'empty',
              text: 'Select an action to see what it touched, and which components it notified.',
            }),
          ]),
    )
  }
  const label = h('label', {}, folded, ' Fold repeats')
  const clear = button('Clear', () => {
    selected = undefined
    history.clear()
  })
  const split = createSplit(details, list.element, h('div', { class: 'bar' }, kind, search, label, clear))
  return {
    element: split.element,
    update,
  }
}

/** Joins events of the same type and key that follow each other closely, such as polls. */
function fold(events: readonly HistoryEvent[], isFolded: boolean): Fold[] {
  const folds: Fold[] = []
  for (const event of events) {
    const isSame = (other: Fold): boolean =>
      other.event.type === event.type && other.event.about === event.about && !event.error && !other.event.error
    const near = isFolded ? folds.slice(-NEAR) : []
    const at = near.reverse().findIndex(isSame)
    const [last] = at >= 0 ? folds.splice(folds.length - 1 - at, 1) : []
    folds.push({ event, events: [...(last?.events ?? []), event] })
  }
  return folds
}

function isOfKind({ type, isMutation, error, outcome, changedCount }: HistoryEvent, kind: string): boolean {
  switch (kind) {
    case 'changes':
      return changedCount > 0
    case 'writes':
      return isMutation === true || type === 'set'
    case 'errors':
      return error !== undefined || outcome === 'refused'
    default:
      return kind === 'all' || type === kind
  }
}

function textOf({ type, about, touched }: HistoryEvent): string {
  return `${type} ${actionLabel(type)} ${about} ${touched.join(' ')}`.toLowerCase()
}

function renderRow({ event, events }: Fold, now: number): Node[] {
  const { type, about, outcome, error, isJoined } = event
  const cells = [tag(actionLabel(type), error ? 'bad' : COLOURS[type]), keyCell(readable(about))]
  if (events.length > 1) {
    cells.push(tag(`× ${events.length}`))
  }
  if (isJoined) {
    cells.push(tag('shared', 'plain'))
  }
  if (outcome && outcome !== 'stored') {
    cells.push(tag(outcome, outcome === 'older' ? 'warn' : 'bad'))
  }
  cells.push(h('span', { class: 'dim', text: [effectOf(event), ago(now - event.at)].filter(Boolean).join(', ') }))
  return cells
}

/** The effect on the store, in a few words. */
function effectOf({ touchedCount, changedCount }: HistoryEvent): string {
  return changedCount > 0 ? `${changedCount} changed` : touchedCount > 0 ? 'nothing new' : ''
}

function describe(context: TabContext, event: HistoryEvent): Node[] {
  const { controller } = context
  const { type, about, args, took, error, outcome, notified, auto, isJoined } = event
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
  const readers = [...counts].map(([text, count]) => (count > 1 ? `${text} × ${count}` : text))
  return [
    h('h3', {}, `${actionLabel(type)} `, ...breakable(readable(about))),
    h('p', { class: 'dim', text: facts.filter(Boolean).join(', ') }),
    ...travelButton(context, event),
    ...(error ? [h('h4', { text: 'Error' }), h('p', { text: error })] : []),
    ...effects(context, event),
    h('h4', { text: `Notified ${plural(notified.length, 'reader')}` }),
    readers.length > 0
      ? h('ul', {}, ...readers.map((text) => h('li', {}, ...sentence(context, text))))
      : h('p', {
          class: 'dim',
          text:
            event.changedCount > 0 ? 'No reader on the screen shows what changed.' : 'Nothing on the screen changed.',
        }),
    ...(args ? [h('h4', { text: 'Arguments' }), h('pre', { text: args })] : []),
  ]
}

/** Shows the store as it was after an event. */
function travelButton({ travel }: TabContext, event: HistoryEvent): Node[] {
  const moment = travel.momentAt(event)
  const isShown = moment !== undefined && moment === travel.moment
  const go = button('Show the store after this', () => travel.to(isShown ? undefined : moment), {
    aria: { pressed: isShown },
  })
  return moment ? [h('div', { class: 'bar' }, go)] : []
}

/** The rows that an event changed, and those that came again as they were. */
function effects(context: TabContext, { touched, touchedCount, changedCount, changes }: HistoryEvent): Node[] {
  if (touchedCount === 0) {
    return [h('h4', { text: 'Changes' }), h('p', { class: 'dim', text: 'It wrote nothing to the store.' })]
  }
  const same = touchedCount - changedCount
  const title =
    changedCount === 0
      ? `Received ${plural(touchedCount, 'row')}, nothing changed`
      : `Changed ${plural(changedCount, 'row')}${same > 0 ? `, received ${same} as ${same === 1 ? 'it was' : 'they were'}` : ''}`
  const more = touchedCount - touched.length
  const names = [...touched, ...(more > 0 ? [`and ${more} more`] : [])]
  return [
    h('h4', { text: title }),
    changes.length > 0
      ? changeTable(context, changes)
      : h('ul', {}, ...names.map((name) => h('li', {}, ...sentence(context, name)))),
  ]
}
