import type { Controller } from '../controller/Controller.ts'
import { ago, inTime } from '../explain/explainText.ts'
import type { History, HistoryEvent } from '../explain/history.ts'
import { pendingOf } from '../explain/requestFacts.ts'
import type { RequestRecord } from '../explain/requestLog.ts'
import type { RowChange } from '../explain/rowChanges.ts'
import { asText } from '../explain/rowNames.ts'
import type { TabContext } from './Tab.ts'
import { changeTable } from './changes.ts'
import { breakable, button, h } from './dom.ts'
import { explanationBar } from './explanationBar.ts'
import { plural, shortKey } from './keys.ts'
import { countUnsent } from './outboxTab.ts'
import { sentence } from './sentence.ts'
import { simulationOf } from './simulate.ts'
import type { Tree } from './tree.ts'

/** The colour of a request's state, and its words. */
export function stateOf(
  { controller, history }: TabContext,
  record: RequestRecord,
): readonly [text: string, colour: 'good' | 'warn' | 'bad' | 'info' | 'plain'] {
  const { id, status, response, attempts } = record
  if (controller.core.requests.open.has(id)) {
    return simulationOf(controller).isHeld(id) ? ['delayed', 'warn'] : ['in flight', 'info']
  }
  if (response === undefined) {
    return [attempts > 0 ? 'aborted' : isQueued(controller, history, record) ? 'queued' : 'not sent', 'plain']
  }
  return [status === undefined ? (response.outcome ?? 'done') : String(status), isFailed(response) ? 'bad' : 'good']
}

/** Whether the outbox has taken it: it sends a request of its own for it. */
function isQueued(controller: Controller, { requests }: History, { isMutation, key, sentAt }: RequestRecord): boolean {
  return (
    isMutation &&
    controller.core.queue !== undefined &&
    (countUnsent({ controller }) > 0 ||
      requests.some((other) => other.key === key && other.attempts > 0 && other.sentAt >= sentAt))
  )
}

function isFailed({ outcome, error }: HistoryEvent): boolean {
  return outcome === 'failed' || outcome === 'refused' || error !== undefined
}

/** The length of a response, as people read it. Without a header, that of its JSON. */
export function sizeText({ bytes, value }: RequestRecord): string {
  const length = bytes ?? (value === undefined ? undefined : (lengths.get(value as object) ?? measure(value)))
  if (length === undefined) {
    return ''
  }
  return length < 1_000
    ? `${length} B`
    : `${Number((length / 1_000).toFixed(length < 10_000 ? 1 : 0)).toLocaleString('en')} kB`
}

const lengths = new WeakMap<object, number>()

function measure(value: unknown): number {
  const { length } = asText(value)
  if (typeof value === 'object' && value !== null) {
    lengths.set(value, length)
  }
  return length
}

/** The selected request: why it was sent, what came back, and what it changed. */
export function requestDetails(context: TabContext, record: RequestRecord, tree: Tree, update: () => void): Node[] {
  const { id, key, name, args, value, response } = record
  const body = args?.at(-1)
  const hasBody = record.isMutation && typeof body === 'object' && body !== null
  const shown = findShown(context, id)
  return [
    h('h3', { class: 'mono' }, ...breakable(shortKey(name))),
    h(
      'section',
      { class: 'why', aria: { label: 'Explanation' } },
      h('p', { class: 'lead' }, ...sentence(context, `${record.why} ${outcomeText(record, context, shown)}`)),
      h(
        'dl',
        {},
        ...facts(context, record).flatMap(([label, text]) => [h('dt', { text: label }), h('dd', {}, h('p', { text }))]),
      ),
      explanationBar(context, () => ({ args, response: value, ...response })),
    ),
    actions(context, record, update),
    ...shownBefore(context, id, shown),
    ...(response?.error ? [h('h4', { text: 'Error' }), h('p', { class: 'mono', text: response.error })] : []),
    ...changed(context, record, shown),
    ...(hasBody ? [h('h4', { text: 'Body that was sent' }), tree.value(body, undefined, `${id}/sent`)] : []),
    ...(!hasBody && args && args.length > 0
      ? [h('h4', { text: 'Arguments' }), tree.value(args.length === 1 ? args[0] : args, undefined, `${id}/args`)]
      : []),
    ...(value === undefined ? [] : [h('h4', { text: 'Response' }), tree.value(value, undefined, `${id}/got`)]),
    h('p', {}, 'Its data is in ', ...sentence(context, key), '.'),
  ]
}

/** The optimistic update of a request, if it had one. */
function findShown({ history }: TabContext, id: string): HistoryEvent | undefined {
  return history.events.find(
    ({ type, requestId, changedCount }) => type === 'fetch' && requestId === id && changedCount > 0,
  )
}

