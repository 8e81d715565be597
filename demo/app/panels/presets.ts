import { type FaultFields, noFaults } from './faults.ts'

export interface Preset {
  readonly name: string
  readonly watch: string
  readonly faults: FaultFields
}

export const presets: readonly Preset[] = [
  { name: 'Everything fine', watch: 'Each change shows at once and is confirmed a moment later.', faults: noFaults },
  {
    name: 'Far away',
    watch: 'Drag a card: it stays where you put it, although the server needs seconds to agree.',
    faults: { ...noFaults, latency: 2_000, jitter: 500 },
  },
  {
    name: 'Bad Wi-Fi',
    watch: 'Answers overtake each other and some fail. No edit flips back, and only what failed is undone.',
    faults: { ...noFaults, latency: 300, jitter: 1_200, errorRate: 0.2, reorder: true, slowBody: true },
  },
  {
    name: 'Train tunnel',
    watch: 'What was loaded stays on the screen. Edits are undone with a message; leave the tunnel and all goes on.',
    faults: { ...noFaults, offline: true },
  },
]

export interface Range {
  readonly field: 'latency' | 'jitter' | 'errorRate'
  readonly label: string
  readonly watch: string
  readonly max: number
  readonly step: number
  readonly format: (value: number) => string
}

const ms = (value: number): string => (value < 1_000 ? `${value} ms` : `${value / 1_000} s`)

export const ranges: readonly Range[] = [
  {
    field: 'latency',
    label: 'Latency',
    watch: 'Edits show before the answer is there; first loads show skeletons.',
    max: 5_000,
    step: 100,
    format: ms,
  },
  {
    field: 'jitter',
    label: 'Jitter',
    watch: 'Up to this much more for each answer, so no two take the same time.',
    max: 3_000,
    step: 100,
    format: ms,
  },
  {
    field: 'errorRate',
    label: 'Error rate',
    watch: 'Reads keep the last good data and are tried again; failed edits roll back, alone.',
    max: 1,
    step: 0.05,
    format: (value) => `${Math.round(value * 100)} %`,
  },
]

export interface Toggle {
  readonly field: 'offline' | 'reorder' | 'slowBody'
  readonly label: string
  readonly watch: string
}

export const toggles: readonly Toggle[] = [
  { field: 'offline', label: 'Offline', watch: 'Connections are cut. Screens that were loaded stay usable.' },
  {
    field: 'reorder',
    label: 'Reorder answers',
    watch: 'Edit the same title three times, quickly: the last one stays.',
  },
  { field: 'slowBody', label: 'Slow bodies', watch: 'Answers trickle in. Look at the progress of a download.' },
]
