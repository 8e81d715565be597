import type { LiveFact } from '../advice/Explanation.ts'
import { liveText, outageText } from '../explain/explainText.ts'
import { liveOf } from '../explain/liveLinks.ts'
import { button, fill, h, setAria, tag } from './dom.ts'
import { simulationOf } from './simulate.ts'
import type { Tab, TabContext } from './Tab.ts'

const PRESETS: readonly (readonly [label: string, latency: number, failures: number, offline: boolean])[] = [
  ['Off', 0, 0, false],
  ['Slow', 2_000, 0, false],
  ['Unreliable', 500, 0.3, false],
  ['Offline', 0, 0, true],
]

/** The colour of each state of a live connection. */
export const LIVE_COLOURS: Readonly<Record<LiveFact['status'], 'good' | 'warn' | 'bad' | 'info' | 'plain'>> = {
  open: 'good',
  connecting: 'info',
  waiting: 'warn',
  paused: 'plain',
  refused: 'bad',
  closed: 'plain',
}

/** Makes the network of this store slow, unreliable or absent. */
export function createNetworkTab({ controller, changed }: TabContext): Tab {
  const simulation = simulationOf(controller)
  const status = h('p', { role: 'status' })
  const latency = slider('Latency', 5_000, 100, (value) => {
    simulation.latency = value
  })
  const failures = slider('Failures', 100, 5, (value) => {
    simulation.failures = value / 100
  })
  const offline = h('input', {
    type: 'checkbox',
    id: 'offline',
    on: {
      change: () => {
        simulation.offline = offline.checked
        update()
      },
    },
  })
  function slider(label: string, max: number, step: number, set: (value: number) => void): HTMLInputElement {
    return h('input', {
      type: 'range',
      min: 0,
      max,
      step,
      aria: { label },
      on: {
        input: (event) => {
          set(Number((event.currentTarget as HTMLInputElement).value))
          update()
        },
      },
    })
  }
  const [latencyText, failuresText] = [h('output'), h('output')]
  const presets = PRESETS.map(([label, ms, share, isOffline]) =>
    button(
      label,
      () => {
        Object.assign(simulation, { latency: ms, failures: share, offline: isOffline })
        update()
      },
      { class: 'chip' },
    ),
  )
  const update = (): void => {
    const live = liveOf(controller)
    const now = controller.clock.now()
    fill(
      links,
      live.length > 0 && h('h3', { text: live.length === 1 ? 'Live connection' : 'Live connections' }),
      ...live.map((fact) => h('p', {}, tag(fact.status, LIVE_COLOURS[fact.status]), ` ${liveText(fact, now)}`)),
      ...[...controller.core.requests.budget.outages.values()]
        .filter(({ allowedAt }) => allowedAt > now)
        .map((outage) => h('p', { text: outageText(outage, now) })),
    )
    const { latency: ms, failures: share, offline: isOffline } = simulation
    for (const [index, [, ...preset]] of PRESETS.entries()) {
      setAria(presets[index]!, { pressed: String(preset) === String([ms, share, isOffline]) })
    }
    latency.value = String(ms)
    failures.value = String(share * 100)
    offline.checked = isOffline
    latencyText.textContent = `${ms} ms`
    failuresText.textContent = `${Math.round(share * 100)} %`
    const on = [
      ms > 0 && `each request waits ${ms} ms`,
      share > 0 && `${Math.round(share * 100)} % of requests fail with 503`,
      isOffline && 'no request reaches the server',
    ]
    const text = on.filter(Boolean).join('; ')
    const next = text ? `Simulating: ${text}.` : 'Nothing is simulated: requests go to the server as usual.'
    if (status.textContent !== next) {
      status.textContent = next
      changed()
    }
  }
  const links = h('div')
  const element = h(
    'div',
    { class: 'page', tabindex: 0, role: 'region', aria: { label: 'Network' } },
    links,
    h('h3', { text: 'Simulation' }),
    status,
    h('div', { class: 'bar', role: 'group', aria: { label: 'Presets' } }, ...presets),
    h('div', { class: 'field' }, h('span', { text: 'Latency' }), latency, latencyText),
    h('div', { class: 'field' }, h('span', { text: 'Failures' }), failures, failuresText),
    h('p', {}, h('label', { for: 'offline' }, offline, ' Offline')),
    h('p', {
      class: 'dim',
      text: 'This affects requests of this store only, until the page is reloaded. A request that waits can be aborted in the Requests tab.',
    }),
  )
  return { element, update }
}
