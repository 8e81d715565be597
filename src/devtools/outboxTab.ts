import type { OutboxEntry, OutboxState } from '../outbox/OutboxOptions.ts'
import { ago, inTime } from '../explain/explainText.ts'
import { createDiskBar } from './diskBar.ts'
import { button, fill, h, tag } from './dom.ts'
import { plural } from './keys.ts'
import type { Tab, TabContext } from './Tab.ts'

type Sending = OutboxState & {
  retry(id: string): Promise<void>
  discard(id: string): Promise<boolean>
}

const COLOURS = { pending: 'info', failed: 'bad', conflict: 'warn' } as const

/** The writes that wait, the channel to other tabs, and the database. */
export function createOutboxTab(context: TabContext): Tab {
  const { controller } = context
  const disk = createDiskBar(context)
  const entries = h('div', { class: 'cards' })
  /** The entries whose data is shown. */
  const opened = new Set<string>()
  const outbox = h('p', { role: 'status' })
  const channel = h('p')
  const noDisk = h('p', { class: 'dim', text: 'This store has no database: add persist() of restitch/persist.' })
  const element = h(
    'div',
    { class: 'page', tabindex: 0, role: 'region', aria: { label: 'Outbox' } },
    h('h3', { text: 'Outbox' }),
    outbox,
    entries,
    h('h3', { text: 'Other tabs' }),
    channel,
    h('h3', { text: 'Database' }),
    disk.element,
    noDisk,
  )
  const update = (): void => {
    const sending = outboxOf(context)
    const all = unsentOf(sending)
    outbox.textContent = sending
      ? `${plural(all.length, 'unsent change')}${controller.core.persisted?.status === 'open' ? '' : ', in memory only'}`
      : 'This store has no outbox: add outbox() of restitch/outbox.'
    const now = controller.clock.now() - controller.core.store.clock.ahead()
    fill(entries, ...all.map((entry) => card(entry, sending!, now, opened, update)))
    channel.textContent = channelText(context)
    disk.update()
    noDisk.hidden = controller.core.persisted !== undefined
  }
  return { element, update }
}

/** The number of writes that the server does not have. */
export function countUnsent(context: Pick<TabContext, 'controller'>): number {
  return unsentOf(outboxOf(context)).length
}

function outboxOf({ controller }: Pick<TabContext, 'controller'>): Sending | undefined {
  return controller.core.queue?.outbox as Sending | undefined
}

function unsentOf(sending: Sending | undefined): readonly OutboxEntry[] {
  return sending ? [...sending.conflicts, ...sending.failed, ...sending.pending] : []
}

function card(entry: OutboxEntry, sending: Sending, now: number, opened: Set<string>, update: () => void): HTMLElement {
  const { id, endpoint, state, isSending, records, createdAt, error } = entry
  const about = records.length > 0 ? records.filter((name) => !name.startsWith('new ')).join(', ') : 'all records'
  // Before the panel is drawn again, which sets what is open.
  const toggle = (event: Event): void => {
    event.preventDefault()
    opened[opened.has(id) ? 'delete' : 'add'](id)
    update()
  }
  const data = h(
    'details',
    { open: opened.has(id) },
    h('summary', { text: 'Data', on: { click: toggle } }),
    h('pre', { text: dataText(entry) }),
  )
  return h(
    'article',
    { class: 'card', 'data-id': id, aria: { label: `${endpoint} ${about}` } },
    tag(isSending ? 'sending' : state, COLOURS[state]),
    h('b', { text: endpoint }),
    h('span', { text: about }),
    h('span', {
      class: 'dim',
      text: [`made ${ago(now - createdAt)}`, triesText(entry, now)].filter(Boolean).join(' · '),
    }),
    error && h('span', { class: 'dim', text: `${error.status ?? ''} ${error.message}`.trim() }),
    h('span', { class: 'grow' }),
    button('Retry', () => void sending.retry(id), { disabled: isSending, title: 'Sends it now' }),
    button('Discard', () => void sending.discard(id), { disabled: isSending, title: 'Removes it: nothing is sent' }),
    data,
  )
}

function triesText({ attempts, state, isSending, dueAt }: OutboxEntry, now: number): string {
  const tried = attempts > 0 ? `sent ${attempts === 1 ? 'once' : `${attempts} times`}` : 'not sent yet'
  return state === 'pending' && !isSending && dueAt > now ? `${tried}, next in ${inTime(dueAt - now)}` : tried
}

/** The arguments, and the versions of a conflict. */
function dataText({ args, mine, theirs, base }: OutboxEntry): string {
  const versions = mine === undefined ? {} : { mine, theirs, base }
  return JSON.stringify({ args, ...versions }, undefined, 2)
}

function channelText({ controller }: TabContext): string {
  const { tabs } = controller.core
  if (!tabs) {
    return 'This store has no channel to other tabs: add tabs() of restitch/tabs.'
  }
  const { channelName, counts, count } = tabs
  return channelName === undefined
    ? 'Closed: nobody is signed in, or this browser has no BroadcastChannel.'
    : `“${channelName}” · ${plural(counts.size, 'other tab')} heard · ${plural(count, 'change')} told`
}
