import type { Explanation } from '../advice/Explanation.ts'
import { explainTarget } from '../explain/explainTarget.ts'
import { ago, inTime, liveText } from '../explain/explainText.ts'
import { lastOf } from '../explain/explainRequest.ts'
import { rowFreshness } from '../explain/explainFreshness.ts'
import type { ResultMeta } from '../store/Store.ts'
import type { TabContext } from './Tab.ts'
import { dataSection } from './dataSection.ts'
import { breakable, button, h } from './dom.ts'
import { plural, shortKey } from './keys.ts'
import { type Forced, forcedError, simulationOf } from './simulate.ts'
import { expandRow, targetOf } from './references.ts'
import type { ResultFact } from './storeFacts.ts'
import type { Tree } from './tree.ts'
import { type Fact, fetchedBecause, shownBy, whyBox } from './why.ts'

/** The selected endpoint: why it shows what it shows, and its data. */
export function endpointDetails(context: TabContext, { row, key }: ResultFact, tree: Tree): Node[] {
  const { controller, history, isPast } = context
  const now = controller.clock.now()
  const title = h('h3', { class: 'mono' }, ...breakable(shortKey(key)))
  const data = dataSection(context, isPast ? 'Data at that moment' : 'Data', row, tree)
  if (isPast) {
    const meta: ResultMeta | undefined = row.meta
    const error: unknown = meta?.error
    return [title, ...(error === undefined ? [] : [h('p', { class: 'mono', text: messageOf(error) })]), ...data]
  }
  const target = targetOf(row) ?? history.target(key)
  if (target === undefined) {
    const unknown: Fact = ['Read by', ['Nothing has read or fetched it since the recording began.']]
    return [
      title,
      whyBox(
        context,
        rowFreshness(controller, history, row),
        [unknown, fetchedBecause(lastOf(history.notes(key)), now)],
        () => expandRow(controller, row),
      ),
      ...data,
    ]
  }
  const [endpoint, args] = target as [any, readonly any[]]
  const explanation = explainTarget(controller, endpoint as object, args)
  const act = (label: string, run: () => Promise<unknown>): HTMLElement =>
    button(label, () => void run().catch(() => {}))
  const simulation = simulationOf(controller)
  const force = (forced: Forced): HTMLElement => {
    const isOn = simulation.forced(key) === forced
    const toggle = async (): Promise<void> => {
      simulation.force(key, isOn ? undefined : forced)
      if (isOn) {
        await controller.fetch(endpoint, ...(args as []))
        return
      }
      await controller.invalidate(endpoint, ...(args as []))
      if (forced === 'error') {
        await controller.setError(endpoint, ...([...args, forcedError()] as any))
      }
    }
    return button(`Force ${forced}`, () => void toggle().catch(() => {}), { aria: { pressed: isOn } })
  }
  const actions = h(
    'div',
    { class: 'bar' },
    act('Refetch', () => controller.fetch(endpoint, ...(args as []))),
    act('Expire', () => controller.expireAll({ testKey: (one) => one === key })),
    act('Invalidate', () => controller.invalidate(endpoint, ...(args as []))),
    force('loading'),
    force('error'),
  )
  return [
    title,
    whyBox(context, explanation.freshness, factsOf(explanation, now), () => explanation),
    endpoint.sideEffect ? h('p', { class: 'dim', text: 'A mutation.' }) : actions,
    ...data,
  ]
}

function factsOf(explanation: Explanation, now: number): Fact[] {
  const { request, sources, pending, readers, missing, hiddenError, error, kept, polling, live } = explanation
  return [
    ['Error', error === undefined ? [] : [messageOf(error)]],
    [
      'Hidden error',
      hiddenError === undefined ? [] : [`The soft errorPolicy hides it while there is data: ${messageOf(hiddenError)}`],
    ],
    ['Missing', missing.map(({ record, fields }) => `${record} lacks ${fields.join(', ')}.`)],
    ['Pending', pending.map(({ key, changes }) => `${key} changes ${changes.join(', ')}`)],
    fetchedBecause(request.last, now),
    ['Next request', [request.next]],
    [
      'Polling',
      polling ? [`Every ${inTime(polling.frequency)}${polling.paused ? `, paused: ${polling.paused}` : ''}.`] : [],
    ],
    ['Live', live.map((fact) => liveText(fact, now))],
    [
      'Comes from',
      sources.map(
        ({ by, sentAt, storedAt, rows }) =>
          `${by}: sent ${ago(now - sentAt)}, stored ${ago(now - storedAt)}, ${plural(rows, 'row')}.`,
      ),
    ],
    shownBy(readers),
    ['Kept because', kept.why],
  ]
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