function shownBefore(context: TabContext, id: string, shown: HistoryEvent | undefined): Node[] {
  if (shown && shown.changes.length > 0) {
    return [
      h('h4', { text: `Shown before its response (${plural(shown.changedCount, 'row')})` }),
      changeTable(context, shown.changes),
    ]
  }
  const pending = pendingOf(context.controller).find(({ requestId }) => requestId === id)
  return pending
    ? [h('h4', { text: 'Shown before its response' }), h('p', {}, ...sentence(context, pending.changes.join(', ')))]
    : []
}

/** The changes by a response that its optimistic update had not shown. */
function newsOf({ changes }: HistoryEvent, shown: HistoryEvent | undefined): readonly RowChange[] {
  const isShown = ({ name, fields }: RowChange): boolean =>
    shown!.changes.some(
      (one) =>
        one.name === name &&
        fields.every(({ field, after }) => one.fields.some((old) => old.field === field && old.after === after)),
    )
  return shown ? changes.filter((change) => !isShown(change)) : changes
}

function outcomeText(
  record: RequestRecord,
  { controller, history }: TabContext,
  shown: HistoryEvent | undefined,
): string {
  const { id, response, joined, attempts } = record
  const now = controller.clock.now()
  const shared = joined > 0 ? `${joined === 1 ? 'One more fetch' : `${joined} more fetches`} shared it. ` : ''
  if (response === undefined) {
    const isOver = !controller.core.requests.open.has(id)
    if (!isOver || attempts > 0) {
      return shared
    }
    return isQueued(controller, history, record)
      ? `${shared}The outbox has taken it, and sends a request of its own.`
      : `${shared}It was never sent: it was undone or aborted before.`
  }
  const { outcome, touchedCount, changedCount, at } = response
  const news = newsOf(response, shown).length
  const stored = shown
    ? isFailed(response)
      ? 'The changes that were shown before it are rolled back.'
      : news > 0
        ? `Beyond what was shown before it, it changed ${plural(news, 'row')}.`
        : 'It confirmed the changes that were shown before it.'
    : changedCount > 0
      ? `It changed ${changedCount} of ${plural(touchedCount, 'row')}.`
      : touchedCount > 0
        ? `It contained ${plural(touchedCount, 'row')}, and nothing new.`
        : ''
  return `${shared}Response ${outcome} ${ago(now - at)}. ${stored}`
}

function facts(context: TabContext, record: RequestRecord): [label: string, text: string][] {
  const { controller } = context
  const { sentAt, response, attempts, status, method } = record
  const [state] = stateOf(context, record)
  const isOpen = controller.core.requests.open.has(record.id)
  const took = response?.took ?? (isOpen ? controller.clock.now() - sentAt : undefined)
  const all: [string, string | undefined][] = [
    ['Method', method],
    ['Status', status === undefined ? state : String(status)],
    ['Duration', took === undefined ? undefined : inTime(took)],
    ['Size', sizeText(record) && `${sizeText(record)}${record.bytes === undefined ? ' of JSON' : ' transferred'}`],
    ['Sent', attempts > 0 ? ago(controller.clock.now() - sentAt) : undefined],
    ['Attempts', attempts > 1 ? String(attempts) : undefined],
  ]
  return all.filter((fact): fact is [string, string] => Boolean(fact[1]))
}

function actions({ controller }: TabContext, record: RequestRecord, update: () => void): HTMLElement {
  const { id, name, endpoint, args } = record
  const simulation = simulationOf(controller)
  const isHeld = simulation.isHeld(id)
  const act = (label: string, run: () => void): HTMLElement =>
    button(
      label,
      () => {
        run()
        update()
      },
      { aria: { label: `${label} ${shortKey(name)}` }, 'data-id': `${label} ${id}` },
    )
  const { open } = controller.core.requests
  if (!open.has(id)) {
    const again = (): void => void controller.fetch(endpoint!, ...(args as [])).catch(() => {})
    return h('div', { class: 'bar' }, ...(endpoint ? [act('Send again', again)] : []))
  }
  return h(
    'div',
    { class: 'bar' },
    act('Abort', () => open.has(id) && controller.core.requests.drop(open.get(id)!)),
    act('Fail', () => open.has(id) && simulation.fail(open.get(id)!)),
    act(isHeld ? 'Release' : 'Delay', () => simulation.hold(id, !isHeld)),
  )
}

function changed(context: TabContext, { response }: RequestRecord, shown: HistoryEvent | undefined): Node[] {
  if (response === undefined || response.touchedCount === 0) {
    return []
  }
  const { changes, changedCount, touchedCount } = response
  const news = newsOf(response, shown)
  const more = changedCount - changes.length
  if (news.length === 0) {
    const text = `None: it contained ${plural(touchedCount, 'row')}, all as before.`
    return shown ? [] : [h('h4', { text: 'Changes' }), h('p', { class: 'dim', text })]
  }
  return [
    h('h4', {
      text: shown ? 'Changes by the response' : `Changes (${changedCount} of ${plural(touchedCount, 'row')})`,
    }),
    changeTable(context, news),
    ...(more > 0 ? [h('p', { class: 'dim', text: `and ${plural(more, 'row')} more` })] : []),
  ]
}
