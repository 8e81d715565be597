import { ago, inTime } from '../explain/explainText.ts'
import { requestsOf } from '../explain/requestFacts.ts'
import type { RequestRecord } from '../explain/requestLog.ts'
import type { Tab, TabContext } from './Tab.ts'
import { VirtualList } from './VirtualList.ts'
import { createSplit } from './split.ts'
import { button, detailsPane, fill, h, searchField, tag } from './dom.ts'
import { findDifferences, keyCell, shortKey } from './keys.ts'
import { requestDetails, sizeText, stateOf } from './requestDetails.ts'
import { Tree } from './tree.ts'

const KINDS: Readonly<Record<string, string>> = {
  all: 'All requests',
  open: 'In flight',
  read: 'Reads',
  write: 'Writes',
  failed: 'Failed',
}

/** The last requests, with their responses and what these changed. */
export function createRequestsTab(context: TabContext): Tab {
  const { controller, history } = context
  let selected: string | undefined
  let differences: ReadonlyMap<string, number> = new Map()
  const tree = new Tree(context, () => update())
  const kind = h(
    'select',
    { aria: { label: 'Kind of request' }, on: { change: () => update() } },
    ...Object.entries(KINDS).map(([value, text]) => h('option', { value, text })),
  )
  const search = searchField('Search requests', 'Search', () => update())
  const details = detailsPane('Selected request')
  const list = new VirtualList<RequestRecord>({
    label: 'Requests',
    empty: 'No request matches.',
    idOf: ({ id }) => id,
    render: (record) => rowCells(context, record, differences),
    open: () => split.show(),
    select: ({ id }) => {
      selected = id
      details.scrollTop = 0
      update()
    },
  })
  const isOfKind = (record: RequestRecord): boolean => {
    switch (kind.value) {
      case 'open':
        return controller.core.requests.open.has(record.id)
      case 'read':
        return !record.isMutation
      case 'write':
        return record.isMutation
      case 'failed':
        return stateOf(context, record)[1] === 'bad'
      default:
        return true
    }
  }
  const update = (): void => {
    const words = search.value.trim().toLowerCase()
    const all = [...history.requests, ...unrecorded(context)].reverse()
    const records = all.filter((record) => isOfKind(record) && record.name.toLowerCase().includes(words))
    differences = findDifferences(records.map(({ name }) => pathOf(name)))
    list.update(records, selected)
    const record = all.find(({ id }) => id === selected)
    fill(
      details,
      ...(record
        ? requestDetails(context, record, tree, update)
        : [
            h('p', {
              class: 'empty',
              text: 'Select a request to see why it was sent, its response, and what it changed.',
            }),
          ]),
    )
  }
  const clear = button('Clear', () => history.clear())
  const split = createSplit(details, list.element, h('div', { class: 'bar' }, kind, search, clear))
  return {
    element: split.element,
    update,
  }
}

/** Requests that were sent before the recording began. */
function unrecorded({ controller, history }: TabContext): RequestRecord[] {
  const known = new Set(history.requests.map(({ id }) => id))
  return requestsOf(controller, history)
    .filter(({ requestId }) => !known.has(requestId))
    .map(({ requestId, key, name, args, since, isMutation }) => ({
      id: requestId,
      key,
      name,
      args,
      isMutation,
      why: 'It was sent before the recording began.',
      sentAt: since,
      joined: 0,
      attempts: 1,
    }))
}

/** A name without the method, which has a place of its own. */
function pathOf(name: string): string {
  return shortKey(name).replace(/^[A-Z]+ /, '')
}

function rowCells(context: TabContext, record: RequestRecord, differences: ReadonlyMap<string, number>): Node[] {
  const { controller, history } = context
  const { id, name, sentAt, isMutation, response } = record
  const now = controller.clock.now()
  const path = pathOf(name)
  const [text, colour] = stateOf(context, record)
  const isOpen = controller.core.requests.open.has(id)
  const retry = isOpen ? history.retryOf(id) : undefined
  const took = response?.took ?? (isOpen ? now - sentAt : undefined)
  const [method = ''] = /^[A-Z]+(?= )/.exec(name) ?? []
  const cells: (Node | false)[] = [
    tag(method || (isMutation ? 'write' : 'read'), isMutation ? 'warn' : 'info'),
    keyCell(path, differences.get(path)),
    retry !== undefined && retry.at > now && tag(`again in ${inTime(retry.at - now)}`, 'bad'),
    tag(text, colour),
    h('span', { class: 'dim number', text: took === undefined ? '' : inTime(took) }),
    h('span', { class: 'dim number', text: sizeText(record) }),
    h('span', { class: 'dim number', text: ago(now - sentAt) }),
  ]
  return cells.filter((cell): cell is Node => cell !== false)
}
