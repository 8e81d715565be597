import { type FaultFields, noFaults } from './faults.ts'

export interface Preset {
  readonly name: string
  readonly watch: string
  readonly faults: FaultFields
}

export const presets: readonly Preset[] = [
  {
    name: 'No faults',
    watch: 'Each change shows at once, and the server confirms it a moment later.',
    faults: noFaults,
  },
  {
    name: 'Far away',
    watch: 'Drag a card: it stays where you drop it, although the server takes seconds to respond.',
    faults: { ...noFaults, latency: 2_000, jitter: 500 },
  },
  {
    name: 'Bad Wi-Fi',
    watch:
      'Responses overtake each other and some fail. No edit flickers: edits of issues are sent again until they arrive.',
    faults: { ...noFaults, latency: 300, jitter: 1_200, errorRate: 0.2, reorder: true, slowBody: true },
  },
  {
    name: 'Train tunnel',
    watch: 'Loaded data stays, also over a reload. Edits of issues wait in the outbox until you are out.',
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
    watch: 'Edits show before the response arrives; first loads show skeletons.',
    max: 5_000,
    step: 100,
    format: ms,
  },
  {
    field: 'jitter',
    label: 'Jitter',
    watch: 'A random extra delay up to this, so responses arrive out of order.',
    max: 3_000,
    step: 100,
    format: ms,
  },
  {
    field: 'errorRate',
    label: 'Error rate',
    watch:
      'Reads keep the last data and are retried, and so are edits of issues. A failed edit of a person rolls back.',
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
  {
    field: 'offline',
    label: 'Offline',
    watch: 'All requests fail. Loaded screens stay usable, and the outbox keeps edits of issues.',
  },
  {
    field: 'reorder',
    label: 'Reorder responses',
    watch: 'Edit the same title three times in a row: the last edit wins.',
  },
  { field: 'slowBody', label: 'Slow bodies', watch: 'Bodies arrive slowly. Watch the progress of a download.' },
]
