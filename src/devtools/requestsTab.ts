import type { RequestFact } from '../advice/Explanation.ts'
import { ago, inTime } from '../explain/explainText.ts'
import { pendingOf, requestsOf } from '../explain/requestFacts.ts'
import { asText } from '../explain/slotNames.ts'
import type { Tab, TabContext } from './Tab.ts'
import { button, fill, h, tag } from './dom.ts'
import { shortKey } from './keys.ts'
import { simulationOf } from './simulate.ts'

const MOST = 100

/** Requests in flight and pending operations. */
export function createRequestsTab({ controller, history }: TabContext): Tab {
  const simulation = simulationOf(controller)
  const page = h('div', { class: 'page', tabindex: 0, role: 'region', aria: { label: 'Requests' } })
  const act = (label: string, { requestId, name }: RequestFact, run: () => void): HTMLElement =>
    button(
      label,
      () => {
        run()
        update()
      },
      { aria: { label: `${label} ${shortKey(name)}` }, 'data-id': `${label} ${requestId}` },
    )

  const card = (fact: RequestFact): HTMLElement => {
    const { requestId, name, since, isMutation, auto, callers, retryAt } = fact
    const now = controller.clock.now()
    const request = controller.core.requests.open.get(requestId)
    const isHeld = simulation.isHeld(requestId)
    return h(
      'li',
      { class: 'card' },
      h('span', { class: 'main mono', text: shortKey(name) }),
      tag(isMutation ? 'write' : 'read', isMutation ? 'warn' : 'info'),
      h('span', {
        class: 'dim',
        text: `${inTime(now - since)}${auto ? ', for a reader' : ''}${callers > 0 ? `, ${callers} waiting` : ''}`,
      }),
      retryAt !== undefined && tag(`again in ${inTime(retryAt - now)}`, 'bad'),
      act('Abort', fact, () => request && controller.core.requests.drop(request)),
      act('Fail', fact, () => request && simulation.fail(request)),
      act(isHeld ? 'Release' : 'Delay', fact, () => simulation.hold(requestId, !isHeld)),
    )
  }

  const update = (): void => {
    const now = controller.clock.now()
    const requests = requestsOf(controller, history).slice(0, MOST)
    const operations = pendingOf(controller).slice(0, MOST)
    fill(
      page,
      h('h3', { text: `In flight (${requests.length})` }),
      requests.length > 0
        ? h('ul', { class: 'cards', style: 'padding: 0; list-style: none' }, ...requests.map(card))
        : h('p', { class: 'empty', text: 'No request is in flight. Add latency in the Network tab to catch one.' }),
      h('h3', { text: `Pending operations (${operations.length})` }),
      operations.length > 0
        ? h(
            'ul',
            {},
            ...operations.map(({ key, args, since, changes }) =>
              h('li', {
                text: `${shortKey(key)} ${asText(args.at(-1))}, sent ${ago(now - since)}, changes ${changes.join(', ')}`,
              }),
            ),
          )
        : h('p', { class: 'empty', text: 'The server has confirmed everything on the screen.' }),
    )
  }
  return { element: page, update }
}
